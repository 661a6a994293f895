/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that call one function: THREADS times CALLS calls of leaf(). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long calls;

__attribute__((noinline)) void
leaf(volatile long *sum)
{
	++*sum;
}

__attribute__((noinline)) void *
work(void *unused)
{
	volatile long sum = 0;

	for (long i = 0; i < calls; i++)
		leaf(&sum);
	return unused;
}

int
main(int argc, char **argv)
{
	pthread_t threads[64];
	int count = argc > 2 ? atoi(argv[1]) : 1;

	calls = argc > 2 ? atol(argv[2]) : 1;
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	puts("threads have ended");
	return 0;
}
