#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# static-lines: with -a, lines of static functions count for what stands before them, as their calls
# do. The truth: the bins of each function, and main is called by work, 7 times.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', '~work', 'last'])
rows = {'main': [(0, 3, 'prog.c'), (8, 4, 'prog.c')], 'work': [(0, 9, 'prog.c'), (16, 10, 'prog.c')],
        'last': [(0, 20, 'prog.c')]}
program.lines(rows)
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'main': 1, 'work': 3, 'last': 5},
                                         [('work', 'main', 7)]).bytes())
PROGRAM

# lines OPTION...: own seconds of each line that the flat profile has, in hundredths, by line.
lines() {
	"$GPROFX" "$@" -b -p program gmon >out 2>err || fail "status $? from: $*"
	sed -n 's/^ *[0-9.]* *[0-9.]* *\([0-9.]*\) .* (prog\.c:\([0-9]*\) @ [0-9a-f]*)$/\2 \1/p' out |
		sort -n | tr '\n' ';'
}

everything=$(lines -l)
[[ $everything == *'9 0.0'*'10 0.0'* ]] || fail "without -a: $everything"
[[ $(lines --gnu -a -l) == *'10 0.0'* ]] || fail "gprof: $(lines --gnu -a -l)"
[[ $(lines -a -l) != *'9 '* && $(lines -a -l) != *'10 '* ]] || fail "static lines are there: $(lines -a -l)"
[[ $(lines -a -l) == *'4 0.04;20 0.05;' ]] || fail "not at the line before: $(lines -a -l)"
[ "$(lines --correct=no-static-lines -a -l --correct=no-exact-bins)" = \
	"$(lines --gnu -a -l --correct=last-symbol)" ] || fail 'switched off'
