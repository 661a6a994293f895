# SPDX-License-Identifier: Apache-2.0
#
# For the tests of annotated source, on top of tests/plugin/lib.sh.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

# numbered COUNT [WORD]: COUNT lines of source.
numbered() {
	seq -f "${2:-line} %g" "$1"
}

# built_last: the program is newer than each source that the test makes, however long that takes.
built_last() {
	touch -d '+1 day' program gmon || fail 'cannot set times'
}

# small DIRECTORY: ./program, whose debug information names DIRECTORY/sub/prog.c, and its profile gmon: main
# on line 2 calls work on line 5 seven times; work has 3 samples, main 1.
small() {
	DIRECTORY=$1 python3 - <<'PROGRAM' || fail 'cannot write the profile'
import os
from profiled import Program
program = Program(['main', 'work'])
program.lines({'main': [(0, 2)], 'work': [(0, 5), (128, 6)]}, 'sub/prog.c', os.environ['DIRECTORY'])
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'main': 1, 'work': 3}, [('main', 'work', 7)]).bytes())
PROGRAM
	built_last
}

# several: ./program of several sources, which are made, and its profile gmon: other takes 25 of 100 samples, main 3,
# work 1, and system, a header below /usr/include, 71; often is called 123456789 times and takes none.
several() {
	python3 - <<'PROGRAM' || fail 'cannot write the profile'
from dwarfinfo import Function, Unit, add_debug_info
from profiled import Program
program = Program(['main', 'work', 'other', 'often', 'system'])
at = program.address
add_debug_info(program.image, [
    Unit('prog.c', [Function('main', at['main'], 256, [(0, 2), (128, 3)]),
                    Function('work', at['work'], 256, [(0, 5)])], '.'),
    Unit('other.c', [Function('other', at['other'], 256, [(0, 1), (128, 2)])], '.'),
    Unit('often.c', [Function('often', at['often'], 256, [(0, 2)])], '.'),
    Unit('/usr/include/far/system.h', [Function('system', at['system'], 256, [(0, 1)])], '.')])
open('program', 'wb').write(program.bytes())
bins = [0] * 12
for place, count in (('main+128', 3), ('work', 1), ('other', 5), ('other+128', 20), ('system', 71)):
    bins[(program.at(place) - program.base) // 128] += count
profile = program.empty().histogram(program.base, program.base + 12 * 128, bins)
for callee, calls in ('work', 7), ('often', 123456789), ('other', 5), ('system', 2):
    profile.arc(at['main'] + 8, at[callee], calls)
open('gmon', 'wb').write(profile.bytes())
PROGRAM
	for name in prog other often system; do numbered 6 $name >$name.c; done
	cp system.c system.h
	built_last
}

# expect_source WORD OPTION...: the source is found, and it is the one whose lines have that word.
expect_source() {
	expect_status 0 "$GPROFX" -b -A "${@:2}" program gmon
	expect_undiagnosed
	expect_match out " 7 -> $1 5\$"
}
