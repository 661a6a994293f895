/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What bench.py --collect measures: counted calls, in thread-clock time.
 *
 *     calls threads COUNT CALLS   nanoseconds of a call in each of some threads, on average
 *     calls fib N                 seconds of fib(N)
 *     calls churn COUNT           threads that start, make a call and end, 100 at a time
 *     calls memory                KiB that were resident at most, after a call
 *     calls tables                has tables of 100 MB and more, says so, and calls on and on
 *     calls nothing               the start and end of a program
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEPT __attribute__((noinline, noclone))

enum { MOST_THREADS = 100 };

static volatile unsigned long done;

KEPT void leaf(void);
KEPT unsigned long fib(unsigned n);

KEPT void
leaf(void)
{
	__asm__ volatile("" ::: "memory");
}

KEPT unsigned long
fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct work {
	long calls;
	double seconds;
};

static KEPT void *
call(void *argument)
{
	struct work *work = argument;
	double begun;

	leaf();
	begun = now();
	for (long i = 0; i < work->calls; i++)
		leaf();
	work->seconds = now() - begun;
	return NULL;
}

static void *
call_once(void *argument)
{
	leaf();
	return argument;
}

static int
run_threads(int count, long calls)
{
	pthread_t threads[MOST_THREADS];
	struct work work[MOST_THREADS];
	double seconds = 0;

	if (count < 1 || count > MOST_THREADS)
		return 2;
	for (int i = 0; i < count; i++) {
		work[i] = (struct work){calls, 0};
		if (pthread_create(&threads[i], NULL, call, &work[i]) != 0)
			return 1;
	}
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
		seconds += work[i].seconds;
	}
	printf("%.3f\n", seconds * 1e9 / ((double)calls * count));
	return 0;
}

static int
run_churn(int count)
{
	for (int i = 0; i < count; i += MOST_THREADS) {
		pthread_t threads[MOST_THREADS];

		for (int k = 0; k < MOST_THREADS; k++)
			if (pthread_create(&threads[k], NULL, call_once, NULL) != 0)
				return 1;
		for (int k = 0; k < MOST_THREADS; k++)
			pthread_join(threads[k], NULL);
	}
	return 0;
}

static int
show_memory(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long kib;

	leaf();
	while (status && fgets(line, sizeof line, status))
		if (sscanf(line, "VmHWM: %ld", &kib) == 1)
			printf("%ld\n", kib);
	return 0;
}

/* The collector has it; it is not there in other runs. */
void __cyg_profile_func_enter(void *function, void *site) __attribute__((weak));

/* Each round calls from 1.2 million places. */
static int
call_from_everywhere(void)
{
	for (unsigned long round = 0; __cyg_profile_func_enter; round++) {
		for (unsigned long i = 1; i <= 1200000; i++)
			__cyg_profile_func_enter((void *)(i << 4), (void *)(i << 5 | 8));
		if (round == 0) {
			puts("ready");
			fflush(stdout);
		}
	}
	return 1;
}

int
main(int argc, char **argv)
{
	double begun = now();

	if (argc > 3 && strcmp(argv[1], "threads") == 0)
		return run_threads(atoi(argv[2]), atol(argv[3]));
	if (argc > 2 && strcmp(argv[1], "churn") == 0)
		return run_churn(atoi(argv[2]));
	if (argc > 1 && strcmp(argv[1], "memory") == 0)
		return show_memory();
	if (argc > 1 && strcmp(argv[1], "tables") == 0)
		return call_from_everywhere();
	if (argc > 2 && strcmp(argv[1], "fib") == 0) {
		done = fib((unsigned)atoi(argv[2]));
		printf("%.4f\n", now() - begun);
	}
	return 0;
}
