#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# inlined: names of inlined subroutines say what they were inlined into, and one line that was inlined at two
# places is two. The truth: work is called in lines 10 and 11 of main, and calls step in line 6.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >inlined.c <<'PROGRAM'
volatile int sink; int leaf(void);
__attribute__((always_inline)) static inline int step(int x) { return x * sink + leaf(); }
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
__attribute__((noinline)) int leaf(void) { return ++sink; }
PROGRAM
"$GPROFX_CC" -g -O1 -pg inlined.c -o program 2>err || { cat err; skip 'cannot build'; }
./program
"$GPROFX" -b -l -p -z --output=flat:own --output=json:report program || fail 'status'
python3 - <<'END' | sed 's/ @ [0-9a-f]*//' | sort -u >places
import json
for row in json.load(open('report'))['functions']:
    print('', row['name'])
END
for chain in 'step (inlined.c:2) inlined into work (inlined.c:6) inlined into main (inlined.c:10)' \
	'step (inlined.c:2) inlined into work (inlined.c:6) inlined into main (inlined.c:11)' \
	'work (inlined.c:5) inlined into main (inlined.c:10)' \
	'work (inlined.c:5) inlined into main (inlined.c:11)'; do
	grep -qxF " $chain" places || fail "lacks: $chain"
done
# Tables have the two ends of such a chain, and say what is left out; the rest of the name is in each.
for chain in 'step (inlined.c:2) inlined into ... main (inlined.c:10)' \
	'step (inlined.c:2) inlined into ... main (inlined.c:11)' 'work (inlined.c:5) inlined into main (inlined.c:10)'; do
	sed 's/ @ [0-9a-f]*//' own | grep -q " $chain\$" || fail "lacks: $chain"
done
note='In "f inlined into ... g", the line is of the subroutine f, and its code is in the'
for options in -p '-p --set=flat.columns=self,name,share' -q; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings -l -z $options program
	expect_in out 'inlined into ... main (inlined.c:11)'
	expect_not_in out 'inlined into work'
	expect_in out "$note"
done
expect_status 0 "$GPROFX" --no-findings -l -z -p -pwork program
expect_not_in out "$note"
# With -L, paths are whole.
"$GPROFX" -b -l -L -p -z program >own || fail 'status'
grep -qE 'step \(.*/inlined\.c:2 @ [0-9a-f]+\) inlined into \.\.\. main \(.*/inlined\.c:11\)' own ||
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
