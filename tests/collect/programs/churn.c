/* SPDX-License-Identifier: Apache-2.0 */
/* Threads by the thousand: each calls leaf() a hundred times and ends. */
#include <pthread.h>
#include <stdlib.h>

__attribute__((noinline)) void
leaf(volatile long *sum)
{
	++*sum;
}

__attribute__((noinline)) void *
work(void *unused)
{
	volatile long sum = 0;

	for (int i = 0; i < 100; i++)
		leaf(&sum);
	return unused;
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000;

	for (int i = 0; i < count; i += 2) {
		pthread_t one, two;

		pthread_create(&one, NULL, work, NULL);
		pthread_create(&two, NULL, work, NULL);
		pthread_join(one, NULL);
		pthread_join(two, NULL);
	}
	return 0;
}
