/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of the analysis in order, and the small ones among them. */
#include "graph/graph.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"

enum { FEW = 4 /* one of this many functions */ };

struct graph *
graph_new(struct run *run, const struct symbols *symbols, const struct filters *filters)
{
	struct graph *graph = memory_alloc(run, sizeof *graph);

	graph->symbols = symbols;
	graph->filters = filters;
	graph->function_count = graph->node_count = symbols->count;
	/* One more for what lies in no symbol. */
	memory_array(run, graph->self, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, graph->calls, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	return graph;
}

/* Calls of a function by itself are distinguished from calls by others. */
static void
split_self_recursion(struct run *run, struct graph *graph)
{
	memory_sparse_array(run, graph->recursive, graph->function_count);
	for (uint32_t arc = 0; arc < graph->arc_count; arc++) {
		if (!graph_is_self_arc(graph, arc))
			continue;
		graph->recursive[graph->arcs[arc].callee] = graph->arcs[arc].calls;
		graph->calls[graph->arcs[arc].callee] -= graph->arcs[arc].calls;
	}
}

void
graph_add_up_lines(struct run *run, struct graph *graph)
{
	const struct symbols *symbols = graph->symbols;

	if (!symbols->whole)
		return;
	graph->line_self = graph->self;
	memory_array(run, graph->self, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i <= symbols->count; i++)
		graph->self[symbols_function(symbols, i)] += graph->line_self[i];
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

/*
 * Where times were measured, the functions of a cycle have their own, and nothing is added up: who
 * they are is kept.
 */
static void
open_cycles(struct run *run, struct graph *graph)
{
	uint32_t *none, *first;

	memory_array(run, none, graph->function_count);
	memory_array(run, first, 1);
	graph->circle = graph->cycle;
	graph->cycle = none;
	graph->members.first = first;
	graph->cycle_count = 0;
	graph->node_count = graph->function_count;
}

void
graph_analyse(struct run *run, struct graph *graph)
{
	graph->is_analysed = true;
	graph_add_up_lines(run, graph);
	split_self_recursion(run, graph);
	graph_find_cycles(run, graph);
	if (graph->stacks) {
		open_cycles(run, graph);
		graph_measure(run, graph);
		return;
	}
	add_cycle_nodes(run, graph);
	/* From here on the nodes are complete: functions, then cycles. */
	graph_select(run, graph);
	graph_analyse_metrics(run, graph);
	graph_propagate(run, graph);
	if (graph->self_doubt)
		graph_propagate_doubt(run, graph);
}

void
graph_forget_way(struct run *run, struct graph *graph)
{
	memory_release(run, graph->rank);
	memory_release(run, graph->order);
	memory_release(run, graph->share);
	graph->rank = graph->order = NULL;
	graph->share = NULL;
}

struct ranking {
	const struct graph *graph;
	const struct gprofx_text *names; /* as shown; NULL: those of the symbol table count */
};

static int
compare_calls(const struct graph *graph, uint32_t left, uint32_t right)
{
	return (graph->calls[left] < graph->calls[right]) -
	       (graph->calls[left] > graph->calls[right]);
}

/* By names of the symbol table: those that begin with an underscore last, calls, names. */
static int
compare_raw(const struct graph *graph, uint32_t left, uint32_t right)
{
	const char *left_name = graph->symbols->name[left];
	const char *right_name = graph->symbols->name[right];
	int order;

	/* Lines of a function share their name. */
	if (left_name == right_name)
		return compare_calls(graph, left, right);
	if ((left_name[0] == '_') != (right_name[0] == '_'))
		return left_name[0] == '_' ? 1 : -1;
	order = compare_calls(graph, left, right);
	return order != 0 ? order : strcmp(left_name, right_name);
}

/* The same by shown names; functions without one last. */
static int
compare_shown(const struct ranking *ranking, uint32_t left, uint32_t right)
{
	struct gprofx_text left_name = ranking->names[left], right_name = ranking->names[right];
	bool left_low = left_name.length > 0 && left_name.bytes[0] == '_';
	bool right_low = right_name.length > 0 && right_name.bytes[0] == '_';
	int order;

	if (!left_name.bytes || !right_name.bytes)
		return !left_name.bytes - !right_name.bytes;
	if (left_low != right_low)
		return left_low ? 1 : -1;
	order = compare_calls(ranking->graph, left, right);
	return order != 0 ? order : text_compare(left_name, right_name);
}

/* Order of entries among nodes whose times are equal. */
static int
compare_entries(const void *context, uint32_t left, uint32_t right)
{
	const struct ranking *ranking = context;
	const struct graph *graph = ranking->graph;

	/* Cycles come first, and stay in the order of their numbers. */
	if (left >= graph->function_count || right >= graph->function_count)
		return (left < graph->function_count) - (right < graph->function_count);
	return ranking->names ? compare_shown(ranking, left, right)
	                      : compare_raw(graph, left, right);
}

uint32_t *
graph_places(struct run *run, const struct graph *graph, const struct gprofx_lists *lists,
             uint32_t *count)
{
	uint32_t *place, with_arcs = 0;

	*count = graph->function_count;
	for (uint32_t f = 0; f < graph->function_count; f++)
		with_arcs += graph_arc_count(lists, f) > 0;
	if (with_arcs >= graph->function_count / FEW)
		return NULL;
	*count = 0;
	memory_array(run, place, graph->function_count);
	for (uint32_t f = 0; f < graph->function_count; f++)
		place[f] = graph_arc_count(lists, f) > 0 ? (*count)++ : NO_SYMBOL;
	return place;
}

void
graph_number_entries(struct run *run, struct graph *graph, const struct gprofx_text *names)
{
	const struct ranking ranking = {graph, names};
	uint64_t *keys;
	uint32_t count = 0;

	memory_array(run, graph->index, graph->node_count);
	memory_array(run, graph->by_index, graph->node_count);
	memory_array(run, keys, graph->node_count);
	for (uint32_t node = 0; node < graph->node_count; node++) {
		if (!graph_is_numbered(graph, node))
			continue;
		graph->by_index[count] = node;
		keys[count++] = ~sort_key(graph->visible_self[node] + graph->visible_below[node]);
	}
	sort_ascending(run, keys, graph->by_index, count);
	for (uint32_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && keys[end] == keys[begin]; end++)
			;
		sort_ids(run, graph->by_index + begin, end - begin, compare_entries, &ranking);
	}
	memory_release(run, keys);
	graph->numbered_count = count;
	for (uint32_t i = 0; i < count; i++)
		graph->index[graph->by_index[i]] = i + 1;
}
