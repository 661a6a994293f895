/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes or threads, one after the other, that each take a few milliseconds:
 * brief.c processes|threads NUMBER MILLISECONDS.  That is what one takes of the processor on
 * average; none takes more than five fourths of it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long wanted, mean;

static long
clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

__attribute__((noinline)) void *
burn(void *unused)
{
	long end = clock_now() + wanted;

	/* Little of it in the system, of which clock=task takes no samples. */
	while (clock_now() < end)
		for (volatile int i = 0; i < 50000; i++) {
		}
	return unused;
}

int
main(int count, char **words)
{
	const int are_threads = count > 3 && strcmp(words[1], "threads") == 0;
	int number = count > 3 ? atoi(words[2]) : 0, status = 0;
	pthread_t thread;

	mean = count > 3 ? atol(words[3]) * 1000000 : 0;
	for (int i = 0; i < number && status == 0; i++) {
		/* Not in step with the ticks of the system. */
		wanted = mean / 4 * 3 + (long)(i * 618034L % 1000000 * mean / 2000000);
		if (are_threads) {
			status = pthread_create(&thread, NULL, burn, NULL);
			if (status == 0)
				status = pthread_join(thread, NULL);
			continue;
		}
		pid_t child = fork();

		if (child == 0) {
			burn(NULL);
			_exit(0);
		}
		status = child < 0 || waitpid(child, &status, 0) != child || status != 0;
	}
	return status != 0;
}
