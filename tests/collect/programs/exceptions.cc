// SPDX-License-Identifier: Apache-2.0
// Exceptions that pass through functions whose times are known; prints what it measured itself, as
// exact.c.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#define HIDDEN __attribute__((no_instrument_function)) static
#define FUNCTION extern "C" __attribute__((noinline))

HIDDEN uint64_t
now()
{
	timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

HIDDEN void
work(unsigned ms)
{
	uint64_t end = now() + (uint64_t)ms * 1000000;

	while (now() < end) {
	}
}

struct held {
	uint64_t *sum;
	uint64_t begun;
	__attribute__((no_instrument_function)) explicit held(uint64_t *to) : sum(to), begun(now())
	{
	}
	__attribute__((no_instrument_function)) ~held()
	{
		*sum += now() - begun;
	}
};

static uint64_t in_thrower, in_passes, in_catches, in_after;

FUNCTION void
thrower(int depth)
{
	held time(&in_thrower);

	work(2);
	if (depth > 0)
		throw std::runtime_error("");
}

// Nothing in it is to be done when the exception passes.
FUNCTION void
passes(int depth)
{
	thrower(depth);
	work(100);
}

FUNCTION void
after()
{
	held time(&in_after);

	work(3);
}

FUNCTION void
catches()
{
	held time(&in_catches);

	for (int i = 0; i < 10; i++) {
		uint64_t begun = now();

		try {
			passes(1);
		} catch (const std::exception &) {
		}
		in_passes += now() - begun;
		after();
	}
}

int
main()
{
	catches();
	printf("time thrower %llu\ntime passes %llu\ntime catches %llu\ntime after %llu\n",
	       (unsigned long long)in_thrower, (unsigned long long)in_passes,
	       (unsigned long long)in_catches, (unsigned long long)in_after);
	return 0;
}
