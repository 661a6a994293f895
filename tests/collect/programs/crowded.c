/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that share one processor and wake up at the same moments: each one but the first is ready
 * for some time and has none.  Prints how many nanoseconds they slept in all, and how many they
 * were ready, at all and right after they had slept.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "clocks.h"

enum { THREADS = 12, MILLISECOND = 1000000, PERIOD = 20 * MILLISECOND, WORK = MILLISECOND * 3 / 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t slept, delayed, woken;
static uint64_t end;

/* All of them wake up at the same moments. */
static void
nap(void)
{
	uint64_t moment = (read_clock(CLOCK_MONOTONIC) / PERIOD + 1) * PERIOD;
	const struct timespec until = {(time_t)(moment / 1000000000), (long)(moment % 1000000000)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void
work(void)
{
	uint64_t begun = read_clock(CLOCK_THREAD_CPUTIME_ID);

	while (read_clock(CLOCK_THREAD_CPUTIME_ID) - begun < WORK) {
	}
}

static void *
run(void *unused)
{
	uint64_t begun = read_clock(CLOCK_MONOTONIC), delay, ran, after_naps = 0;
	cpu_set_t one;

	sched_getaffinity(0, sizeof one, &one);
	for (int i = 0, found = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &one) && found++ > 0)
			CPU_CLR(i, &one);
	sched_setaffinity(0, sizeof one, &one);
	while (read_clock(CLOCK_MONOTONIC) < end) {
		work();
		delay = read_delay();
		nap();
		after_naps += read_delay() - delay;
	}
	ran = read_clock(CLOCK_THREAD_CPUTIME_ID);
	delay = read_delay();
	pthread_mutex_lock(&mutex);
	slept += read_clock(CLOCK_MONOTONIC) - begun - ran - delay;
	delayed += delay;
	woken += after_naps;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int
main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	end = read_clock(CLOCK_MONOTONIC) +
	      (uint64_t)(argc > 1 ? atoi(argv[1]) : 1000) * MILLISECOND;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%llu %llu %llu\n", (unsigned long long)slept, (unsigned long long)delayed,
	       (unsigned long long)woken);
	return 0;
}
