/* SPDX-License-Identifier: Apache-2.0 */
/* A child works and its parent waits; the timer of the samples is not the child's. */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

volatile unsigned sum;

__attribute__((noinline)) void
add(unsigned n)
{
	sum += n;
}

int
main(void)
{
	int status;

	if (fork() != 0)
		/* The parent leaves no profile. */
		_exit(wait(&status) < 0 || status != 0);
	while (clock() < CLOCKS_PER_SEC / 4)
		for (unsigned i = 0; i < 10000; i++)
			add(i);
	exit(0);
}
