#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Thousands of sections that say that they are the same code, or the same bytes of the file: each is looked at once,
# and the report is that of a sound image.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3 timeout
[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-x86.so" ] || exit 77

python3 - <<'END' || fail 'cannot write the programs'
import struct
from elfimage import Image
from gmonfile import Profile

BASE, STEP, COUNT, OTHERS = 0x401000, 64, 10000, 2500
SIZE = STEP * COUNT

def write(name, others):
    code = bytearray(b'\x90' * SIZE)
    for i in range(1, COUNT):               # each function calls the one before
        code[i * STEP + 8:i * STEP + 13] = b'\xe8' + struct.pack('<i', -STEP - 13)
    image = Image('x86_64')
    for section, address in others:         # what they state begins where .text does in the file
        image.section(section, address, b'', size=SIZE)
    image.section('.text', BASE, bytes(code))
    for i in range(COUNT):
        image.symbol('f%d' % i, BASE + i * STEP, STEP)
    open(name, 'wb').write(image.bytes())
    profile = Profile.of(image).histogram(BASE, BASE + SIZE, [1] * 16)
    for i in range(1, 20):
        profile.arc(BASE + 5 * STEP * i + 13, BASE + 5 * STEP * (i - 1), i)
    open(name + '.gmon', 'wb').write(profile.bytes())

write('sound', [])
write('same', [('.init', BASE)] * OTHERS)
write('shifted', [('.init', BASE + STEP * i // 2) for i in range(OTHERS)])
write('elsewhere', [('.plt', (i + 2) << 32) for i in range(OTHERS)])
END

for image in sound same shifted elsewhere; do
	for how in -q '-c -q -z' '-c -q --quantum=64'; do
		expect_status 0 timeout 60 "$GPROFX" --no-findings -b $how $image $image.gmon
		expect_undiagnosed
		cp out "$image.${how//[ =]/}"
	done
done
for how in -q -c-q-z -c-q--quantum64; do
	expect_same same.$how sound.$how
	# What is behind the code is another one's by the sections.
	[ "$(head -n 50 elsewhere.$how)" = "$(head -n 50 sound.$how)" ] || fail "other calls with $how"
done
[ "$(grep -c ' 0/0 ' sound.-c-q-z)" -gt 19000 ] || fail 'no calls were found'
