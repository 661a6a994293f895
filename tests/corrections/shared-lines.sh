#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# shared-lines: all code of a line counts. The truth: the head of the loop on line 4 lies before, in and
# behind the loop's body, and these pieces ran 2, 40 and 42 times; two functions stand on line 9.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work', 'one', 'two'])
program.lines({'main': [(0, 20)], 'work': [(0, 3), (16, 4), (32, 5), (48, 4), (64, 4), (80, 6)],
               'one': [(0, 9)], 'two': [(0, 9)]}, 'prog.c', '.')
open('program', 'wb').write(program.bytes())
at = program.address
blocks = [(at['work'] + 64, 42), (at['work'] + 16, 2), (at['work'] + 32, 40), (at['work'] + 48, 40)]
profile = program.profile({'main': 1}, [('main', 'work', 2), ('main', 'one', 3), ('main', 'two', 4)])
open('gmon', 'wb').write(profile.blocks(blocks).bytes())
open('prog.c', 'w').write(''.join('line %d\n' % (i + 1) for i in range(20)))
PROGRAM

# margin LINE OPTION...: what stands before a line.
margin() {
	"$GPROFX" "${@:2}" -b -A -l --output-option=annotate.layout=gprof program gmon >out 2>err ||
		fail "status $? from: $*"
	sed -n "s/^ *\([0-9,#]* ->\) line $1\$/\1/p" out
}

[ "$(margin 4 --gnu)" = '2 ->' ] || fail "gprof: $(margin 4 --gnu)"
[ "$(margin 4)" = '2,40,42 ->' ] || fail "all pieces: $(margin 4)"
[ "$(margin 4 -x)" = '2,40,42 ->' ] || fail "all pieces, -x: $(margin 4 -x)"
[ "$(margin 4 --correct=no-shared-lines)" = '2 ->' ] || fail 'switched off'
[ "$(margin 4 --gnu --correct=shared-lines)" = '2,40,42 ->' ] || fail 'switched on'
[ "$(margin 9)" = '7 ->' ] || fail "two functions: $(margin 9)"
# The line behind the loop begins in the block of its head.
[ "$(margin 6 -x)" = '42 ->' ] || fail "behind the loop: $(margin 6 -x)"
