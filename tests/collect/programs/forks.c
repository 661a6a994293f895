/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 1000 calls of leaf(), then COUNT children with 50 each, a third of which end by exit(), by
 * _exit() and by abort(), and 7 calls at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void
leaf(volatile long *sum)
{
	++*sum;
}

static void
be_child(int number)
{
	volatile long sum = 0;

	for (int i = 0; i < 50; i++)
		leaf(&sum);
	if (number % 3 == 0)
		_exit(0);
	if (number % 3 == 1)
		abort();
	exit(0);
}

int
main(int argc, char **argv)
{
	struct rlimit none = {0, 0};
	volatile long sum = 0;
	int count = argc > 1 ? atoi(argv[1]) : 6;

	setrlimit(RLIMIT_CORE, &none);
	for (int i = 0; i < 1000; i++)
		leaf(&sum);
	for (int i = 0; i < count; i++)
		if (fork() == 0)
			be_child(i);
	while (wait(NULL) > 0) {
	}
	for (int i = 0; i < 7; i++)
		leaf(&sum);
	return 0;
}
