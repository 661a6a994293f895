/* SPDX-License-Identifier: Apache-2.0 */
/* Works for the hundredths of a second of processor time that its argument states. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 400 };

struct item {
	unsigned key;
	char text[16];
};

static unsigned state = 1;
static struct item items[ITEMS];
static unsigned depth_seen;

__attribute__((noinline)) unsigned
next_number(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 8;
}

static __attribute__((noinline)) void
fill(struct item *item)
{
	item->key = next_number() % 1000;
	snprintf(item->text, sizeof item->text, "%u", item->key);
}

/* Called by the C library, which does not count calls. */
static int
compare(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	return a->key < b->key ? -1 : a->key > b->key;
}

__attribute__((noinline)) unsigned
descend(unsigned depth)
{
	return depth == 0 ? 1 : descend(depth - 1) + (next_number() & 1);
}

static __attribute__((noinline)) unsigned ping(unsigned n);

__attribute__((noinline)) unsigned
pong(unsigned n)
{
	return n == 0 ? 0 : ping(n - 1) + 1;
}

static __attribute__((noinline)) unsigned
ping(unsigned n)
{
	return n == 0 ? 0 : pong(n - 1) + 1;
}

static __attribute__((noinline)) double
sum_roots(unsigned rounds)
{
	double sum = 0;

	for (unsigned i = 1; i < rounds; i++) {
		double root = i;

		for (int step = 0; step < 8; step++)
			root = (root + i / root) / 2;
		sum += root;
	}
	return sum;
}

__attribute__((noinline)) void
round_of_work(void)
{
	for (int i = 0; i < ITEMS; i++)
		fill(&items[i]);
	qsort(items, ITEMS, sizeof items[0], compare);
	depth_seen += descend(20) + pong(12);
	depth_seen += sum_roots(3000) > 1;
}

int
main(int argc, char **argv)
{
	clock_t end = (argc > 1 ? atoi(argv[1]) : 40) * (CLOCKS_PER_SEC / 100);

	do
		round_of_work();
	while (clock() < end);
	return depth_seen == 0;
}
