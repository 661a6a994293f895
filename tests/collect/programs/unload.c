/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and unloads two libraries in turn, so that one takes the other's addresses; or three, each
 * in a thread of its own.
 *
 *     unload ROUNDS [TIMES [threads]]
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

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
