/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of the analysis in order, and the small ones among them. */
#include "graph/graph.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"

struct graph *
graph_new(struct run *run, const struct symbols *symbols, const struct filters *filters)
{
	struct graph *graph = memory_alloc(run, sizeof *graph);

	graph->symbols = symbols;
	graph->filters = filters;
	graph->function_count = graph->node_count = symbols->count;
	/* One more for what lies in no symbol. */
	memory_array(run, graph->self, (size_t)symbols->count + 1);
	memory_array(run, graph->calls, (size_t)symbols->count + 1);
	return graph;
}

/* Calls of a function by itself are told apart from calls by others. */
static void
split_self_recursion(struct run *run, struct graph *graph)
{
	memory_array(run, graph->recursive, graph->function_count);
	for (uint32_t arc = 0; arc < graph->arc_count; arc++) {
		if (!graph_is_self_arc(graph, arc))
			continue;
		graph->recursive[graph->arcs[arc].callee] = graph->arcs[arc].calls;
		graph->calls[graph->arcs[arc].callee] -= graph->arcs[arc].calls;
	}
}

/* Arrays made for functions get room for the cycles found. */
static void
add_cycle_nodes(struct run *run, struct graph *graph)
{
	size_t functions = graph->function_count, nodes = graph->node_count;

	graph->self = memory_grow(run, graph->self, functions * sizeof *graph->self,
	                          nodes * sizeof *graph->self);
	graph->calls = memory_grow(run, graph->calls, functions * sizeof *graph->calls,
	                           nodes * sizeof *graph->calls);
	graph->recursive = memory_grow(run, graph->recursive, functions * sizeof *graph->recursive,
	                               nodes * sizeof *graph->recursive);
	for (uint32_t arc = 0; arc < graph->arc_count; arc++) {
		uint32_t callee = graph->arcs[arc].callee, node;

		if (graph->cycle[callee] == 0 || graph_is_self_arc(graph, arc))
			continue;
		node = graph_representative(graph, callee);
		if (graph_is_inside_cycle(graph, arc))
			graph->recursive[node] += graph->arcs[arc].calls;
		else
			graph->calls[node] += graph->arcs[arc].calls;
	}
}

void
graph_analyse(struct run *run, struct graph *graph)
{
	graph->is_analysed = true;
	split_self_recursion(run, graph);
	graph_find_cycles(run, graph);
	add_cycle_nodes(run, graph);
	/* From here on the nodes are complete: functions, then cycles. */
	graph_select(run, graph);
	graph_propagate(run, graph);
}

struct ranking {
	const struct graph *graph;
	const struct gprofx_text *names; /* NULL: names are those of the symbol table */
};

static int
compare_names(const struct ranking *ranking, uint32_t left, uint32_t right)
{
	if (ranking->names)
		return text_compare(ranking->names[left], ranking->names[right]);
	return strcmp(ranking->graph->symbols->name[left], ranking->graph->symbols->name[right]);
}

static char
first_letter(const struct ranking *ranking, uint32_t function)
{
	const struct gprofx_text *names = ranking->names;

	if (!names)
		return ranking->graph->symbols->name[function][0];
	return names[function].length > 0 ? names[function].bytes[0] : '\0';
}

/* Order of entries among nodes whose times are equal. */
static int
compare_entries(const void *context, uint32_t left, uint32_t right)
{
	const struct ranking *ranking = context;
	const struct graph *graph = ranking->graph;
	bool is_low;

	/* Cycles come first, by number. */
	if (left >= graph->function_count || right >= graph->function_count) {
		if (left < graph->function_count)
			return 1;
		return right < graph->function_count ? -1 : left < right ? -1 : left > right;
	}
	if (ranking->names && (!ranking->names[left].bytes || !ranking->names[right].bytes))
		return !ranking->names[left].bytes - !ranking->names[right].bytes;
	is_low = first_letter(ranking, left) == '_';
	if (is_low != (first_letter(ranking, right) == '_'))
		return is_low ? 1 : -1;
	if (graph->calls[left] != graph->calls[right])
		return graph->calls[left] > graph->calls[right] ? -1 : 1;
	return compare_names(ranking, left, right);
}

void
graph_number_entries(struct run *run, struct graph *graph, const struct gprofx_text *names)
{
	const struct ranking ranking = {graph, names};
	uint64_t *keys;

	memory_array(run, graph->index, graph->node_count);
	memory_array(run, graph->by_index, graph->node_count);
	memory_array(run, keys, graph->node_count);
	for (uint32_t node = 0; node < graph->node_count; node++) {
		graph->by_index[node] = node;
		keys[node] = ~sort_key(graph->visible_self[node] + graph->visible_below[node]);
	}
	sort_ascending(run, keys, graph->by_index, graph->node_count);
	for (uint32_t begin = 0, end; begin < graph->node_count; begin = end) {
		for (end = begin + 1; end < graph->node_count && keys[end] == keys[begin]; end++)
			;
		sort_ids(run, graph->by_index + begin, end - begin, compare_entries, &ranking);
	}
	memory_release(run, keys);
	for (uint32_t i = 0; i < graph->node_count; i++)
		graph->index[graph->by_index[i]] = i + 1;
}
