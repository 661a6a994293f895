/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which addresses the bins of a histogram cover, and how the samples of one are divided, both in
 * whole numbers: nothing is lost or counted twice.
 */
#ifndef ENGINE_GRAPH_BINS_H
#define ENGINE_GRAPH_BINS_H

#include "profile/profile.h"

/* Products of an address and the number of bins. */
typedef unsigned __int128 bin_place;

/* Places are distances from the histogram's begin, in parts of a byte. */
struct bin_edges {
	uint64_t low;
	uint64_t parts; /* of a byte */
	uint64_t step;  /* parts from one bin to the next */
	uint32_t scale; /* the collector's, which then decides instead of step; or 0 */
};

struct bin_edges bin_edges_of(const struct histogram *histogram, uint32_t pointer_bytes);

/* Where a bin begins; the one before it ends there. */
static inline bin_place
bin_edge(const struct bin_edges *edges, uint64_t bin)
{
	/* The first unit of 2 bytes that profil() counts in the bin: unit times scale by 2^16. */
	if (edges->scale != 0)
		return 2 * (((bin << 16) + edges->scale - 1) / edges->scale);
	return (bin_place)bin * edges->step;
}

/* The place of an address; addresses below the histogram are at its begin. */
static inline bin_place
bin_place_of(const struct bin_edges *edges, uint64_t address)
{
	return address > edges->low ? (bin_place)(address - edges->low) * edges->parts : 0;
}

/* The address at which a bin begins, or the one before it if that is between two. */
static inline uint64_t
bin_address(const struct bin_edges *edges, uint64_t bin)
{
	return edges->low + (uint64_t)(bin_edge(edges, bin) / edges->parts);
}

/* Samples are divided into shares that are multiples of 1 / 2^20 of a sample. */
enum { BIN_SHARE_BITS = 20 };

/* What the first "part" of "whole" gets of so many samples, in those multiples; all gets all. */
bin_place bin_share(uint64_t samples, bin_place part, bin_place whole);

/* Shares as a number of samples. */
static inline double
bin_samples(bin_place shares)
{
	return shares <= UINT64_MAX ? (double)(uint64_t)shares / (1 << BIN_SHARE_BITS)
	                            : (double)shares / (1 << BIN_SHARE_BITS);
}

#endif
