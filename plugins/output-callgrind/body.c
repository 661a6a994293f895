/* SPDX-License-Identifier: Apache-2.0 */
#include "body.h"

#include <math.h>

#include "../shared/export-values.h"
#include "../shared/fetch.h"
#include "lines.h"
#include "stated.h"

static void
put_self(struct work *w, uint32_t function, bool is_owner)
{
	uint64_t values[BODY_MOST_EVENTS];
	bool is_zero = true;

	for (uint32_t i = 0; i < w->body->event_count; i++) {
		values[i] = w->self[i] ? w->self[i][function] : 0;
		is_zero = is_zero && values[i] == 0;
	}
	if (is_zero && !is_owner)
		return;
	lines_put_file(w, w->file[function]);
	lines_put_costs(w, w->line[function], values, 0);
}

void
body_put_executions(struct work *w, uint32_t function)
{
	static const uint64_t none[BODY_MOST_EVENTS];
	const struct executions *executions = &w->body->executions;

	if (!executions->are_known)
		return;
	for (uint32_t i = executions->first[function]; i < executions->first[function + 1]; i++) {
		const struct gprofx_executed_line
			*line = &w->report->source->executed_line[executions->line[i]];

		lines_put_file(w, w->file[w->executed_files + line->file]);
		lines_put_costs(w, line->line, none, line->count);
	}
}

/* Of what an arc costs in each metric: all, or the part of calls that are part of others. */
enum part { OUTER, NESTED, EXTRA };

static double
cost_of(const struct work *w, const struct event *event, enum part part, uint32_t row)
{
	const struct metric_costs *metric = &w->body->costs.metrics[event->metric];

	if (part == EXTRA)
		return metric->extra[row];
	if (part == NESTED)
		return metric->nested ? metric->nested[row] : 0;
	return metric->arc[row];
}

static bool
has_costs(const struct work *w, enum part part, uint32_t row)
{
	for (uint32_t i = 0; i < w->body->event_count; i++)
		if (cost_of(w, &w->body->events[i], part, row) > 0)
			return true;
	return false;
}

/* Calls of a function from the line of a node, with a share of the costs of a row. */
static void
put_call(struct work *w, uint32_t site, uint32_t callee, uint64_t calls, enum part part,
         uint32_t row, double share)
{
	const struct body *body = w->body;
	struct export_sum *sums = w->sums + (size_t)callee * body->event_count;
	uint64_t values[BODY_MOST_EVENTS];

	for (uint32_t i = 0; i < body->event_count; i++) {
		const struct event *event = &body->events[i];
		struct export_sum alone = {0};

		values[i] = export_round(
			part == NESTED ? &alone : &sums[i],
			export_scaled(&event->scale, cost_of(w, event, part, row) * share));
	}
	lines_put_file(w, w->file[site]);
	lines_put_call(w, w->line[site], callee,
	               part == NESTED ? lines_nested_name(w, callee) : callee, calls, values);
}

/*
 * An arc whose calls are part of others, or some of them: how many is not known, so that they are
 * divided as their costs are.  One call alone is not divided: it counts for the callee.
 */
static void
put_nested(struct work *w, uint32_t arc, uint32_t caller, uint32_t callee, uint64_t calls)
{
	const struct event *first = w->body->events;
	double outer = cost_of(w, first, OUTER, arc), inner = cost_of(w, first, NESTED, arc);
	uint64_t nested = calls;
	bool is_known = gprofx_is_counted(w->report->graph->arcs.calls, calls);

	if (has_costs(w, OUTER, arc)) {
		double share = outer + inner > 0 ? inner / (outer + inner) : 0;
		double most = is_known ? (double)(calls - 1) : 1;

		nested = is_known ? (uint64_t)fmin(fmax((double)calls * share, 1), most) : 1;
		put_call(w, caller, callee, is_known ? calls - nested : 1, OUTER, arc, 1);
	}
	if (nested > 0)
		put_call(w, caller, callee, is_known ? nested : 1, NESTED, arc, 1);
}

/* The parts of an arc that lines of the caller have, of so many calls. */
static void
put_sites(struct work *w, uint32_t arc, uint32_t callee, double all)
{
	const struct gprofx_report_graph *graph = w->report->graph;

	for (uint32_t i = graph->site_first[arc]; i < graph->site_first[arc + 1]; i++) {
		const struct gprofx_site *site = &graph->site[i];

		if (site->calls > 0)
			put_call(w, site->node, callee, site->calls, OUTER, arc,
			         (double)site->calls / all);
	}
}

/* An arc, or the part of it that each line of the caller has. */
static void
put_arc(struct work *w, uint32_t arc)
{
	const struct gprofx_report_graph *graph = w->report->graph;
	const struct gprofx_call_column *column = graph->arcs.calls;
	uint64_t calls = costs_calls(w->report, arc);
	uint32_t callee = w->callees[gprofx_id(&graph->arcs.callee, arc)].owner;
	uint32_t caller = gprofx_id(&graph->arcs.caller, arc);
	double all = 0;

	if (!w->body->costs.has_arc[arc])
		return;
	if (graph->site && graph->site_first)
		for (uint32_t i = graph->site_first[arc]; i < graph->site_first[arc + 1]; i++)
			all += (double)graph->site[i].calls;
	if (has_costs(w, NESTED, arc))
		put_nested(w, arc, caller, callee, calls);
	else if (graph->site && graph->site_first && all > 0)
		put_sites(w, arc, callee, all);
	else
		put_call(w, caller, callee, gprofx_is_counted(column, calls) ? calls : 1, OUTER,
		         arc, 1);
}

/* What unknown callers are charged with. */
static void
put_extra(struct work *w, uint32_t caller)
{
	const struct costs *costs = &w->body->costs;

	for (uint32_t i = 0; i < costs->count; i++)
		if (has_costs(w, EXTRA, i))
			put_call(w, caller, i, 1, EXTRA, i, 1);
}

static void
put_block(struct work *w, uint32_t function)
{
	const struct costs *costs = &w->body->costs;
	const struct gprofx_arcs *arcs = &w->report->graph->arcs;
	enum { NEAR = 6, FAR = 12 };

	lines_begin_block(w, function, function);
	for (uint32_t i = function; i < costs->count && costs->owner[i] == function; i++)
		put_self(w, i, i == function);
	body_put_executions(w, function);
	if (!w->body->has_calls)
		return;
	for (; w->next_arc < arcs->count; w->next_arc++) {
		uint32_t caller = costs->owner[gprofx_id(&arcs->caller, w->next_arc)];

		if (caller > function)
			break;
		/* Arcs lead to functions in no order: most of the time was waiting for memory. */
		if (arcs->count - w->next_arc > FAR) {
			uint32_t near = gprofx_id(&arcs->callee, w->next_arc + NEAR);
			uint32_t far = gprofx_id(&arcs->callee, w->next_arc + FAR);

			FETCH(&w->callees[far]);
			FETCH(&w->sums[(size_t)far * w->body->event_count]);
			FETCH(&w->functions.text[far]);
			FETCH(w->functions.text[near].bytes);
		}
		put_arc(w, w->next_arc);
	}
	if (function == costs->outside)
		put_extra(w, function);
}

/* Integers for all self costs, which add up to the totals. */
static void
round_self(struct work *w)
{
	struct body *body = w->body;

	for (uint32_t event = 0; event < body->event_count; event++) {
		struct export_sum sum = {0};

		w->self[event] = gprofx_alloc(body->gx, ((size_t)body->costs.count + 1) *
		                                                sizeof *w->self[event]);
		for (uint32_t i = 0; i < body->costs.count; i++) {
			const struct event *of = &body->events[event];
			const struct gprofx_column *column = body->costs.metrics[of->metric].nodes;

			w->self[event][i] = export_round(
				&sum, export_scaled(&of->scale, gprofx_real(&column->self, i)));
			body->totals[event] += w->self[event][i];
		}
	}
}

void
body_find_costs(struct body *body)
{
	costs_make(body->gx, body->report, &body->costs);
}

void
body_measure(struct body *body)
{
	struct work *w = gprofx_alloc(body->gx, sizeof *w);

	*w = (struct work){.body = body,
	                   .report = body->report,
	                   .writer = body->writer,
	                   .own_object = UINT32_MAX};
	body->work = w;
	executions_make(body->gx, body->report, &body->executions);
	if (body->executions.are_known)
		for (uint32_t i = 0; i < body->costs.count; i++)
			if (body->executions.first[i] < body->executions.first[i + 1])
				body->costs.is_shown[body->costs.owner[i]] = true;
	if (body->costs.are_stated)
		stated_measure(w);
	else
		round_self(w);
	lines_name_all(w);
	w->sums = gprofx_alloc(body->gx, ((size_t)body->costs.count + 1) * body->event_count *
	                                         sizeof *w->sums);
}

void
body_put(struct body *body)
{
	struct work *w = body->work;
	const struct costs *costs = &body->costs;
	static const uint64_t none[BODY_MOST_EVENTS];

	if (costs->are_stated) {
		stated_put(w);
		return;
	}
	for (uint32_t i = 0; i < costs->count; i++)
		if (costs->owner[i] == i && costs->is_shown[i])
			put_block(w, i);
	if (!body->has_calls || !costs->has_extra || costs->outside < costs->count)
		return;
	lines_begin_block(w, costs->count, costs->count);
	lines_put_costs(w, 0, none, 0);
	put_extra(w, costs->count);
}
