/* SPDX-License-Identifier: Apache-2.0 */
/* A program that has a function, and a static one, in common with its shared library. */
#include <stdlib.h>
#include <time.h>
#include "library.h"

static __attribute__((noinline)) unsigned
detail(unsigned n) /* @line */
{
	volatile unsigned left = n % 64;
	while (left > 0)
		left--;
	return n / 3;
}

unsigned
common_name(unsigned n)
{
	return detail(n) + 2;
}

static unsigned
called_back(unsigned n)
{
	return common_name(n) ^ detail(n + 1);
}

int
main(int argc, char **argv)
{
	unsigned sum = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	do
		sum += only_in_library(300, called_back);
	while (clock() < CLOCKS_PER_SEC / 8);
	return sum == 1;
}
