/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spreads histogram bins over functions: a bin is credited to every function it overlaps, in
 * proportion to what they share.  gprof's way to do that, in units of two bytes and with an inexact
 * width of bins, and an exact one stand side by side.
 */
#include "graph/bins.h"
#include "graph/graph.h"

/* A position from a product that can be anything: profiles state bin widths freely. */
static uint64_t
whole_units(double value)
{
	if (value < 18446744073709551616.0)
		return value > 0 ? (uint64_t)value : 0;
	return (uint64_t)1 << 63;
}

struct crediting {
	struct run *run;
	struct graph *graph;
	struct symbol_spaces spaces;
	double scale;
	uint32_t next; /* first space that can overlap what is still to come */
};

static void
trace_credit(const struct crediting *at, uint32_t symbol, double credit, uint64_t count,
             uint64_t first, uint64_t past)
{
	run_trace(at->run, "%s gets %f of %llu samples of 0x%llx-0x%llx",
	          at->graph->symbols->name[symbol], credit, (unsigned long long)count,
	          (unsigned long long)first, (unsigned long long)past);
}

static inline void
add_credit(struct graph *graph, uint32_t symbol, double credit)
{
	if (filter_selects(graph->filters, ENGINE_FILTER_FLAT, symbol))
		graph->self[symbol] += credit;
	else
		graph->flat_total -= credit;
}

/* Gives "count" samples of the units [first, past) to functions. */
static void
credit_bin(struct crediting *at, uint64_t first, uint64_t past, uint64_t count)
{
	const struct symbol_spaces *spaces = &at->spaces;

	while (at->next < spaces->count && spaces->start[at->next + 1] / 2 <= first)
		at->next++;
	for (uint32_t space = at->next; space < spaces->count; space++) {
		uint64_t start = spaces->start[space] / 2, end = spaces->start[space + 1] / 2;
		uint64_t low = first > start ? first : start, high = past < end ? past : end;
		double credit;

		if (start >= past)
			break;
		if (low >= high)
			continue;
		credit = (double)(high - low) * (double)count / at->scale;
		if (run_traces(at->run, GPROFX_TRACE_SAMPLES))
			trace_credit(at, space, credit, count, first * 2, past * 2);
		add_credit(at->graph, space, credit);
	}
}

/* The same in whole numbers, for the samples of bin i. */
static void
credit_bin_exactly(struct crediting *at, const struct bin_edges *edges, uint32_t i, uint64_t count)
{
	const struct symbol_spaces *spaces = &at->spaces;
	bin_place first = bin_edge(edges, i), past = bin_edge(edges, (uint64_t)i + 1);

	while (at->next < spaces->count &&
	       bin_place_of(edges, spaces->start[at->next + 1]) <= first)
		at->next++;
	for (uint32_t space = at->next; space < spaces->count; space++) {
		bin_place start = bin_place_of(edges, spaces->start[space]);
		bin_place end = bin_place_of(edges, spaces->start[space + 1]);
		bin_place low = first > start ? first : start, high = past < end ? past : end;
		double credit;

		if (start >= past)
			break;
		if (low >= high)
			continue;
		/* Differences of running shares: together they are all that the bin has. */
		credit = bin_samples(bin_share(count, high - first, past - first) -
		                     bin_share(count, low - first, past - first));
		if (run_traces(at->run, GPROFX_TRACE_SAMPLES))
			trace_credit(at, space, credit, count,
			             edges->low + (uint64_t)(first / edges->parts),
			             edges->low + (uint64_t)(past / edges->parts));
		add_credit(at->graph, space, credit);
	}
}

/*
 * Whether a histogram is credited exactly.  In gprof's way a bin that is narrower than a unit
 * covers nothing, or twice as much as it should.
 */
static bool
is_exact(const struct run *run, const struct profile *profile)
{
	return run_corrects(run, GPROFX_CORRECT_EXACT_BINS) ||
	       (profile->scale < 1 && run_corrects(run, GPROFX_CORRECT_NARROW_BINS));
}

/*
 * The space to begin with: the last one that starts at or below a unit.  Looked up, since a profile
 * can have as many histograms as there are functions.
 */
static uint32_t
first_space(const struct symbol_spaces *spaces, uint64_t unit)
{
	uint32_t low = 0, high = spaces->count;

	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		if (spaces->start[middle] / 2 <= unit)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

void
graph_credit_samples(struct run *run, struct graph *graph, const struct profile *profile)
{
	struct crediting at = {run, graph, symbols_spaces(run, graph->symbols), profile->scale, 0};

	for (uint32_t r = 0; r < profile->histogram_count; r++) {
		const struct histogram *histogram = &profile->histograms[r];
		struct bin_edges edges = bin_edges_of(histogram,
		                                      graph->symbols->table.target.pointer_bytes);
		uint64_t base = histogram->low / 2;
		bool exact = is_exact(run, profile);

		at.next = first_space(&at.spaces, base);

		for (uint32_t i = 0; i < histogram->bin_count; i++) {
			uint64_t count = histogram_bin(histogram, i);

			if (count == 0)
				continue;
			graph->flat_total += (double)count;
			if (exact)
				credit_bin_exactly(&at, &edges, i, count);
			else
				credit_bin(&at, base + whole_units(profile->scale * i),
				           base + whole_units(profile->scale * ((double)i + 1)),
				           count);
		}
	}
}
