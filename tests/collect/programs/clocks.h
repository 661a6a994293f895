/* SPDX-License-Identifier: Apache-2.0 */
/* What programs know of their own time. */
#ifndef CLOCKS_H
#define CLOCKS_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds. */
static inline uint64_t
read_clock(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint64_t
delay_in(int file)
{
	unsigned long long ran, delayed = 0;
	char text[128] = "";

	if (file >= 0 && pread(file, text, sizeof text - 1, 0) > 0)
		sscanf(text, "%llu %llu", &ran, &delayed);
	return delayed;
}

/* How long the thread was ready to run and did not, if the system says so. */
static inline uint64_t
read_delay(void)
{
	static __thread int file = -1;

	if (file < 0)
		file = open("/proc/thread-self/schedstat", O_RDONLY);
	return delay_in(file);
}

/* The same, where there are more threads than files can be open. */
static inline uint64_t
read_delay_once(void)
{
	int file = open("/proc/thread-self/schedstat", O_RDONLY);
	uint64_t delay = delay_in(file);

	if (file >= 0)
		close(file);
	return delay;
}

#endif
