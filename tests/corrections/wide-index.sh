#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# wide-index: 10,020 functions have as many different numbers, whole and between two brackets. The
# truth is known by construction: all have the same time and one call more than the next.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

count=10020
python3 - <<END || fail 'cannot write the profile'
from profiled import Program
names = ['f%05d' % i for i in range($count)]
program = Program(names, step=16)
open('program', 'wb').write(program.bytes())
calls = [('f00000+4', name, 20000 - i) for i, name in enumerate(names)]
open('gmon.out', 'wb').write(program.profile({name: 1 for name in names}, calls).bytes())
END

# numbers: how many different ones there are at the start of lines.
numbers() {
	grep -oE '^\[[0-9]+\] ' out | sort -u | wc -l
}

expect_status 0 "$GPROFX" --gnu -b -q program
expect_match out '^\[10010   0\.0    0\.01    0\.00 .* f10009 \[10010\]$'
[ "$(numbers)" -eq 9999 ] || fail "$(numbers) numbers in brackets"
cp out gnu
expect_status 0 "$GPROFX" -b -q program
expect_match out '^\[10010\]  0\.0    0\.01    0\.00 .* f10009 \[10010\]$'
[ "$(numbers)" -eq "$count" ] || fail "$(numbers) numbers"
# Nothing else moved.
sed -E 's/^(\[[0-9]{5})\] /\1  /; /Index by/,$d' out >same
sed '/Index by/,$d' gnu >wanted
expect_same wanted same

expect_status 0 "$GPROFX" --gnu -b -T -q program
sed '1,/Index by/d' out >index
expect_match index '\[10010 f10009'
expect_status 0 "$GPROFX" -b -T -q program
sed '1,/Index by/d' out >index
expect_match index '^ \[3321\] f03320 {14}\[6661\] f06660 {13}\[10001\] f10000 '
for number in 1 9999 10000 "$count"; do
	expect_match index "^(.{27}){0,2} *\\[$number\\] f$(printf %05d $((number - 1))) {13}"
done
