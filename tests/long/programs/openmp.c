// SPDX-License-Identifier: Apache-2.0
// Parallel loops, which compilers make functions of their own of.
#include <stdio.h>
#include <stdlib.h>

static double values[2000];

static double
shape(double x, int n)
{
	for (int i = 0; i < n; ++i)
		x = x * 0.999 + 1.0 / (x + 2);
	return x;
}

static void
all(int round)
{
#pragma omp parallel for
	for (int i = 0; i < 2000; ++i)
		values[i] = shape(i + round, 20);
}

static double
total(void)
{
	double sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 2000; ++i)
		sum += values[i] * values[i];
	return sum;
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double sum = 0;

	for (int i = 0; i < rounds * 2; ++i) {
		all(i);
		sum += total();
	}
	printf("%f\n", sum);
	return 0;
}
