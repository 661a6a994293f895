/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The times of further metrics: as those of the graph's own, along the same arcs, by the same calls
 * and the same selection.
 */
#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "graph/samples.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

#define EXCHANGE(type, left, right) \
	do {                        \
		type kept = (left); \
                                    \
		(left) = (right);   \
		(right) = kept;     \
	} while (0)

void
graph_exchange(struct graph *graph, struct graph_metric *metric)
{
	EXCHANGE(double *, graph->self, metric->self);
	EXCHANGE(double *, graph->line_self, metric->line_self);
	EXCHANGE(struct gprofx_doubt *, graph->self_doubt, metric->self_doubt);
	EXCHANGE(struct gprofx_doubt *, graph->total_doubt, metric->total_doubt);
	EXCHANGE(double, graph->flat_total, metric->flat_total);
	EXCHANGE(double, graph->total, metric->total);
	EXCHANGE(double *, graph->below, metric->below);
	EXCHANGE(double *, graph->visible_self, metric->visible_self);
	EXCHANGE(double *, graph->visible_below, metric->visible_below);
}

void
graph_credit_samples(struct run *run, struct graph *graph, const struct profile *profile)
{
	graph->metric_count = profile->other_count;
	memory_array(run, graph->metrics, graph->metric_count);
	samples_credit_metric(run, graph, profile);
	for (uint32_t i = 0; i < graph->metric_count; i++) {
		struct graph_metric *metric = &graph->metrics[i];

		memory_array(run, metric->self, (size_t)graph->symbols->count + SYMBOL_MORE_ROWS);
		graph_exchange(graph, metric);
		samples_credit_metric(run, graph, profile->others[i]);
		graph_exchange(graph, metric);
	}
	/* What is outside is a node only where there is something. */
	if (graph->has_outside)
		graph->function_count = ++graph->node_count;
}

void
graph_take_arc_times(struct run *run, struct graph *graph, struct graph_metric *metric)
{
	memory_array(run, metric->arc_self, graph->arc_count);
	memory_array(run, metric->arc_below, graph->arc_count);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		metric->arc_self[i] = graph->arcs[i].self;
		metric->arc_below[i] = graph->arcs[i].below;
		graph->arcs[i].self = graph->arcs[i].below = 0;
	}
}

void
graph_analyse_metrics(struct run *run, struct graph *graph)
{
	for (uint32_t i = 0; i < graph->metric_count; i++) {
		struct graph_metric *metric = &graph->metrics[i];

		graph_exchange(graph, metric);
		graph_add_up_lines(run, graph);
		graph->self = memory_grow(run, graph->self,
		                          graph->function_count * sizeof *graph->self,
		                          graph->node_count * sizeof *graph->self);
		graph_weigh(run, graph);
		graph_propagate(run, graph);
		if (graph->self_doubt)
			graph_propagate_doubt(run, graph);
		graph_exchange(graph, metric);
		graph_take_arc_times(run, graph, metric);
	}
}
