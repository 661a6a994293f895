/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads work on parts of one array. Calls that two threads count at once are lost, so no
 * two runs are alike. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 4, PART = 500 };

static double data[THREADS * PART];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;

__attribute__((noinline)) double
step(double x)
{
	return x * 0.75 + 1.5;
}

static __attribute__((noinline)) double
smooth(double *part) /* @line */
{
	double sum = 0;
	for (int i = 1; i < PART; i++)
		sum += part[i] = (step(part[i - 1]) + part[i]) / 2;
	return sum;
}

static __attribute__((noinline)) void
deliver(double sum)
{
	pthread_mutex_lock(&lock);
	total += sum;
	pthread_mutex_unlock(&lock);
}

static void *
worker(void *argument)
{
	double *part = argument, sum = 0;
	for (int i = 0; i < 40; i++)
		sum += smooth(part);
	deliver(sum);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	for (int i = 0; i < THREADS * PART; i++)
		data[i] = i * (argc > 1 ? atof(argv[1]) : 1);
	do {
		for (int i = 0; i < THREADS; i++)
			if (pthread_create(&thread[i], NULL, worker, data + i * PART) != 0)
				abort();
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	} while (clock() < CLOCKS_PER_SEC / 8);
	return total == 0;
}
