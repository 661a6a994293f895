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

/* How long the thread was ready to run and did not, if the system says so. */
static inline uint64_t
read_delay(void)
{
	static __thread int file = -1;
	unsigned long long ran, delayed = 0;
	char text[128] = "";

	if (file < 0)
		file = open("/proc/thread-self/schedstat", O_RDONLY);
	if (file >= 0 && pread(file, text, sizeof text - 1, 0) > 0)
		sscanf(text, "%llu %llu", &ran, &delayed);
	return delayed;
}

#endif
