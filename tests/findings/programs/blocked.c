/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the profiling timer for itself. */
#include <sys/time.h>
#include <time.h>

volatile unsigned sum;

__attribute__((noinline)) void
add(unsigned n)
{
	sum += n;
}

int
main(void)
{
	const struct itimerval never = {{0, 0}, {0, 0}};

	setitimer(ITIMER_PROF, &never, 0);
	while (clock() < CLOCKS_PER_SEC / 4)
		for (unsigned i = 0; i < 10000; i++)
			add(i);
	return 0;
}
