/* SPDX-License-Identifier: Apache-2.0 */
#include "compared-larger.h"

#include <math.h>

#include "compared.h"

static struct gprofx_reals
larger_reals(struct gprofx *gx, const struct gprofx_reals *base, const struct gprofx_reals *now,
             uint32_t count)
{
	double *larger = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *larger);

	for (uint32_t i = 0; i < count; i++)
		larger[i] = fmax(gprofx_real(base, i), gprofx_real(now, i));
	return (struct gprofx_reals){larger, sizeof *larger};
}

/* The larger self and inclusive values of rows. */
static struct gprofx_column
larger_column(struct gprofx *gx, const struct gprofx_column *columns, uint32_t count)
{
	const struct gprofx_column *base = columns,
				   *now = GPROFX_ROW(struct gprofx_column, columns, 1);
	struct gprofx_column column = *base;
	double *below = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *below);

	column.self = larger_reals(gx, &base->self, &now->self, count);
	for (uint32_t i = 0; i < count; i++) {
		double totals[COMPARED_SIDES];

		compared_totals(columns, i, totals);
		/* fmax() ignores what is not known. */
		below[i] = fmax(totals[0], totals[1]) - gprofx_real(&column.self, i);
		if (!(below[i] > 0))
			below[i] = 0;
	}
	column.below = (struct gprofx_reals){below, sizeof *below};
	if (now->total_origin != GPROFX_MEASURED)
		column.total_origin = now->total_origin;
	column.flat_total = fmax(base->flat_total, now->flat_total);
	column.graph_total = fmax(base->graph_total, now->graph_total);
	return column;
}

/* The larger number of calls; not known if both are not. */
static struct gprofx_call_column
larger_calls(struct gprofx *gx, const struct gprofx_call_column *columns, uint32_t count)
{
	struct gprofx_call_column column = *columns;
	uint64_t *larger = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *larger);
	static const uint64_t none;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t base = gprofx_count(&gprofx_calls_in(columns, 0)->calls, i);
		uint64_t now = gprofx_count(&gprofx_calls_in(columns, 1)->calls, i);

		if (base == GPROFX_CALLS_UNKNOWN)
			base = now;
		if (now == GPROFX_CALLS_UNKNOWN)
			now = base;
		larger[i] = base > now ? base : now;
	}
	column.calls = (struct gprofx_counts){larger, sizeof *larger};
	column.recursive = (struct gprofx_counts){&none, 0};
	return column;
}

void
compared_larger_begin(struct gprofx *gx, const struct gprofx_report *report,
                      struct compared_larger *larger)
{
	const struct gprofx_report_graph *graph = report->graph;

	larger->report = report;
	larger->nodes = larger_column(gx, graph->columns, graph->node_count);
	larger->nodes.selected_self = larger->nodes.self;
	larger->nodes.selected_below = larger->nodes.below;
	larger->arcs = larger_column(gx, graph->arcs.columns, graph->arcs.count);
	larger->node_calls = larger_calls(gx, graph->calls, graph->node_count);
	larger->arc_calls = larger_calls(gx, graph->arcs.calls, graph->arcs.count);
	larger->graph = *graph;
	larger->graph.columns = &larger->nodes;
	larger->graph.calls = &larger->node_calls;
	larger->graph.arcs.columns = &larger->arcs;
	larger->graph.arcs.calls = &larger->arc_calls;
	larger->larger = *report;
	larger->larger.graph = &larger->graph;
}
