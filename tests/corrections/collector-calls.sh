#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# static-calls: what functions call to tell the collector of themselves is no callee of theirs, unless the program
# has the collector in itself: GNU gprof lists it then.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-x86.so" ] || exit 77

# The arcs without counts as lines "caller callee".
arcs()
{
	expect_status 0 "$GPROFX" --output=csv --output-option=table=arcs --no-findings -c "$@"
	python3 -c '
import csv
for row in csv.DictReader(open("out")):
    if row["calls"] == "0":
        print(row["caller"], row["callee"])' | LC_ALL=C sort >found
}

# Functions of the program's own, whatever they are called.
python3 - <<'PROGRAM' || fail 'cannot write the program'
import struct
from elfimage import Image
from gmonfile import Profile

BASE, STEP = 0x401000, 64
names = ['main', 'mcount', '_mcount', '__mcount', '.mcount', '__fentry__', '__gnu_mcount_nc', 'my_mcount']
text = bytearray()
for name in names:
    code = b''
    for callee in names[1:] if name == 'main' else []:
        code += b'\xe8' + struct.pack('<i', STEP * names.index(callee) - len(text) - len(code) - 5)
    text += (code + b'\xc3').ljust(STEP, b'\x90')
image = Image('x86_64').section('.text', BASE, bytes(text))
image.functions(names, BASE, STEP)
open('program', 'wb').write(image.bytes())
profile = Profile.of(image).histogram(BASE, BASE + len(text), [1] * (len(text) // 4))
open('gmon', 'wb').write(profile.arc(BASE + 5, BASE + STEP * names.index('my_mcount'), 7).bytes())
PROGRAM
arcs program gmon
cp found own
[ "$(wc -l <own)" = 6 ] || fail 'six callees were not called'
arcs --gnu program gmon
expect_same found - <own

# What the compiler makes: by GOT slots and PLT stubs, at function entries or behind them.
[ "$(uname -m)" = x86_64 ] || exit 0
cat >real.c <<-'END'
	#include <stdio.h>
	void leaf(int i) { printf("%d\n", i); }
	void never(void) { leaf(1); }
	int main(int count, char **words) { (void)words; if (count > 9) never(); leaf(count); return 0; }
END
for how in '' -no-pie -fno-plt '-fno-pic -no-pie' -mfentry; do
	rm -f real gmon.out
	# Not every installation can link each.
	"$GPROFX_CC" -pg -O0 $how -o real real.c 2>/dev/null && ./real >printed || continue
	expect_status 0 nm real
	expect_match out 'mcount|fentry'
	arcs real gmon.out
	grep -E '^(main|leaf|never) ' found | grep -vE ' (printf|_IO_printf)' | sort >own
	expect_same own - <<-'END'
		main never
		never leaf
	END
	expect_match found '^leaf .*printf'
done
