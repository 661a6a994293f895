/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/wide.h"

#include <math.h>

enum { LIMB_BITS = 64, HALF_BITS = 32 };

void
wide_add_product(uint64_t *sum, uint32_t limbs, uint32_t at, uint64_t a, uint64_t b)
{
	uint64_t low_a = a & UINT32_MAX, high_a = a >> HALF_BITS;
	uint64_t low_b = b & UINT32_MAX, high_b = b >> HALF_BITS;
	uint64_t low = low_a * low_b, across = high_a * low_b + (low >> HALF_BITS);
	uint64_t middle = low_a * high_b + (across & UINT32_MAX);

	wide_add_limb(sum, limbs, at, middle << HALF_BITS | (low & UINT32_MAX));
	wide_add_limb(sum, limbs, at + 1,
	              high_a * high_b + (across >> HALF_BITS) + (middle >> HALF_BITS));
}

void
wide_add_square(uint64_t *sum, uint32_t limbs, const uint64_t *number, uint32_t count)
{
	/* Most values are whole: their lowest limb is 0. */
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < count && number[i] > 0; k++)
			if (number[k] > 0)
				wide_add_product(sum, limbs, i + k, number[i], number[k]);
}

void
wide_subtract(uint64_t *from, const uint64_t *number, uint32_t limbs)
{
	uint64_t borrow = 0;

	for (uint32_t i = 0; i < limbs; i++) {
		uint64_t before = from[i], less = before - number[i];

		from[i] = less - borrow;
		borrow = (uint64_t)(before < number[i]) | (uint64_t)(less < borrow);
	}
}

double
wide_real(const uint64_t *number, uint32_t limbs)
{
	uint64_t top, lower, rest = 0;
	int shift = 0;

	while (limbs > 1 && number[limbs - 1] == 0)
		limbs--;
	top = number[limbs - 1];
	lower = limbs > 1 ? number[limbs - 2] : 0;
	for (uint32_t i = 0; i + 2 < limbs; i++)
		rest |= number[i];
	if (top == 0)
		return 0;
	while (top >> (LIMB_BITS - 1) == 0) {
		top = top << 1 | lower >> (LIMB_BITS - 1);
		lower <<= 1;
		shift++;
	}
	/* The lowest bit is far below those of a double: it says that there is more. */
	if ((lower | rest) != 0)
		top |= 1;
	return ldexp((double)top, (int)(limbs - 1) * LIMB_BITS - shift);
}
