/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was read from all profile files: histograms, arcs, basic blocks, still by address.
 */
#ifndef ENGINE_PROFILE_PROFILE_H
#define ENGINE_PROFILE_PROFILE_H

#include "base/run.h"

/* The sum of all histogram records of one address range. */
struct histogram {
	uint64_t low, high;
	uint32_t bin_count;
	uint32_t *bins;   /* bin_count sums, unless bins64 is set */
	uint64_t *bins64; /* the same, once a sum passed 32 bits */
};

static inline uint64_t
histogram_bin(const struct histogram *histogram, uint32_t i)
{
	return histogram->bins64 ? histogram->bins64[i] : histogram->bins[i];
}

struct profile {
	struct gprofx_profile public; /* first: what readers get */

	/* Histograms in order of first appearance; the first record sets what follows. */
	struct histogram *histograms;
	uint32_t histogram_count, histogram_room;
	uint32_t rate; /* 0 until a histogram was read */
	char dimension[16];
	char abbreviation;
	double scale; /* width of a bin in units of 2 bytes */

	/* Arcs in the order of the files. */
	struct gprofx_raw_arc *arcs;
	uint32_t arc_count, arc_room;

	struct gprofx_raw_block *blocks;
	uint32_t block_count, block_room;

	bool has_histogram, has_arcs, has_blocks;
};

struct profile *profile_new(struct run *run);

#endif
