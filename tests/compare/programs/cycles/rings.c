/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles of several functions. */
#include "cycles.h"

/* A recursive descent: the classical three, where factor also calls itself. */
unsigned
expression(unsigned budget)
{
	unsigned value = term(budget);
	burn(2);
	return budget > 30 ? value + term(budget / 2) : value;
}

unsigned
term(unsigned budget)
{
	burn(5);
	return budget > 20 ? factor(budget) * factor(budget - 9) : factor(budget);
}

unsigned
factor(unsigned budget)
{
	burn(11);
	if (budget > 35)
		return factor(budget - 20);
	return budget > 10 ? expression(budget - 10) : budget;
}

/* Three in a ring that is entered at a and at c, and calls another cycle. */
unsigned
ring_a(unsigned n)
{
	burn(2);
	return n == 0 ? 1 : ring_b(n - 1);
}

unsigned
ring_b(unsigned n)
{
	burn(3);
	return n == 0 ? 2 : ring_c(n - 1) + (n == 3 ? inner(2, 1) : 0);
}

unsigned
ring_c(unsigned n)
{
	burn(1);
	return n == 0 ? 3 : ring_a(n - 1);
}

/* Two that call each other and themselves. */
unsigned
inner(unsigned n, unsigned level)
{
	burn(6);
	if (n > 4)
		return inner(n - 1, level);
	return n == 0 ? level : outer(n - 1, level + 1);
}

unsigned
outer(unsigned n, unsigned level)
{
	burn(7);
	if (n == 2)
		return outer(n - 1, level);
	return n == 0 ? level * 2 : inner(n - 1, level + 2);
}
