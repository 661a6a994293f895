// SPDX-License-Identifier: Apache-2.0
// Functions with parts that compilers move away, and errors that hardly happen.
#include <stdio.h>
#include <stdlib.h>

static unsigned errors;

__attribute__((noinline, cold)) static void
complain(unsigned where)
{
	errors += where & 1;
}

__attribute__((noinline)) static unsigned
parse(unsigned x)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 200; ++i) {
		if (__builtin_expect((x + i) % 1009 == 0, 0))
			complain(i);
		sum = sum * 31 + (x ^ i);
	}
	return sum;
}

__attribute__((noinline)) static unsigned
twice(unsigned x, int deep)
{
	if (__builtin_expect(deep > 3, 0)) {
		complain(x);
		return parse(x) + 1;
	}
	return parse(x) + parse(x + 1);
}

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;

	for (unsigned i = 0; i < rounds * 200; ++i)
		sum += twice(i, (int)(i % 5));
	printf("%u %u\n", sum, errors);
	return 0;
}
