// SPDX-License-Identifier: Apache-2.0
// Leaves functions by longjmp, and by calls that never return.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
static volatile unsigned sink;

static _Noreturn void
give_up(int reason)
{
	longjmp(back, reason);
}

static void
check(unsigned depth)
{
	for (unsigned i = 0; i < 400; ++i)
		sink += i ^ depth;
	if (depth % 5 == 4)
		give_up((int)depth + 1);
}

static void
descend(unsigned depth)
{
	check(depth);
	descend(depth + 1);
	sink += depth;
}

int
main(int argc, char **argv)
{
	volatile int rounds = argc > 1 ? atoi(argv[1]) * 60 : 60, caught = 0;

	while (rounds-- > 0) {
		if (setjmp(back) == 0)
			descend((unsigned)rounds % 3);
		else
			++caught;
	}
	printf("%d\n", caught);
	return 0;
}
