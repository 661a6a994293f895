/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls whose costs a profile states, with all that the callee called: what a function has in all
 * is that of the calls to it from outside of itself.  Where a function was active already when it
 * was called, the cost is a part of that of an outer call.  Such calls are marked; they do not
 * count for the callee, and calls between two functions of which both were active before are left
 * out of their arc, if other calls of it are known.
 *
 * A profile without marks has calls of a cycle that cannot be divided: the functions of such a
 * cycle have at most what the calls into the cycle cost, and a warning says that these are bounds.
 */
#include "graph/costed-calls.h"

#include "base/memory.h"
#include "select/filters.h"

struct costs {
	struct graph *graph;
	const struct stacks *stacks;
	const uint32_t *arc;  /* per call */
	double *self, *whole; /* per function: what profiles with calls say */
	double *share;        /* per function: the part that the selection leaves; NULL: all */
	double *kept;         /* per function, likewise: the part of what it has in all that is left
	                         of it, and of what it calls */
	double *time;         /* per arc */
	bool tells;           /* what are no measurements is reported: once, for all metrics */
};

static void
tell_bounds(struct run *run)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.unmarked-recursion",
		.hint = "record with callgrind's --separate-recs=2, its default"};

	run_warn(
		run, &diagnostic,
		"total times in cycles of calls are upper bounds: the profile does not distinguish "
		"calls of functions that are active already");
}

static void
tell_selection(struct run *run)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.estimated-selection",
		.hint = "record call stacks to measure what callers take: gprofx record, or perf record "
			"-g"};

	run_warn(run, &diagnostic,
	         "times of what was selected are estimates: the profile does not say which callers "
	         "its callers had");
}

static uint32_t
caller_of(const struct stacks *stacks, uint32_t call)
{
	return stacks->function[stacks->calls.items[call].caller];
}

static uint32_t
callee_of(const struct stacks *stacks, uint32_t call)
{
	return stacks->function[stacks->calls.items[call].callee];
}

/* Whether a call is a part of one that counts already. */
static bool
is_inside(const struct stacks *stacks, uint32_t call)
{
	return (stacks->calls.items[call].flags & GPROFX_CALL_TO_NESTED) != 0 ||
	       caller_of(stacks, call) == callee_of(stacks, call);
}

static bool
is_between_nested(const struct stacks *stacks, uint32_t call)
{
	const uint32_t both = GPROFX_CALL_FROM_NESTED | GPROFX_CALL_TO_NESTED;

	return (stacks->calls.items[call].flags & both) == both;
}

/* The cycle that a call stays in; 0: none. */
static uint32_t
cycle_of(const struct costs *costs, uint32_t call)
{
	const uint32_t *circle = costs->graph->circle;
	uint32_t caller = caller_of(costs->stacks, call), callee = callee_of(costs->stacks, call);

	return circle && caller != callee && circle[caller] == circle[callee] ? circle[caller] : 0;
}

/* What calls into cycles cost whose own calls have no marks; NULL: there is no such cycle. */
static double *
bound_cycles(struct run *run, const struct costs *costs)
{
	const struct stacks *stacks = costs->stacks;
	const uint32_t *circle = costs->graph->circle;
	uint32_t count = 0;
	bool *has_calls, *has_marks, any = false;
	double *most;

	for (uint32_t f = 0; circle && f < costs->graph->function_count; f++)
		count = circle[f] > count ? circle[f] : count;
	if (count == 0)
		return NULL;
	memory_array(run, has_calls, (size_t)count + 1);
	memory_array(run, has_marks, (size_t)count + 1);
	memory_array(run, most, (size_t)count + 1);
	for (uint32_t i = 0; i < stacks->calls.count; i++) {
		uint32_t cycle = cycle_of(costs, i), callee = callee_of(stacks, i);

		if (cycle != 0) {
			has_calls[cycle] = true;
			has_marks[cycle] = has_marks[cycle] || stacks->calls.items[i].flags != 0;
		} else if (circle[callee] != 0 && !is_inside(stacks, i)) {
			most[circle[callee]] += (double)stacks->costs.weight[i];
		}
	}
	for (uint32_t i = 1; i <= count; i++) {
		bool is_bounded = has_calls[i] && !has_marks[i];

		any = any || is_bounded;
		most[i] = is_bounded ? most[i] : -1;
	}
	memory_release(run, has_calls);
	memory_release(run, has_marks);
	if (any)
		return most;
	memory_release(run, most);
	return NULL;
}

static double
lesser(double left, double right)
{
	return left < right ? left : right;
}

static double
greater(double left, double right)
{
	return left > right ? left : right;
}

/* What functions have themselves, in files with calls. */
static void
add_selves(const struct costs *costs)
{
	const struct stacks *stacks = costs->stacks;

	if (stacks->costs.is_all)
		for (uint32_t i = 0; i < stacks->count; i++)
			costs->self[stacks->function[stacks->place[stacks_end(stacks, i)]]] +=
				(double)stacks->weight[i];
	else
		for (uint32_t i = 0; i < stacks->place_count; i++)
			costs->self[stacks->function[i]] += (double)stacks->costs.self[i];
}

/* What functions have in all: by the calls to them, or if there is none, by those that they make.
 */
static void
sum_up(struct run *run, struct costs *costs)
{
	const struct stacks *stacks = costs->stacks;
	uint32_t functions = costs->graph->function_count;
	double *most = bound_cycles(run, costs), *below;
	bool *is_called;

	memory_array(run, is_called, functions);
	memory_array(run, below, functions);
	add_selves(costs);
	for (uint32_t i = 0; i < stacks->calls.count; i++) {
		double weight = (double)stacks->costs.weight[i];

		if (caller_of(stacks, i) != callee_of(stacks, i))
			below[caller_of(stacks, i)] += weight;
		if (is_inside(stacks, i))
			continue;
		is_called[callee_of(stacks, i)] = true;
		costs->whole[callee_of(stacks, i)] += weight;
	}
	for (uint32_t f = 0; f < functions; f++) {
		double own = costs->self[f];

		if (!is_called[f])
			costs->whole[f] = own + below[f];
		else if (most && costs->graph->circle[f] != 0 && most[costs->graph->circle[f]] >= 0)
			costs->whole[f] = lesser(costs->whole[f], most[costs->graph->circle[f]]);
		costs->whole[f] = greater(costs->whole[f], own);
	}
	if (most && costs->tells)
		tell_bounds(run);
	memory_release(run, most);
	memory_release(run, is_called);
	memory_release(run, below);
}

static void
sum_up_arcs(struct run *run, struct costs *costs)
{
	const struct stacks *stacks = costs->stacks;
	struct graph *graph = costs->graph;
	double *nested;

	memory_array(run, nested, graph->arc_count);
	for (uint32_t i = 0; i < stacks->calls.count; i++) {
		double weight = (double)stacks->costs.weight[i];

		if (costs->arc[i] == UINT32_MAX)
			continue;
		if (is_between_nested(stacks, i))
			nested[costs->arc[i]] += weight;
		else
			costs->time[costs->arc[i]] += weight;
	}
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct graph_arc *arc = &graph->arcs[i];
		double time = costs->time[i] > 0 ? costs->time[i] : nested[i];

		costs->time[i] = lesser(
			time, lesser(costs->whole[arc->caller], costs->whole[arc->callee]));
	}
	memory_release(run, nested);
}

/* The part of a cycle, or of a function alone, that the selection of callers leaves. */
static double
inherited(const struct costs *costs, const uint32_t *members, uint32_t count)
{
	const struct graph *graph = costs->graph;
	double all = 0, left = 0;

	for (uint32_t m = 0; m < count; m++) {
		uint32_t end = graph->callers.first[members[m] + 1];

		for (uint32_t i = graph->callers.first[members[m]]; i < end; i++) {
			uint32_t arc = graph->callers.item[i], caller = graph->arcs[arc].caller;

			if (graph->rank[caller] == graph->rank[members[m]])
				continue;
			all += costs->time[arc];
			left += costs->time[arc] * costs->share[caller];
		}
	}
	return all > 0 ? lesser(left / all, 1) : 0;
}

/* What is left of a function and of its calls, those within its cycle left out. */
static double
kept_of(const struct costs *costs, uint32_t f)
{
	const struct graph *graph = costs->graph;
	double all = costs->self[f], kept = costs->self[f];

	if (costs->share[f] == 0)
		return 0;
	for (uint32_t i = graph->callees.first[f]; i < graph->callees.first[f + 1]; i++) {
		uint32_t callee = graph->arcs[i].callee;

		if (graph->rank[callee] == graph->rank[f])
			continue;
		all += costs->time[i];
		kept += costs->time[i] * costs->kept[callee];
	}
	return all > 0 ? kept / all : 1;
}

/* Whether the selection leaves a part of some function: otherwise all was measured. */
static bool
is_divided(const struct costs *costs)
{
	static const double noise = 1e-9;

	for (uint32_t f = 0; f < costs->graph->function_count; f++)
		if (costs->whole[f] > 0 && costs->share[f] > noise && costs->share[f] < 1 - noise)
			return true;
	return false;
}

/* Callers pass on what the selection leaves of them: callers have higher ranks. */
static void
select_shares(struct run *run, struct costs *costs)
{
	struct graph *graph = costs->graph;
	const struct filters *filters = graph->filters;

	if (!filters->state[ENGINE_FILTER_TIME])
		return;
	memory_array(run, costs->share, graph->function_count);
	for (uint32_t end = graph->function_count, begin; end > 0; end = begin) {
		uint32_t rank = graph->rank[graph->order[end - 1]];
		double share;

		for (begin = end - 1; begin > 0 && graph->rank[graph->order[begin - 1]] == rank;
		     begin--)
			;
		share = inherited(costs, graph->order + begin, end - begin);
		for (uint32_t i = begin; i < end; i++) {
			uint32_t f = graph->order[i];

			costs->share[f] = share;
			if (share == 0)
				costs->share[f] = filter_selects(filters, ENGINE_FILTER_TIME, f);
			else if (filter_removes(filters, ENGINE_FILTER_TIME, f))
				costs->share[f] = 0;
		}
	}
	memory_array(run, costs->kept, graph->function_count);
	for (uint32_t i = 0; i < graph->function_count; i++)
		costs->kept[graph->order[i]] = kept_of(costs, graph->order[i]);
	if (costs->tells && is_divided(costs))
		tell_selection(run);
}

static double
share_of(const struct costs *costs, uint32_t function)
{
	return costs->share ? costs->share[function] : 1;
}

/* What stacks of one frame had of a selection, they had alone. */
static void
add_function(const struct costs *costs, uint32_t f)
{
	struct graph *graph = costs->graph;
	double own = costs->self[f], share = share_of(costs, f);
	double kept = costs->kept ? costs->kept[f] : 1;
	double counted = !costs->share || filter_selects(graph->filters, ENGINE_FILTER_TIME, f)
	                         ? own
	                         : 0;

	graph->below[f] += costs->whole[f] - own;
	graph->visible_self[f] += own * share - counted;
	graph->visible_below[f] += costs->whole[f] * share * kept - counted;
}

/*
 * What a call cost is known as a whole: how much of it is the callee's own is estimated by the part
 * that this has of all calls.
 */
static void
add_arc(const struct costs *costs, uint32_t i)
{
	struct graph_arc *arc = &costs->graph->arcs[i];
	double share = share_of(costs, arc->caller), whole = costs->whole[arc->callee];
	double kept = costs->kept ? costs->kept[arc->callee] : 1;
	double part = whole > 0 ? costs->self[arc->callee] / whole : 0;

	arc->self += kept > 0 ? costs->time[i] * lesser(part, 1) * share : 0;
	arc->below += costs->time[i] * share * kept;
}

/* Of all metrics, the first one that has costs of calls. */
static const struct stacks *
first_costed(const struct stacks *stacks)
{
	for (uint32_t i = 0; !stacks->costs.weight && i < stacks->other_count; i++)
		if (stacks->others[i]->costs.weight)
			return stacks->others[i];
	return stacks;
}

void
graph_add_costs(struct run *run, struct graph *graph, const struct stacks *stacks,
                const uint32_t *arc)
{
	struct costs costs = {.graph = graph,
	                      .stacks = stacks,
	                      .arc = arc,
	                      .tells = stacks == first_costed(graph->stacks)};

	if (!stacks->costs.weight)
		return;
	memory_array(run, costs.self, graph->function_count);
	memory_array(run, costs.whole, graph->function_count);
	memory_array(run, costs.time, graph->arc_count);
	sum_up(run, &costs);
	sum_up_arcs(run, &costs);
	select_shares(run, &costs);
	for (uint32_t f = 0; f < graph->function_count; f++)
		add_function(&costs, f);
	for (uint32_t i = 0; i < graph->arc_count; i++)
		add_arc(&costs, i);
	memory_release(run, costs.self);
	memory_release(run, costs.whole);
	memory_release(run, costs.time);
	memory_release(run, costs.share);
	memory_release(run, costs.kept);
}

void
graph_show_called(struct run *run, struct graph *graph)
{
	const struct filters *filters = graph->filters;
	uint32_t *waiting, count = 0;

	memory_array(run, waiting, graph->function_count);
	for (uint32_t f = 0; f < graph->function_count; f++) {
		graph->shown[f] = graph->shown[f] ||
		                  filter_selects(filters, ENGINE_FILTER_GRAPH, f);
		if (graph->shown[f])
			waiting[count++] = f;
	}
	while (count > 0 && !run->settings->entries_only) {
		uint32_t f = waiting[--count];

		for (uint32_t i = graph->callees.first[f]; i < graph->callees.first[f + 1]; i++) {
			uint32_t callee = graph->arcs[i].callee;

			if (graph->shown[callee] ||
			    filter_removes(filters, ENGINE_FILTER_GRAPH, callee))
				continue;
			graph->shown[callee] = true;
			waiting[count++] = callee;
		}
	}
	memory_release(run, waiting);
}
