/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait in ever new stacks, until the program is killed. */
#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, DEPTH = 24 };

static void left(uint32_t way, int depth);
static void right(uint32_t way, int depth);

/* Each bit chooses one of two functions. */
static __attribute__((noinline)) void
go(uint32_t way, int depth)
{
	const struct timespec pause = {0, 200000};

	if (depth == 0)
		nanosleep(&pause, NULL);
	else if (way & 1)
		left(way >> 1, depth - 1);
	else
		right(way >> 1, depth - 1);
	__asm__ volatile("");
}

static __attribute__((noinline)) void
left(uint32_t way, int depth)
{
	go(way, depth);
	__asm__ volatile("");
}

static __attribute__((noinline)) void
right(uint32_t way, int depth)
{
	go(way, depth);
	__asm__ volatile("nop");
}

static void *
wait_everywhere(void *first)
{
	uint32_t way = (uint32_t)(uintptr_t)first * 77 + 1;

	for (;;) {
		way = way * 1103515245u + 12345u;
		go(way >> 4, DEPTH);
	}
	return NULL;
}

int
main(void)
{
	pthread_t thread;

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, wait_everywhere, (void *)i) != 0)
			return 1;
	sleep(60);
	return 0;
}
