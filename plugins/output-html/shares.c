/* SPDX-License-Identifier: Apache-2.0 */
#include "shares.h"

#include <math.h>

/* Half of what nine digits can tell. */
#define EXACT_ENOUGH 5e-10

static bool
has_share(const struct shares *s, uint32_t arc)
{
	const struct gprofx_report *report = s->report;
	const struct gprofx_call_column *of_nodes = report->graph->calls;
	uint32_t caller = gprofx_id(&s->arcs->caller, arc);
	uint32_t callee = gprofx_id(&s->arcs->callee, arc);
	uint32_t whole = gprofx_whole_of(report, callee);
	uint64_t calls = gprofx_count(&s->arcs->calls->calls, arc);
	uint64_t all = gprofx_count(&of_nodes->calls, whole);
	double value = gprofx_real(s->of_arcs, arc);

	if (!gprofx_is_counted(s->arcs->calls, calls) || !gprofx_is_counted(of_nodes, all) ||
	    calls > all)
		return false;
	if (calls == 0 || caller == callee || gprofx_whole_of(report, caller) == whole)
		return value == 0;
	return fabs(gprofx_real(s->of_nodes, whole) * ((double)calls / (double)all) - value) <=
	       EXACT_ENOUGH * fabs(value);
}

bool
shares_follow(const struct shares *shares, uint32_t first, uint32_t end)
{
	if (!shares->is_estimate || !shares->of_nodes->first)
		return false;
	for (uint32_t a = first; a < end; a++)
		if (!has_share(shares, shares_arc(shares->order, a)))
			return false;
	return true;
}
