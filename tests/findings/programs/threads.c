/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads call the same function. */
#include <pthread.h>
#include <time.h>

volatile unsigned sum;

__attribute__((noinline)) void
add(unsigned n)
{
	for (unsigned i = 0; i < 500; i++)
		n = n * 5 + i;
	sum += n;
}

static void *
work(void *argument)
{
	while (clock() < CLOCKS_PER_SEC / 2)
		for (unsigned i = 0; i < 1000; i++)
			add(i);
	return argument;
}

int
main(void)
{
	pthread_t other;

	if (pthread_create(&other, 0, work, 0) != 0)
		return 1;
	work(0);
	return pthread_join(other, 0);
}
