/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { DIGIT_BITS = 8, DIGITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS, FEW = 48 };

static void
insertion_sort(uint64_t *keys, uint32_t *ids, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		uint64_t key = keys[i];
		uint32_t id = ids[i], k = i;

		for (; k > 0 && keys[k - 1] > key; k--) {
			keys[k] = keys[k - 1];
			ids[k] = ids[k - 1];
		}
		keys[k] = key;
		ids[k] = id;
	}
}

/* One stable pass by one digit of the key. */
static void
scatter(const uint64_t *keys, const uint32_t *ids, uint64_t *to_keys, uint32_t *to_ids,
        uint32_t count, uint32_t digit, const uint32_t *counts)
{
	uint32_t place[DIGIT_VALUES], at = 0;

	for (uint32_t i = 0; i < DIGIT_VALUES; i++) {
		place[i] = at;
		at += counts[i];
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t to = place[(keys[i] >> digit * DIGIT_BITS) & (DIGIT_VALUES - 1)]++;

		to_keys[to] = keys[i];
		to_ids[to] = ids[i];
	}
}

/* Where the keys that ascend from "begin" on end. */
static uint32_t
ascending_up_to(const uint64_t *keys, uint32_t begin, uint32_t count)
{
	uint32_t end = begin + 1;

	while (end < count && keys[end - 1] <= keys[end])
		end++;
	return end;
}

/* Merges the first "half" rows, which ascend, with the others, which do so, too. */
static void
merge_halves(struct run *run, uint64_t *keys, uint32_t *ids, uint32_t count, uint32_t half)
{
	uint64_t *left_keys;
	uint32_t *left_ids, left = 0, right = half;

	memory_array(run, left_keys, half);
	memory_array(run, left_ids, half);
	memcpy(left_keys, keys, half * sizeof *keys);
	memcpy(left_ids, ids, half * sizeof *ids);
	for (uint32_t to = 0; left < half; to++)
		if (right < count && keys[right] < left_keys[left]) {
			keys[to] = keys[right];
			ids[to] = ids[right++];
		} else {
			keys[to] = left_keys[left];
			ids[to] = left_ids[left++];
		}
	memory_release(run, left_keys);
	memory_release(run, left_ids);
}

/*
 * A radix sort, least digit first; digits that are the same in all keys cost nothing.  Two lists
 * that ascend, one behind the other, only need to be merged.
 */
void
sort_ascending(struct run *run, uint64_t *keys, uint32_t *ids, uint32_t count)
{
	uint32_t(*counts)[DIGIT_VALUES];
	uint64_t *from_keys = keys, *to_keys;
	uint32_t *from_ids = ids, *to_ids, sorted;

	if (count <= FEW) {
		insertion_sort(keys, ids, count);
		return;
	}
	sorted = ascending_up_to(keys, 0, count);
	if (sorted == count)
		return;
	if (ascending_up_to(keys, sorted, count) == count) {
		merge_halves(run, keys, ids, count, sorted);
		return;
	}
	counts = memory_alloc_array(run, sizeof *counts, DIGITS);
	memory_array(run, to_keys, count);
	memory_array(run, to_ids, count);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t digit = 0; digit < DIGITS; digit++)
			counts[digit][(keys[i] >> digit * DIGIT_BITS) & (DIGIT_VALUES - 1)]++;
	for (uint32_t digit = 0; digit < DIGITS; digit++) {
		uint64_t *keys_swap = from_keys;
		uint32_t *ids_swap = from_ids;

		if (counts[digit][(keys[0] >> digit * DIGIT_BITS) & (DIGIT_VALUES - 1)] == count)
			continue;
		scatter(from_keys, from_ids, to_keys, to_ids, count, digit, counts[digit]);
		from_keys = to_keys;
		from_ids = to_ids;
		to_keys = keys_swap;
		to_ids = ids_swap;
	}
	if (from_keys != keys) {
		memcpy(keys, from_keys, count * sizeof *keys);
		memcpy(ids, from_ids, count * sizeof *ids);
		to_keys = from_keys;
		to_ids = from_ids;
	}
	memory_release(run, to_keys);
	memory_release(run, to_ids);
	memory_release(run, counts);
}

struct merge {
	sort_compare *compare;
	const void *context;
	uint32_t *scratch; /* room for half of the ids */
};

/* The depth of the recursion is the number of halvings, at most 32. */
static void
merge_sort(const struct merge *merge, uint32_t *ids, uint32_t count)
{
	uint32_t half = count / 2, left = 0, right = half, to = 0;

	if (count < 2)
		return;
	merge_sort(merge, ids, half);
	merge_sort(merge, ids + half, count - half);
	memcpy(merge->scratch, ids, half * sizeof *ids);
	while (left < half && right < count) {
		if (merge->compare(merge->context, merge->scratch[left], ids[right]) <= 0)
			ids[to++] = merge->scratch[left++];
		else
			ids[to++] = ids[right++];
	}
	memcpy(ids + to, merge->scratch + left, (half - left) * sizeof *ids);
}

void
sort_ids(struct run *run, uint32_t *ids, uint32_t count, sort_compare *compare, const void *context)
{
	struct merge merge = {compare, context, NULL};

	if (count < 2)
		return;
	memory_array(run, merge.scratch, count / 2);
	merge_sort(&merge, ids, count);
	memory_release(run, merge.scratch);
}

static int
compare_numbers(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

void
sort_numbers(uint32_t *numbers, uint32_t count)
{
	uint32_t sorted = 1;

	while (sorted < count && numbers[sorted - 1] <= numbers[sorted])
		sorted++;
	if (sorted < count)
		qsort(numbers, count, sizeof *numbers, compare_numbers);
}

uint32_t
sorted_up_to(const uint64_t *values, uint32_t count, uint64_t value)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (values[middle] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
