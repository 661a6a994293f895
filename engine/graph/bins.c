/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/bins.h"

/*
 * The GNU C library wants a bin for 4 bytes of code and rounds its buffer up to whole words, so
 * that there are some bins more, and somewhat narrower ones.  profil() takes the ratio as a number
 * of 16 bits, by which it turns an address into a bin.  0: the histogram is not like that.
 *
 * The quotient is one of floats, as measured: with 3976 bytes of bins for 7944 of code an exact one
 * gives 32800, and the counts are for 32801.
 */
static uint32_t
collector_scale(uint64_t span, uint64_t bins, uint32_t pointer_bytes)
{
	enum { BIN_BYTES = 2, CODE_BYTES = 4, SAME = 1 << 16 };
	uint64_t buffer = bins * BIN_BYTES, least = span / CODE_BYTES * BIN_BYTES;

	if (span % CODE_BYTES != 0 || buffer % pointer_bytes != 0 || buffer <= least ||
	    buffer - least >= pointer_bytes)
		return 0;
	if (buffer >= span)
		return SAME;
	return (uint32_t)((float)buffer / (float)span * (float)SAME);
}

struct bin_edges
bin_edges_of(const struct histogram *histogram, uint32_t pointer_bytes)
{
	uint64_t span = histogram->high - histogram->low, bins = histogram->bin_count;
	struct bin_edges edges = {.low = histogram->low,
	                          .parts = histogram->bin_count,
	                          .scale = collector_scale(span, bins, pointer_bytes)};

	if (bins > 0) {
		edges.step = span / bins;
		edges.rest = (uint32_t)(span % bins);
	}
	/* Every bin covers something, also where no bin would. */
	if (span == 0)
		edges.step = 1;
	return edges;
}

/* From one place to a later one, in parts of a byte or, if they are very many, in bytes. */
static uint64_t
distance(const struct bin_edges *edges, bool in_parts, struct bin_place from, struct bin_place to)
{
	uint64_t bytes = to.byte - from.byte;

	return in_parts ? bytes * edges->parts + to.part - from.part : bytes;
}

uint64_t
bin_share(const struct bin_edges *edges, struct bin_place first, struct bin_place past,
          uint64_t samples, uint64_t byte)
{
	uint64_t all = bin_all(samples), part, whole;
	bool in_parts = past.byte - first.byte < UINT32_MAX && edges->rest != 0;
	enum { FEW_BITS = 12 };

	if (!bin_place_passes(past, byte))
		return all;
	if (bin_place_reaches(first, byte))
		return 0;
	part = distance(edges, in_parts, first, (struct bin_place){byte, 0});
	whole = distance(edges, in_parts, first, past);
	/* Almost always the product has 64 bits. */
	if (whole >> FEW_BITS == 0 && all >> (64 - FEW_BITS) == 0)
		return all * part / whole;
	/* The products must fit.  Nothing is lost by rounding as long as all still gets all. */
	for (; whole > UINT32_MAX; whole >>= 1)
		part >>= 1;
	return all / whole * part + all % whole * part / whole;
}
