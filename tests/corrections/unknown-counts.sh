#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# unknown-counts: what nothing is known about is blank in an annotated source, and does not count as not
# executed. The truth: main ran, since it took time and called work 5 times, but nobody recorded a call of it,
# as the C library does not; hot ran, since it took time; how often the lines inside of work ran is not known
# without blocks; of these, the one on line 5 never ran; idle was not called.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work', 'hot', 'idle'])
program.lines({'main': [(0, 20), (16, 21), (32, 22)], 'work': [(0, 3), (16, 4), (32, 5), (48, 6)],
               'hot': [(0, 10), (16, 11)], 'idle': [(0, 15), (16, 16)]}, 'prog.c', '.')
open('program', 'wb').write(program.bytes())
at = program.address['work']
calls = [('main', 'work', 5)]
low, bins = program.base, [0] * ((program.end - program.base) // 16)
for place, count in {'main+16': 4, 'hot': 2, 'work+48': 3}.items():
    bins[(program.at(place) - low) // 16] = count
profile = program.profile(None, calls).histogram(low, program.end, bins)
open('gmon', 'wb').write(profile.bytes())
open('blocks', 'wb').write(profile.blocks([(at + 16, 30), (at + 32, 0), (at + 48, 0)]).bytes())
open('prog.c', 'w').write(''.join('line %d\n' % (i + 1) for i in range(24)))
PROGRAM

# annotate PROFILE OPTION...
annotate() {
	"$GPROFX" "${@:2}" -b -l -Aprog.c --output-option=annotate.layout=gprof program "$1" >out 2>err ||
		fail "status $? from: $*"
}
# margins PROFILE OPTION...: what stands before the lines with code, '.' for nothing.
margins() {
	annotate "$@"
	sed -n 's/^ *\([0-9,#]*\) *-* *>* line \(3\|4\|5\|6\|10\|11\|15\|16\|20\|21\|22\)$/\1/p' out |
		sed 's/^$/./' | tr '\n' ' '
}
# totals PROFILE OPTION...: of lines executable, executed, not known, and percent executed.
totals() {
	annotate "$@"
	sed -n 's/^ *\([0-9.-]*\)   \(Executable\|Lines\|Percent\).*/\1/p' out | tr '\n' ' '
}

seldom='#####'
[ "$(margins gmon --gnu -x)" = "5 5 5 5 $seldom $seldom $seldom $seldom $seldom $seldom $seldom " ] ||
	fail "gprof: $(margins gmon --gnu -x)"
[ "$(margins gmon -x)" = "5 . . . . . $seldom $seldom . . . " ] || fail "$(margins gmon -x)"
[ "$(margins gmon)" = "5 . . . . . $seldom . . . . " ] || fail "without -x: $(margins gmon)"
[ "$(margins gmon -x --correct=no-unknown-counts)" = \
	"5 5 5 5 $seldom $seldom $seldom $seldom $seldom $seldom $seldom " ] || fail 'switched off'
[ "$(margins gmon --gnu -x --correct=unknown-counts)" = "5 . . . . . $seldom $seldom . . . " ] ||
	fail "switched on: $(margins gmon --gnu -x --correct=unknown-counts)"
# A block that never ran is known; one that took time did run, whatever its counter says.
[ "$(margins blocks -x)" = "5 30 $seldom . . . $seldom $seldom . . . " ] || fail "blocks: $(margins blocks -x)"

# Of 11 lines 1 was called, 2 were not, 3 took time, and 5 are not known.
[ "$(totals gmon --gnu -x)" = '11 11 100.00 ' ] || fail "gprof: $(totals gmon --gnu -x)"
[ "$(totals gmon -x)" = '11 4 5 66.67 ' ] || fail "$(totals gmon -x)"
[ "$(totals blocks -x)" = '11 5 3 62.50 ' ] || fail "blocks: $(totals blocks -x)"
# Line 3 was called, lines 6, 10 and 21 took time, line 15 was not called.
[ "$(totals gmon)" = '11 4 6 80.00 ' ] || fail "without -x: $(totals gmon)"
[ "$(totals gmon -x --correct=no-unknown-counts)" = '11 4 36.36 ' ] || fail 'totals switched off'

# Averages are those of the lines that were counted: 5 in 3 lines.
annotate gmon -x
expect_match out '^ +5   Total number of line executions$'
expect_match out '^ +1\.67   Average executions per line$'
# With times beside the counts.
"$GPROFX" -b -l -A -x program gmon >out 2>err || fail 'in full'
expect_match out '^ +0\.04 +44\.4% \* +line 21$'

# Nothing is known at all.
python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main'])
program.lines({'main': [(0, 20), (16, 21)]}, 'prog.c', '.')
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'main': 0}, [('main', 'main', 0)]).bytes())
PROGRAM
annotate gmon -z -x
expect_match out '^        2   Lines not known to have been executed or not$'
expect_match out '^        -   Percent executed of the lines that are known$'
