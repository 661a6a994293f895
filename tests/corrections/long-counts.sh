#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# long-counts: all counts of a line are there, and the arrow. The truth: line 4 has ten basic blocks.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work'])
program.lines({'main': [(0, 20)], 'work': [(0, 3), (16, 4)]}, 'prog.c', '.')
open('program', 'wb').write(program.bytes())
start = program.address['work'] + 16
profile = program.profile({'main': 1}, [('main', 'work', 2)])
open('gmon', 'wb').write(profile.blocks([(start + 4 * i, i) for i in range(10)]).bytes())
open('prog.c', 'w').write(''.join('line %d\n' % (i + 1) for i in range(20)))
PROGRAM

# listed OPTION...: line 4 with what stands before it.
listed() {
	"$GPROFX" "$@" -b -A -l --output-option=annotate.layout=gprof program gmon >out 2>err ||
		fail "status $? from: $*"
	grep 'line 4$' out
}

[ "$(listed --gnu)" = '0,1,2,3,4,5,6,7,line 4' ] || fail "gprof: $(listed --gnu)"
[ "$(listed)" = '0,1,2,3,4,5,6,7,8,9 -> line 4' ] || fail "$(listed)"
[ "$(listed --correct=no-long-counts)" = '0,1,2,3,4,5,6,7,line 4' ] || fail 'switched off'
[ "$(listed --gnu --correct=long-counts)" = "$(listed)" ] || fail 'switched on'
