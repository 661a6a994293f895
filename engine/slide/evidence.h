/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well addresses of a profile fit an image.
 *
 * The address recorded for a called function is where its call of the profiler's hook returns to:
 * a few bytes past its entry, and just after a call.  Where code can be read, the call shows more
 * than the distance.
 */
#ifndef ENGINE_SLIDE_EVIDENCE_H
#define ENGINE_SLIDE_EVIDENCE_H

#include "base/run.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

/* No compiler does more than this before it calls the hook, in bytes. */
enum { SLIDE_FARTHEST = 64 };

/* Symbols with names of anchors; a sound image has one each. */
enum { SLIDE_MOST_ANCHORS = 16 };

/* Addresses of functions, reduced to the size of an address of the target. */
struct slide_entries {
	const struct symbols *symbols;
	struct scan *scan;
	uint64_t *address; /* ascending, unique; of all symbols, also of those that do not count */
	uint32_t count;
	uint64_t mask;
	uint64_t code_start, code_end; /* of all code */
	/* Where symbols stand at which runtimes let histograms begin, and end. */
	uint64_t starts[SLIDE_MOST_ANCHORS], ends[SLIDE_MOST_ANCHORS];
	uint32_t start_count, end_count;
	uint64_t bytes_left; /* of code that may yet be decoded */
};

/* How the call sites of arcs fit, and how callees do by the scanner of the machine. */
struct slide_sites {
	uint32_t proven;     /* distinct arcs: a call there leads to the callee */
	uint32_t possible;   /* one leads to where the code does not tell, or to what can go on */
	uint32_t impossible; /* no call returns there, or it leads elsewhere */
	uint32_t callees;    /* distinct ones looked at */
	uint32_t hooks;      /* of these, those just after a call of what most of them call */
	bool is_known;       /* false: the code shows nothing, and all of these are 0 */
};

/* How the extent of a histogram fits the code. */
enum slide_extent {
	SLIDE_EXTENT_UNKNOWN,    /* it begins where no known runtime lets it begin */
	SLIDE_EXTENT_MATCHES,    /* it begins and ends where the code does */
	SLIDE_EXTENT_CONTRADICTS /* it begins there, but does not end there */
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

struct slide_entries *slide_entries_make(struct run *run, struct scan *scan);

/* Sorts and drops what is there twice; returns how many are left. */
uint32_t slide_sort_unique(struct run *run, uint64_t *values, uint32_t count);

/* How callees, ascending, fit with a slide taken off; every "step"th is looked at. */
struct slide_score slide_rate(const struct slide_entries *entries, const uint64_t *callees,
                              uint32_t count, uint32_t step, uint64_t slide);

/* An address of the image as its tables have it: with the sign extended, where they have it so. */
static inline uint64_t
slide_image_address(const struct slide_entries *entries, uint64_t address)
{
	if (entries->mask == UINT32_MAX && entries->symbols->table.target.sign_extends)
		return (uint64_t)(int64_t)(int32_t)(uint32_t)address;
	return address & entries->mask;
}

/* The number of the last entry at or below an address, or NO_SYMBOL. */
uint32_t slide_entry_below(const struct slide_entries *entries, uint64_t address);

/* Checks call sites of arcs with each of some slides taken off; sites[i] is that of slides[i]. */
void slide_check_sites(struct run *run, struct slide_entries *entries,
                       const struct gprofx_raw_arc *arcs, uint32_t count, const uint64_t *slides,
                       uint32_t slide_count, struct slide_sites *sites);

/* How a record fits with the slide of its file taken off, if that moves it. */
enum slide_extent slide_extent(const struct slide_entries *entries,
                               const struct gprofx_histogram *range, uint64_t slide);

/*
 * The slide with which a record ends where the code does, and begins where that is known to begin.
 * 0: there is none.
 */
uint64_t slide_by_extent(const struct slide_entries *entries, const struct gprofx_histogram *range);

/*
 * Whether a histogram record covers the code better with the slide of its file's arcs taken off: it
 * can have true addresses where arcs count from its start.
 */
bool slide_moves_range(const struct slide_entries *entries, const struct gprofx_histogram *range,
                       uint64_t slide);

#endif
