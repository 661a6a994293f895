#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Whatever ends the writing of a sum, the file that was there before is whole: a signal that cannot
# be caught, a full disk, a folder that nobody may write to.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	program = Program(['main', 'work'], step=0x40000)
	open('program', 'wb').write(program.bytes())
	profile = program.empty().histogram(program.base, program.end, [9] * 196608)
	for i in range(100000):
	    profile.arc(program.base + i, program.base + i % 7, 3)
	open('gmon.out', 'wb').write(profile.bytes())
END
mkdir sums
"$GPROFX" --sum=sums/gmon.sum program gmon.out || fail 'cannot write a sum'
cp sums/gmon.sum twice
cp sums/gmon.sum once
"$GPROFX" --sum=twice program gmon.out once || fail 'cannot write a sum of two'

# Killed at many moments: the file is the old one, or the new one.
killed=0
for delay in 0 0.001 0.002 0.003 0.004 0.006 0.008 0.01 0.012 0.015 0.02 0.025 0.03 0.04 0.05 0.07 0.1; do
	cp once sums/gmon.sum
	"$GPROFX" --sum=sums/gmon.sum program gmon.out sums/gmon.sum &
	sleep $delay
	{ kill -KILL $! && killed=$((killed + 1)); wait $!; } 2>/dev/null
	cmp -s sums/gmon.sum once || cmp -s sums/gmon.sum twice || fail "damaged after $delay s"
	rm -f sums/.*.tmp
done
[ $killed -gt 0 ] || fail 'it always was faster'

# No room for the whole file, in either mode, and nothing else is left behind.
cp once sums/gmon.sum
cp once gmon.sum
for limit in 1 100 2000; do
	(ulimit -f $limit && exec "$GPROFX" --sum=sums/gmon.sum program gmon.out) 2>err >out
	[ $? -eq 1 ] || fail "another status with $limit blocks"
	expect_in err 'error[sum.write-failed]: sums/gmon.sum: '
	cmp sums/gmon.sum once || fail "damaged with $limit blocks"
	[ -z "$(find sums -name '.*')" ] || fail "something is left with $limit blocks"
	# Only calls between functions are left there, which take little room.
	[ $limit -le 100 ] || continue
	(ulimit -f $limit && exec "$GPROFX" --gnu -s program gmon.out) 2>err >out
	[ $? -eq 1 ] || fail "another status with $limit blocks in GNU mode"
	expect_match err '^gmon\.sum: File too large$'
	cmp gmon.sum once || fail "damaged with $limit blocks in GNU mode"
done

# Where it cannot be written at all.
expect_status 1 "$GPROFX" --sum=absent/gmon.sum program gmon.out
expect_match err 'error\[sum\.write-failed\]: absent/gmon\.sum: .*No such file or directory$'
expect_status 1 "$GPROFX" --sum=sums program gmon.out
expect_match err 'error\[sum\.write-failed\]: sums: .*Is a directory$'
as_nobody=
[ "$(id -u)" -ne 0 ] || as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ -z "$as_nobody" ] || $as_nobody test -r "$PWD/program" -a -x "$GPROFX" 2>/dev/null; then
	chmod 555 sums
	chmod 644 sums/gmon.sum
	$as_nobody "$GPROFX" --sum=sums/gmon.sum program gmon.out 2>err >out
	[ $? -eq 1 ] || fail 'wrote into a folder that may not be written to'
	expect_match err 'error\[sum\.write-failed\]: sums/gmon\.sum: .*Permission denied$'
	cmp sums/gmon.sum once || fail 'damaged in a folder that may not be written to'
	chmod 755 sums
fi

# What is wrong with an input leaves it whole as well, and permissions stay as they were.
head -c 1000 gmon.out >cut
chmod 640 sums/gmon.sum
expect_status 1 "$GPROFX" --sum=sums/gmon.sum program sums/gmon.sum cut
cmp sums/gmon.sum once || fail 'damaged by a bad input'
expect_status 1 "$GPROFX" --keep-going --sum=sums/gmon.sum program gmon.out sums/gmon.sum cut
cmp sums/gmon.sum twice || fail 'not the sum of what could be read'
[ "$(stat -c %a sums/gmon.sum)" = 640 ] || fail 'other permissions'
