/* SPDX-License-Identifier: Apache-2.0 */
/* A shared library whose functions have the names of functions of the program. */
#include "library.h"

static __attribute__((noinline)) unsigned
detail(unsigned n)
{
	return n * 3 + 1;
}

unsigned
common_name(unsigned n)
{
	return detail(n) + 1;
}

unsigned
only_in_library(unsigned n, unsigned (*function)(unsigned))
{
	unsigned sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum += common_name(i) + detail(i) + function(i);
	return sum;
}
