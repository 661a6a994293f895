/* SPDX-License-Identifier: Apache-2.0 */
#include "arc-order.h"

#include <stdlib.h>

struct weighed {
	double time; /* that the caller is charged with; -1: none */
	uint64_t calls;
	uint32_t arc;
};

/* As the page sorts the others. */
static int
compare_weighed(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return x->arc < y->arc ? -1 : x->arc > y->arc;
}

/* Calls by a function itself, and within a cycle, propagate no time unless it was measured. */
static bool
is_within(const struct gprofx_report *report, uint32_t caller, uint32_t callee)
{
	uint32_t cycle = report->graph->cycle[callee];

	return !gprofx_is_measured(report) &&
	       (caller == callee || (cycle != 0 && cycle == report->graph->cycle[caller]));
}

static struct weighed
weigh(const struct gprofx_report *report, uint32_t arc)
{
	const struct gprofx_arcs *arcs = &report->graph->arcs;
	struct weighed weighed = {-1, gprofx_count(&arcs->calls->calls, arc), arc};
	double time = gprofx_real(&arcs->columns->self, arc) +
	              gprofx_real(&arcs->columns->below, arc);

	/* What is no number would have no place. */
	if (time >= 0 &&
	    !is_within(report, gprofx_id(&arcs->caller, arc), gprofx_id(&arcs->callee, arc)))
		weighed.time = time;
	return weighed;
}

uint32_t *
arc_order(struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_arcs *arcs = &report->graph->arcs;
	uint32_t *order = gprofx_alloc(gx, ((size_t)arcs->count + 1) * sizeof *order);
	struct weighed *weighed = NULL;

	for (uint32_t first = 0, end; first < arcs->count; first = end) {
		uint32_t caller = gprofx_id(&arcs->caller, first);

		for (end = first; end < arcs->count && gprofx_id(&arcs->caller, end) == caller;
		     end++)
			order[end] = end;
		if (end - first < ARC_ORDER_MANY)
			continue;
		if (!weighed)
			weighed = gprofx_alloc(gx, (size_t)arcs->count * sizeof *weighed);
		for (uint32_t a = first; a < end; a++)
			weighed[a] = weigh(report, a);
		qsort(&weighed[first], end - first, sizeof *weighed, compare_weighed);
		for (uint32_t a = first; a < end; a++)
			order[a] = weighed[a].arc;
	}
	gx->host->release(gx, weighed);
	return order;
}
