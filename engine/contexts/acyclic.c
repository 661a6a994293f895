/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph whose calls were measured as a whole has cycles that are no nodes.  Contexts need paths
 * that end: a walk from callers to callees leaves out each call that leads back to a function that
 * it is in.  What a function has in all is then that of the calls that are left, and its callers
 * have it by the parts that were measured of their calls.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "contexts/parts.h"
#include "graph/graph.h"

enum walk_state { NOT_SEEN, ON_WAY, LEFT };

struct walk {
	const struct graph *graph;
	uint8_t *state;       /* per function: enum walk_state */
	uint32_t *way, *next; /* functions on the way, and the next arc of each */
	uint32_t depth;
	bool *is_back;   /* per arc */
	uint32_t *order; /* functions, callees first */
	uint32_t count;
};

static void
enter(struct walk *walk, uint32_t function)
{
	walk->state[function] = ON_WAY;
	walk->way[walk->depth] = function;
	walk->next[walk->depth++] = walk->graph->callees.first[function];
}

static void
follow(struct walk *walk, uint32_t function)
{
	const struct graph *graph = walk->graph;

	if (walk->state[function] != NOT_SEEN)
		return;
	enter(walk, function);
	while (walk->depth > 0) {
		uint32_t at = walk->way[walk->depth - 1], arc = walk->next[walk->depth - 1]++;
		uint32_t callee;

		if (arc == graph->callees.first[at + 1]) {
			walk->state[at] = LEFT;
			walk->order[walk->count++] = at;
			walk->depth--;
			continue;
		}
		callee = graph->arcs[arc].callee;
		if (walk->state[callee] == ON_WAY)
			walk->is_back[arc] = true;
		else if (walk->state[callee] == NOT_SEEN)
			enter(walk, callee);
	}
}

void
context_flow_order(struct run *run, struct context_flow *flow)
{
	const struct graph *graph = flow->graph;
	struct walk walk = {.graph = graph};

	memory_array(run, walk.state, graph->function_count);
	memory_array(run, walk.way, graph->function_count);
	memory_array(run, walk.next, graph->function_count);
	memory_array(run, walk.is_back, graph->arc_count);
	memory_array(run, walk.order, graph->function_count);
	/* Those that nothing calls first, so that they are where paths begin. */
	for (uint32_t f = 0; f < graph->function_count; f++)
		if (graph_arc_count(&graph->callers, f) == 0)
			follow(&walk, f);
	for (uint32_t f = 0; f < graph->function_count; f++)
		follow(&walk, f);
	flow->is_back = walk.is_back;
	flow->order = walk.order;
	memory_array(run, flow->into, flow->count);
	memory_release(run, walk.state);
	memory_release(run, walk.way);
	memory_release(run, walk.next);
}

void
context_flow_conserve(struct context_flow *flow)
{
	uint32_t functions = flow->graph->function_count;

	memset(flow->into, 0, flow->count * sizeof *flow->into);
	for (uint32_t e = 0; e < flow->first[flow->count]; e++)
		flow->into[flow->to[e]] += flow->along[e];
	for (uint32_t i = 0; i < functions; i++) {
		uint32_t v = flow->order[i];

		flow->total[v] = flow->self[v];
		for (uint32_t e = flow->first[v]; e < flow->first[v + 1]; e++) {
			uint32_t to = flow->to[e];
			double of = flow->into[to] > flow->total[to] ? flow->into[to]
			                                             : flow->total[to];

			flow->along[e] = of > 0 ? flow->along[e] * (flow->total[to] / of) : 0;
			flow->total[v] += flow->along[e];
		}
	}
}
