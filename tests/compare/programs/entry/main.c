/* SPDX-License-Identifier: Apache-2.0 */
/* Many small functions that call each other at once; built with the counting call before the
 * prologue. The collector rounds callers down, so some calls belong to the function before. */
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

static __attribute__((noinline)) void
leaf_1(void)
{
	sink += 1;
}

static __attribute__((noinline)) void
leaf_2(void)
{
	sink += 2;
}

static __attribute__((noinline)) void
node_1(void)
{
	leaf_1();
	leaf_2();
}

static __attribute__((noinline)) void
node_2(void) /* @line */
{
	leaf_2();
	node_1();
	sink++;
}

static __attribute__((noinline)) void
tree(void)
{
	node_1();
	node_2();
	leaf_1();
	sink++;
}

static __attribute__((noinline)) void
spend(unsigned n)
{
	while (n > 0)
		sink += n--;
}

int
main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	do {
		tree();
		node_2();
		spend(seed * 200);
	} while (clock() < CLOCKS_PER_SEC / 8);
	return 0;
}
