/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a library that was compiled for profiling, and, unless it is ALONE, itself. */
#include <stdlib.h>
#include <time.h>

extern unsigned descend(unsigned depth);
extern unsigned pong(unsigned n);

volatile unsigned sum;

#ifndef ALONE
__attribute__((noinline)) static unsigned
own(unsigned n)
{
	for (unsigned i = 0; i < 200; i++)
		n = n * 5 + i;
	return n;
}
#else
#define own(n) (n)
#endif

int
main(int argc, char **argv)
{
	clock_t end = (argc > 1 ? atoi(argv[1]) : 40) * (CLOCKS_PER_SEC / 100);

	while (clock() < end)
		for (unsigned i = 0; i < 1000; i++) {
			for (unsigned k = 0; k < 300; k++)
				sum += k * i;
			sum += own(i) + descend(2) + pong(2);
		}
	return 0;
}
