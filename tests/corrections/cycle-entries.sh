#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cycle-entries: main and again call each other, and nobody else calls them. The truth: together they
# have all 40 samples, besides the 10 of leaf, which works for them alone.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['again', 'leaf', 'main', 'start'])
open('program', 'wb').write(program.bytes())
ticks = {'main': 10, 'again': 30, 'leaf': 10}
arcs = [('main', 'again', 5), ('again', 'main', 4), ('again', 'leaf', 8)]
open('gmon.out', 'wb').write(program.profile(ticks, arcs).bytes())
open('called', 'wb').write(program.profile(ticks, arcs + [('start', 'main', 1)]).bytes())
END
whole='^\[1\]    100\.0    0\.40    0\.10       0\+9       <cycle 1 as a whole> \[1\]$'

# Without the entry no line says 100 %, and the cycle has not even its place among the numbers.
expect_status 0 "$GPROFX" --gnu -b -q program
expect_not_in out 'as a whole'
expect_not_in out ' 100.0 '
expect_match out '\([0-9]\) <cycle 1>'
expect_status 0 "$GPROFX" -b -q program
expect_match out "$whole"
expect_match out '\[1\] <cycle 1>'
grep -A 2 -E "$whole" out >entry
expect_match entry '^ {16}0\.30    0\.10       5             again <cycle 1> \[2\]$'
expect_match entry '^ {16}0\.10    0\.00       4             main <cycle 1> \[4\]$'

# A cycle that is called from outside was right, and stays as it is.
expect_status 0 "$GPROFX" --gnu -b -q program called
sed '/^Index/,$d' out >before
expect_in before 'as a whole'
expect_status 0 "$GPROFX" --correct=none --correct=cycle-entries -b -q program called
sed '/^Index/,$d' out >after
expect_same before after

# Selected by a member, with its only caller left out, it is an entry all the same; and unselected, none.
expect_status 0 "$GPROFX" --gnu -b -q -nmain -nagain program called
expect_match out '<cycle 1 as a whole>'
expect_match out '^\[[0-9]\] +20\.0 .* <cycle 1 as a whole>'
expect_status 0 "$GPROFX" -b -q -nmain -nagain program called
expect_match out '^\[[0-9]\] +100\.0 .* <cycle 1 as a whole>'
expect_status 0 "$GPROFX" -b -q -Qmain -Qagain program
expect_not_in out 'as a whole'
expect_match out '\(1\) <cycle 1>'
