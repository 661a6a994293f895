/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library that calls NAME_leaf() a given number of times; the compiler gets NAME.  With BELOW, it
 * also calls below(), which another library has: this file, compiled with ALONE.
 */
#define JOIN(a, b) a##b
#define LEAF_OF(name) JOIN(name, _leaf)
#define LEAF LEAF_OF(NAME)

int below(int number);

#ifdef ALONE
__attribute__((noinline, noipa)) int
below(int number)
{
	return number - 1;
}
#else
int LEAF(int number);
int plugin(int count);

__attribute__((noinline, noipa)) int
LEAF(int number)
{
	return number + 1;
}

int
plugin(int count)
{
	int number = 0;

	for (int i = 0; i < count; i++)
#ifdef BELOW
		number = below(LEAF(number));
#else
		number = LEAF(number);
#endif
	return number;
}
#endif
