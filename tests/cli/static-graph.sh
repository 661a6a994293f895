#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# -c and a profile that has no calls: the graph is that of the code, unless there is nothing in it.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-x86.so" ] || exit 77

python3 - <<'END' || fail 'cannot write the files'
import struct
from elfimage import Image
from gmonfile import Profile

BASE = 0x401000

def write(name, code):
    image = Image('x86_64').section('.text', BASE, code.ljust(64, b'\x90'))
    image.functions(['main', 'work', 'leaf', 'zz_end'], BASE, 16)
    open(name, 'wb').write(image.bytes())

def call(at, to):
    return b'\xe8' + struct.pack('<i', to - at - 5)

write('calls', (b'\x90' + call(1, 16)).ljust(16, b'\x90') + call(16, 32))
write('none', b'')
# main calls work, which can call leaf and be called by it; and leaf is in no sample.
write('cycle', ((b'\x90' + call(1, 16)).ljust(16, b'\x90') + call(16, 32)).ljust(32, b'\x90') + call(32, 16))
open('unused', 'wb').write(Profile().histogram(BASE, BASE + 64, [1, 0, 0, 0]).bytes())
open('samples', 'wb').write(Profile().histogram(BASE, BASE + 64, [1, 2, 3, 0]).bytes())
END

expect_status 0 "$GPROFX" -b -c -q calls samples
expect_in err 'finding[calls.none]'
expect_in err 'only static arcs, found in the code'
expect_match out '^ +0\.00    0\.00       0/0           main \[[0-9]\]$'
expect_match out '^\[[0-9]\] +33\.3    0\.02    0\.00                 work \[[0-9]\]$'
expect_match out '^ +0\.00    0\.00       0/0           leaf \[[0-9]\]$'

# By default both tables.
expect_status 0 "$GPROFX" -b -c calls samples
expect_in out 'Flat profile:'
expect_in out 'Call graph'
expect_status 0 "$GPROFX" --no-findings -c --output=csv --output-option=table=arcs calls samples
expect_match out '^"main","work",call,0,'
expect_match out '^"work","leaf",call,0,'
expect_status 0 "$GPROFX" --no-findings -c --output=json calls samples
expect_in out '"static"'

# What was asked for has an entry, too, if it is only in the code: in a cycle together with that.
expect_status 0 "$GPROFX" --no-findings -c --entry=leaf cycle unused
expect_undiagnosed
expect_match out '^\[[0-9]\] +0\.0 +0\.00 +0\.00 +0 +<cycle 1 as a whole> \[[0-9]\]$'
expect_match out '^\[[0-9]\] +0\.0 +0\.00 +0\.00 +leaf <cycle 1> \[[0-9]\]$'
expect_match out '^ +\[[0-9]\] leaf +\[[0-9]\] <cycle 1>$'
expect_status 0 "$GPROFX" --no-findings -c --entry=leaf calls unused
expect_undiagnosed
expect_match out '^\[[0-9]\] +0\.0 +0\.00 +0\.00 +leaf \[[0-9]\]$'
expect_status 0 "$GPROFX" --no-findings -c --entry=zz_end calls unused
expect_in err 'warning[symspec.no-entry]'
# The setting alone takes nothing away, and adds nothing.
expect_status 0 "$GPROFX" --no-findings -b -c -q cycle unused
expect_not_in out '] <cycle 1>'
cp out all
expect_status 0 "$GPROFX" --no-findings -b -c -q --set=report.entries-only=true cycle unused
expect_same out all

# Nothing is called there, or what is was not asked for.
for how in '-c -q none' '-q calls'; do
	expect_status 1 "$GPROFX" -b $how samples
	expect_in err 'error[report.no-arcs]'
	expect_empty out
done
expect_status 0 "$GPROFX" -b -c none samples
expect_not_in out 'Call graph'

# GNU gprof wants calls that happened.
for how in --gnu --correct=no-static-calls; do
	expect_status 1 "$GPROFX" $how -b -c -q calls samples
	expect_empty out
done
