/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <stdlib.h>

/* What a function is sorted by. */
struct key {
	double total, calls;
	uint32_t function, place; /* in the flat profile */
};

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
rows_calls(const struct gprofx_report *report, uint32_t function, double *calls)
{
	uint64_t own = gprofx_recursive_of(report, function);

	*calls = (double)gprofx_known_calls_of(report, function);
	if (gprofx_is_counted(report->graph->calls, own))
		*calls += (double)own;
	return *calls > 0;
}

static int
compare(const void *left, const void *right)
{
	const struct key *a = left, *b = right;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

/* Sorts functions of equal self time. */
static void
sort_equals(struct gprofx *gx, const struct gprofx_report *report, uint32_t *functions,
            uint32_t count)
{
	struct key *keys = gprofx_alloc(gx, sizeof *keys * count);

	for (uint32_t i = 0; i < count; i++) {
		keys[i] = (struct key){.function = functions[i], .place = i};
		if (report->origin->has_arcs)
			keys[i].total = rows_total(report, functions[i]);
		rows_calls(report, functions[i], &keys[i].calls);
	}
	qsort(keys, count, sizeof *keys, compare);
	for (uint32_t i = 0; i < count; i++)
		functions[i] = keys[i].function;
	gx->host->release(gx, keys);
}

const uint32_t *
rows_order(struct gprofx *gx, const struct gprofx_report *report, uint32_t most)
{
	const struct gprofx_report_graph *graph = report->graph;
	uint32_t *order, begin, end;

	/* Without times, the order is by calls already. */
	if (!report->origin->has_histogram || graph->flat_count == 0)
		return graph->flat;
	order = gprofx_alloc(gx, sizeof *order * graph->flat_count);
	for (uint32_t i = 0; i < graph->flat_count; i++)
		order[i] = graph->flat[i];
	for (begin = 0; begin < graph->flat_count && begin < most; begin = end) {
		double self = gprofx_self_of(report, order[begin]);

		for (end = begin + 1;
		     end < graph->flat_count && gprofx_self_of(report, order[end]) == self; end++)
			;
		if (end - begin > 1)
			sort_equals(gx, report, order + begin, end - begin);
	}
	return order;
}

double
rows_weight(const struct gprofx_report *report, uint32_t a, const struct gprofx_arc *arc)
{
	const struct gprofx_report_graph *graph = report->graph;

	if (arc->caller == gprofx_id(&graph->arcs.callee, a) ||
	    (graph->flags[arc->caller] & GPROFX_NODE_OUTSIDE))
		return 0;
	if (gprofx_is_measured(report))
		return arc->self + arc->below;
	return gprofx_is_counted(graph->arcs.calls, arc->calls) ? (double)arc->calls : 0;
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

uint32_t
rows_caller_with_choice(struct gprofx *gx, const struct gprofx_report *report, uint32_t function)
{
	enum { FARTHEST = 100 };
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
			if (all[function].callers > 0)
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
	if (neighbors[caller].callers == 0)
		caller = ROWS_NONE;
	gx->host->release(gx, neighbors);
	*share = most / all;
	return caller;
}
