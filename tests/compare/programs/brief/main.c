/* SPDX-License-Identifier: Apache-2.0 */
/* Ends before the first sample: calls, but no time. */
static volatile unsigned sink;

static __attribute__((noinline)) void
leaf(unsigned n)
{
	sink += n;
}

__attribute__((noinline)) void
branch(unsigned n) /* @line */
{
	leaf(n);
	if (n > 0)
		branch(n - 1);
}

int
main(void)
{
	branch(5);
	leaf(1);
	branch(0);
	return 0;
}
