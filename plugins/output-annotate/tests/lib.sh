# SPDX-License-Identifier: Apache-2.0
#
# For the tests of annotated source, on top of tests/plugin/lib.sh.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

# numbered COUNT [WORD]: COUNT lines of source.
numbered() {
	seq -f "${2:-line} %g" "$1"
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
}

# expect_source WORD OPTION...: the source is found, and it is the one whose lines have that word.
expect_source() {
	expect_status 0 "$GPROFX" -b -A "${@:2}" program gmon
	expect_undiagnosed
	expect_match out " 7 -> $1 5\$"
}
