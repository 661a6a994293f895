/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a header, which are the first code of the units that include it. */
#ifndef FIRST_H
#define FIRST_H

static volatile unsigned sink;

static __attribute__((noinline, unused)) unsigned
header_work(unsigned n)
{
	while (n > 0)
		sink += n--;
	return sink;
}

#endif
