// SPDX-License-Identifier: Apache-2.0
// A small machine that calls its operations through a table.
#include <stdio.h>
#include <stdlib.h>

enum { ADD, MULTIPLY, SHIFT, LOOK, OPERATIONS };

static unsigned memory[256];

static unsigned
add(unsigned a, unsigned b)
{
	return a + b;
}

static unsigned
multiply(unsigned a, unsigned b)
{
	return a * b + 1;
}

static unsigned
shift(unsigned a, unsigned b)
{
	return (a >> (b & 7)) ^ b;
}

static unsigned
look(unsigned a, unsigned b)
{
	unsigned sum = b;

	for (unsigned i = 0; i < 64; ++i)
		sum += memory[(a + i) & 255];
	return sum;
}

static unsigned (*const table[OPERATIONS])(unsigned, unsigned) = {add, multiply, shift, look};

static unsigned
step(unsigned state, unsigned at)
{
	return table[(state ^ at) % OPERATIONS](state, at);
}

static __attribute__((constructor)) void
fill(void)
{
	for (unsigned i = 0; i < 256; ++i)
		memory[i] = i * i;
}

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, state = 1;

	for (unsigned i = 0; i < rounds * 5000; ++i)
		state = step(state, i);
	printf("%u\n", state);
	return 0;
}
