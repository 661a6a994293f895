/* SPDX-License-Identifier: Apache-2.0 */
/* More functions of which an optimizer makes parts and copies. */
#include <stdio.h>
#include <stdlib.h>
#include "clones.h"

static unsigned table[64], failures;

static __attribute__((cold, noinline)) void
fail(const char *text, unsigned number)
{
	if (++failures > 1000000) {
		printf("%s %u\n", text, number);
		abort();
	}
}

/* A test that nearly always ends the function: the rest becomes a part. */
void
refill(unsigned index)
{
	if (__builtin_expect(table[index % 64] != 0, 1))
		return;
	for (unsigned i = 0; i < 64; i++) {
		table[i] = table[i] * 5 + index + 1;
		if (table[i] % 4099 == 0)
			fail("refill", i);
		table[(i * 7) % 64] ^= table[i] >> 3;
	}
	for (unsigned i = 63; i > 0; i--)
		table[i] += table[i - 1] * 3 + (table[i] & 15);
}

void
drain(unsigned *slot)
{
	if (__builtin_expect(slot == NULL, 0))
		return;
	for (unsigned i = 0; i < 64; i++) {
		*slot = *slot * 7 + table[i];
		if (*slot % 8191 == 0)
			fail("drain", i);
		table[i] ^= *slot;
	}
}

/* Always the same base and length: copies for constant arguments. */
static __attribute__((noinline)) unsigned
digits(unsigned number, unsigned base, unsigned length)
{
	unsigned sum = 0;
	while (length-- > 0) {
		sum += number % base;
		number = number / base + sum;
	}
	return sum;
}

static __attribute__((noinline)) unsigned
fold(const unsigned *values, unsigned count, unsigned (*step)(unsigned, unsigned, unsigned))
{
	unsigned sum = 0;
	for (unsigned i = 0; i < count; i++)
		sum += step(values[i], 10, 4);
	return sum;
}

/* Only members are read, never the pointer itself. */
static __attribute__((noinline)) unsigned
span(const struct range *range)
{
	unsigned width = range->high - range->low;
	for (unsigned i = 0; i < 20; i++)
		width = width * 3 + (width >> 7);
	return width;
}

static __attribute__((noinline)) unsigned
middle(const struct range *range, int round_up)
{
	return (range->low + range->high + (unsigned)round_up) / 2 + digits(range->low, 10, 4);
}

/* Recursive, with a constant step: recursion is unrolled into copies. */
static __attribute__((noinline)) unsigned
search(unsigned low, unsigned high, unsigned step)
{
	struct range range = {low, high, 0};
	if (high - low < step)
		return span(&range);
	unsigned at = middle(&range, 1);
	return search(low, low + (high - low) / 2, step) + at;
}

unsigned
more(unsigned seed)
{
	struct range range = {seed, seed + 500, 1};
	unsigned sum = span(&range) + middle(&range, 1), slot = seed;
	for (unsigned i = 0; i < 40; i++) {
		refill(seed + i);
		refill(seed * 3 + i);
		drain(i % 8 == 0 ? &slot : NULL);
	}
	drain(&slot);
	sum += fold(table, 64, digits) + digits(seed, 10, 4);
	return sum + search(seed, seed + 4000, 8) + slot;
}
