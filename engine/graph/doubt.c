/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What shared bins leave open goes to callers as times do: each has the doubt about its own time,
 * and of its callees' by its part of their calls.
 */
#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "symbols/symbols.h"

static void
add_doubt(struct gprofx_doubt *to, const struct gprofx_doubt *more, double part)
{
	to->less += part * more->less;
	to->more += part * more->more;
}

/* What is open of each node's own time: of lines, that is their function's. */
static void
begin_with_own(const struct graph *graph, struct gprofx_doubt *doubt)
{
	const uint32_t *first = graph->members.first, *member = graph->members.item;
	const struct symbols *symbols = graph->symbols;

	for (uint32_t i = 0; i < graph->function_count; i++)
		add_doubt(&doubt[graph->line_self ? symbols_function(symbols, i) : i],
		          &graph->self_doubt[i], 1);
	for (uint32_t cycle = 0; cycle < graph->cycle_count; cycle++)
		for (uint32_t m = first[cycle]; m < first[cycle + 1]; m++)
			if (graph->share[member[m]] != 0)
				add_doubt(&doubt[graph->function_count + cycle], &doubt[member[m]],
				          1);
}

/* What a function has of the callees of its arcs, which are final. */
static void
receive(struct graph *graph, uint32_t function)
{
	uint32_t cycle = graph->cycle[function], node = graph_representative(graph, function);
	struct gprofx_doubt *doubt = graph->total_doubt;

	if (graph->share[function] == 0)
		return;
	for (uint32_t a = graph->callees.first[function]; a < graph->callees.first[function + 1];
	     a++) {
		const struct graph_arc *arc = &graph->arcs[a];
		uint32_t from = graph_representative(graph, arc->callee);
		double part;

		if (arc->calls == 0 || from == node || graph->calls[from] == 0 ||
		    graph->share[arc->callee] == 0)
			continue;
		part = (double)arc->calls / (double)graph->calls[from];
		add_doubt(&doubt[function], &doubt[from], part);
		if (cycle != 0)
			add_doubt(&doubt[node], &doubt[from], part);
	}
}

void
graph_propagate_doubt(struct run *run, struct graph *graph)
{
	struct gprofx_doubt *doubt;

	memory_array(run, doubt, graph->node_count);
	graph->total_doubt = doubt;
	begin_with_own(graph, doubt);
	/* Callees first; what members of a cycle call is done before anybody asks for the cycle. */
	for (uint32_t i = 0; i < graph->function_count; i++)
		receive(graph, graph->order[i]);
	for (uint32_t node = 0; node < graph->node_count; node++) {
		doubt[node].less *= graph->share[node];
		doubt[node].more *= graph->share[node];
	}
}
