#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Calls through a register in reports that also show lines of source: what they lead to is a node
# behind all symbols, in each array that is by node.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the image'
import struct
from dwarfinfo import Function, Unit, add_debug_info
from elfimage import Image
from gmonfile import Profile

T, JALR = 0x401000, 0x0320f809
image = Image('mipsel')
image.section('.text', T, struct.pack('<I', JALR) + bytes(28) + struct.pack('<I', JALR) + bytes(60))
functions = []
for at, name in enumerate(('main', 'work', 'last')):
    image.symbol(name, T + 32 * at, 32)
    functions.append(Function(name, T + 32 * at, 32, [(0, 3 + 10 * at, 'prog.c'), (8, 4 + 10 * at, 'prog.c')]))
add_debug_info(image, [Unit('prog.c', functions, None)])
open('program', 'wb').write(image.bytes())
profile = Profile.of(image).histogram(T, T + 96, [5] * 24)
open('gmon', 'wb').write(profile.arc(T + 12, T + 32, 7).bytes())
PROGRAM
printf '%.0sline\n' {1..30} >prog.c

for lines in '-l' '-A' '-A -L' '-l -A' '--inline-file-names -L -A'; do
	expect_status 0 "$GPROFX" -b -c -q $lines program gmon
	[ "$(grep -c '0/0 *<indirect child>' out)" -eq 2 ] || fail "not called by two functions with $lines"
	expect_status 0 "$GPROFX" -c $lines --output=json:report.json program gmon
	grep -F '"name":"<indirect child>"' report.json >node || fail "no node with $lines"
	expect_match node '"total_ticks":0(\.0)?,'
done
