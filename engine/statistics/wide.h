/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers of several 64-bit limbs, the lowest first, that are added up without loss. */
#ifndef ENGINE_STATISTICS_WIDE_H
#define ENGINE_STATISTICS_WIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Adds a number times 2^(64 * at).  What passes the last limb is lost. */
static inline void
wide_add_limb(uint64_t *sum, uint32_t limbs, uint32_t at, uint64_t number)
{
	for (; number > 0 && at < limbs; at++) {
		sum[at] += number;
		number = sum[at] < number;
	}
}

/* Adds the product of two numbers times 2^(64 * at). */
void wide_add_product(uint64_t *sum, uint32_t limbs, uint32_t at, uint64_t a, uint64_t b);

/* Adds the square of a number of so many limbs. */
void wide_add_square(uint64_t *sum, uint32_t limbs, const uint64_t *number, uint32_t count);

/* Takes a number away that has as many limbs, and is not larger. */
void wide_subtract(uint64_t *from, const uint64_t *number, uint32_t limbs);

/* Whether a is less than b, which has as many limbs. */
static inline bool
wide_is_less(const uint64_t *a, const uint64_t *b, uint32_t limbs)
{
	while (limbs > 0 && a[limbs - 1] == b[limbs - 1])
		limbs--;
	return limbs > 0 && a[limbs - 1] < b[limbs - 1];
}

/* The nearest double; of two that are as near, the one that is even. */
double wide_real(const uint64_t *number, uint32_t limbs);

#endif
