#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# carried-counts: with -x, the count of a block stays in it; what is before the first block of a function has
# that of its calls, unless that is left out as not known (unknown-counts). The truth: work was called 7 times, and nothing
# tells how often the code of idle, an assembler label that follows it, ran; in another file, nothing ran
# before the first block of late, whose lines stand above those of its entry.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work', 'idle', 'late'])
program.lines({'main': [(0, 20, 'prog.c')], 'work': [(0, 3, 'prog.c'), (16, 4, 'prog.c')],
               'idle': [(0, 12, 'prog.c'), (16, 8, 'prog.c')],
               'late': [(0, 5, 'late.c'), (16, 2, 'late.c'), (32, 6, 'late.c')]}, 'prog.c', '.')
open('program', 'wb').write(program.bytes())
at = program.address
profile = program.profile({'main': 1}, [('main', 'work', 7), ('main', 'late', 9)])
open('gmon', 'wb').write(profile.blocks([(at['late'] + 32, 4)]).bytes())
for file in 'prog.c', 'late.c':
    open(file, 'w').write(''.join('line %d of %s\n' % (i + 1, file) for i in range(20)))
PROGRAM

# margin LINE FILE OPTION...: what stands before a line.
margin() {
	"$GPROFX" "${@:3}" -b -A -x -l --output-option=annotate.layout=gprof program gmon >out 2>err ||
		fail "status $? from: $*"
	sed -n "s/^ *\([0-9,#]* ->\) line $1 of $2\$/\1/p" out
}

# Line 8 is inside of idle, but stands behind work in the source.
[ "$(margin 8 prog.c --gnu)" = '7 ->' ] || fail "gprof: $(margin 8 prog.c --gnu)"
[ "$(margin 8 prog.c)" = '##### ->' ] || fail "another function: $(margin 8 prog.c)"
[ "$(margin 4 prog.c --correct=no-unknown-counts)" = '7 ->' ] || fail "the same function: $(margin 4 prog.c)"
[ -z "$(margin 4 prog.c)" ] || fail "no block is recorded: $(margin 4 prog.c)"
# Files are listed from the last to the first: nothing stands before late.c, then prog.c has its last count.
[ "$(margin 2 late.c --gnu)" = '##### ->' ] || fail "gprof, at the start: $(margin 2 late.c --gnu)"
[ "$(margin 2 late.c --correct=no-unknown-counts)" = '9 ->' ] || fail "inside of late: $(margin 2 late.c)"
[ "$(margin 6 late.c)" = '4 ->' ] || fail "its own block: $(margin 6 late.c)"
[ "$(margin 8 prog.c --correct=no-carried-counts)" = '7 ->' ] || fail 'switched off'
[ "$(margin 8 prog.c --gnu --correct=carried-counts)" = '##### ->' ] || fail 'switched on'
