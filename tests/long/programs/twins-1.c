// SPDX-License-Identifier: Apache-2.0
// With twins-2.c: two files that each have a local function of the same name.
#include <stdio.h>
#include <stdlib.h>

unsigned other(unsigned n);

static unsigned
work(unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; ++i)
		sum += i * n ^ sum >> 3;
	return sum;
}

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;

	for (unsigned i = 0; i < rounds * 30; ++i)
		sum += work(1000) + other(i);
	printf("%u\n", sum);
	return 0;
}
