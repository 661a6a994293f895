#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# blocks: the counts of all basic blocks are kept, whatever the width of their counts and the byte order. The
# truth: work has twelve, each counted as often as its number says, and two of them twice.
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

# In both widths, that of the image's addresses and, as bbconv.pl writes them, four bytes, and both orders;
# by function and line of source.
python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from gmonfile import Block, converted_blocks
from profiled import Program
for name, machine in (('little64', 'x86_64'), ('little32', 'i386'), ('big64', 's390x'), ('big32', 'ppc')):
    program = Program(['main', 'work'], machine)
    program.lines({'main': [(0, 3)], 'work': [(0, 12), (64, 13)]}, 'work.c', '/src')
    open(name, 'wb').write(program.bytes())
    at = program.address['work']
    rows = [(at + 4 * i, i + 1) for i in range(12)] + [(at + 64, 77)]
    profile = program.profile({'main': 1}, [('main', 'work', 5)])
    open(name + '.gmon', 'wb').write(profile.blocks(rows).bytes())
    open(name + '.only', 'wb').write(program.empty().blocks(rows).bytes())
    # Counts above 2^32 need eight bytes.
    if name.endswith('64'):
        rows[0] = (at, 1 << 40)
        open(name + '.large', 'wb').write(program.empty().blocks(rows).bytes())
    for order in '<', '>':
        data = converted_blocks([('work.c', [Block(count, place) for place, count in rows[1:]])], order)
        open('%s.%s' % (name, 'little' if order == '<' else 'big'), 'wb').write(data)
PROGRAM

# shown IMAGE PROFILE: the counts of blocks that are shown, with their lines.
shown() {
	"$GPROFX" -b -l -C "$1" "$1.$2" >out 2>err || fail "status $? from $1.$2"
	sed -nE 's/^\/src\/work.c:(1[23]): \(work:0x[0-9a-f]*\) ([0-9]*) executions$/\1:\2/p' out | tr '\n' ' '
}

blocks='12:2 12:3 12:4 12:5 12:6 12:7 12:8 12:9 12:10 12:11 12:12 13:77 '
for image in little64 little32 big64 big32; do
	[ "$(shown $image gmon)" = "12:5 12:1 $blocks" ] || fail "$image.gmon: $(shown $image gmon)"
	[ "$(shown $image only)" = "12:1 $blocks" ] || fail "$image.only: $(shown $image only)"
	for order in little big; do
		[ "$(shown $image $order)" = "$blocks" ] || fail "$image.$order: $(shown $image $order)"
	done
	# Without -C as well: there is nothing else to show.
	"$GPROFX" -b -l $image $image.only >all 2>err || fail "status $?"
	shown $image only >/dev/null
	expect_same all out
done
for image in little64 big64; do
	[ "$(shown $image large)" = "12:1099511627776 $blocks" ] || fail "$image.large: $(shown $image large)"
done
