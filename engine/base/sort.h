/* SPDX-License-Identifier: Apache-2.0 */
/* Stable sorting of arrays of ids, and searching of what is sorted. */
#ifndef ENGINE_BASE_SORT_H
#define ENGINE_BASE_SORT_H

#include "base/run.h"

/* Negative, zero or positive, as for qsort(). */
typedef int sort_compare(const void *context, uint32_t left, uint32_t right);

/*
 * Sorts ids by a top-down merge: the first half (rounded down), the second half, then a merge that
 * takes from the first half whenever it does not compare greater.  The procedure is part of the
 * contract: gprof's order of execution counts is not a consistent one, and the result shows how it
 * was sorted.
 */
void sort_ids(struct run *run, uint32_t *ids, uint32_t count, sort_compare *compare,
              const void *context);

/*
 * Rearranges keys and ids, parallel arrays, so that the keys ascend; equal keys keep their order.
 */
void sort_ascending(struct run *run, uint64_t *keys, uint32_t *ids, uint32_t count);

/* Sorts numbers so that they ascend.  Uses no service of a run. */
void sort_numbers(uint32_t *numbers, uint32_t count);

/* How many of the ascending values are at most "value". */
uint32_t sorted_up_to(const uint64_t *values, uint32_t count, uint64_t value);

/* A key that orders as the number does, for numbers that are not NaN. */
static inline uint64_t
sort_key(double value)
{
	union {
		double value;
		uint64_t bits;
	} both = {.value = value == 0 ? 0 : value};

	return both.bits >> 63 ? ~both.bits : both.bits | (uint64_t)1 << 63;
}

#endif
