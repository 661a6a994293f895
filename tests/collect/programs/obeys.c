/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does what it reads, a word in each line, and answers each time: "a" and "b" burn 200 milliseconds
 * in a function of that name, "handle" takes SIGUSR2 for the program, "tables" calls from many
 * places, "exit" ends.
 */
#include <stdlib.h>
#include <unistd.h>

#include "acts.h"

volatile unsigned long work_done;

void __cyg_profile_func_enter(void *function, void *site) __attribute__((weak));

__attribute__((noipa)) static void
a(void)
{
	burn(200);
}

__attribute__((noipa)) static void
b(void)
{
	burn(200);
}

static void
answer(int number)
{
	(void)number;
	if (write(STDOUT_FILENO, "mine\n", 5) != 5)
		_exit(1);
}

static void
tables(void)
{
	for (unsigned long i = 1; i <= 1200000; i++)
		__cyg_profile_func_enter((void *)(i << 4), (void *)(i << 5 | 8));
}

int
main(void)
{
	char line[32];

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%d\n", (int)getpid());
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "a") == 0)
			a();
		else if (strcmp(line, "b") == 0)
			b();
		else if (strcmp(line, "handle") == 0)
			signal(SIGUSR2, answer);
		else if (strcmp(line, "tables") == 0)
			tables();
		else if (strcmp(line, "exit") == 0)
			exit(7);
		puts("done");
	}
	return 0;
}
