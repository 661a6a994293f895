// SPDX-License-Identifier: Apache-2.0
// Functions that call themselves and each other: one cycle of three and one of itself.
#include <stdio.h>
#include <stdlib.h>

long even(long n);

static long
third(long n)
{
	return n <= 0 ? 1 : even(n - 3) + 1;
}

static long
odd(long n)
{
	return n == 0 ? 0 : n % 3 ? even(n - 1) : third(n - 1);
}

long
even(long n)
{
	return n <= 0 ? 1 : odd(n - 1) + 1;
}

static long
ackermann(long m, long n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static long
hanoi(int disks, int from, int to)
{
	if (disks == 0)
		return 0;
	return hanoi(disks - 1, from, 6 - from - to) + 1 + hanoi(disks - 1, 6 - from - to, to);
}

int
main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1, sum = 0;

	for (long i = 0; i < rounds; ++i)
		sum += even(300 + i % 7) + ackermann(2, 20) + hanoi(12, 1, 2);
	printf("%ld\n", sum);
	return 0;
}
