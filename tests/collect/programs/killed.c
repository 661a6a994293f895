/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads that count their calls of leaf() in the file "truth", until a signal ends them. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS = 4, APART = 8 };

static volatile long *counts;

__attribute__((noinline)) void
leaf(volatile long *count)
{
	++*count;
}

static void *
work(void *number)
{
	for (;;)
		leaf(counts + (long)number * APART);
	return NULL;
}

int
main(void)
{
	int file = open("truth", O_RDWR | O_CREAT, 0600);
	pthread_t thread;

	if (file < 0 || ftruncate(file, 4096) != 0)
		return 1;
	counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	for (long i = 1; i < THREADS; i++)
		pthread_create(&thread, NULL, work, (void *)i);
	work(NULL);
	return 0;
}
