/* SPDX-License-Identifier: Apache-2.0 */
/* Calls functions written in assembler; see functions.S. */
#include <stdlib.h>
#include <time.h>

unsigned typed_function(unsigned n);
unsigned untyped_function(unsigned n);
unsigned object_function(unsigned n);
unsigned dotted_function(unsigned n) __asm__("dotted.function.1");
unsigned call_local(unsigned n);
unsigned in_section(unsigned n);

static __attribute__((noinline)) unsigned
all(unsigned n) /* @line */
{
	return typed_function(n) + untyped_function(n + 1) + object_function(n + 2) +
	       dotted_function(n + 3) + call_local(n + 4) + in_section(n + 5);
}

int
main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) * 20 : 20, sum = 0;
	do
		for (int i = 0; i < 100; i++)
			sum += all(n);
	while (clock() < CLOCKS_PER_SEC / 8);
	return sum != 0;
}
