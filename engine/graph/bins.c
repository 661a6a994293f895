/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/bins.h"

struct bin_edges
bin_edges_of(const struct histogram *histogram)
{
	uint64_t span = histogram->high - histogram->low, bins = histogram->bin_count;
	struct bin_edges edges = {histogram->low, bins, span};

	/* Whole bytes, or those in which no bin would cover anything. */
	if (span % bins == 0) {
		edges.parts = 1;
		edges.step = span > 0 ? span / bins : 1;
	}
	return edges;
}

bin_place
bin_share(uint64_t samples, bin_place part, bin_place whole)
{
	const bin_place most = UINT32_MAX;

	if (part >= whole)
		return (bin_place)samples << BIN_SHARE_BITS;
	/* The product must fit.  Nothing is lost by rounding as long as all still gets all. */
	for (; whole > most; whole >>= 1)
		part >>= 1;
	return ((bin_place)samples << BIN_SHARE_BITS) * part / whole;
}
