// SPDX-License-Identifier: Apache-2.0
// Names that share code, and names with unusual characters.
#include <stdio.h>
#include <stdlib.h>

unsigned
mix(unsigned x)
{
	for (unsigned i = 0; i < 100; ++i)
		x = (x << 5 | x >> 27) + i;
	return x;
}
unsigned blend(unsigned x) __attribute__((alias("mix")));

static unsigned priced(unsigned x) __asm__("price$in$dollars");
static unsigned dotted(unsigned x) __asm__("dotted.name.of.mine");

static __attribute__((noinline)) unsigned
priced(unsigned x)
{
	return mix(x) + mix(x + 1);
}

static __attribute__((noinline)) unsigned
dotted(unsigned x)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 300; ++i)
		sum += x * i ^ sum;
	return sum + blend(x);
}

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;

	for (unsigned i = 0; i < rounds * 100; ++i)
		sum += priced(i) + dotted(i);
	printf("%u\n", sum);
	return 0;
}
