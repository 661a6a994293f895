#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# inlined: names of inlined subroutines say what they were inlined into, and one line that was inlined at two
# places is two. The truth: work is called in lines 10 and 11 of main, and calls step in line 6.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

cat >inlined.c <<'PROGRAM'
volatile int sink;
__attribute__((always_inline)) static inline int step(int x) { return x * sink; }
__attribute__((always_inline)) static inline int work(int x)
{
	int sum = sink;
	sum += step(x);
	return sum;
}
int main(int argc, char **argv)
{ (void)argv; sink = argc; sink += work(argc);
	sink += work(argc + 1);
	return 0;
}
PROGRAM
"$GPROFX_CC" -g -O1 -pg inlined.c -o program 2>err || { cat err; skip 'cannot build'; }
./program
"$GPROFX" -b -l -p -z program >own || fail 'status'
grep -oE ' (work|step) \(inlined.*' own | sed 's/ @ [0-9a-f]*//' | sort -u >places
for chain in 'step (inlined.c:2) inlined into work (inlined.c:6) inlined into main (inlined.c:10)' \
	'step (inlined.c:2) inlined into work (inlined.c:6) inlined into main (inlined.c:11)' \
	'work (inlined.c:5) inlined into main (inlined.c:10)' \
	'work (inlined.c:5) inlined into main (inlined.c:11)'; do
	grep -qxF " $chain" places || fail "lacks: $chain"
done
# With -L, paths are whole.
"$GPROFX" -b -l -L -p -z program >own || fail 'status'
grep -qE 'step \(.*/inlined\.c:2 @ [0-9a-f]+\) inlined into work \(.*/inlined\.c:6\)' own ||
	fail 'paths are cut'
for options in --gnu '--correct=no-inlined'; do
	"$GPROFX" "$options" -b -l -p -z program >own || fail "status with $options"
	expect_match own 'step \(inlined\.c:2 @ [0-9a-f]+\)$'
	expect_not_in own 'inlined into'
done
# The name of a function means all of its lines, with what was inlined into it; that of a subroutine, its own.
"$GPROFX" -b -l -z -pmain program >own || fail 'status'
[ "$(grep -c 'inlined into main' own)" -ge 4 ] || fail 'lines of main are missing'
"$GPROFX" -b -l -z -pwork program >own || fail 'status'
expect_match own ' work \(inlined\.c:5.* inlined into main'
expect_not_in own ' step ('
"$GPROFX" -b -l -z -Pmain program >own || fail 'status'
expect_not_in own 'inlined into main'
