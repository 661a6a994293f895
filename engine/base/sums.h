/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of what files state, which can be any number. */
#ifndef ENGINE_BASE_SUMS_H
#define ENGINE_BASE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

/* Adds, and stays at the largest number.  False: the sum would have been larger. */
static inline bool
sum_add(uint64_t *sum, uint64_t more)
{
	bool fits = more <= UINT64_MAX - *sum;

	*sum = fits ? *sum + more : UINT64_MAX;
	return fits;
}

#endif
