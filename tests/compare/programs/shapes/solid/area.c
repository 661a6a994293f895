/* SPDX-License-Identifier: Apache-2.0 */
/* The other of two files called area.c. */
#include "../shapes.h"

static __attribute__((noinline)) double
square(double x)
{
	return x * x * 6;
}

static __attribute__((noinline)) double
sum(const double *values, int count)
{
	double total = 0;
	for (int i = 0; i < count; i++)
		total += square(values[i]) + square(values[count - i - 1]);
	return total;
}

double
solid_area(const double *sides, int count)
{
	return sum(sides, count) + flat_area(sides, count);
}
