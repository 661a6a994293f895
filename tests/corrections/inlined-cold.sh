#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# inlined: a call at the very start of a .cold part is of the inlined line that makes it, as addr2line -i has it, not
# of the line where the function calls what was inlined. The truth: complain calls note in lines 6 and 7.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

cat >cold.c <<'PROGRAM'
volatile long sink;
__attribute__((noinline, cold)) void note(void) { sink++; }
static inline __attribute__((always_inline)) void
complain(void)
{
	note();
	note();
}
__attribute__((noinline)) long work(int x)
{
	if (__builtin_expect(x < 0, 0))
		return complain(), 0;
	for (int i = 0; i < 9; i++)
		sink += i * x;
	return 1;
}
int main(void)
{
	for (int i = 0; i < 20; i++)
		sink += work(i % 7 ? i : -1);
	return 0;
}
PROGRAM
gcc -g -O2 -pg cold.c -o program 2>err || { cat err; skip 'cannot build'; }
cold=$(nm program | sed -n 's/^0*\([0-9a-f]*\) t work\.cold$/\1/p')
[ -n "$cold" ] || skip 'this compiler makes no part for cold code'
addr2line -ifs -e program "$cold" | head -2 | tail -1 | grep -q '^cold\.c:6' || skip 'the part begins otherwise'
./program
"$GPROFX" -b -l -q program >own 2>err || fail 'status'
sed -n 's/.*[ ~]\(complain\|work\.cold\) (/\1 (/p' own | sed 's/ @ [0-9a-f]*//; s/ \[[0-9]*\]$//' | sort -u >callers
cat >expected <<-'END'
	complain (cold.c:6) inlined into work (cold.c:12)
	complain (cold.c:7) inlined into work (cold.c:12)
END
expect_same callers expected
# Without it the part has its own name.
"$GPROFX" --correct=no-inlined -b -l -q program >own 2>err || fail 'status'
expect_not_in own 'inlined into'
