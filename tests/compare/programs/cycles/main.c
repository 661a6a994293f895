/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion of every kind: direct and deep, two functions, three functions entered at two places,
 * a cycle inside a larger one, a cycle that another cycle calls, and self calls inside cycles. */
#include <stdlib.h>
#include <time.h>
#include "cycles.h"

volatile unsigned sink;

void
burn(unsigned amount)
{
	for (unsigned i = 0; i < amount; i++)
		sink = sink * 3u + i;
}

static __attribute__((noinline)) unsigned
factorial(unsigned n)
{
	burn(3);
	return n < 2 ? 1 : n * factorial(n - 1);
}

__attribute__((noinline)) unsigned
descend(unsigned depth)
{
	return depth == 0 ? 0 : descend(depth - 1) + 1;
}

static int odd(unsigned n);

static __attribute__((noinline)) int
even(unsigned n) /* @line */
{
	burn(4);
	return n == 0 ? 1 : odd(n - 1);
}

static __attribute__((noinline)) int
odd(unsigned n)
{
	burn(9);
	return n == 0 ? 0 : even(n - 1);
}

int
main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1, total = descend(20000);
	do {
		total += factorial(12 + seed % 7);
		total += (unsigned)even(15 + seed % 5);
		total += expression(40);
		total += ring_a(9) + ring_c(7);
		total += inner(6, 2);
		seed++;
	} while (clock() < CLOCKS_PER_SEC / 8);
	return total == 1;
}
