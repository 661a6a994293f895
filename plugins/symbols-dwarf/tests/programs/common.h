/* SPDX-License-Identifier: Apache-2.0 */
/* Code in a header: each file that includes it has its own copy. */
#ifndef COMMON_H
#define COMMON_H

__attribute__((noinline)) static int
from_header(int number)
{
	int sum = 0;

	for (int i = 0; i < number; i++)
		sum += i * number;
	return sum;
}

static inline int
inlined(int number)
{
	return number * 7 + from_header(number + 1);
}

#endif
