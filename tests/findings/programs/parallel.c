/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that OpenMP divides, here among one thread: others would wait in its library. */
#include <time.h>

volatile unsigned sum;

__attribute__((noinline)) void
add(unsigned n)
{
	for (unsigned i = 0; i < 500; i++)
		n = n * 5 + i;
	sum += n;
}

int
main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2) {
#pragma omp parallel for num_threads(1)
		for (unsigned i = 0; i < 1000; i++)
			add(i);
	}
	return 0;
}
