/* SPDX-License-Identifier: Apache-2.0 */
/* One of two files called area.c, with the same static functions as the other. */
#include "../shapes.h"

static __attribute__((noinline)) double
square(double x) /* @line */
{
	return x * x;
}

static __attribute__((noinline)) double
sum(const double *values, int count)
{
	double total = 0;
	for (int i = 0; i < count; i++)
		total += square(values[i]);
	return total;
}

double
flat_area(const double *sides, int count)
{
	return sum(sides, count) / count;
}
