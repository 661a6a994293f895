#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A function that goes on with a jump to another one: to the collector, who called the former called the latter.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
for scanner in x86 aarch64; do
	[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-$scanner.so" ] || exit 77
done

python3 - <<'PROGRAM' || fail 'cannot write the programs'
import struct
from callsites import Program

def near(at, to):
    return b'\xe9' + struct.pack('<i', to - at - 5)

def branch(at, to):
    return struct.pack('<I', 0x14000000 | (to - at) // 4 & 0x3ffffff)

def short(at, to):      # on a condition, to a function that is near
    return b'\x74' + struct.pack('<b', to - at - 2)

def write(machine, jump, near_jump):
    nothing = b'\xc3' if machine == 'x86_64' else struct.pack('<I', 0xd65f03c0)
    functions = {
        'leaf': (0x000, []), 'other': (0x010, [nothing]),
        # Jumps to leaf, to what jumps there, and round in a circle that has no way out.
        'jumper': (0x020, [jump(0x20, 0x00)]), 'second': (0x030, [near_jump(0x30, 0x20)]),
        'round': (0x040, [jump(0x40, 0x50)]), 'again': (0x050, [jump(0x50, 0x40)]),
        # Each block has the end of one function and the entry of another.
        'before': (0x080, []), 'mover': (0x088, ['jumper']),
        'begins': (0x0a0, []), 'farther': (0x0a8, ['second']),
        'calls': (0x0c0, ['leaf']), 'leads': (0x0c8, ['jumper']),
        'stays': (0x0e0, []), 'circles': (0x0e8, ['round']),
        'keeps': (0x100, ['leaf']), 'not': (0x108, ['other']),
        'last': (0x120, [nothing]),
    }
    program = Program(machine, 16, functions)
    program.write([('mover', 0, 'jumper', 4), ('mover', 0, 'leaf', 10), ('farther', 0, 'leaf', 20),
                   ('calls', 0, 'leaf', 7), ('circles', 0, 'leaf', 3), ('keeps', 0, 'leaf', 9)],
                  machine, machine + '.gmon')

write('x86_64', near, short)
write('aarch64', branch, branch)
PROGRAM

for machine in x86_64 aarch64; do
	expect_status 0 "$GPROFX" --output=csv --output-option=table=arcs --no-findings $machine $machine.gmon
	python3 -c '
import csv
for row in csv.DictReader(open("out")):
    if row["caller"][:5] != "other":
        print(row["caller"], row["callee"], row["calls"])' | LC_ALL=C sort >found
	expect_same found - <<-'END'
		calls leaf 4
		farther leaf 20
		keeps leaf 9
		leads leaf 3
		mover jumper 4
		mover leaf 10
		stays leaf 3
	END
	expect_status 0 "$GPROFX" --no-findings -b -q -i $machine $machine.gmon
	expect_in out '3 arcs (34 calls) moved, 1 arc (7 calls) split'
	expect_match out '~leads '
	cp out all
	expect_status 0 "$GPROFX" --no-findings -b -q -i --threads=7 $machine $machine.gmon
	expect_same out all
done
