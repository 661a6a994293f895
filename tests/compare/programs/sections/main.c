/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in many sections: hot and cold ones, sections of their own, before and behind .text. */
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((hot, noinline)) unsigned
hot_function(unsigned n)
{
	while (n > 0)
		sink += n--;
	return sink;
}

__attribute__((cold, noinline)) unsigned
cold_function(unsigned n)
{
	while (n > 0)
		sink ^= n--;
	return sink;
}

__attribute__((section("first_section"), noinline)) unsigned
first_function(unsigned n) /* @line */
{
	return hot_function(n) + 1;
}

static __attribute__((section("second_section"), noinline)) unsigned
second_function(unsigned n)
{
	return cold_function(n) + first_function(n / 2);
}

static __attribute__((section(".text.unlikely"), noinline)) unsigned
unlikely_function(unsigned n)
{
	return second_function(n) + 2;
}

static __attribute__((section(".text.startup"), noinline)) unsigned
startup_function(unsigned n)
{
	return unlikely_function(n) + hot_function(n);
}

__attribute__((section(".init.mine"), noinline)) unsigned
other_function(unsigned n)
{
	return startup_function(n);
}

int
main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) * 50 : 50;
	do {
		other_function(seed);
		if (seed % 2)
			cold_function(seed);
		seed ^= 1;
	} while (clock() < CLOCKS_PER_SEC / 8);
	return sink == 1;
}
