#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A scanner that was built elsewhere, from public headers alone, finds the calls of a machine that no
# plugin here knows: asked for by --plugin, or found by what its manifest says.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the image'
import struct
from elfimage import Image
from gmonfile import Profile

BASE = 0x120000000
AT = {'main': BASE, 'work': BASE + 16, 'leaf': BASE + 32}

def branch(opcode, at, to):
    distance = (AT[to] - BASE - at) // 4
    return struct.pack('<I', opcode << 26 | (distance & 0xffff) << 10 | distance >> 16 & 0x3ff)

B, BL, NOP, JIRL_RA_T0, RET = 0x14, 0x15, 0x03400000, 0x4c000181, 0x4c000020
code = branch(BL, 0, 'work') + branch(BL, 4, 'leaf') + struct.pack('<2I', NOP, RET)
code += branch(BL, 16, 'main') + branch(B, 20, 'leaf')
code += struct.pack('<I', JIRL_RA_T0) + branch(BL, 28, 'main')
code += branch(B, 32, 'leaf') + struct.pack('<3I', RET, 0, 0)
image = Image('loongarch64').section('.text', BASE, code)
for name, at in AT.items():
    image.symbol(name, at, 16)
open('program', 'wb').write(image.bytes())
open('gmon', 'wb').write(Profile.of(image).histogram(BASE, BASE + 48, [1] * 12)
                         .arc(BASE + 4, BASE + 16, 7).bytes())
PROGRAM
mkdir plugins
"$GPROFX_CC" -std=c11 -shared -fPIC -I"$GPROFX_SOURCE/include" -o plugins/findcall-loongarch.so \
	"$GPROFX_SOURCE/examples/plugin/findcall-loongarch.c" || fail 'the example does not compile'
cat >plugins/findcall-loongarch.yaml <<-'END'
	name: findcall-loongarch
	abi: 1
	findcall: { machines: [258] }
END

for words in --plugin=./plugins/findcall-loongarch.so --plugin-path=plugins; do
	[ "$words" = --plugin-path=plugins ] && [ "$GPROFX_BUILTIN" = 1 ] && continue
	expect_status 0 "$GPROFX" "$words" --output=csv --output-option=table=arcs --no-findings -c program gmon
	expect_empty err
	python3 -c '
import csv
for row in csv.DictReader(open("out")):
    print(row["caller"], row["callee"], row["calls"], row["static"] or "-")' | LC_ALL=C sort >found
	expect_same found - <<-'END'
		main leaf 0 call
		main work 7 -
		work <indirect child> 0 indirect
		work leaf 0 tail
		work main 0 call
	END
	# What is called through a register has no entry, no number and no line in the flat profile.
	expect_status 0 "$GPROFX" "$words" --no-findings -b -c -z program gmon
	expect_match out '^                0.00    0.00       0/0           <indirect child>$'
	[ "$(grep -c 'indirect child' out)" = 1 ] || fail 'it is listed elsewhere'
	expect_not_in out 'outside'
done

# In GNU mode it is what it is to GNU gprof.
ln -s "$GPROFX" gprof
expect_status 0 ./gprof --plugin=./plugins/findcall-loongarch.so -b -c -q program gmon
expect_match err 'gprof: -c not supported on architecture '
