/* SPDX-License-Identifier: Apache-2.0 */
/* What the recordings beside this file are of: exact numbers of calls, in two threads, and a phase
 * where the collector knows them. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static volatile long sum;

__attribute__((noinline, noclone)) void
leaf(long x)
{
	for (long i = 0; i < 20000; i++)
		sum += i ^ x;
}

__attribute__((noinline, noclone)) void
work(int count)
{
	for (int i = 0; i < count; i++)
		leaf(i);
}

__attribute__((noinline, noclone)) void
descend(int depth)
{
	if (depth > 0)
		descend(depth - 1);
	leaf(depth);
}

static void *
run(void *unused)
{
	work(700);
	return unused;
}

int
main(void)
{
	void (*mark)(const char *name);
	pthread_t thread;

	*(void **)&mark = dlsym(RTLD_DEFAULT, "gprofx_collect_mark");
	if (pthread_create(&thread, NULL, run, NULL) != 0)
		return 1;
	work(300);
	if (mark)
		mark("deep");
	descend(9);
	if (mark)
		mark("rest");
	return pthread_join(thread, NULL);
}
