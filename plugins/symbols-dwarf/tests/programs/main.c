/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a header, of other sections, cold ones, and functions that are inlined. */
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

int other(int number);

static int
compare(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

__attribute__((noinline)) static int
help(int number)
{
	return from_header(number) + inlined(number);
}

__attribute__((cold, noinline)) void
rare(int number)
{
	if (number > 100000)
		abort();
	printf("rare %d\n", number);
}

__attribute__((section("elsewhere"), noinline)) int
apart(int number)
{
	return number * 3;
}

int
main(int count, char **words)
{
	int numbers[] = {5, 4, 3, count, 1};

	(void)words;
	qsort(numbers, 5, sizeof numbers[0], compare);
	if (count > 3)
		rare(count);
	return help(numbers[0]) + apart(count) + other(count) > 1 << 30;
}
