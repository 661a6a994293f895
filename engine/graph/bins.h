/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which addresses the bins of a histogram cover, and how the samples of one are divided, both in
 * whole numbers: nothing is lost or counted twice.
 */
#ifndef ENGINE_GRAPH_BINS_H
#define ENGINE_GRAPH_BINS_H

#include "base/run.h"
#include "profile/profile.h"

/* A distance from the histogram's begin: whole bytes, and parts of one. */
struct bin_place {
	uint64_t byte;
	uint32_t part; /* of as many as there are bins */
};

struct bin_edges {
	uint64_t low;
	uint64_t step;  /* whole bytes from one bin to the next */
	uint32_t rest;  /* parts from one bin to the next, besides */
	uint32_t parts; /* of a byte */
	uint32_t scale; /* the collector's, which then decides instead of step; or 0 */
};

struct bin_edges bin_edges_of(const struct histogram *histogram, uint32_t pointer_bytes);

/* Where a bin begins; the one before it ends there. */
static inline struct bin_place
bin_edge(const struct bin_edges *edges, uint64_t bin)
{
	uint64_t parts = bin * edges->rest;

	/* The first unit of 2 bytes that profil() counts in the bin: unit times scale by 2^16. */
	if (edges->scale != 0)
		return (struct bin_place){2 * (((bin << 16) + edges->scale - 1) / edges->scale), 0};
	if (parts == 0)
		return (struct bin_place){bin * edges->step, 0};
	return (struct bin_place){bin * edges->step + parts / edges->parts,
	                          (uint32_t)(parts % edges->parts)};
}

/* Where a bin ends that begins at "begin". */
static inline struct bin_place
bin_end(const struct bin_edges *edges, uint64_t bin, struct bin_place begin)
{
	uint64_t part = (uint64_t)begin.part + edges->rest;

	if (edges->scale != 0)
		return bin_edge(edges, bin + 1);
	if (part < edges->parts)
		return (struct bin_place){begin.byte + edges->step, (uint32_t)part};
	return (struct bin_place){begin.byte + edges->step + 1, (uint32_t)(part - edges->parts)};
}

/* The place of an address, a whole byte; addresses below the histogram are at its start. */
static inline uint64_t
bin_place_of(const struct bin_edges *edges, uint64_t address)
{
	return address > edges->low ? address - edges->low : 0;
}

/* Whether a place is at a byte or behind it. */
static inline bool
bin_place_reaches(struct bin_place place, uint64_t byte)
{
	return place.byte >= byte;
}

/* Whether a place is behind a byte, if only by a part of it. */
static inline bool
bin_place_passes(struct bin_place place, uint64_t byte)
{
	return place.byte > byte || (place.byte == byte && place.part > 0);
}

/*
 * Samples are divided into shares that are whole multiples of a part of a sample; the samples of
 * one bin are divided into multiples of the same part.
 */
enum { BIN_SHARE_BITS = 20 };

static inline uint32_t
bin_share_bits(uint64_t samples)
{
	return samples >> (64 - BIN_SHARE_BITS) == 0 ? BIN_SHARE_BITS : 0;
}

/* All that a bin has. */
static inline uint64_t
bin_all(uint64_t samples)
{
	return samples << bin_share_bits(samples);
}

/*
 * What lies below a byte in a bin from "first" to "past" with these samples; below the bin there is
 * nothing, and at its end everything.
 */
uint64_t bin_share(const struct bin_edges *edges, struct bin_place first, struct bin_place past,
                   uint64_t samples, uint64_t byte);

/* A share of the samples as a number of samples. */
static inline double
bin_samples(uint64_t share, uint64_t samples)
{
	return (double)share / (double)(1 << bin_share_bits(samples));
}

#endif
