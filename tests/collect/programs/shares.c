/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three functions that are called equally often, and call the same function, with unequal costs:
 * shares.c THREADS SECONDS.  Prints what each took, in nanoseconds of its thread's own clock.
 * A profiler that divides by numbers of calls gives each of them a third.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { KINDS = 3 };

static _Atomic long took[KINDS], wanted;

static long
clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Its callers differ by nothing but how much they ask for. */
__attribute__((noinline)) void
turn(volatile long *sum, long rounds)
{
	for (long i = 0; i < rounds; i++)
		*sum += i;
}

/* The assembly after the call keeps it from becoming a jump. */
#define FUNCTION(name, cost)                                               \
	__attribute__((noinline)) void name(volatile long *sum, long unit) \
	{                                                                  \
		turn(sum, (cost)*unit);                                    \
		__asm__ volatile("");                                      \
	}
FUNCTION(cheap, 1)
FUNCTION(middle, 3)
FUNCTION(dear, 9)

static void (*const functions[KINDS])(volatile long *sum, long unit) = {cheap, middle, dear};

__attribute__((noinline)) void *
work(void *seed)
{
	unsigned long long state = (unsigned long long)(size_t)seed * 2654435761u + 1;
	volatile long sum = 0;
	long own[KINDS] = {0};

	while (clock_now() < wanted) {
		/* In any order and of any length, so that nothing is in step with the samples. */
		state = state * 6364136223846793005u + 1442695040888963407u;
		for (int i = 0, first = (int)(state >> 60) % KINDS; i < KINDS; i++) {
			int kind = (first + i) % KINDS;
			long begin = clock_now();

			functions[kind](&sum, 20000 + (long)(state >> 49));
			own[kind] += clock_now() - begin;
		}
	}
	for (int i = 0; i < KINDS; i++)
		took[i] += own[i];
	return seed;
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t threads[16];

	wanted = (long)((argc > 2 ? atof(argv[2]) : 1) * 1e9);
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, work, (void *)(size_t)(i + 1));
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < KINDS; i++)
		printf("%ld\n", took[i]);
	return 0;
}
