/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and unloads two libraries in turn, so that one takes the other's addresses; or three, each
 * in a thread of its own; or two, and leaves calls in them by jumps out of a signal handler, before
 * it loads the third one.
 *
 *     unload ROUNDS [TIMES [threads|jumps]]
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static int rounds = 10;

static void
use(const char *name, int count)
{
	void *library = dlopen(name, RTLD_NOW);
	int (*run)(int);

	if (!library)
		abort();
	*(void **)&run = dlsym(library, "plugin");
	run(count);
	dlclose(library);
}

static sigjmp_buf back;

static void
jump(int number)
{
	siglongjmp(back, number);
}

/* The first call in a library takes as long as the jumps are spread over. */
static void
jump_out(const char *name, int microseconds)
{
	const struct itimerval soon = {{0, 0}, {0, microseconds}}, never = {{0, 0}, {0, 0}};
	void *library = dlopen(name, RTLD_NOW);
	int (*volatile run)(int);

	*(void **)&run = dlsym(library, "plugin");
	if (sigsetjmp(back, 1) == 0) {
		setitimer(ITIMER_REAL, &soon, NULL);
		run(1000);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	dlclose(library);
}

static void *
use_on(void *name)
{
	for (int i = 0; i < rounds; i++)
		use(name, 10);
	return NULL;
}

int
main(int argc, char **argv)
{
	static const char *const names[] = {"./one.so", "./two.so", "./three.so"};
	int times = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t threads[3];

	if (argc > 1)
		rounds = atoi(argv[1]);
	if (argc > 3 && strcmp(argv[3], "jumps") == 0) {
		signal(SIGALRM, jump);
		for (int i = 0; i < rounds; i++)
			jump_out(names[i % 2], 1 + i % 100);
		use(names[2], 1000);
		return 0;
	}
	if (argc > 3) {
		for (int i = 0; i < 3; i++)
			if (pthread_create(&threads[i], NULL, use_on, (void *)names[i]) != 0)
				return 1;
		for (int i = 0; i < 3; i++)
			pthread_join(threads[i], NULL);
		return 0;
	}
	for (int i = 0; i < rounds; i++)
		use(names[1 - i % 2], (i % 2 ? 300 : 200) * times);
	return 0;
}
