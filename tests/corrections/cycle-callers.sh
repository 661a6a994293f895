#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cycle-callers: even and odd are a cycle with 90 samples, and 18 below it in leaf. The truth: main
# makes 3 of the 4 calls into it, in two places, and other the fourth, so that they are charged with
# three quarters and one quarter of both.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['even', 'leaf', 'main', 'odd', 'other'])
program.lines({'main': [(0, 3)], 'odd': [(0, 5)], 'other': [(0, 7)]}, 'prog.c', '/src')
open('program', 'wb').write(program.bytes())
ticks = {'main': 10, 'even': 60, 'odd': 30, 'leaf': 18}
inside = [('even', 'odd', 4), ('odd', 'even', 3), ('odd', 'odd', 9), ('odd', 'leaf', 5)]
arcs = [('main', 'even', 2), ('main', 'odd', 1), ('main', 'other', 1), ('other', 'odd', 1)]
open('gmon.out', 'wb').write(program.profile(ticks, inside + arcs).bytes())
open('uncalled', 'wb').write(program.profile(ticks, inside).bytes())
END

# entry: the one of the cycle.
entry() {
	awk '/^---/ { if (text ~ /as a whole/) printf "%s", text; text = ""; next }
	     /^index / { text = ""; next } { text = text $0 "\n" }' out >entry
}

expect_status 0 "$GPROFX" --gnu -b -q program
entry
cat >truth <<'END'
[2]     91.5    0.90    0.18       4+7       <cycle 1 as a whole> [2]
                0.60    0.00       5             even <cycle 1> [3]
                0.30    0.18       6+9           odd <cycle 1> [4]
END
expect_same truth entry

# Not where a program may read it.
expect_status 0 "$GPROFX" -b -q program
entry
expect_same truth entry
above=--output-option=callgraph.cycle-callers=always
expect_status 0 "$GPROFX" -b -q $above program
entry
{
	echo '                0.23    0.04       1/4           other [5]'
	echo '                0.68    0.14       3/4           main [1]'
} | cat - truth >corrected
expect_same corrected entry

# The callers' own entries say the same, of each member.
expect_match out '^ {16}0\.45    0\.09       2/4           even <cycle 1> \[3\]$'
expect_match out '^ {16}0\.23    0\.04       1/4           odd <cycle 1> \[4\]$'

# Without callers it is as with functions.
expect_status 0 "$GPROFX" -b -q $above program uncalled
entry
head -n 1 entry >first
echo '                                                 <spontaneous>' >truth
expect_same truth first

# The traditional layout has them, too.
expect_status 0 "$GPROFX" -b -T -q $above program
entry
expect_match entry '^ {16}0\.68        0\.14       3/4           main \[1\]$'

# Their names are followed by source positions as everywhere.
expect_status 0 "$GPROFX" -b -q $above --inline-file-names program
entry
expect_match entry '^ {16}0\.68    0\.14       3/4           main \(prog\.c:3\) \[1\]$'

# Where colors are shown somebody looks at it.
expect_status 0 "$GPROFX" -b -q --color=always program
expect_match out '3/4 +main \[1\]$'
expect_status 0 "$GPROFX" -b -q --color=always --output-option=callgraph.cycle-callers=never program
! grep -q '3/4' out || fail 'there are callers above the cycle'
