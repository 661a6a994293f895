/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled without debug information, between files that have it. */
static __attribute__((noinline)) int
silent(int number)
{
	return number * 7;
}

int
quiet(int number)
{
	return silent(number) + 1;
}
