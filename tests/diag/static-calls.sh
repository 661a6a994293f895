#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Calls in code that nobody can find: one warning, and the report is there without them.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the images'
import elfimage
from elfimage import Image
from gmonfile import Profile

BASE = 0x401000
elfimage.MACHINES['other'] = (0x7777, 64, '<', 0)
for machine in 'x86_64', 'riscv64', 'other':
    image = Image(machine).section('.text', BASE, bytes(0x40))
    image.functions(['main', 'work', 'zz_end'], BASE, 16)
    open(machine, 'wb').write(image.bytes())
    profile = Profile.of(image).histogram(BASE, BASE + 0x20, [1] * 8).arc(BASE + 4, BASE + 16, 3)
    open(machine + '.gmon', 'wb').write(profile.bytes())
PROGRAM

# A machine that no plugin knows; the graph is that without -c.
expect_status 0 "$GPROFX" -b -q other other.gmon
cp out without
expect_status 0 "$GPROFX" -b -c -q other other.gmon
expect_in err 'warning[scan.not-installed]: other: there is no call scanner for code of ELF machine 30583'
[ "$(grep -c 'scan\.' err)" = 1 ] || fail 'one warning was expected'
expect_same without out

# Without a graph of calls nobody looks for any.
expect_status 0 "$GPROFX" -b -p other other.gmon
expect_not_in err 'scan.'

# GNU gprof's words do not depend on what is installed.
as_gprof
expect_status 0 ./gprof -b -c -q riscv64 riscv64.gmon
expect_same err - <<<'./gprof: -c not supported on architecture riscv:rv64'
expect_status 0 ./gprof -b -c -q other other.gmon
expect_same err - <<<'./gprof: -c not supported on architecture unknown'

# One that could be installed has a name.
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
mkdir few
for name in symbols-elf input-gmon-magic output-callgraph; do
	ln -s "$GPROFX_PLUGIN_DIR/$name.so" "$GPROFX_PLUGIN_DIR/$name.yaml" few
done
mkdir -p bin lib/gprofx
cp "$GPROFX" bin/gprofx && ln -s ../../few lib/gprofx/1 || fail 'no program with few plugins'
expect_status 0 bin/gprofx -b -c -q x86_64 x86_64.gmon
expect_in err 'warning[scan.not-installed]'
expect_in err '  hint: install the plugin findcall-x86, package gprofx-findcall-x86; '
ln -s "$GPROFX_PLUGIN_DIR"/config-yaml.{so,yaml} few
# In GNU mode, too, if it is a machine that GNU gprof knows; else its words are true of it.
expect_status 0 bin/gprofx --gnu -b -c -q x86_64 x86_64.gmon
[ "$(grep -c . err)" = 2 ] || fail 'not one message with a hint'
expect_in err 'scan.not-installed'
expect_in err 'install the plugin findcall-x86, package gprofx-findcall-x86; '
expect_status 0 bin/gprofx --gnu -b -c -q riscv64 riscv64.gmon
expect_same err - <<<'bin/gprofx: -c not supported on architecture riscv:rv64'
