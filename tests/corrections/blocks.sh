#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# blocks: the counts of all basic blocks are kept. The truth: work has twelve, each counted as often as
# its number says, and two of them twice.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work'])
open('program', 'wb').write(program.bytes())
at = program.address['work']
blocks = [(at + 4 * i, i + 1) for i in range(12)] + [(at, 100), (at + 44, 1000)]
profile = program.profile({'main': 1}, [('main', 'work', 5)]).blocks(blocks)
open('gmon', 'wb').write(profile.bytes())
PROGRAM

# counts OPTION...: of the blocks, in their order.
counts() {
	"$GPROFX" "$@" -b -l -C program gmon >out 2>err || fail "status $? from: $*"
	sed -n 's/^<unknown>:0: (work:0x[0-9a-f]*) \([0-9]*\) executions$/\1/p' out | tr '\n' ' '
}

[ "$(counts --gnu)" = '5 101 2 3 4 5 6 7 8 9 10 ' ] || fail "gprof: $(counts --gnu)"
[ "$(counts)" = '5 101 2 3 4 5 6 7 8 9 10 11 1012 ' ] || fail "$(counts)"
[ "$(counts --correct=no-blocks)" = "$(counts --gnu)" ] || fail 'switched off'
[ "$(counts --gnu --correct=blocks)" = "$(counts)" ] || fail 'switched on'
