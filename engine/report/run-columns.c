/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of further runs, whose rows are those of the first one, and what is not known of them. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "report/model.h"

enum { VALUE_BYTES = 8 };
_Static_assert(sizeof(double) == VALUE_BYTES && sizeof(uint64_t) == VALUE_BYTES, "times and calls");

/* A copy of values that stand side by side, with one that says that it is not known behind them. */
static void *
add_unknown(struct run *run, const void *values, uint32_t count, uint32_t wanted,
            const void *unknown)
{
	char *all = memory_alloc_array(run, VALUE_BYTES, wanted);

	memcpy(all, values, (size_t)count * VALUE_BYTES);
	for (uint32_t i = count; i < wanted; i++)
		memcpy(all + (size_t)i * VALUE_BYTES, unknown, VALUE_BYTES);
	return all;
}

struct gprofx_reals
report_with_cycles(struct run *run, struct gprofx_reals values, uint32_t count, uint32_t wanted)
{
	const double unknown = NAN;

	if (values.step != 0 && values.first && count < wanted)
		values.first = add_unknown(run, values.first, count, wanted, &unknown);
	return values;
}

void
report_add_cycles(struct run *run, uint32_t own, uint32_t all, struct gprofx_column *nodes)
{
	nodes->self = report_with_cycles(run, nodes->self, own, all);
	nodes->below = report_with_cycles(run, nodes->below, own, all);
	nodes->selected_self = report_with_cycles(run, nodes->selected_self, own, all);
	nodes->selected_below = report_with_cycles(run, nodes->selected_below, own, all);
	nodes->whole_self = report_with_cycles(run, nodes->whole_self, own, all);
	if (own < all)
		nodes->total_doubt = NULL;
}

void
report_run_columns(struct run *run, const struct report_model *model, const struct graph *graph,
                   const struct profile *profile, struct gprofx_column *nodes,
                   struct gprofx_column *arcs)
{
	uint32_t own = graph->node_count, all = model->graph->node_count;
	struct gprofx_call_column calls;

	*nodes = report_node_column(run, graph, profile_has_times(profile));
	report_own_arcs(graph, profile_has_times(profile), arcs, &calls);
	report_add_cycles(run, own, all, nodes);
}

/* A run that counted no calls does not have times of callees either. */
static void
forget_unknown(const struct profile *profile, struct gprofx_column *nodes,
               struct gprofx_column *arcs, struct gprofx_call_column *node_calls,
               struct gprofx_call_column *arc_calls)
{
	if (profile->counts_calls || profile->stacks.is_there)
		return;
	nodes->total_origin = arcs->self_origin = arcs->total_origin = GPROFX_UNKNOWN;
	arc_calls->some_unknown = true;
	arc_calls->calls = report_unknown_calls();
	/* Calls can be counted without their callers. */
	if (profile->counts_callees)
		return;
	node_calls->some_unknown = true;
	node_calls->calls = node_calls->recursive = report_unknown_calls();
}

/* The same calls, with rows that are not known for the cycles that a run has none of. */
static struct gprofx_counts
counts_with_cycles(struct run *run, struct gprofx_counts values, uint32_t count, uint32_t wanted)
{
	const uint64_t unknown = GPROFX_CALLS_UNKNOWN;

	if (values.step != 0 && count < wanted)
		values.first = add_unknown(run, values.first, count, wanted, &unknown);
	return values;
}

void
report_set_run_calls(struct run *run, struct report_model *model, const struct graph *first,
                     const struct profile *profile)
{
	struct gprofx_report_graph *graph = &model->parts.graph;
	uint32_t metrics = model->parts.origin.metric_count, number = 0;
	struct gprofx_call_column *nodes, *arcs;

	if (!first->next_run)
		return;
	memory_array(run, nodes, model->parts.origin.run_count);
	memory_array(run, arcs, model->parts.origin.run_count);
	for (const struct graph *i = first; i; i = i->next_run, profile = profile->next_run) {
		struct gprofx_column unused;

		nodes[number] = report_node_calls(run, i);
		nodes[number].calls = counts_with_cycles(run, nodes[number].calls, i->node_count,
		                                         first->node_count);
		nodes[number].recursive = counts_with_cycles(run, nodes[number].recursive,
		                                             i->node_count, first->node_count);
		report_own_arcs(i, true, &unused, &arcs[number]);
		nodes[number].run = arcs[number].run = number;
		for (uint32_t m = 0; m < metrics; m++)
			forget_unknown(profile, &model->run_columns.nodes[number * metrics + m],
			               &model->run_columns.arcs[number * metrics + m],
			               &nodes[number], &arcs[number]);
		number++;
	}
	graph->calls = nodes;
	graph->arcs.calls = arcs;
}
