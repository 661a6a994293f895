#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# line-totals: totals know basic blocks, and what did not run was not executed. The truth: work was called 5
# times, a block on line 4 ran 30 times and one on line 5 never; idle was not called.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work', 'idle'])
program.lines({'main': [(0, 20, 'main.c')], 'work': [(0, 3), (16, 4), (32, 5)], 'idle': [(0, 9)]},
              'prog.c', '.')
open('program', 'wb').write(program.bytes())
at = program.address['work']
profile = program.profile({'main': 1}, [('main', 'work', 5)])
open('gmon', 'wb').write(profile.blocks([(at + 16, 30), (at + 24, 10), (at + 32, 0)]).bytes())
open('prog.c', 'w').write(''.join('line %d\n' % (i + 1) for i in range(20)))
PROGRAM

# totals OPTION...: the table of busiest lines as LINE:COUNT, then executable and executed lines, and the
# total number of executions.
totals() {
	"$GPROFX" "$@" -b -l -Aprog.c --output-option=annotate.layout=gprof program gmon >out 2>err ||
		fail "status $? from: $*"
	sed -n 's/^ *\([0-9]*\)  *\([0-9]*\)$/\1:\2/p
		s/^ *\([0-9]*\)   \(Executable\|Lines\|Total\).*/\1/p' out | tr '\n' ' '
}

[ "$(totals --gnu)" = '3:5 4 4 5 ' ] || fail "gprof: $(totals --gnu)"
[ "$(totals)" = '4:30 3:5 4 2 35 ' ] || fail "$(totals)"
[ "$(totals --correct=no-line-totals)" = '3:5 4 4 5 ' ] || fail 'switched off'
[ "$(totals --gnu --correct=line-totals)" = '4:30 3:5 4 2 35 ' ] || fail 'switched on'
# A line below the smallest count is marked, but it ran.
[ "$(totals -m 10)" = '4:30 3:5 4 2 35 ' ] || fail "-m: $(totals -m 10)"
