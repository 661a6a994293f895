/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that count in the same lines, some of them at the same time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long
collatz(long number)
{
	long steps = 0;

	while (number != 1) {
		if (number % 2 == 0)
			number /= 2;
		else
			number = 3 * number + 1;
		steps++;
	}
	return steps;
}

static void *
work(void *place)
{
	long *sum = place, first = *sum;

	*sum = 0;
	for (long i = 1; i <= 2000; i++)
		*sum += collatz(first * 2000 + i);
	return NULL;
}

int
main(void)
{
	long sums[8], sum = 0;
	pthread_t threads[8];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 8; i++) {
			sums[i] = i;
			if (pthread_create(&threads[i], NULL, work, &sums[i]) != 0)
				abort();
		}
		for (int i = 0; i < 8; i++) {
			pthread_join(threads[i], NULL);
			sum += sums[i];
		}
	}
	printf("%ld\n", sum);
	return 0;
}
