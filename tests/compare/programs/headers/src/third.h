/* SPDX-License-Identifier: Apache-2.0 */
/* Code of a third header. */
static __attribute__((noinline)) unsigned
third_work(unsigned n)
{
	return header_work(n / 2) + 1;
}
