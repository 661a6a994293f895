/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where time goes in a call graph.  Arcs of one caller into the same cycle are one edge to the
 * cycle, from which edges lead to its members.  Calls within a cycle, and of a function by itself,
 * carry no time; what has no known caller is not called here.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "contexts/parts.h"
#include "graph/graph.h"
#include "symbols/symbols.h"

/* The values of a metric, as the graph has them: NULL: all are zero. */
struct values {
	const double *self;
	const double *arc_self, *arc_below; /* NULL, for the metric of the arcs themselves */
};

static struct values
values_of(const struct graph *graph, uint32_t metric)
{
	const struct graph_metric *further = metric > 0 ? &graph->metrics[metric - 1] : NULL;

	if (!further)
		return (struct values){.self = graph->is_analysed ? graph->visible_self
		                                                  : graph->self};
	return (struct values){.self = graph->is_analysed ? further->visible_self : further->self,
	                       .arc_self = further->arc_self,
	                       .arc_below = further->arc_below};
}

/* What counts as time: nothing else can be divided. */
static double
time_of(double value)
{
	return isfinite(value) && value > 0 ? value : 0;
}

/* The time that a caller is charged with for an arc. */
static double
time_along(const struct graph *graph, const struct values *values, uint32_t metric, uint32_t arc)
{
	if (metric == 0)
		return time_of(graph->arcs[arc].self + graph->arcs[arc].below);
	return values->arc_self ? time_of(values->arc_self[arc] + values->arc_below[arc]) : 0;
}

static bool
has_time(const struct graph *graph, const struct values *values, uint32_t arc)
{
	for (uint32_t i = 0; i <= graph->metric_count; i++)
		if (time_along(graph, &values[i], i, arc) > 0)
			return true;
	return false;
}

static bool
is_edge(const struct graph *graph, const struct values *values, uint32_t arc)
{
	return !graph_is_self_arc(graph, arc) && !graph_is_inside_cycle(graph, arc) &&
	       graph->arcs[arc].caller != graph->symbols->count && has_time(graph, values, arc);
}

static void
add_edge(struct context_flow *flow, uint32_t *count, uint32_t to)
{
	flow->to[(*count)++] = to;
}

/*
 * The edges of a function.  latest: per vertex the edge that leads to it and was made last; of
 * this function it is if no function before has it.
 */
static void
add_calls(const struct graph *graph, const struct values *values, uint32_t function,
          struct context_flow *flow, uint32_t *latest, uint32_t *count)
{
	const uint32_t *first = graph->callees.first;

	for (uint32_t arc = first[function]; arc < first[function + 1]; arc++) {
		uint32_t to;

		flow->edge_of_arc[arc] = NO_EDGE;
		if (!is_edge(graph, values, arc) || (flow->is_back && flow->is_back[arc]))
			continue;
		to = graph_representative(graph, graph->arcs[arc].callee);
		if (latest[to] == NO_EDGE || latest[to] < flow->first[function]) {
			latest[to] = *count;
			add_edge(flow, count, to);
		}
		flow->edge_of_arc[arc] = latest[to];
	}
}

static void
add_members(const struct graph *graph, uint32_t cycle, struct context_flow *flow, uint32_t *count)
{
	const uint32_t *first = graph->members.first, *member = graph->members.item;

	for (uint32_t i = first[cycle]; i < first[cycle + 1]; i++) {
		flow->edge_of_member[member[i]] = *count;
		add_edge(flow, count, member[i]);
	}
}

/* Rows of what is inside, by the vertex that they are right below. */
struct inner_lists {
	uint32_t *first; /* per vertex, plus 1; 0: none */
	uint32_t *next;  /* per row, likewise */
};

/* The vertex that a row is right below; not of a root. */
static uint32_t
vertex_above(const struct context_flow *flow, uint32_t row)
{
	const struct context_tree *rows = &flow->inside->tree;
	uint32_t above = rows->parent[row];

	return rows->parent[above] == GPROFX_NO_CONTEXT ? rows->node[above]
	                                                : flow->graph->node_count + above;
}

static struct inner_lists
list_rows(struct run *run, const struct context_flow *flow)
{
	struct inner_lists lists = {NULL, NULL};

	if (!flow->inside)
		return lists;
	memory_array(run, lists.first, flow->count);
	memory_array(run, lists.next, flow->inside->tree.count);
	for (uint32_t row = flow->inside->tree.count; row-- > 0;) {
		uint32_t above;

		if (flow->inside->tree.parent[row] == GPROFX_NO_CONTEXT)
			continue;
		above = vertex_above(flow, row);
		lists.next[row] = lists.first[above];
		lists.first[above] = row + 1;
	}
	return lists;
}

static void
add_rows(const struct inner_lists *lists, uint32_t vertex, struct context_flow *flow,
         uint32_t *count)
{
	for (uint32_t next = lists->first ? lists->first[vertex] : 0; next != 0;
	     next = lists->next[next - 1]) {
		flow->edge_of_row[next - 1] = *count;
		add_edge(flow, count, flow->graph->node_count + next - 1);
	}
}

struct context_flow *
context_flow_new(struct run *run, const struct graph *graph, const struct context_inside *inside)
{
	struct context_flow *flow = memory_alloc(run, sizeof *flow);
	uint32_t arcs = graph->is_analysed ? graph->arc_count : 0, count = 0, *latest;
	uint32_t rows = inside ? inside->tree.count : 0;
	size_t most = (size_t)arcs + graph->function_count + rows;
	struct inner_lists lists;
	struct values *values;

	flow->graph = graph;
	flow->inside = inside;
	flow->count = graph->node_count + rows;
	memory_array(run, values, (size_t)graph->metric_count + 1);
	for (uint32_t i = 0; i <= graph->metric_count; i++)
		values[i] = values_of(graph, i);
	memory_array(run, latest, flow->count);
	memset(latest, 0xff, flow->count * sizeof *latest);
	memory_array(run, flow->first, (size_t)flow->count + 1);
	memory_array(run, flow->to, most);
	memory_array(run, flow->edge_of_arc, arcs);
	memory_array(run, flow->edge_of_row, rows);
	if (graph->has_costed_calls)
		context_flow_order(run, flow);
	lists = list_rows(run, flow);
	memory_array(run, flow->edge_of_member, flow->count);
	memset(flow->edge_of_member, 0xff, flow->count * sizeof *flow->edge_of_member);
	for (uint32_t v = 0; v < flow->count; v++) {
		flow->first[v] = count;
		if (arcs > 0 && v < graph->function_count)
			add_calls(graph, values, v, flow, latest, &count);
		else if (v >= graph->function_count && v < graph->node_count)
			add_members(graph, v - graph->function_count, flow, &count);
		add_rows(&lists, v, flow, &count);
	}
	flow->first[flow->count] = count;
	memory_release(run, latest);
	memory_release(run, values);
	memory_release(run, lists.first);
	memory_release(run, lists.next);
	memory_array(run, flow->along, count);
	memory_array(run, flow->self, flow->count);
	memory_array(run, flow->total, flow->count);
	memory_array(run, flow->root, flow->count);
	return flow;
}

static double
sum_out_of(const struct context_flow *flow, uint32_t vertex)
{
	double sum = flow->self[vertex];

	for (uint32_t e = flow->first[vertex]; e < flow->first[vertex + 1]; e++)
		sum += flow->along[e];
	return sum;
}

/* What comes along no edge; what is left by rounding alone is nothing. */
static void
find_roots(struct context_flow *flow)
{
	const double least = 1e-9;

	memset(flow->root, 0, flow->count * sizeof *flow->root);
	for (uint32_t e = 0; e < flow->first[flow->count]; e++)
		flow->root[flow->to[e]] -= flow->along[e];
	flow->whole = 0;
	for (uint32_t v = 0; v < flow->count; v++) {
		flow->root[v] += flow->total[v];
		if (!(flow->root[v] > least * flow->total[v]))
			flow->root[v] = 0;
		flow->whole += flow->root[v];
	}
}

/* What functions have themselves, divided among the subroutines that were inlined into them. */
static void
divide_inside(struct context_flow *flow, uint32_t metric)
{
	const struct context_tree *rows = &flow->inside->tree;
	const double *share = flow->inside->share[metric];
	uint32_t nodes = flow->graph->node_count;

	for (uint32_t row = 0; row < rows->count; row++)
		flow->self[nodes + row] = flow->self[rows->node[row]] * share[row];
	/* The row of a function is the function itself. */
	for (uint32_t row = 0; row < rows->count; row++)
		if (rows->parent[row] == GPROFX_NO_CONTEXT) {
			flow->self[rows->node[row]] = flow->self[nodes + row];
			flow->self[nodes + row] = 0;
		}
	/* A parent has a lower number. */
	for (uint32_t row = rows->count; row-- > 0;) {
		flow->total[nodes + row] = sum_out_of(flow, nodes + row);
		if (rows->parent[row] != GPROFX_NO_CONTEXT)
			flow->along[flow->edge_of_row[row]] = flow->total[nodes + row];
	}
}

void
context_flow_measure(struct context_flow *flow, uint32_t metric)
{
	const struct graph *graph = flow->graph;
	const struct values values = values_of(graph, metric);
	uint32_t functions = graph->function_count;

	memset(flow->along, 0, flow->first[flow->count] * sizeof *flow->along);
	for (uint32_t arc = 0; graph->is_analysed && arc < graph->arc_count; arc++)
		if (flow->edge_of_arc[arc] != NO_EDGE)
			flow->along[flow->edge_of_arc[arc]] += time_along(graph, &values, metric,
			                                                  arc);
	/* The time of a cycle is that of its members. */
	for (uint32_t v = 0; v < flow->count; v++)
		flow->self[v] = v < functions && values.self ? time_of(values.self[v]) : 0;
	if (flow->inside)
		divide_inside(flow, metric);
	if (flow->order) {
		context_flow_conserve(flow);
		find_roots(flow);
		return;
	}
	for (uint32_t v = 0; v < functions; v++) {
		flow->total[v] = sum_out_of(flow, v);
		if (flow->edge_of_member[v] != NO_EDGE)
			flow->along[flow->edge_of_member[v]] = flow->total[v];
	}
	for (uint32_t v = functions; v < graph->node_count; v++)
		flow->total[v] = sum_out_of(flow, v);
	find_roots(flow);
}

void
context_flow_end(struct run *run, struct context_flow *flow)
{
	memory_release(run, flow->first);
	memory_release(run, flow->to);
	memory_release(run, flow->edge_of_arc);
	memory_release(run, flow->edge_of_member);
	memory_release(run, flow->edge_of_row);
	memory_release(run, flow->along);
	memory_release(run, flow->self);
	memory_release(run, flow->total);
	memory_release(run, flow->root);
	memory_release(run, flow->is_back);
	memory_release(run, flow->order);
	memory_release(run, flow->into);
	memory_release(run, flow);
}
