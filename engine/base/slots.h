/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of rows by the hash of what they stand for: a row is in the slot of its hash, or behind.
 */
#ifndef ENGINE_BASE_SLOTS_H
#define ENGINE_BASE_SLOTS_H

#include "base/compiler.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"

enum { SLOTS_LEAST_BITS = 10, SLOTS_MOST_BITS = 31 };

/* Zero is an empty table. */
struct slots {
	uint32_t *numbers; /* plus 1; 0: free */
	uint32_t bits;     /* there are 2^bits of them */
};

/* Whether a row is what is wanted. */
typedef bool slots_match(const void *rows, uint32_t number, const void *wanted);

/* Where what has a hash is looked for first. */
static inline uint32_t *
slots_first(const struct slots *slots, uint64_t hash)
{
	return &slots->numbers[(uint32_t)hash & (((uint32_t)1 << slots->bits) - 1)];
}

/* The slot of what is wanted, or a free one.  match NULL: no row is, as all are entered again. */
static ALWAYS_INLINE uint32_t *
slots_find(const struct slots *slots, uint64_t hash, slots_match *match, const void *rows,
           const void *wanted)
{
	uint32_t mask = ((uint32_t)1 << slots->bits) - 1, at = (uint32_t)hash & mask;

	while (slots->numbers[at] != 0 && !(match && match(rows, slots->numbers[at] - 1, wanted)))
		at = (at + 1) & mask;
	return &slots->numbers[at];
}

/*
 * Makes room for one more than "count" rows.  True: the slots are new and empty, and all rows have
 * to be entered again.
 */
static inline bool
slots_grow(struct run *run, struct slots *slots, uint32_t count)
{
	uint32_t bits = hash_bits(count + 1, SLOTS_LEAST_BITS, SLOTS_MOST_BITS);

	if (slots->numbers && bits == slots->bits)
		return false;
	memory_release(run, slots->numbers);
	slots->bits = bits;
	memory_array(run, slots->numbers, (size_t)1 << bits);
	return true;
}

/* Gives the slots back: the table is empty. */
static inline void
slots_release(struct run *run, struct slots *slots)
{
	memory_release(run, slots->numbers);
	*slots = (struct slots){0};
}

#endif
