/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges what several files say about the same addresses, in place: the first row of its kind stays
 * where it is, the counts of the others are added to it.
 */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"
#include "profile/parts.h"
#include "profile/profile.h"

enum { LEAST_BITS = 8, MOST_BITS = 31 };

struct repeats
repeats_prepare(struct run *run, void *rows, size_t row_bytes, uint32_t count)
{
	struct repeats repeats = {
		.rows = rows,
		.words = (uint32_t)(row_bytes / sizeof(uint64_t)),
		.count = count,
		.bits = hash_bits(count, LEAST_BITS, MOST_BITS),
		.factor = hash_factor(),
		.wrap = sums_wrap(run),
	};

	/* There are rows of more than 16 bytes, so memory ends before a table is too small. */
	memory_array(run, repeats.slots, (size_t)1 << repeats.bits);
	return repeats;
}

static inline uint64_t
hash_row(const struct repeats *repeats, const uint64_t *row)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i + 1 < repeats->words; i++)
		hash = hash_word(hash ^ row[i], repeats->factor);
	return hash;
}

/* Rows are too short for a function of the library to be worth its call. */
static inline bool
is_same(const struct repeats *repeats, uint32_t number, const uint64_t *row)
{
	const uint64_t *other = repeats->rows + (size_t)number * repeats->words;
	uint64_t difference = 0;

	for (uint32_t i = 0; i + 1 < repeats->words; i++)
		difference |= other[i] ^ row[i];
	return difference == 0;
}

/* A slot holds the number of a row plus 1, or 0. */
static uint32_t *
find_slot(const struct repeats *repeats, const uint64_t *row)
{
	uint32_t mask = ((uint32_t)1 << repeats->bits) - 1;
	uint32_t at = (uint32_t)(hash_row(repeats, row) >> (64 - repeats->bits));

	for (;; at = (at + 1) & mask) {
		uint32_t *slot = &repeats->slots[at];

		if (*slot == 0 || is_same(repeats, *slot - 1, row))
			return slot;
	}
}

void
repeats_merge(struct repeats *repeats)
{
	uint32_t words = repeats->words, kept = 0;

	for (uint32_t i = 0; i < repeats->count; i++) {
		const uint64_t *row = repeats->rows + (size_t)i * words;
		uint32_t *slot = find_slot(repeats, row);

		if (*slot != 0) {
			uint64_t *sum = &repeats->rows[(size_t)(*slot - 1) * words + words - 1];
			uint64_t count = row[words - 1];

			*sum = *sum > UINT64_MAX - count && !repeats->wrap ? UINT64_MAX
			                                                   : *sum + count;
			continue;
		}
		for (uint32_t k = 0; k < words; k++)
			repeats->rows[(size_t)kept * words + k] = row[k];
		*slot = ++kept;
	}
	repeats->count = kept;
}

_Static_assert(sizeof(struct gprofx_raw_arc) == 3 * sizeof(uint64_t), "only words");
_Static_assert(sizeof(struct gprofx_raw_call) == 2 * sizeof(uint64_t), "only words");
_Static_assert(sizeof(struct gprofx_raw_block) == 2 * sizeof(uint64_t), "only words");

void
repeating_of(struct profile *profile, struct repeating kinds[REPEATING_KINDS])
{
	kinds[0] = (struct repeating){profile->arcs, sizeof *profile->arcs, &profile->arc_count,
	                              &profile->distinct_arcs};
	kinds[1] = (struct repeating){profile->calls, sizeof *profile->calls, &profile->call_count,
	                              &profile->distinct_calls};
	kinds[2] = (struct repeating){profile->blocks, sizeof *profile->blocks,
	                              &profile->block_count, &profile->distinct_blocks};
}

void
profile_merge_repeats(struct run *run, struct profile *profile)
{
	struct repeating kinds[REPEATING_KINDS];

	repeating_of(profile, kinds);
	for (uint32_t i = 0; i < REPEATING_KINDS; i++) {
		const struct repeating *kind = &kinds[i];
		struct repeats repeats;

		if (*kind->count == *kind->distinct)
			continue;
		repeats = repeats_prepare(run, kind->rows, kind->row_bytes, *kind->count);
		repeats_merge(&repeats);
		*kind->count = *kind->distinct = repeats.count;
		memory_release(run, repeats.slots);
	}
}

void
profile_keep_arcs(struct run *run, struct profile *profile)
{
	struct gprofx_raw_arc *kept;

	profile_merge_repeats(run, profile);
	memory_array(run, kept, profile->arc_count);
	if (profile->arc_count > 0)
		memcpy(kept, profile->arcs, profile->arc_count * sizeof *kept);
	profile->kept_arcs = kept;
	profile->kept_arc_count = profile->arc_count;
}
