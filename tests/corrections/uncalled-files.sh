#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# uncalled-files: files in which something ran are annotated, whether it was called or not. The truth:
# main.c calls, idle.c took time, counted.c has a basic block that ran, and nothing is known of dead.c.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
names = ['main', 'work', 'idle', 'counted', 'dead']
program = Program(names)
program.lines({name: [(0, 1, name + '.c')] for name in names}, 'main.c', '.')
open('program', 'wb').write(program.bytes())
for name in names:
    open(name + '.c', 'w').write('the only line\n')
at = program.address
profile = program.profile({'idle': 4}, [('main', 'work', 2)]).blocks([(at['counted'], 6), (at['dead'], 0)])
open('gmon', 'wb').write(profile.bytes())
open('blocks', 'wb').write(program.empty().blocks([(at['counted'], 6)]).bytes())
PROGRAM

# files OPTION...: those that are annotated, from profile $profile.
files() {
	"$GPROFX" "$@" -b -A program $profile >out 2>err || fail "status $? from: $*"
	sed -n 's,^\*\*\* File \./\([a-z]*\)\.c:$,\1,p' out | sort | tr '\n' ' '
}

profile=gmon
[ "$(files --gnu -l)" = 'work ' ] || fail "gprof: $(files --gnu -l)"
[ "$(files -l)" = 'counted idle main work ' ] || fail "$(files -l)"
[ "$(files)" = 'idle main work ' ] || fail "without -l: $(files)"
[ "$(files -l -z)" = 'counted dead idle main work ' ] || fail "-z: $(files -l -z)"
[ "$(files -l --correct=no-uncalled-files)" = 'work ' ] || fail 'switched off'
profile=blocks
[ "$(files --gnu -l)" = '' ] || fail "gprof, blocks alone: $(files --gnu -l)"
[ "$(files -l)" = 'counted ' ] || fail "blocks alone: $(files -l)"
grep -q ' 0,6 -> the only line' out || fail 'blocks alone: no count'
