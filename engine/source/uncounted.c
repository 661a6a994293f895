/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that ran though no call of them was recorded: the C library drops calls from outside of
 * the program's code, as that of main, and functions compiled without -pg record none.
 */
#include "base/memory.h"
#include "base/run.h"
#include "source/source.h"

static bool
is_begin(const struct gprofx_report *report, uint32_t function)
{
	return (report->graph->flags[function] & GPROFX_NODE_LINE) == 0;
}

/* Marks every symbol that took time or called something. */
static void
mark_running(const struct gprofx_report *report, bool *ran)
{
	const uint32_t *first = report->source->block_first;

	for (uint32_t f = 0; f < report->functions->count; f++) {
		ran[f] = gprofx_self_of(report, f) != 0;
		for (uint32_t i = first ? first[f] : 0; first && i < first[f + 1]; i++)
			ran[f] = ran[f] || report->source->block[i].count != 0;
	}
	for (uint32_t i = 0; i < report->graph->arcs.count; i++)
		if (gprofx_count(&report->graph->arcs.calls->calls, i) != 0 &&
		    gprofx_id(&report->graph->arcs.caller, i) < report->functions->count)
			ran[gprofx_id(&report->graph->arcs.caller, i)] = true;
}

static bool
has_calls(const struct gprofx_report *report)
{
	for (uint32_t f = 0; f < report->functions->count; f++)
		if (gprofx_known_calls_of(report, f) != 0)
			return true;
	return false;
}

bool *
source_find_uncounted(struct run *run, const struct gprofx_report *report)
{
	bool nothing_known = !has_calls(report);
	bool *ran;

	memory_array(run, ran, report->functions->count);
	mark_running(report, ran);
	/* The lines of a function follow it. */
	for (uint32_t f = 0, end; f < report->functions->count; f = end) {
		bool any = nothing_known, is_counted = gprofx_known_calls_of(report, f) != 0;

		for (end = f;
		     end < report->functions->count && (end == f || !is_begin(report, end)); end++)
			any = any || ran[end];
		for (uint32_t i = f; i < end; i++)
			ran[i] = any && !is_counted;
	}
	return ran;
}
