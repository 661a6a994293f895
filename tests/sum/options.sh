#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# -s, --sum and --sum=FILE: what is printed besides, and what the sum does not depend on.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	from elfimage import Image
	from gmonfile import bsd_profile
	from profiled import Program
	program = Program(['main', 'work', '~local'])
	open('program', 'wb').write(program.bytes())
	bare = Image('x86_64')
	bare.section('.text', program.base, bytes(0x100))
	open('bare', 'wb').write(bare.bytes())
	profile = program.profile({'main': 2, 'work': 3, 'local': 5},
	                          [('main', 'work', 4), ('main+9', 'work', 5), ('work', 'local', 6)])
	open('gmon.out', 'wb').write(profile.bytes())
	profile.arc(program.at('work'), program.at('work') + 0x11, 1)
	open('second', 'wb').write(profile.bytes())
	# As if the program had been loaded elsewhere.
	# Of another program, with wider addresses.
	narrow = Program(['main', 'work'], machine='i386')
	open('narrow', 'wb').write(narrow.bytes())
	low, high, far = narrow.base, narrow.end, 1 << 32
	for name, move, arcs in (('near', 0, []), ('ranges', far, []), ('calls', 0, [(low, low + far, 1)])):
	    open(name, 'wb').write(
	        bsd_profile(low + move, high + move, [3] * 16, [(low, high - 1, 2)] + arcs, rate=100))
	open('arcs', 'wb').write(program.empty().arc(1, 2, 3).bytes())
	open('blocks', 'wb').write(program.empty().blocks([(program.at('work'), 7)]).bytes())
END

expect_status 0 "$GPROFX" -s program gmon.out second
expect_empty out
expect_empty err
mv gmon.sum sum
expect_status 0 "$GPROFX" --sum program gmon.out second
cmp gmon.sum sum || fail '-s and --sum differ'
expect_status 0 "$GPROFX" --sum=other program gmon.out second
cmp other sum || fail '--sum=FILE differs'
# Neither symbols nor what selects them matter.
for words in '-a' '-D' '-k main/work' '-Qwork/' '-Emain' '-T' '--clones=drop' '--correct=none'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --sum=other $words program gmon.out second
	cmp other sum || fail "another sum with $words"
done
expect_status 0 "$GPROFX" --sum=other bare gmon.out second
expect_empty err
cmp other sum || fail 'another sum without symbols'
# Tables are printed if they are asked for; these need symbols.
expect_status 0 "$GPROFX" -b -p program gmon.out second
cp out expected
expect_status 0 "$GPROFX" -b -p --sum=other program gmon.out second
expect_same out expected
cmp other sum || fail 'another sum beside a table'
expect_status 0 "$GPROFX" -b -p program sum
expect_same out expected
expect_status 1 "$GPROFX" -b -p --sum=other bare gmon.out
expect_match err 'error\[image\.no-symbols\]'
# The sum is there before it turns out that a table cannot be printed.
rm -f other
expect_status 1 "$GPROFX" -b -p --sum=other program arcs
expect_match err 'error\[report\.no-histogram\]'
[ -s other ] || fail 'no sum'
# Blocks are not lost in a sum, so nothing is to be said of them.
expect_status 0 "$GPROFX" --sum=other program blocks
expect_empty err
# An address that the sum has no room for would be another one there.
expect_status 0 "$GPROFX" --sum=other narrow near
rm other
for file in ranges calls; do
	expect_status 1 "$GPROFX" --sum=other narrow near $file --keep-going
	expect_match err 'error\[sum\.wide-address\]: other: expected addresses of 4 bytes as in the program, found 0x1004'
	[ ! -e other ] || fail 'a sum with other addresses'
done
# Gprof has no FILE.
expect_status 1 "$GPROFX" --gnu --sum=other program gmon.out
expect_match err "option '--sum' doesn't allow an argument\$"
expect_status 2 "$GPROFX" --sum= program gmon.out
expect_match err 'error\[usage\.empty-value\]'
# Standard output is not replaced, so what is printed besides comes behind the sum.
expect_status 0 "$GPROFX" --sum=other program gmon.out
expect_status 0 "$GPROFX" -b -p program gmon.out
cat other out >expected
expect_status 0 "$GPROFX" -b -p --sum=/dev/stdout program gmon.out
expect_same out expected
