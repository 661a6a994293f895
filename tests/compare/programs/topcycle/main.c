/* SPDX-License-Identifier: Apache-2.0 */
/* main belongs to a cycle, so that the cycle has no caller outside. */
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv);

static volatile unsigned sink;
static int depth;

static __attribute__((noinline)) void
leaf(unsigned n)
{
	while (n-- > 0)
		sink += n;
}

__attribute__((noinline)) int
again(int argc, char **argv) /* @line */
{
	leaf(50);
	return depth > 0 ? main(argc, argv) : 0;
}

__attribute__((noinline)) int
other(int argc, char **argv)
{
	leaf(30);
	return depth-- > 0 ? again(argc, argv) : 0;
}

int
main(int argc, char **argv)
{
	int status = 0;
	if (depth > 0) {
		leaf(20);
		return other(argc, argv);
	}
	do {
		depth = argc > 1 ? atoi(argv[1]) % 5 + 3 : 4;
		status += other(argc, argv);
	} while (clock() < CLOCKS_PER_SEC / 8);
	return status;
}
