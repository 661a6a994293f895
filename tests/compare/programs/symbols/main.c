/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of every kind: aliases, global and local and weak ones at one address, weak and ifunc
 * functions, visibilities, leading underscores, and names that only differ in them. */
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((noinline)) unsigned
original(unsigned n) /* @line */
{
	while (n > 0)
		sink += n--;
	return sink;
}
extern unsigned alias_of_original(unsigned) __attribute__((alias("original")));
extern unsigned _underscored_original(unsigned) __attribute__((alias("original")));
extern unsigned weak_original(unsigned) __attribute__((weak, alias("original")));

__attribute__((noinline)) unsigned
__twice_underscored(unsigned n)
{
	while (n > 0)
		sink ^= n--;
	return sink;
}
extern unsigned _once_underscored(unsigned) __attribute__((alias("__twice_underscored")));
extern unsigned not_underscored(unsigned) __attribute__((alias("__twice_underscored")));

static __attribute__((noinline, used)) unsigned
local_function(unsigned n)
{
	return original(n / 2) + 1;
}
extern unsigned global_of_local(unsigned) __attribute__((alias("local_function")));
static unsigned local_of_local(unsigned) __attribute__((alias("local_function"), used));

__attribute__((weak, noinline)) unsigned
weak_function(unsigned n)
{
	return original(n / 3);
}

__attribute__((visibility("hidden"), noinline)) unsigned
hidden_function(unsigned n)
{
	return weak_function(n + 1);
}

__attribute__((visibility("protected"), noinline)) unsigned
protected_function(unsigned n)
{
	return hidden_function(n + 2) + __twice_underscored(n);
}

extern unsigned absent_function(unsigned) __attribute__((weak));

static unsigned
chosen_fast(unsigned n)
{
	return original(n) & 0xffu;
}

static unsigned
chosen_slow(unsigned n)
{
	return original(n * 2) & 0xffu;
}

static __attribute__((no_instrument_function)) void *
choose(void)
{
	return sizeof(void *) == 8 ? (void *)chosen_fast : (void *)chosen_slow;
}
unsigned chosen(unsigned) __attribute__((ifunc("choose")));

/* Not a function, but a weak symbol; and a function that is not called. */
__attribute__((weak)) int weak_variable = 3;

unsigned
never_called(unsigned n)
{
	return n;
}

int
main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) * 100 : 100;
	do {
		original(seed);
		alias_of_original(seed / 2);
		_underscored_original(10);
		weak_original(20);
		_once_underscored(seed);
		not_underscored(30);
		global_of_local(40);
		local_of_local(50);
		protected_function(60);
		chosen(70);
		if (absent_function)
			absent_function(1);
	} while (clock() < CLOCKS_PER_SEC / 8);
	return sink == 1 && never_called(1);
}
