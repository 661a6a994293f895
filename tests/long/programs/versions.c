// SPDX-License-Identifier: Apache-2.0
// A function of which the compiler makes a version for each processor.
#include <stdio.h>
#include <stdlib.h>

static unsigned data[1024];

__attribute__((target_clones("avx2", "sse4.2", "default"), noinline)) unsigned
kernel(unsigned seed)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 1024; ++i) {
		data[i] = data[i] * 5 + seed;
		sum += data[i];
	}
	return sum;
}

__attribute__((noinline)) static unsigned
prepare(unsigned i)
{
	return i * 2654435761U;
}

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;

	for (unsigned i = 0; i < rounds * 200; ++i)
		sum += kernel(prepare(i));
	printf("%u\n", sum);
	return 0;
}
