/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well addresses of a profile fit an image.
 *
 * The address recorded for a called function is where its call of the profiler's hook returns to:
 * a few bytes past its entry, and just after a call.  Where code can be read, the call tells more
 * than the distance.
 */
#ifndef ENGINE_SLIDE_EVIDENCE_H
#define ENGINE_SLIDE_EVIDENCE_H

#include "base/run.h"
#include "symbols/symbols.h"

/* No compiler does more than this before it calls the hook, in bytes. */
enum { SLIDE_FARTHEST = 64 };

/* Addresses of functions, reduced to the size of an address of the target. */
struct slide_entries {
	const struct symbols *symbols;
	uint64_t *address; /* ascending, unique; of all symbols, also of those that do not count */
	uint32_t count;
	uint64_t mask;
	uint64_t code_start, code_end; /* of all code */
};

struct slide_score {
	uint32_t count;  /* of callees */
	uint32_t inside; /* in code */
	uint32_t near;   /* of these, at an entry or at most SLIDE_FARTHEST bytes past one */
	uint32_t common; /* of these, at the most common distance */
	uint32_t calls;  /* of those in code, just after a call */
	/* Of these, after a call of what most of them call; counted if the step is 1. */
	uint32_t same;
};

/* The bytes that a histogram record covers; its end can have passed the end of all addresses. */
static inline uint64_t
slide_range_bytes(const struct gprofx_target *target, const struct gprofx_histogram *range)
{
	uint64_t bytes = range->high - range->low;

	return target->pointer_bytes == 4 ? (uint32_t)bytes : bytes;
}

struct slide_entries *slide_entries_make(struct run *run, const struct symbols *symbols);

/* Sorts and drops what is there twice; returns how many are left. */
uint32_t slide_sort_unique(struct run *run, uint64_t *values, uint32_t count);

/* How callees, ascending, fit with a slide taken off; every "step"th is looked at. */
struct slide_score slide_rate(const struct slide_entries *entries, const uint64_t *callees,
                              uint32_t count, uint32_t step, uint64_t slide);

/*
 * Whether a histogram record covers the code better with the slide of its file's arcs taken off: it
 * can have true addresses where arcs count from its begin.
 */
bool slide_moves_range(const struct slide_entries *entries, const struct gprofx_histogram *range,
                       uint64_t slide);

/*
 * Whether the code before an address is a call; *target then tells what is called, as far as the
 * instruction does.
 */
bool slide_follows_call(const struct symbols *symbols, uint64_t address, uint64_t *target);

#endif
