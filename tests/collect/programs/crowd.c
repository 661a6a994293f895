/* SPDX-License-Identifier: Apache-2.0 */
/* Threads wait for the same.  Prints the nanoseconds that they did, without and with those in which
 * they could go on but had no processor. */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clocks.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_over;
static uint64_t waited, delayed;

__attribute__((noinline)) void
wait_all(void)
{
	uint64_t begun = read_clock(CLOCK_MONOTONIC);

	pthread_mutex_lock(&mutex);
	while (!is_over)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	__atomic_fetch_add(&waited, read_clock(CLOCK_MONOTONIC) - begun, __ATOMIC_RELAXED);
}

static void *
run(void *data)
{
	uint64_t before = read_delay_once();

	wait_all();
	__atomic_fetch_add(&delayed, read_delay_once() - before, __ATOMIC_RELAXED);
	return data;
}

int
main(int argc, char **argv)
{
	const struct timespec time = {2, 0};
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t *threads = calloc((size_t)count, sizeof *threads);
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN + 32768);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], &attributes, run, NULL) != 0)
			return 1;
	nanosleep(&time, NULL);
	pthread_mutex_lock(&mutex);
	is_over = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("%llu %llu\n", (unsigned long long)(waited - delayed), (unsigned long long)waited);
	return 0;
}
