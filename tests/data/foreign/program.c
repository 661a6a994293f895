/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is profiled on every target: two functions of one name that are not the same, a recursion, a
 * cycle, calls through pointers, a weak function and one with two names.  The first argument is for
 * how many rounds; targets.py knows how often each function calls which in one of them.
 */
#include "program.h"

volatile unsigned sink;

NOT_INLINE static void
burn(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink = sink * 1664525u + 1013904223u;
}

NOT_INLINE static void
leaf(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink ^= i;
}

NOT_INLINE unsigned
tree(unsigned depth)
{
	burn(200);
	return depth == 0 ? 1 : tree(depth - 1) + tree(depth / 2);
}

NOT_INLINE unsigned
even(unsigned n)
{
	burn(300);
	return n == 0 ? 1 : odd(n - 1);
}

NOT_INLINE unsigned
odd(unsigned n)
{
	leaf(500);
	return n == 0 ? 0 : even(n - 1);
}

NOT_INLINE __attribute__((weak)) void
weak(unsigned turns)
{
	leaf(turns);
	sink++;
}

NOT_INLINE void
named(unsigned turns)
{
	burn(turns);
	sink++;
}

void also_named(unsigned turns) __attribute__((alias("named")));

static void (*const steps[])(unsigned) = {burn, weak, also_named, other_work};

NOT_INLINE static void
apply(unsigned step, unsigned turns)
{
	steps[step % 4](turns);
	sink++;
}

int
main(int count, char **words)
{
	unsigned rounds = 0;

	for (const char *digit = count > 1 ? words[1] : "1"; *digit; digit++)
		rounds = rounds * 10 + (unsigned)(*digit - '0');
	for (unsigned i = 0; i < rounds; i++) {
		apply(i, 4000);
		tree(6);
		even(9);
		odd(4);
	}
	return 0;
}
