/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of programs: 100 calls of leaf() in each, and a failed exec in between. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) void
leaf(volatile long *sum)
{
	++*sum;
}

int
main(int argc, char **argv)
{
	int left = argc > 1 ? atoi(argv[1]) : 0;
	clock_t end = clock() + CLOCKS_PER_SEC / 25;
	volatile long sum = 0;
	char next[16];

	/* Long enough for a signal to be on its way. */
	while (clock() < end)
		sum++;
	for (int i = 0; i < 50; i++)
		leaf(&sum);
	execl("/nonexistent", "nothing", (char *)NULL);
	for (int i = 0; i < 50; i++)
		leaf(&sum);
	snprintf(next, sizeof next, "%d", left - 1);
	if (left > 1)
		execlp(argv[0], argv[0], next, (char *)NULL);
	if (left == 1)
		execl("/bin/sh", "sh", "-c",
		      "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 3", (char *)NULL);
	return 3;
}
