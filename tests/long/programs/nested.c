// SPDX-License-Identifier: Apache-2.0
// Functions inside functions, a GNU extension.
#include <stdio.h>
#include <stdlib.h>

static unsigned
apply(unsigned (*f)(unsigned), unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; ++i)
		sum += f(i);
	return sum;
}

static unsigned
outer(unsigned base)
{
	unsigned inner(unsigned x)
	{
		unsigned y = base;

		for (unsigned i = 0; i < 50; ++i)
			y = y * 3 + x;
		return y;
	}
	unsigned innermost(unsigned x)
	{
		return inner(x) ^ x;
	}
	return apply(inner, 20) + apply(innermost, 10);
}

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;

	for (unsigned i = 0; i < rounds * 60; ++i)
		sum += outer(i);
	printf("%u\n", sum);
	return 0;
}
