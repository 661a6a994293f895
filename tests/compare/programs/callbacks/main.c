/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the C library calls: comparison functions, signal handlers, exit handlers,
 * constructors, and calls through pointers. Their callers are outside of the profiled text. */
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef unsigned operation(unsigned, unsigned);

static volatile sig_atomic_t ticks;
static unsigned values[2000];

static __attribute__((noinline)) int
compare(const void *left, const void *right) /* @line */
{
	unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
	return a < b ? -1 : a > b;
}

static int
by_low_bits(const void *left, const void *right)
{
	unsigned a = *(const unsigned *)left & 0xff, b = *(const unsigned *)right & 0xff;
	return a == b ? compare(left, right) : a < b ? -1 : 1;
}

static __attribute__((noinline)) void
count_tick(void)
{
	ticks++;
}

static void
on_signal(int number)
{
	(void)number;
	count_tick();
}

static void
on_alarm(int number)
{
	on_signal(number);
}

static unsigned
add(unsigned a, unsigned b)
{
	return a + b;
}

static unsigned
multiply(unsigned a, unsigned b)
{
	unsigned product = 0;
	while (b-- > 0)
		product = add(product, a);
	return product;
}

static __attribute__((noinline)) unsigned
apply(operation *function, unsigned a, unsigned b)
{
	return function(a, b);
}

static __attribute__((noinline)) void
fill(unsigned seed)
{
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		values[i] = seed = seed * 1103515245u + 12345u;
}

static void
visit(const void *node, VISIT order, int depth)
{
	(void)node;
	if (order == leaf && depth > 2)
		count_tick();
}

static void
tree_of_values(void)
{
	void *root = NULL;
	for (int i = 0; i < 200; i++)
		tsearch(&values[i], &root, compare);
	twalk(root, visit);
	for (int i = 0; i < 200; i++)
		tdelete(&values[i], &root, compare);
}

static void
at_end(void)
{
	count_tick();
}

static __attribute__((constructor)) void
before_main(void)
{
	fill(7);
}

static __attribute__((destructor)) void
after_main(void)
{
	count_tick();
}

int
main(int argc, char **argv)
{
	static operation *const operations[] = {add, multiply, add};
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	sigaction(SIGUSR1, &action, NULL);
	action.sa_handler = on_alarm;
	sigaction(SIGALRM, &action, NULL);
	atexit(at_end);
	alarm(1);
	do {
		fill(seed);
		qsort(values, 2000, sizeof values[0], compare);
		qsort(values, 2000, sizeof values[0], by_low_bits);
		tree_of_values();
		raise(SIGUSR1);
		raise(SIGALRM);
		for (int i = 0; i < 30; i++)
			seed += apply(operations[i % 3], seed, 40);
	} while (clock() < CLOCKS_PER_SEC / 8);
	return 0;
}
