/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divides the samples of a bin among the functions, or lines, that it overlaps: by likelihood,
 * which the bins beside it show that each has to itself.
 */
#ifndef ENGINE_GRAPH_SHARES_H
#define ENGINE_GRAPH_SHARES_H

#include "base/run.h"
#include "graph/bins.h"

/* The bins of a histogram, or of a record of it. */
struct bin_counts {
	const struct histogram *histogram;
	const struct gprofx_histogram *record; /* NULL: all that the histogram has */
	struct bin_edges edges;
};

/* Spaces of addresses, one behind the other: space i is from start[i] to below start[i + 1]. */
struct share_spaces {
	const uint64_t *start; /* ascending; one item more than there are spaces */
	uint32_t count;
};

/* What divides bins. */
struct share_rules {
	struct share_spaces spaces; /* those that get samples */
	/*
	 * Functions, where the spaces are parts of them: they are distinguished first, so that
	 * their shares do not depend on what they are divided into.  No start: spaces are
	 * functions.
	 */
	struct share_spaces functions;
	const struct code_fills *fills;
	struct scan_begins *begins;
	struct never_ran *never_ran; /* NULL: nothing is known of it */
};

/* A bin, or what a function has of one. */
struct shared_part {
	uint32_t bin;
	uint64_t origin;  /* first byte of the bin, from the start of the histogram */
	double low, high; /* bytes from there */
	uint64_t samples; /* as bin_all() has them */
	double unit;      /* of these, so many are a sample */
	/* Addresses that the parts lie in, which are a function's; and the end of its code. */
	uint64_t first, past;
	double live_end; /* in bytes from the origin */
	bool by_begins;  /* code counts by instructions */
	/* Spaces to begin with: none before these overlaps the part. */
	uint32_t function, space;
};

/* Takes what a space gets; its number is that of all spaces if it is outside of them. */
typedef void share_taker(void *taker, uint32_t space, uint64_t share);

/* Divides the samples of a bin: all shares together are bin_all() of them. */
void
shares_divide(const struct share_rules *rules, const struct bin_counts *counts, uint32_t bin,
              uint64_t samples, uint32_t function, uint32_t space, share_taker *take, void *taker);

#endif
