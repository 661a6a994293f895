#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A scanner that was built elsewhere, from public headers alone, finds the calls of a machine that no
# plugin here knows: asked for by --plugin, or found by what its manifest says.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the image'
import struct
import elfimage
from elfimage import Image
from gmonfile import Profile

BASE = 0x10000
elfimage.MACHINES['dlx'] = (4660, 32, '>', 0)
AT = {'main': BASE, 'work': BASE + 16, 'leaf': BASE + 32}

def word(opcode, at, to):
    return struct.pack('>I', opcode << 26 | (AT[to] - BASE - at - 4) & 0x3ffffff)

code = word(3, 0, 'work') + word(3, 4, 'leaf') + word(0, 8, 'leaf') + bytes(4)
code += word(3, 16, 'main') + word(2, 20, 'leaf') + struct.pack('>I', 19 << 26) + word(3, 28, 'main')
code += word(2, 32, 'leaf') + bytes(12)
image = Image('dlx').section('.text', BASE, code)
for name, at in AT.items():
    image.symbol(name, at, 16)
open('program', 'wb').write(image.bytes())
open('gmon', 'wb').write(Profile.of(image).histogram(BASE, BASE + 48, [1] * 12)
                         .arc(BASE + 4, BASE + 16, 7).bytes())
PROGRAM
mkdir plugins
"$GPROFX_CC" -std=c11 -shared -fPIC -I"$GPROFX_SOURCE/include" -o plugins/findcall-dlx.so \
	"$GPROFX_SOURCE/examples/plugin/findcall-dlx.c" || fail 'the example does not compile'
cat >plugins/findcall-dlx.yaml <<-'END'
	name: findcall-dlx
	abi: 1
	findcall: { machines: [4660] }
END

for words in --plugin=./plugins/findcall-dlx.so --plugin-path=plugins; do
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
