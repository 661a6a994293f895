/* SPDX-License-Identifier: Apache-2.0 */
/* Ten million short calls, or as many as are asked for; prints how long all of them take. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FUNCTION __attribute__((noinline, noclone)) static
#define HIDDEN __attribute__((no_instrument_function)) static

HIDDEN uint64_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t state = 1;

/* Some ten nanoseconds: each division waits for the one before. */
FUNCTION uint64_t
step(uint64_t value)
{
	for (int i = 0; i < 4; i++)
		value = (value | 1) * 0x9e3779b97f4a7c15 / (value >> 40 | 3);
	return value;
}

FUNCTION uint64_t
pair(uint64_t value)
{
	return step(step(value) + 1) ^ value;
}

FUNCTION void
all(long calls)
{
	for (long i = 0; i < calls / 3; i++)
		state = pair(state + i);
}

int
main(int argc, char **argv)
{
	long calls = argc > 1 ? atol(argv[1]) : 10000000;
	uint64_t begun = now();

	all(calls);
	printf("%llu %llu\n", (unsigned long long)(now() - begun), (unsigned long long)state);
	return 0;
}
