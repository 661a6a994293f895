/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits in ways of known length, one thread for each, and prints how many nanoseconds each function
 * waited in all: without and with the time after it, in which it could run but had no processor.
 * Calls that a signal would interrupt must not be: they are checked, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "clocks.h"

enum { MILLISECOND = 1000000 };

/* A point of time in the life of a thread, or what it did meanwhile. */
struct times {
	uint64_t waited, delayed;
};

static struct times took_sleep, took_lock, took_read, took_poll, took_timed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static int rounds;
static int interrupted;

static struct times
now(void)
{
	struct times times = {.delayed = read_delay()};

	times.waited = read_clock(CLOCK_MONOTONIC) - read_clock(CLOCK_THREAD_CPUTIME_ID);
	return times;
}

static void
add_since(struct times *to, const struct times *begun)
{
	struct times ended = now();

	to->waited += ended.waited - begun->waited;
	to->delayed += ended.delayed - begun->delayed;
}

static void
nap(long milliseconds)
{
	const struct timespec time = {0, milliseconds * MILLISECOND};

	interrupted += nanosleep(&time, NULL) != 0;
}

__attribute__((noinline)) void
wait_sleep(void)
{
	struct times begun = now();

	nap(7);
	add_since(&took_sleep, &begun);
}

/* Variable size: its frame has no fixed one. */
__attribute__((noinline)) void
wait_lock(int size)
{
	struct times begun = now();
	volatile char room[size];

	room[size - 1] = 1;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	add_since(&took_lock, &begun);
}

__attribute__((noinline)) void
wait_read(void)
{
	struct times begun = now();
	char byte;

	interrupted += read(ends[0], &byte, 1) != 1;
	add_since(&took_read, &begun);
}

__attribute__((noinline)) void
wait_poll(void)
{
	struct times begun = now();
	struct timeval time = {0, 4000};
	static int set = -1;
	struct epoll_event event;

	if (set < 0)
		set = epoll_create1(0);
	interrupted += poll(NULL, 0, 4) != 0;
	interrupted += select(0, NULL, NULL, NULL, &time) != 0;
	interrupted += epoll_wait(set, &event, 1, 4) != 0;
	add_since(&took_poll, &begun);
}

__attribute__((noinline)) void
wait_timed(void)
{
	static sem_t never;
	struct times begun = now();
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 9 * MILLISECOND;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	interrupted += sem_timedwait(&never, &until) != -1 || errno != ETIMEDOUT;
	add_since(&took_timed, &begun);
}

static void *
run_sleep(void *data)
{
	for (int i = 0; i < rounds; i++)
		wait_sleep();
	return data;
}

static void *
run_lock(void *data)
{
	for (int i = 0; i < rounds; i++) {
		wait_lock(100 + i % 50);
		nap(1);
	}
	return data;
}

static void *
run_read(void *data)
{
	for (int i = 0; i < rounds; i++)
		wait_read();
	return data;
}

static void *
run_poll(void *data)
{
	for (int i = 0; i < rounds; i++)
		wait_poll();
	return data;
}

static void *
run_timed(void *data)
{
	for (int i = 0; i < rounds; i++)
		wait_timed();
	return data;
}

/* Holds the lock, and writes what the reader waits for. */
static void
feed(void)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		nap(5);
		pthread_mutex_unlock(&mutex);
		nap(2);
		if (write(ends[1], "", 1) != 1)
			abort();
	}
}

int
main(int argc, char **argv)
{
	void *(*const runs[])(void *) = {run_sleep, run_lock, run_read, run_poll, run_timed};
	const struct times *took[] = {&took_sleep, &took_lock, &took_read, &took_poll, &took_timed};
	pthread_t threads[sizeof runs / sizeof runs[0]];

	rounds = argc > 1 ? atoi(argv[1]) : 100;
	if (pipe(ends) != 0)
		return 1;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
		pthread_create(&threads[i], NULL, runs[i], NULL);
	feed();
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < sizeof took / sizeof took[0]; i++)
		printf("%llu %llu ", (unsigned long long)(took[i]->waited - took[i]->delayed),
		       (unsigned long long)took[i]->waited);
	puts("");
	if (interrupted)
		printf("%d calls were interrupted\n", interrupted);
	return interrupted != 0;
}
