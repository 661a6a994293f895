/* SPDX-License-Identifier: Apache-2.0 */
#include "other.h"
volatile int sink;
static __attribute__((noinline)) int
leaf(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += i * i;
	return s;
}
__attribute__((noinline)) int
twice(int n)
{
	sink += inl(n);
	return leaf(n) + leaf(n + 1);
}
int
_start(void)
{
	int t = 0;
	for (int i = 0; i < 10; i++)
		t += twice(i);
	sink = t;
	for (;;)
		;
}
