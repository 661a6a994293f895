/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and unloads two libraries in turn, so that one takes the other's addresses.
 *
 *     unload ROUNDS [TIMES]
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10, times = argc > 2 ? atoi(argv[2]) : 1;

	for (int i = 0; i < rounds; i++) {
		void *library = dlopen(i % 2 ? "./one.so" : "./two.so", RTLD_NOW);
		int (*run)(int);

		if (!library)
			return 1;
		*(void **)&run = dlsym(library, "plugin");
		run((i % 2 ? 300 : 200) * times);
		dlclose(library);
	}
	return 0;
}
