/* SPDX-License-Identifier: Apache-2.0 */
/* Code that comes from headers in several directories, found by several ways. */
#include "first.h"
#include "deep/second.h"

unsigned unit_work(unsigned n);

unsigned
unit_work(unsigned n) /* @line */
{
	return deep_work(n) + header_work(3);
}

#line 1000 "virtual/grammar.y"
unsigned generated_work(unsigned n);

unsigned
generated_work(unsigned n)
{
	return unit_work(n / 2);
}
