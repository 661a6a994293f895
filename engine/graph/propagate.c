/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selection from callers to callees, then times from callees to callers.
 *
 * A callee's time is split among its callers by their calls.  The order of every sum is that of the
 * lists: arcs the newest first, functions by rank.
 */
#include "base/memory.h"
#include "base/prefetch.h"
#include "graph/graph.h"

static inline void
fetch_ahead(const struct graph *graph, const struct gprofx_lists *list, uint32_t i, uint32_t end)
{
	if (end - i > PREFETCH_AHEAD)
		PREFETCH(&graph->arcs[list->item[i + PREFETCH_AHEAD]]);
}

/* Adds what one caller passes on to the node: being shown, and a share of the node's calls. */
static void
inherit_along(struct graph *graph, uint32_t node, uint32_t arc)
{
	uint32_t caller = graph->arcs[arc].caller;

	graph->shown[node] = graph->shown[node] || graph->shown[caller];
	if (graph->calls[node] != 0)
		graph->share[node] += graph->share[caller] *
		                      ((double)graph->arcs[arc].calls / (double)graph->calls[node]);
}

static void
inherit(struct graph *graph, uint32_t function)
{
	uint32_t begin = graph->callers.first[function], end = graph->callers.first[function + 1];

	for (uint32_t i = begin; i < end; i++) {
		fetch_ahead(graph, &graph->callers, i, end);
		if (!graph_is_self_arc(graph, graph->callers.item[i]))
			inherit_along(graph, function, graph->callers.item[i]);
	}
}

/* For a cycle: from all callers outside it, then the same for every member. */
static void
inherit_cycle(struct graph *graph, uint32_t cycle)
{
	uint32_t node = graph->function_count + cycle - 1;
	const uint32_t *first = graph->members.first, *member = graph->members.item;

	for (uint32_t m = first[cycle - 1]; m < first[cycle]; m++) {
		uint32_t begin = graph->callers.first[member[m]];
		uint32_t end = graph->callers.first[member[m] + 1];

		for (uint32_t i = begin; i < end; i++) {
			uint32_t arc = graph->callers.item[i];

			fetch_ahead(graph, &graph->callers, i, end);
			if (graph->cycle[graph->arcs[arc].caller] != cycle)
				inherit_along(graph, node, arc);
		}
	}
	for (uint32_t m = first[cycle - 1]; m < first[cycle]; m++) {
		graph->shown[member[m]] = graph->shown[node];
		graph->share[member[m]] = graph->share[node];
	}
}

/* Applies the function's own selection to what it inherited. */
static void
select_function(struct graph *graph, uint32_t function)
{
	const struct filters *filters = graph->filters;

	if (!graph->shown[function])
		graph->shown[function] = filter_selects(filters, ENGINE_FILTER_GRAPH, function);
	else if (filter_removes(filters, ENGINE_FILTER_GRAPH, function))
		graph->shown[function] = false;
	if (graph->share[function] == 0) {
		if (filter_selects(filters, ENGINE_FILTER_TIME, function))
			graph->share[function] = 1;
	} else if (filter_removes(filters, ENGINE_FILTER_TIME, function)) {
		graph->share[function] = 0;
	}
	graph->visible_self[function] = graph->self[function] * graph->share[function];
	graph->total += graph->visible_self[function];
}

void
graph_select(struct run *run, struct graph *graph)
{
	bool *is_inherited;

	memory_array(run, graph->shown, graph->node_count);
	memory_array(run, graph->share, graph->node_count);
	memory_array(run, graph->visible_self, graph->node_count);
	memory_array(run, is_inherited, graph->cycle_count);
	for (uint32_t i = graph->function_count; i-- > 0;) {
		uint32_t function = graph->order[i], cycle = graph->cycle[function];

		if (cycle == 0) {
			inherit(graph, function);
		} else if (!is_inherited[cycle - 1]) {
			is_inherited[cycle - 1] = true;
			inherit_cycle(graph, cycle);
		}
		select_function(graph, function);
	}
	memory_release(run, is_inherited);
	for (uint32_t cycle = 1; cycle <= graph->cycle_count; cycle++) {
		uint32_t node = graph->function_count + cycle - 1;
		const uint32_t *first = graph->members.first, *member = graph->members.item;

		for (uint32_t m = first[cycle - 1]; m < first[cycle]; m++)
			if (graph->share[member[m]] != 0)
				graph->self[node] += graph->self[member[m]];
		graph->visible_self[node] = graph->share[node] * graph->self[node];
	}
}

/* Hands a callee's time to one caller, by the caller's part of the calls. */
static void
hand_up(struct run *run, struct graph *graph, uint32_t arc)
{
	uint32_t caller = graph->arcs[arc].caller, callee = graph->arcs[arc].callee;
	uint32_t from = graph_representative(graph, callee);
	double ratio, self, below, sum, share = graph->share[caller];

	if (graph->arcs[arc].calls == 0 || caller == callee || graph->share[callee] == 0 ||
	    graph_is_inside_cycle(graph, arc) || graph->calls[from] == 0)
		return;
	ratio = (double)graph->arcs[arc].calls / (double)graph->calls[from];
	self = graph->self[from] * ratio;
	below = graph->below[from] * ratio;
	sum = self + below;
	graph->arcs[arc].self = self * share;
	graph->arcs[arc].below = below * share;
	graph->below[caller] += sum;
	graph->visible_below[caller] += share * sum;
	if (graph->cycle[caller] != 0) {
		uint32_t node = graph_representative(graph, caller);

		graph->below[node] += sum;
		graph->visible_below[node] += share * sum;
	}
	if (run_traces(run, GPROFX_TRACE_PROPAGATION))
		run_trace(run, "%s hands %f + %f ticks to %s", graph->symbols->name[callee], self,
		          below, graph->symbols->name[caller]);
}

void
graph_propagate(struct run *run, struct graph *graph)
{
	memory_array(run, graph->below, graph->node_count);
	memory_array(run, graph->visible_below, graph->node_count);
	for (uint32_t i = 0; i < graph->function_count; i++) {
		uint32_t function = graph->order[i];
		uint32_t begin = graph->callees.first[function];
		uint32_t end = graph->callees.first[function + 1];

		if (graph->share[function] == 0)
			continue;
		for (uint32_t k = begin; k < end; k++) {
			fetch_ahead(graph, &graph->callees, k, end);
			hand_up(run, graph, graph->callees.item[k]);
		}
	}
}
