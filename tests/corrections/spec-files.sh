#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# spec-files: the name of a file in a symspec means all files of that name, or those in the folders that it
# has. The truth: one is in a/part.c, two in b/part.c, three in b/a/part.c and four in ba/part.c.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
where = {'main': 'main.c', 'one': 'a/part.c', 'two': 'b/part.c', 'three': 'b/a/part.c', 'four': 'ba/part.c'}
program = Program(where)
program.lines({name: [(0, 5, file)] for name, file in where.items()}, 'main.c', '/src')
open('program', 'wb').write(program.bytes())
samples = {name: 1 + i for i, name in enumerate(where)}
open('gmon', 'wb').write(program.profile(samples, [('main', 'one', 7)]).bytes())
PROGRAM

# names OPTION...: functions of the flat profile, sorted.
names() {
	"$GPROFX" "$@" -b program gmon >out 2>err || fail "status $? from: $*"
	sed -n 's/^ *[0-9.]*  *[0-9.]*  *[0-9.]*  .* \([a-z][a-z]*\)$/\1/p' out | sort | tr '\n' ' '
}

[ "$(names --gnu -ppart.c)" = 'four ' ] || fail "gprof: $(names --gnu -ppart.c)"
[ "$(names -ppart.c)" = 'four one three two ' ] || fail "$(names -ppart.c)"
[ "$(names -ppart.c:5)" = 'four one three two ' ] || fail "line: $(names -ppart.c:5)"
[ "$(names -ppart.c:one)" = 'one ' ] || fail "function: $(names -ppart.c:one)"
[ "$(names -pa/part.c)" = 'one three ' ] || fail "folder: $(names -pa/part.c)"
[ "$(names -p/src/a/part.c:)" = 'one ' ] || fail "whole: $(names -p/src/a/part.c:)"
[ "$(names -pb/a/part.c)" = 'three ' ] || fail "two folders: $(names -pb/a/part.c)"
[ "$(names -Pa/part.c -Pmain)" = 'four two ' ] || fail "left out: $(names -Pa/part.c -Pmain)"
[ "$(names --correct=no-spec-files -ppart.c)" = 'four ' ] || fail 'switched off'
[ "$(names --gnu --correct=spec-files -ppart.c)" = 'four one three two ' ] || fail 'switched on'
# Between the ends of arcs the slash stays what it was.
expect_status 0 "$GPROFX" -b -qmain/one program gmon
grep -q '7/7 .*one ' out || fail 'the arc is not there'
