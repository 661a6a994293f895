// SPDX-License-Identifier: Apache-2.0
// Sorts numbers and words; the C library calls back into the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int words[4096];

static int
by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int
scramble(int x)
{
	return (x * 7919 + 104729) % 65521;
}

static int
is_sorted(const int *list, int n)
{
	for (int i = 1; i < n; ++i)
		if (list[i - 1] > list[i])
			return 0;
	return 1;
}

static void
insert(int *list, int n, int value)
{
	int at = n;

	for (; at > 0 && list[at - 1] > value; --at)
		list[at] = list[at - 1];
	list[at] = value;
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1, sorted = 0;

	for (int round = 0; round < rounds; ++round) {
		for (int i = 0; i < 4096; ++i)
			words[i] = scramble(i + round);
		qsort(words, 2048, sizeof words[0], by_number);
		for (int i = 2048; i < 2300; ++i)
			insert(words, i, scramble(i));
		sorted += is_sorted(words, 2300);
	}
	printf("%d\n", sorted);
	return sorted != rounds;
}
