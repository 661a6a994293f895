#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scattered: functions inlined by clang whose code is in several places are known. The truth is in the
# debug information: dwarfdump, or any other reader, has the ranges of `inner`.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need clang llvm-dwarfdump

cat >scattered.c <<'PROGRAM'
extern volatile int sink;
volatile int sink;
__attribute__((cold, noinline)) static void rare(int y) { sink += y; }
static inline int inner(int x, int y)
{
	int sum = sink;
	if (__builtin_expect(sum > 100000, 0)) {
		rare(y);
		sum += y * 3;
		sink = sum;
	}
	return sum ^ x;
}
int main(int argc, char **argv)
{
	int total = 0;
	(void)argv;
	for (int k = 0; k < argc + 40; k++) {
		sink++;
		total += inner(k, argc);
		total ^= sink;
	}
	return total & 1;
}
PROGRAM
clang -gdwarf-5 -O2 -pg scattered.c -o program 2>err || { echo 'cannot build'; exit 77; }
llvm-dwarfdump program >dump
grep -A3 DW_TAG_inlined_subroutine dump | grep 'DW_AT_ranges.*indexed' >/dev/null || {
	echo 'this clang has no such ranges'
	exit 77
}
./program
"$GPROFX" --gnu -b -l -p -z program >gnu || fail 'gprof: status'
"$GPROFX" -b -l -p -z program >own || fail 'status'
! grep -q 'inner (scattered.c:' gnu || fail 'gprof: there is inner'
grep -q 'inner (scattered.c:12 @' own || fail 'inner is not there'
"$GPROFX" --correct=no-scattered -b -l -p -z program >own || fail 'status'
! grep -q 'inner (scattered.c:' own || fail 'switched off'
