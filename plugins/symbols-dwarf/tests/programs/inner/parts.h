/* SPDX-License-Identifier: Apache-2.0 */
/* Code from folders of its own, and code that says it is from generated files. */
#include "../common.h"

__attribute__((noinline)) static int
part(int number)
{
	return number + inlined(number);
}

#line 77 "virtual/grammar.y"
__attribute__((noinline, used)) static int
grammar(int number)
{
	return number + inlined(number);
}

#line 10 "/generated/scanner.l"
__attribute__((noinline, used)) static int
scanner(int number)
{
	return number - inlined(number);
}
