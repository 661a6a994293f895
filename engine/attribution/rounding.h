/* SPDX-License-Identifier: Apache-2.0 */
/* How call sites were rounded, and where that matters. */
#ifndef ENGINE_ATTRIBUTION_ROUNDING_H
#define ENGINE_ATTRIBUTION_ROUNDING_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

enum { ROUNDING_USUAL_MOST = 16 }; /* no collector is known that rounds more */

struct rounding {
	const struct symbols *symbols;
	/* A call site stands for that many addresses from it on: a power of two; 1: only for itself
	 */
	uint32_t quantum;
	uint32_t quantum_bits; /* 2 to that power, if there are "blocks" */
	uint64_t low;          /* what sites are multiples of the quantum from */
	/*
	 * Blocks of so many addresses in which a line begins, or a function elsewhere than at the
	 * first address or with no gap before it: bits by a hash, so that most sites need no
	 * search.  NULL: there are none.
	 */
	uint64_t *blocks;
	uint32_t block_bits; /* there are 2 to that power */
	bool is_aligned;     /* all sites are multiples of the quantum */
	bool is_certain;     /* else so few sites can be multiples by chance */
};

/* Finds out how the profile's call sites were rounded, unless the settings tell. */
struct rounding
rounding_of(struct run *run, const struct symbols *symbols, const struct profile *profile);

/* Whether "blocks" say that calls from what a call site stands for might be another's. */
bool rounding_may_matter(const struct rounding *rounding, uint64_t from);

/*
 * Whether calls from what a call site stands for can come from another function, or, in reports by
 * line, another line, than the one that holds it.
 */
bool rounding_matters(const struct rounding *rounding, uint64_t from);

/* The last address that a call site stands for. */
static inline uint64_t
rounding_last(const struct rounding *rounding, uint64_t from)
{
	return symbols_past(from, rounding->quantum - 1);
}

#endif
