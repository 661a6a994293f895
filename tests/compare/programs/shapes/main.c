/* SPDX-License-Identifier: Apache-2.0 */
/* Equal file names and equal static names, in several directories. */
#include <stdlib.h>
#include <time.h>
#include "shapes.h"

enum { COUNT = 400 };

static __attribute__((noinline)) void
sum(double *values, double start)
{
	for (int i = 0; i < COUNT; i++)
		values[i] = start += 0.25;
}

int
main(int argc, char **argv)
{
	double sides[COUNT], total = 0, start = argc > 1 ? atoi(argv[1]) : 1;
	do {
		sum(sides, start);
		total += flat_area(sides, COUNT);
		for (int i = 0; i < 3; i++)
			total += solid_area(sides, COUNT);
	} while (clock() < CLOCKS_PER_SEC / 8);
	return total < 0;
}
