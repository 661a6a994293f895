/* SPDX-License-Identifier: Apache-2.0 */
#include "dot-choose.h"

#include <stdlib.h>
#include <string.h>

#include "export-names.h"

enum { PERCENT = 100 };

/* The way of choosing. */
struct choosing {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct dot_options *options;
	uint32_t count;          /* functions */
	bool *is_there;          /* per function: it has time or calls */
	bool *is_named;          /* per function: an option names it */
	uint32_t *first, *arcs;  /* per function its arcs, by caller or by callee */
	uint32_t *queue, *level; /* per function, the level plus 1; 0: not reached */
};

static bool
is_arc(const struct choosing *c, uint32_t i, struct gprofx_arc *arc)
{
	*arc = gprofx_arc_at(&c->report->graph->arcs, i);
	return arc->caller < c->count && arc->callee < c->count && c->is_there[arc->caller] &&
	       c->is_there[arc->callee];
}

/* Lists arcs by one of their ends. */
static void
list_arcs(struct choosing *c, bool by_caller)
{
	uint32_t arcs = c->report->graph->arcs.count;
	struct gprofx_arc arc;

	memset(c->first, 0, ((size_t)c->count + 2) * sizeof *c->first);
	for (uint32_t i = 0; i < arcs; i++)
		if (is_arc(c, i, &arc))
			c->first[(by_caller ? arc.caller : arc.callee) + 2]++;
	for (uint32_t i = 0; i < c->count; i++)
		c->first[i + 2] += c->first[i + 1];
	for (uint32_t i = 0; i < arcs; i++)
		if (is_arc(c, i, &arc))
			c->arcs[c->first[(by_caller ? arc.caller : arc.callee) + 1]++] = i;
}

/* Sets the levels of all that is reached from what has one. */
static void
reach(struct choosing *c, uint32_t queued, bool forwards)
{
	struct gprofx_arc arc;

	list_arcs(c, forwards);
	for (uint32_t at = 0; at < queued; at++) {
		uint32_t function = c->queue[at];

		for (uint32_t i = c->first[function]; i < c->first[function + 1]; i++) {
			uint32_t next;

			is_arc(c, c->arcs[i], &arc);
			next = forwards ? arc.callee : arc.caller;
			if (c->level[next] != 0)
				continue;
			c->level[next] = c->level[function] + 1;
			c->queue[queued++] = next;
		}
	}
}

/* Keeps what is reached from the function of that name, or leads to it. */
static enum gprofx_result
keep_reached(struct choosing *c, const struct gprofx_text *names, const char *name, bool forwards,
             bool *is_kept)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "dot.no-function",
		.hint = "name a function as the report shows it",
	};
	uint32_t queued = 0;
	int64_t most = forwards && c->options->depth > 0 ? c->options->depth + 1 : 0;

	memset(c->level, 0, ((size_t)c->count + 1) * sizeof *c->level);
	for (uint32_t i = 0; i < c->count; i++) {
		const char *raw = c->report->functions->raw_name[i];

		if (!c->is_there[i] || !((names[i].length == strlen(name) &&
		                          memcmp(names[i].bytes, name, names[i].length) == 0) ||
		                         (raw && strcmp(raw, name) == 0)))
			continue;
		c->is_named[i] = true;
		c->level[i] = 1;
		c->queue[queued++] = i;
	}
	if (queued == 0)
		return gprofx_fail(c->gx, &diagnostic,
		                   "no function with time or calls is called %s", name);
	reach(c, queued, forwards);
	for (uint32_t i = 0; i < c->count; i++)
		is_kept[i] = is_kept[i] && c->level[i] != 0 && (most == 0 || c->level[i] <= most);
	return GPROFX_OK;
}

/* Keeps so many levels below functions that nothing calls; what only cycles lead to stays. */
static void
keep_levels(struct choosing *c, bool *is_kept)
{
	uint32_t queued = 0;
	struct gprofx_arc arc;
	bool *is_called = gprofx_alloc(c->gx, (size_t)c->count + 1);

	memset(c->level, 0, ((size_t)c->count + 1) * sizeof *c->level);
	for (uint32_t i = 0; i < c->report->graph->arcs.count; i++)
		if (is_arc(c, i, &arc) && arc.caller != arc.callee)
			is_called[arc.callee] = true;
	for (uint32_t i = 0; i < c->count; i++)
		if (c->is_there[i] && !is_called[i]) {
			c->level[i] = 1;
			c->queue[queued++] = i;
		}
	reach(c, queued, true);
	for (uint32_t i = 0; i < c->count; i++)
		is_kept[i] = is_kept[i] &&
		             (c->level[i] == 0 || c->level[i] <= c->options->depth + 1);
	c->gx->host->release(c->gx, is_called);
}

/* A function and what decides whether it is among the heaviest. */
struct weighed {
	bool is_named;
	double total;
	uint32_t function;
};

static int
compare(const void *left, const void *right)
{
	const struct weighed *a = left, *b = right;

	if (a->is_named != b->is_named)
		return a->is_named ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

/* Marks the heaviest of what is kept, and what was named. */
static void
take_heaviest(const struct choosing *c, const bool *is_kept, struct dot_choice *choice)
{
	struct weighed *rows = gprofx_alloc(c->gx, ((size_t)c->count + 1) * sizeof *rows);
	double least = choice->whole * c->options->node / PERCENT;
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->count; i++)
		if (is_kept[i])
			rows[count++] = (struct weighed){c->is_named[i], dot_total(c->report, i),
			                                 i};
	if (count > 1)
		qsort(rows, count, sizeof *rows, compare);
	for (uint32_t i = 0; i < count && (int64_t)i < c->options->most; i++)
		if (rows[i].is_named ||
		    (rows[i].total >= least && (rows[i].total > 0 || choice->whole <= 0))) {
			choice->has_node[rows[i].function] = true;
			choice->shown_functions++;
		}
	c->gx->host->release(c->gx, rows);
}

/*
 * Whether an arc has no time, however heavy its callee is: a call within a cycle.  Comparisons do
 * not say what cycles are.
 */
static bool
is_without_time(const struct choosing *c, const struct gprofx_arc *arc)
{
	const uint32_t *cycle = c->report->graph->cycle;

	if (arc->caller == arc->callee)
		return true;
	if (c->report->comparison)
		return arc->self + arc->below <= 0 && dot_total(c->report, arc->callee) > 0;
	return !gprofx_is_measured(c->report) && cycle[arc->caller] != 0 &&
	       cycle[arc->caller] == cycle[arc->callee];
}

/* An arc needs both ends, and time; without time it is recursion, or only possible. */
static void
take_arcs(const struct choosing *c, struct dot_choice *choice)
{
	double least = choice->whole * c->options->edge / PERCENT;

	for (uint32_t i = 0; i < c->report->graph->arcs.count; i++) {
		struct gprofx_arc arc;
		bool is_inner;

		if (!is_arc(c, i, &arc))
			continue;
		choice->arc_count++;
		is_inner = is_without_time(c, &arc);
		if (!choice->has_node[arc.caller] || !choice->has_node[arc.callee] ||
		    (!is_inner && arc.calls != 0 && arc.self + arc.below < least))
			continue;
		choice->has_arc[i] = true;
		choice->shown_arcs++;
	}
}

static void
find_functions(struct choosing *c, struct dot_choice *choice)
{
	const struct gprofx_report_graph *graph = c->report->graph;
	uint32_t left_out = GPROFX_NODE_INDIRECT | GPROFX_NODE_FILE;

	for (uint32_t i = 0; i < graph->arcs.count; i++) {
		struct gprofx_arc arc = gprofx_arc_at(&graph->arcs, i);

		if (arc.caller < c->count)
			c->is_there[arc.caller] = true;
		if (arc.callee < c->count)
			c->is_there[arc.callee] = true;
	}
	for (uint32_t i = 0; i < c->count; i++) {
		c->is_there[i] = (c->is_there[i] || dot_total(c->report, i) > 0 ||
		                  gprofx_known_calls_of(c->report, i) > 0) &&
		                 (graph->flags[i] & left_out) == 0 && export_is_whole(c->report, i);
		choice->function_count += c->is_there[i];
	}
}

enum gprofx_result
dot_choose(struct gprofx *gx, const struct gprofx_report *report, const struct gprofx_text *names,
           const struct dot_options *options, struct dot_choice *choice)
{
	uint32_t count = report->functions->count;
	size_t room = (size_t)count + 3;
	struct choosing c = {.gx = gx, .report = report, .options = options, .count = count};
	bool *is_kept = gprofx_alloc(gx, room);

	c.is_there = gprofx_alloc(gx, room);
	c.is_named = gprofx_alloc(gx, room);
	c.first = gprofx_alloc(gx, room * sizeof *c.first);
	c.arcs = gprofx_alloc(gx, ((size_t)report->graph->arcs.count + 1) * sizeof *c.arcs);
	c.queue = gprofx_alloc(gx, room * sizeof *c.queue);
	c.level = gprofx_alloc(gx, room * sizeof *c.level);
	choice->has_node = gprofx_alloc(gx, room);
	choice->has_arc = gprofx_alloc(gx, (size_t)report->graph->arcs.count + 1);
	choice->whole = report->graph->columns->graph_total;
	if (choice->whole <= 0)
		choice->whole = report->graph->columns->flat_total;
	find_functions(&c, choice);
	memcpy(is_kept, c.is_there, count);
	if ((options->root[0] &&
	     keep_reached(&c, names, options->root, true, is_kept) != GPROFX_OK) ||
	    (options->leaf[0] &&
	     keep_reached(&c, names, options->leaf, false, is_kept) != GPROFX_OK))
		return GPROFX_FAILED;
	if (options->depth > 0 && !options->root[0])
		keep_levels(&c, is_kept);
	take_heaviest(&c, is_kept, choice);
	take_arcs(&c, choice);
	return GPROFX_OK;
}
