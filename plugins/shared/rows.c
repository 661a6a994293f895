/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <string.h>

double
rows_total(const struct gprofx_report *report, uint32_t function)
{
	/* Of a member of a cycle only what came from outside of it is known; of a line, nothing. */
	if (gprofx_whole_of(report, function) != function ||
	    (report->graph->flags[function] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_LINE)))
		return -1;
	return gprofx_whole_self_of(report, function) + gprofx_below_of(report, function);
}

bool
rows_calls(const struct gprofx_report *report, uint32_t function, double *calls, double *recursive)
{
	uint64_t others = gprofx_known_calls_of(report, function);
	uint64_t own = gprofx_recursive_of(report, function);

	*calls = (double)others;
	*recursive = gprofx_is_counted(report->graph->calls, own) ? (double)own : 0;
	return others > 0 || *recursive > 0;
}

/* Whether an arc is between two functions. */
static bool
is_between(const struct gprofx_report *report, uint32_t a, const struct gprofx_arc *arc)
{
	const struct gprofx_report_graph *graph = report->graph;

	return arc->caller != gprofx_id(&graph->arcs.callee, a) &&
	       !(graph->flags[arc->caller] & GPROFX_NODE_OUTSIDE);
}

/* What an arc weighs by its calls alone. */
static double
counted_weight(const struct gprofx_report *report, uint32_t a, const struct gprofx_arc *arc)
{
	return is_between(report, a, arc) &&
	                       gprofx_is_counted(report->graph->arcs.calls, arc->calls)
	               ? (double)arc->calls
	               : 0;
}

double
rows_weight(const struct gprofx_report *report, uint32_t a, const struct gprofx_arc *arc)
{
	if (!gprofx_is_measured(report))
		return counted_weight(report, a, arc);
	return is_between(report, a, arc) ? arc->self + arc->below : 0;
}

static void
add_caller(struct rows_callers *callers, struct rows_caller caller)
{
	callers->weight += caller.weight;
	callers->count++;
	for (int i = 0; i < ROWS_CALLERS; i++)
		if (caller.weight > callers->first[i].weight) {
			struct rows_caller other = callers->first[i];

			callers->first[i] = caller;
			caller = other;
		}
}

void
rows_find_callers(const struct gprofx_report *report, const uint32_t *row_of,
                  struct rows_callers *found)
{
	const struct gprofx_report_graph *graph = report->graph;

	for (uint32_t a = 0; a < graph->arcs.count; a++) {
		uint32_t row = row_of[gprofx_id(&graph->arcs.callee, a)];
		struct gprofx_arc arc;
		struct rows_caller caller;

		if (row == 0)
			continue;
		arc = gprofx_arc_at(&graph->arcs, a);
		caller.node = arc.caller;
		caller.weight = rows_weight(report, a, &arc);
		caller.is_guess = graph->arc_divided && graph->arc_divided[a];
		if (caller.weight > 0)
			add_caller(&found[row - 1], caller);
	}
}

void
rows_add_counted_callers(const struct gprofx_report *report, const uint32_t *row_of,
                         struct rows_callers *found)
{
	const struct gprofx_report_graph *graph = report->graph;

	for (uint32_t a = 0; a < graph->arcs.count && gprofx_is_measured(report); a++) {
		uint32_t row = row_of[gprofx_id(&graph->arcs.callee, a)];
		struct gprofx_arc arc;
		struct rows_caller caller = {.is_guess = false};

		if (row == 0 || (found[row - 1].count > 0 && !found[row - 1].is_by_calls))
			continue;
		arc = gprofx_arc_at(&graph->arcs, a);
		caller.node = arc.caller;
		caller.weight = counted_weight(report, a, &arc);
		if (!(caller.weight > 0))
			continue;
		found[row - 1].is_by_calls = true;
		add_caller(&found[row - 1], caller);
	}
}

/* How many callers and callees a function has; two stand for more. */
struct neighbors {
	uint32_t caller; /* the first one */
	uint8_t callers, callees;
};

static struct neighbors *
find_neighbors(struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_report_graph *graph = report->graph;
	struct neighbors *found = gprofx_alloc(gx, sizeof *found * graph->node_count);

	for (uint32_t a = 0; a < graph->arcs.count; a++) {
		uint32_t callee = gprofx_id(&graph->arcs.callee, a);
		struct gprofx_arc arc = gprofx_arc_at(&graph->arcs, a);

		if (!(rows_weight(report, a, &arc) > 0))
			continue;
		if (found[callee].callers == 0)
			found[callee].caller = arc.caller;
		if (found[callee].callers < 2)
			found[callee].callers++;
		if (found[arc.caller].callees < 2)
			found[arc.caller].callees++;
	}
	return found;
}

enum { FARTHEST = 100 };

/* Whether a program or a thread begins in a function, or in one that leads only to it. */
static bool
begins_in(const struct neighbors *all, uint32_t function)
{
	for (int i = 0; i < FARTHEST && all[function].callers == 1; i++) {
		function = all[function].caller;
		if (all[function].callees > 1)
			return false;
	}
	return all[function].callers == 0;
}

uint32_t
rows_caller_with_choice(struct gprofx *gx, const struct gprofx_report *report, uint32_t function)
{
	struct neighbors *all;
	uint32_t found = ROWS_NONE;

	if (!report->origin->has_arcs || report->graph->arcs.count == 0)
		return ROWS_NONE;
	all = find_neighbors(gx, report);
	if (all[function].callees == 0)
		for (int i = 0; i < FARTHEST && all[function].callers == 1; i++) {
			function = all[function].caller;
			if (all[function].callers < 2 && all[function].callees < 2)
				continue;
			/* From where a program begins, everything comes. */
			if (!begins_in(all, function))
				found = function;
			break;
		}
	gx->host->release(gx, all);
	return found;
}

uint32_t
rows_main_caller(struct gprofx *gx, const struct gprofx_report *report, uint32_t function,
                 double *share)
{
	const struct gprofx_report_graph *graph = report->graph;
	double all = 0, most = 0;
	uint32_t caller = ROWS_NONE;
	struct neighbors *neighbors;

	*share = 0;
	if (!report->origin->has_arcs)
		return ROWS_NONE;
	for (uint32_t a = 0; a < graph->arcs.count; a++) {
		struct gprofx_arc arc;
		double weight;

		if (gprofx_id(&graph->arcs.callee, a) != function)
			continue;
		arc = gprofx_arc_at(&graph->arcs, a);
		weight = rows_weight(report, a, &arc);
		all += weight;
		if (weight > most) {
			most = weight;
			caller = arc.caller;
		}
	}
	if (caller == ROWS_NONE || most == all || 2 * most < all)
		return ROWS_NONE;
	neighbors = find_neighbors(gx, report);
	if (begins_in(neighbors, caller))
		caller = ROWS_NONE;
	gx->host->release(gx, neighbors);
	*share = most / all;
	return caller;
}

uint32_t
rows_in_program(struct gprofx *gx, const struct gprofx_report *report, uint32_t function)
{
	const struct gprofx_report_graph *graph = report->graph;
	const char *const *objects = report->functions->object_name;
	uint32_t *callers, found = function;
	double *most;

	if (!gprofx_is_measured(report) || !objects || !objects[function])
		return function;
	callers = gprofx_alloc(gx, sizeof *callers * graph->node_count);
	most = gprofx_alloc(gx, sizeof *most * graph->node_count);
	for (uint32_t a = 0; a < graph->arcs.count; a++) {
		uint32_t callee = gprofx_id(&graph->arcs.callee, a);
		struct gprofx_arc arc = gprofx_arc_at(&graph->arcs, a);
		double weight = rows_weight(report, a, &arc);

		if (weight > most[callee]) {
			most[callee] = weight;
			callers[callee] = arc.caller;
		}
	}
	for (int i = 0; i < FARTHEST && most[found] > 0 && objects[found]; i++) {
		found = callers[found];
		/* A cycle has no object. */
		if (found >= report->functions->count)
			break;
	}
	if (found >= report->functions->count || objects[found])
		found = function;
	gx->host->release(gx, callers);
	gx->host->release(gx, most);
	return found;
}

bool
rows_is_for_processors(struct gprofx_text name)
{
	static const char *const words[] = {"fma",  "fma4", "avx",   "avx2",  "avx512", "evex",
	                                    "sse2", "sse4", "sse42", "ssse3", "simd",   "sve"};

	if (name.length < 2 || name.bytes[0] != '_' || name.bytes[1] != '_')
		return false;
	for (size_t at = 2, past; at < name.length; at = past + 1) {
		for (past = at; past < name.length && name.bytes[past] != '_'; past++)
			;
		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
			if (past - at == strlen(words[i]) &&
			    memcmp(name.bytes + at, words[i], past - at) == 0)
				return true;
	}
	return false;
}

/* Whether a program begins with it. */
static bool
is_first_function(struct gprofx_text name)
{
	static const char *const names[] = {"main", "MAIN__", "_start"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (name.length == strlen(names[i]) &&
		    memcmp(name.bytes, names[i], name.length) == 0)
			return true;
	return false;
}

uint32_t
rows_without_calls(struct gprofx *gx, const struct gprofx_report *report, uint32_t count)
{
	const double WORTH_A_WORD = 0.05;
	const struct gprofx_report_graph *graph = report->graph;
	struct neighbors *all = find_neighbors(gx, report);
	uint32_t found = ROWS_NONE;
	double ticks = 0;

	for (uint32_t i = 0; i < graph->flat_count; i++) {
		uint32_t f = graph->flat[i];
		struct gprofx_text name;
		double calls, recursive;

		if (all[f].callers > 0 || all[f].callees > 0 ||
		    rows_calls(report, f, &calls, &recursive) ||
		    (graph->flags[f] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_LINE)))
			continue;
		name = report->services->name(report, f);
		if (is_first_function(name))
			continue;
		ticks += gprofx_self_of(report, f);
		if (found == ROWS_NONE && i < count && !rows_is_for_processors(name))
			found = f;
	}
	gx->host->release(gx, all);
	return ticks >= WORTH_A_WORD * graph->columns->flat_total ? found : ROWS_NONE;
}

/* Whether the user can change a function: its source is known, or, where none is, the program has
 * it. */
static bool
is_of_user(const struct gprofx_report *report, uint32_t function, bool has_sources)
{
	const char *const *objects = report->functions->object_name;
	uint32_t line;

	if (has_sources)
		return report->services->source(report, function, &line) && line > 0;
	return !objects || !objects[function];
}

static bool
is_stub(const struct gprofx_report *report, uint32_t function)
{
	static const char ending[] = "@plt";
	struct gprofx_text name = report->services->name(report, function);
	size_t length = sizeof ending - 1;

	return name.length > length &&
	       memcmp(name.bytes + name.length - length, ending, length) == 0;
}

uint32_t
rows_responsible(struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_report_graph *graph = report->graph;
	uint32_t count = report->functions->count, found = ROWS_NONE;
	bool has_sources = false, *of_user;
	double *weight;

	if (!gprofx_is_measured(report) || !report->origin->has_arcs)
		return ROWS_NONE;
	of_user = gprofx_alloc(gx, count + (size_t)1);
	weight = gprofx_alloc(gx, (count + (size_t)1) * sizeof *weight);
	for (uint32_t f = 0; f < count && !has_sources; f++)
		has_sources = is_of_user(report, f, true);
	for (uint32_t f = 0; f < count; f++) {
		of_user[f] = is_of_user(report, f, has_sources);
		weight[f] = of_user[f] ? gprofx_self_of(report, f) : 0;
	}
	for (uint32_t a = 0; a < graph->arcs.count; a++) {
		struct gprofx_arc arc = gprofx_arc_at(&graph->arcs, a);

		if (arc.caller < count && arc.callee < count && of_user[arc.caller] &&
		    !of_user[arc.callee])
			weight[arc.caller] += arc.self + arc.below;
	}
	for (uint32_t f = 0; f < count; f++)
		if (weight[f] > 0 && (found == ROWS_NONE || weight[f] > weight[found]) &&
		    !is_stub(report, f))
			found = f;
	gx->host->release(gx, of_user);
	gx->host->release(gx, weight);
	return found;
}
