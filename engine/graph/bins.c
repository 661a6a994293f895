/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/bins.h"

/*
 * The GNU C library wants a bin for 4 bytes of code and rounds its buffer up to whole words, so
 * that there are some bins more, and somewhat narrower ones.  profil() takes the ratio as a number
 * of 16 bits, by which it turns an address into a bin.  0: the histogram is not like that.
 *
 * The quotient is one of floats, as measured: with 3976 bytes of bins for 7944 of code an exact one
 * gives 32800, and what is counted tells of 32801.
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
	struct bin_edges edges = {histogram->low, bins, span,
	                          collector_scale(span, bins, pointer_bytes)};

	/* In the end whole bytes, also where no bin would cover anything. */
	if (edges.scale != 0) {
		edges.parts = 1;
	} else if (bins > 0 && span % bins == 0) {
		edges.parts = 1;
		edges.step = span > 0 ? span / bins : 1;
	}
	return edges;
}

bin_place
bin_share(uint64_t samples, bin_place part, bin_place whole)
{
	const bin_place most = UINT32_MAX;
	enum { FEW = 1 << 12 };

	if (part >= whole)
		return (bin_place)samples << BIN_SHARE_BITS;
	if (part == 0)
		return 0;
	/* Almost always the product has 64 bits. */
	if (whole <= FEW && samples <= UINT32_MAX)
		return (samples << BIN_SHARE_BITS) * (uint64_t)part / (uint64_t)whole;
	/* The product must fit.  Nothing is lost by rounding as long as all still gets all. */
	for (; whole > most; whole >>= 1)
		part >>= 1;
	return ((bin_place)samples << BIN_SHARE_BITS) * part / whole;
}
