/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads with names, unequal times and known numbers of calls: named SECONDS [kill].  Prints a
 * line for each: its name, its number, nanoseconds by its own clock, those in two functions, and
 * how often it called them.  With "kill" it then kills itself.  With "named SECONDS turns COUNT",
 * threads of which one runs at a time follow, as many as that.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double seconds;

/* The parts of the time, and of it in hundredths what "light" takes. */
static const struct work {
	const char *name;
	double part;
	int light;
} works[] = {{"reader", 0.1, 20}, {"parser", 0.3, 50}, {"writer", 0.6, 80}};

enum { WORKS = sizeof works / sizeof works[0] };

static struct result {
	long tid, cpu, took[2], calls;
} results[WORKS];

static pthread_barrier_t all;

static long
clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

#define FUNCTION(name)                                                       \
	__attribute__((noinline)) void name(volatile long *sum, long rounds) \
	{                                                                    \
		for (long i = 0; i < rounds; i++)                            \
			*sum += i;                                           \
	}
FUNCTION(light)
FUNCTION(heavy)

__attribute__((noinline)) void *
run(void *argument)
{
	const struct work *work = argument;
	struct result *result = &results[work - works];
	unsigned long long state = (unsigned long long)(work - works) * 2654435761u + 1;
	volatile long sum = 0;

	pthread_setname_np(pthread_self(), work->name);
	result->tid = syscall(SYS_gettid);
	while (clock_now() < work->part * seconds * 1e9) {
		long begin = clock_now(), middle;

		/* Of any length, so that nothing is in step with the samples. */
		state = state * 6364136223846793005u + 1442695040888963407u;
		light(&sum, (long)(state >> 50) * work->light);
		middle = clock_now();
		heavy(&sum, (long)(state >> 50) * (100 - work->light));
		result->took[0] += middle - begin;
		result->took[1] += clock_now() - middle;
		result->calls++;
	}
	result->cpu = clock_now();
	/* So that no number of a thread is used twice. */
	pthread_barrier_wait(&all);
	return NULL;
}

__attribute__((noinline)) void *
turn(void *name)
{
	volatile long sum = 0;

	pthread_setname_np(pthread_self(), name);
	light(&sum, 1000);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[WORKS];

	seconds = argc > 1 ? atof(argv[1]) : 1;
	pthread_barrier_init(&all, NULL, WORKS);
	for (int i = 0; i < WORKS; i++)
		pthread_create(&threads[i], NULL, run, (void *)&works[i]);
	for (int i = 0; i < WORKS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; argc > 3 && i < atoi(argv[3]); i++) {
		pthread_create(&threads[0], NULL, turn, "turn");
		pthread_join(threads[0], NULL);
	}
	for (int i = 0; i < WORKS; i++)
		printf("%s %ld %ld %ld %ld %ld\n", works[i].name, results[i].tid, results[i].cpu,
		       results[i].took[0], results[i].took[1], results[i].calls);
	fflush(stdout);
	if (argc > 2 && strcmp(argv[2], "kill") == 0)
		kill(getpid(), SIGKILL);
	return 0;
}
