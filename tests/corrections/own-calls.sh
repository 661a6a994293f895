#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# own-calls: executions are all calls. The truth: work was called twice by main and 40 times by itself.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work', 'leaf'])
program.lines({'main': [(0, 9)], 'work': [(0, 3)], 'leaf': [(0, 6)]}, 'prog.c', '.')
open('program', 'wb').write(program.bytes())
arcs = [('main', 'work', 2), ('work', 'work', 40), ('work', 'leaf', 7)]
open('gmon', 'wb').write(program.profile({'main': 1}, arcs).bytes())
open('prog.c', 'w').write(''.join('line %d\n' % (i + 1) for i in range(9)))
PROGRAM

# counts OPTION...: the numbers of work and leaf that -C prints, then those of -A.
counts() {
	"$GPROFX" "$@" -C program gmon >out 2>err || fail "status $? from: $*"
	sed -nE 's/.*\((work|leaf):.* ([0-9]+) exec.*/\2/p' out | tr '\n' ' '
	"$GPROFX" "$@" -b -A --output-option=annotate.layout=gprof program gmon >out 2>err || fail "status $? from: $*"
	sed -nE 's/ *([0-9]+) -> *line [36]$/\1/p' out | tr '\n' ' '
}

[ "$(counts --gnu)" = '2 7 2 7 ' ] || fail "gprof: $(counts --gnu)"
[ "$(counts)" = '42 7 42 7 ' ] || fail "$(counts)"
[ "$(counts --correct=no-own-calls)" = '2 7 2 7 ' ] || fail 'switched off'
[ "$(counts --gnu --correct=own-calls)" = '42 7 42 7 ' ] || fail 'switched on'
# The tables of calls keep the two kinds apart.
expect_status 0 "$GPROFX" -b -q --no-findings program gmon
expect_match out ' 2\+40 +work'
expect_status 0 "$GPROFX" -b -p --no-findings program gmon
expect_match out ' 2 .* work$'
