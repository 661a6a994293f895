/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of behavior.py share. */
#ifndef ACTS_H
#define ACTS_H

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define KEPT __attribute__((noinline, noclone))

extern volatile unsigned long work_done;

/* Counted; called as often as a program says. */
void leaf(void);

static inline void
call_leaf(int times)
{
	for (int i = 0; i < times; i++)
		leaf();
}

/* Takes so many milliseconds of the thread's processor time, mostly in code that is not counted. */
static inline void
burn(int milliseconds)
{
	struct timespec now;
	long long end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	end = now.tv_sec * 1000000000LL + now.tv_nsec + milliseconds * 1000000LL;
	do {
		for (int i = 0; i < 20000; i++)
			work_done++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000000000LL + now.tv_nsec < end);
}

struct act {
	const char *name;
	int (*run)(void); /* returns the exit status */
};

static inline int
act(const struct act *acts, int argc, char **argv)
{
	for (; acts->name && argc > 1; acts++)
		if (strcmp(acts->name, argv[1]) == 0) {
			int status = acts->run();

			fflush(stdout);
			return status;
		}
	fprintf(stderr, "no such act\n");
	return 125;
}

#endif
