/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selection from callers to callees, then times from callees to callers.
 *
 * A callee's time is split among its callers by their calls.  The order of every sum is that of the
 * lists: arcs the newest first, functions by rank.
 */
#include "base/memory.h"
#include "base/compiler.h"
#include "base/run.h"
#include "graph/graph.h"
#include "select/filters.h"
#include "symbols/symbols.h"

static FETCHING void
fetch_ahead(const struct graph *graph, uint32_t i, uint32_t end)
{
	if (end - i > PREFETCH_AHEAD)
		PREFETCH(&graph->arcs[graph->callers.item[i + PREFETCH_AHEAD]]);
}

/*
 * Fetches the arcs into the function that comes next, and where to find those of the one after it:
 * in the order of ranks they lie all over memory.
 */
static FETCHING void
fetch_next(const struct graph *graph, uint32_t place)
{
	const uint32_t *first = graph->callers.first, *item = graph->callers.item;

	if (place < 2)
		return;
	PREFETCH(&item[first[graph->order[place - 2]]]);
	for (uint32_t i = first[graph->order[place - 1]], k = 0;
	     k < PREFETCH_AHEAD && i < first[graph->order[place - 1] + 1]; i++, k++)
		PREFETCH(&graph->arcs[item[i]]);
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
		fetch_ahead(graph, i, end);
		if (!graph_is_self_arc(graph, graph->callers.item[i]))
			inherit_along(graph, function, graph->callers.item[i]);
	}
}

/*
 * For a cycle: from all callers, then the same for every member.  Members among the callers pass
 * nothing on, as they have nothing yet.
 */
static void
inherit_cycle(struct graph *graph, uint32_t cycle)
{
	uint32_t node = graph->function_count + cycle - 1;
	const uint32_t *first = graph->members.first, *member = graph->members.item;

	for (uint32_t m = first[cycle - 1]; m < first[cycle]; m++) {
		uint32_t begin = graph->callers.first[member[m]];
		uint32_t end = graph->callers.first[member[m] + 1];

		for (uint32_t i = begin; i < end; i++) {
			fetch_ahead(graph, i, end);
			inherit_along(graph, node, graph->callers.item[i]);
		}
	}
	for (uint32_t m = first[cycle - 1]; m < first[cycle]; m++) {
		graph->shown[member[m]] = graph->shown[node];
		graph->share[member[m]] = graph->share[node];
	}
}

/* The part of a function's time that the selection leaves. */
static inline void
weigh_function(struct graph *graph, uint32_t function)
{
	graph->visible_self[function] = graph->self[function] * graph->share[function];
	graph->total += graph->visible_self[function];
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
	weigh_function(graph, function);
}

/*
 * A cycle without callers outside, or none whose time counts, inherited nothing: as a function
 * would, it is shown, and its time counts, if that is so of its members.
 */
static void
select_cycle(struct graph *graph, uint32_t cycle)
{
	uint32_t node = graph->function_count + cycle - 1;
	const uint32_t *first = graph->members.first, *member = graph->members.item;

	for (uint32_t m = first[cycle - 1]; m < first[cycle]; m++) {
		graph->shown[node] = graph->shown[node] || graph->shown[member[m]];
		if (graph->share[node] == 0)
			graph->share[node] = graph->share[member[m]];
	}
}

/* Times of cycles: those of their members, and what the selection leaves of them. */
static void
weigh_cycles(struct graph *graph)
{
	const uint32_t *first = graph->members.first, *member = graph->members.item;

	for (uint32_t cycle = 1; cycle <= graph->cycle_count; cycle++) {
		uint32_t node = graph->function_count + cycle - 1;

		for (uint32_t m = first[cycle - 1]; m < first[cycle]; m++)
			if (graph->share[member[m]] != 0)
				graph->self[node] += graph->self[member[m]];
		graph->visible_self[node] = graph->share[node] * graph->self[node];
	}
}

/* Shows what symspecs select, with the cycles that it is in, and nothing that it calls. */
static void
show_selected(struct graph *graph)
{
	const struct filters *filters = graph->filters;
	bool is_all = filters->include[ENGINE_FILTER_GRAPH].count == 0;

	for (uint32_t i = graph->function_count; i < graph->node_count; i++)
		graph->shown[i] = is_all;
	for (uint32_t i = 0; i < graph->function_count; i++) {
		graph->shown[i] = filter_selects(filters, ENGINE_FILTER_GRAPH, i);
		if (graph->shown[i] && graph->cycle[i] != 0 && !graph->stacks)
			graph->shown[graph->function_count + graph->cycle[i] - 1] = true;
	}
}

void
graph_select(struct run *run, struct graph *graph)
{
	bool is_corrected = run_corrects(run, GPROFX_CORRECT_CYCLE_ENTRIES);
	bool *is_inherited;

	memory_array(run, graph->shown, graph->node_count);
	memory_array(run, graph->share, graph->node_count);
	memory_array(run, graph->visible_self, graph->node_count);
	memory_array(run, is_inherited, graph->cycle_count);
	for (uint32_t i = graph->function_count; i-- > 0;) {
		uint32_t function = graph->order[i], cycle = graph->cycle[function];

		fetch_next(graph, i);
		if (cycle == 0) {
			inherit(graph, function);
		} else if (!is_inherited[cycle - 1]) {
			is_inherited[cycle - 1] = true;
			inherit_cycle(graph, cycle);
		}
		select_function(graph, function);
	}
	memory_release(run, is_inherited);
	for (uint32_t cycle = 1; is_corrected && cycle <= graph->cycle_count; cycle++)
		select_cycle(graph, cycle);
	weigh_cycles(graph);
	if (run->settings->entries_only)
		show_selected(graph);
}

void
graph_weigh(struct run *run, struct graph *graph)
{
	memory_array(run, graph->visible_self, graph->node_count);
	for (uint32_t i = graph->function_count; i-- > 0;)
		weigh_function(graph, graph->order[i]);
	weigh_cycles(graph);
}

/*
 * What a function propagates to callers, gathered once it is final: its own figures, or those of
 * its cycle.
 */
struct handed {
	double self, below, calls;
	/* False also for what is not final yet, as the caller itself and others of its cycle. */
	bool anything;
};

/* By function, or where few have callers, by the places that those have. */
struct handing {
	struct handed *items;
	uint32_t *place; /* NULL: by function */
};

static inline struct handed *
handed_of(const struct handing *handing, uint32_t function)
{
	return &handing->items[handing->place ? handing->place[function] : function];
}

static struct handed
gather(const struct graph *graph, uint32_t function)
{
	uint32_t from = graph_representative(graph, function);

	return (struct handed){
		.self = graph->self[from],
		.below = graph->below[from],
		.calls = (double)graph->calls[from],
		.anything = graph->share[function] != 0 && graph->calls[from] != 0,
	};
}

/* Hands a callee's time to one caller, by the caller's part of the calls. */
static void
hand_up(struct run *run, struct graph *graph, struct graph_arc *arc, const struct handed *handed)
{
	double ratio, self, below, sum, share = graph->share[arc->caller];
	uint32_t cycle = graph->cycle[arc->caller];

	if (arc->calls == 0 || !handed->anything)
		return;
	ratio = (double)arc->calls / handed->calls;
	self = handed->self * ratio;
	below = handed->below * ratio;
	sum = self + below;
	arc->self = self * share;
	arc->below = below * share;
	graph->below[arc->caller] += sum;
	graph->visible_below[arc->caller] += share * sum;
	if (cycle != 0) {
		uint32_t node = graph_representative(graph, arc->caller);

		graph->below[node] += sum;
		graph->visible_below[node] += share * sum;
	}
	if (run_traces(run, GPROFX_TRACE_PROPAGATION))
		run_trace(run,
		          "%s propagates %f + %f ticks to "
		          "%s",
		          graph->symbols->name[arc->callee], self, below,
		          graph->symbols->name[arc->caller]);
}

/* The arcs out of a function, the newest first. */
static void
receive(struct run *run, struct graph *graph, uint32_t function, const struct handing *handing)
{
	uint32_t begin = graph->callees.first[function];

	if (graph->share[function] == 0)
		return;
	for (uint32_t arc = graph->callees.first[function + 1]; arc-- > begin;) {
		if (arc - begin >= PREFETCH_AHEAD)
			PREFETCH(handed_of(handing, graph->arcs[arc - PREFETCH_AHEAD].callee));
		hand_up(run, graph, &graph->arcs[arc], handed_of(handing, graph->arcs[arc].callee));
	}
}

/* Fetches what receive() will need for a function, and where to find it for one further on. */
static FETCHING void
fetch_callees(const struct graph *graph, uint32_t place, const struct handing *handing)
{
	const uint32_t *first = graph->callees.first;

	if (place + 2 >= graph->function_count)
		return;
	for (uint32_t arc = first[graph->order[place + 1]], k = 0;
	     k < PREFETCH_AHEAD && arc < first[graph->order[place + 1] + 1]; arc++, k++)
		PREFETCH(handed_of(handing, graph->arcs[arc].callee));
	for (uint32_t arc = first[graph->order[place + 2]], k = 0;
	     k < PREFETCH_AHEAD && arc < first[graph->order[place + 2] + 1]; arc += 2, k += 2)
		PREFETCH(&graph->arcs[arc]);
}

static bool
is_called(const struct graph *graph, uint32_t function)
{
	return graph_arc_count(&graph->callers, function) > 0;
}

static struct handing
handing_new(struct run *run, const struct graph *graph)
{
	struct handing handing = {0};
	uint32_t count;

	handing.place = graph_places(run, graph, &graph->callers, &count);
	memory_array(run, handing.items, count);
	return handing;
}

void
graph_propagate(struct run *run, struct graph *graph)
{
	struct handing handing = handing_new(run, graph);

	memory_array(run, graph->below, graph->node_count);
	memory_array(run, graph->visible_below, graph->node_count);
	/* Functions of one rank are one function, or the members of one cycle. */
	for (uint32_t i = 0, end; i < graph->function_count; i = end) {
		uint32_t rank = graph->rank[graph->order[i]];

		for (end = i; end < graph->function_count && graph->rank[graph->order[end]] == rank;
		     end++) {
			fetch_callees(graph, end, &handing);
			receive(run, graph, graph->order[end], &handing);
		}
		for (uint32_t k = i; k < end; k++)
			if (!handing.place || is_called(graph, graph->order[k]))
				*handed_of(&handing, graph->order[k]) = gather(graph,
				                                               graph->order[k]);
	}
	memory_release(run, handing.items);
	memory_release(run, handing.place);
}
