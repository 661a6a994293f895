/* SPDX-License-Identifier: Apache-2.0 */
#include "nodes.h"

#include <stdlib.h>
#include <string.h>

#include "../shared/export-names.h"

/* What a list, an arc or a context refers to, and what has values. */
static void
find_used(const struct gprofx_report *report, bool *is_used)
{
	const struct gprofx_report_graph *graph = report->graph;
	const struct gprofx_report_contexts *contexts = report->contexts;
	const struct gprofx_report_slices *slices = report->slices;
	const struct gprofx_report_comparison *comparison = report->comparison;

	for (uint32_t i = 0; comparison && i < comparison->row_count; i++)
		is_used[gprofx_compared_at(report, i)->node] = true;
	for (uint32_t i = 0; i < graph->flat_count; i++)
		is_used[graph->flat[i]] = true;
	for (uint32_t a = 0; a < graph->arcs.count; a++) {
		is_used[gprofx_id(&graph->arcs.caller, a)] = true;
		is_used[gprofx_id(&graph->arcs.callee, a)] = true;
	}
	for (uint32_t i = 0; i < contexts->count; i++)
		is_used[contexts->node[i]] = true;
	for (uint32_t i = 0; graph->site_first && i < graph->site_first[graph->arcs.count]; i++)
		is_used[graph->site[i].node] = true;
	for (uint32_t i = 0; slices && i < slices->first[slices->slice_count]; i++)
		is_used[slices->value[i].node] = true;
	for (uint32_t i = 0; i < report->functions->count; i++)
		is_used[i] = is_used[i] || gprofx_whole_self_of(report, i) > 0 ||
		             gprofx_known_calls_of(report, i) > 0;
	for (uint32_t i = report->functions->count; i < graph->node_count; i++)
		is_used[i] = true;
}

/* Whether the flat profile has a function, unless the user's selection leaves it out. */
static bool
is_listed(const struct gprofx_report *report, uint32_t function)
{
	return gprofx_self_of(report, function) > 0 || gprofx_known_calls_of(report, function) > 0;
}

/* A function without time or calls of its own. */
struct caller {
	double total;
	uint32_t function;
};

static int
compare_callers(const void *a, const void *b)
{
	const struct caller *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

/*
 * The flat profile, and behind it functions that only call others, such as main, unless the user
 * selected some functions.
 */
static void
find_rows(struct nodes *nodes)
{
	const struct gprofx_report *report = nodes->report;
	const struct gprofx_report_graph *graph = report->graph;
	uint32_t listed = 0, flat_listed = 0, count = 0;
	struct caller *callers = gprofx_alloc(nodes->gx,
	                                      ((size_t)nodes->functions + 1) * sizeof *callers);
	bool *is_row = gprofx_alloc(nodes->gx, (size_t)graph->node_count + 1);

	nodes->row = gprofx_alloc(nodes->gx, ((size_t)nodes->functions + 1) * sizeof *nodes->row);
	for (uint32_t i = 0; i < graph->flat_count; i++) {
		nodes->row[nodes->row_count++] = graph->flat[i];
		is_row[graph->flat[i]] = true;
		flat_listed += is_listed(report, graph->flat[i]);
	}
	for (uint32_t i = 0; i < nodes->functions; i++) {
		uint32_t function = nodes->node[i];

		listed += is_listed(report, function);
		if (!is_row[function] && graph->index[function] != 0 &&
		    (graph->flags[function] & GPROFX_NODE_SHOWN))
			callers[count++] = (struct caller){gprofx_below_of(report, function),
			                                   function};
	}
	if (listed == flat_listed) {
		qsort(callers, count, sizeof *callers, compare_callers);
		for (uint32_t i = 0; i < count; i++)
			nodes->row[nodes->row_count++] = callers[i].function;
	}
	nodes->gx->host->release(nodes->gx, is_row);
	nodes->gx->host->release(nodes->gx, callers);
}

void
nodes_begin(struct nodes *nodes, struct gprofx *gx, const struct gprofx_report *report)
{
	static const struct export_form form = {.names_lines = true};
	uint32_t count = report->graph->node_count;
	bool *is_used = gprofx_alloc(gx, (size_t)count + 1);

	*nodes = (struct nodes){.gx = gx, .report = report};
	nodes->node = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *nodes->node);
	nodes->number = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *nodes->number);
	find_used(report, is_used);
	for (uint32_t i = 0; i < count; i++) {
		nodes->number[i] = is_used[i] ? nodes->count : NODES_NONE;
		if (!is_used[i])
			continue;
		nodes->node[nodes->count++] = i;
		nodes->functions += i < report->functions->count;
	}
	nodes->names = export_names(gx, report, count, is_used, &form);
	gx->host->release(gx, is_used);
	if (!report->comparison)
		find_rows(nodes);
}

bool
nodes_have_counts(const struct gprofx_report *report)
{
	for (uint32_t i = 0; i < report->graph->node_count; i++)
		if (gprofx_is_counted(report->graph->calls, gprofx_calls_of(report, i)))
			return report->origin->has_arcs;
	return false;
}

uint32_t
strings_add(struct strings *texts, const char *text)
{
	if (!text)
		return NODES_NONE;
	/* Functions that follow each other are in one file. */
	if (text == texts->last)
		return texts->added_count - 1;
	if (texts->added_count == texts->room) {
		size_t old = texts->room * sizeof *texts->added;

		texts->room = texts->room == 0 ? 1024 : 2 * texts->room;
		texts->added = texts->gx->host->grow(texts->gx, texts->added, old,
		                                     texts->room * sizeof *texts->added);
	}
	texts->last = text;
	texts->added[texts->added_count] = (struct gprofx_text){text, strlen(text)};
	return texts->added_count++;
}

void
strings_finish(struct strings *texts)
{
	uint32_t count = texts->added_count;

	texts->number = export_distinct(texts->gx, texts->added, count, &texts->count);
	texts->first = gprofx_alloc(texts->gx, ((size_t)texts->count + 1) * sizeof *texts->first);
	for (uint32_t i = count; i-- > 0;)
		texts->first[texts->number[i]] = i;
}
