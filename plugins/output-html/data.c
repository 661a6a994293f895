/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"

#include "../shared/export-names.h"
#include "../shared/rows.h"
#include "arc-order.h"
#include "columns.h"
#include "many.h"
#include "parts.h"
#include "shares.h"
#include "values.h"

/* Raised when a script for the form before would go wrong. */
enum { FORMAT = 4 };

struct data {
	struct values c;
	const struct nodes *nodes;
	const struct gprofx_report *report;
	struct strings texts;
	struct places places;
	uint32_t *place; /* per place of contexts: the row of its name */
	struct parts *parts;
	uint32_t *arc; /* per arc of the page its number in the report */
};

/* Collects all texts before the first one is written. */
static void
collect(struct data *d, struct source *source)
{
	const struct nodes *nodes = d->nodes;
	const struct gprofx_report *report = d->report;
	const struct gprofx_report_contexts *contexts = report->contexts;
	uint32_t places = contexts->place ? contexts->place_count : 0;

	d->texts.gx = nodes->gx;
	d->place = gprofx_alloc(nodes->gx, ((size_t)places + 1) * sizeof *d->place);
	places_find(&d->places, nodes, &d->texts);
	for (uint32_t i = 0; i < places; i++)
		d->place[i] = strings_add(&d->texts, contexts->place_name[i]);
	parts_add_texts(d->parts, report, &d->texts);
	source_add_texts(source, &d->texts);
	strings_finish(&d->texts);
}

static void
put_command(struct values *c, const struct gprofx_report_origin *origin)
{
	values_key(c, "command");
	values_open(c, '[');
	for (uint32_t i = 0; i < origin->option_count; i++)
		values_text(c, origin->options[i]);
	if (origin->image)
		values_text(c, origin->image);
	for (uint32_t i = 0; i < origin->profile_count; i++)
		values_text(c, origin->profiles[i]);
	values_close(c, ']');
}

static void
put_origin(struct data *d)
{
	const struct gprofx_report *report = d->report;
	struct values *c = &d->c;

	columns_put_origin(c, report, FORMAT);
	values_key(c, "program");
	values_text(c, export_program(report));
	values_key(c, "timed");
	values_bool(c, report->origin->has_histogram);
	values_key(c, "counted");
	values_bool(c, nodes_have_counts(report));
	values_key(c, "measured");
	values_bool(c, report->origin->has_arcs && gprofx_is_measured(report));
	values_key(c, "byLine");
	values_bool(c, report->origin->by_line);
	put_command(c, report->origin);
}

static void
put_metrics(struct data *d)
{
	struct values *c = &d->c;

	values_key(c, "metrics");
	values_open(c, '[');
	for (uint32_t i = 0; i < d->report->origin->metric_count; i++)
		columns_put_metric(c, gprofx_metric_at(d->report, i));
	values_close(c, ']');
}

/* A column with a number of the report for each node. */
static void
put_numbers(struct data *d, const char *key, const uint32_t *values, bool has_blocks)
{
	if (has_blocks)
		values_open_blocks(&d->c, key, VALUES_INTEGERS);
	else
		values_open_column(&d->c, key, VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->nodes->count; i++)
		values_count(&d->c, values[d->nodes->node[i]]);
	values_close_column(&d->c);
}

static void
put_functions(struct data *d)
{
	const struct nodes *nodes = d->nodes;
	const struct gprofx_report_graph *graph = d->report->graph;
	struct values *c = &d->c;

	values_key(c, "functions");
	values_open(c, '{');
	columns_put_names(c, nodes);
	places_put(&d->places, c, nodes, &d->texts);
	put_numbers(d, "cycle", graph->cycle, false);
	put_numbers(d, "entry", graph->index, true);
	put_numbers(d, "kind", graph->flags, false);
	values_open_column(c, "id", VALUES_STEPS);
	for (uint32_t i = 0; i < nodes->count; i++)
		values_count(c, nodes->node[i]);
	values_close_column(c);
	values_close(c, '}');
}

static void
put_origin_word(struct values *c, const char *key, uint32_t origin)
{
	static const char *const words[] = {
		[GPROFX_UNKNOWN] = "unknown",
		[GPROFX_MEASURED] = "measured",
		[GPROFX_ESTIMATED] = "estimated",
	};

	values_key(c, key);
	values_text(c, origin <= GPROFX_ESTIMATED ? words[origin] : words[GPROFX_UNKNOWN]);
}

/* Values of nodes; null where there are none. */
static void
put_reals(struct data *d, const char *key, const struct gprofx_reals *values)
{
	if (!values->first) {
		values_key(&d->c, key);
		values_null(&d->c);
		return;
	}
	values_open_blocks(&d->c, key, VALUES_REALS);
	for (uint32_t i = 0; i < d->nodes->count; i++)
		values_real(&d->c, gprofx_real(values, d->nodes->node[i]));
	values_close_column(&d->c);
}

static double
value_of(const struct gprofx_reals *values, uint32_t node)
{
	return values->first ? gprofx_real(values, node) : 0;
}

/* Whether rows have this order already: the values of nodes themselves, the largest first. */
static bool
is_sorted(const struct data *d, const struct gprofx_reals *self)
{
	const struct nodes *nodes = d->nodes;

	for (uint32_t i = 1; i < nodes->row_count; i++)
		if (!(gprofx_real(self, nodes->row[i]) <= gprofx_real(self, nodes->row[i - 1])))
			return false;
	return true;
}

/* Nodes with nothing in themselves, with all their lines, nor below. */
static void
put_idle(struct data *d, const struct gprofx_column *column, const struct gprofx_reals *below)
{
	const struct gprofx_reals *own = column->whole_self.first ? &column->whole_self
	                                                          : &column->self;

	values_open_column(&d->c, "idle", VALUES_STEPS);
	for (uint32_t i = 0; i < d->nodes->count; i++) {
		uint32_t node = d->nodes->node[i];

		if (!(value_of(&column->self, node) > 0) &&
		    !(value_of(own, node) + value_of(below, node) > 0))
			values_count(&d->c, i);
	}
	values_close_column(&d->c);
}

static void
put_values(struct data *d)
{
	static const struct gprofx_reals nothing = {NULL, 0};
	const struct gprofx_report *report = d->report;
	bool has_arcs = report->origin->has_arcs;
	struct values *c = &d->c;

	values_key(c, "values");
	values_open(c, '[');
	for (uint32_t i = 0; i < report->origin->metric_count; i++) {
		const struct gprofx_column *column = gprofx_column_at(report->graph->columns, i);
		const struct gprofx_reals *below = has_arcs ? &column->below : &nothing;

		values_open(c, '{');
		put_origin_word(c, "selfOrigin", column->self_origin);
		put_origin_word(c, "totalOrigin", has_arcs ? column->total_origin : GPROFX_UNKNOWN);
		values_key(c, "total");
		values_real(c, column->flat_total);
		values_key(c, "graphTotal");
		values_real(c, has_arcs ? column->graph_total : 0);
		values_key(c, "isSorted");
		values_bool(c, column->self.first && is_sorted(d, &column->self));
		put_reals(d, "self", &column->self);
		put_reals(d, "below", below);
		put_reals(d, "whole", &column->whole_self);
		put_reals(d, "selfSquares", &column->self_squares);
		put_idle(d, column, below);
		values_close(c, '}');
	}
	values_close(c, ']');
}

/*
 * Calls by others.  Of a function without any, nobody knows: its code may not count them, or what
 * called it is outside of the program, as for main.
 */
static void
put_calls_of(struct data *d, uint32_t node)
{
	const struct gprofx_call_column *column = d->report->graph->calls;
	double calls, recursive;

	if (node >= d->report->functions->count || rows_calls(d->report, node, &calls, &recursive))
		values_calls(&d->c, column, gprofx_count(&column->calls, node));
	else
		values_index(&d->c, NODES_NONE, NODES_NONE);
}

static void
put_calls(struct data *d)
{
	const struct gprofx_call_column *calls = d->report->graph->calls;
	struct values *c = &d->c;

	values_key(c, "calls");
	values_open(c, '{');
	values_open_blocks(c, "calls", VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->nodes->count; i++)
		put_calls_of(d, d->nodes->node[i]);
	values_close_column(c);
	values_open_column(c, "recursive", VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->nodes->count; i++)
		values_calls(c, calls, gprofx_count(&calls->recursive, d->nodes->node[i]));
	values_close_column(c);
	values_close(c, '}');
}

/* Blocks of values that follow from those of the callees are left out: they are most of a page. */
static void
put_arc_reals(struct data *d, const char *key, const struct shares *shares)
{
	uint32_t count = shares->arcs->count;

	values_open_blocks(&d->c, key, VALUES_REALS);
	for (uint32_t first = 0, end; first < count; first = end) {
		end = count - first > VALUES_BLOCK ? first + VALUES_BLOCK : count;
		if (shares_follow(shares, first, end)) {
			values_leave_block(&d->c);
			continue;
		}
		for (uint32_t i = first; i < end; i++)
			values_real(&d->c,
			            gprofx_real(shares->of_arcs, shares_arc(shares->order, i)));
	}
	values_close_column(&d->c);
}

/* What arcs and callers of cycles have in common. */
static void
put_arc_values(struct data *d, const struct gprofx_arcs *arcs, const uint32_t *order)
{
	struct values *c = &d->c;

	values_open_blocks(c, "callee", VALUES_INTEGERS);
	for (uint32_t i = 0; i < arcs->count; i++)
		values_count(c, d->nodes->number[gprofx_id(&arcs->callee, shares_arc(order, i))]);
	values_close_column(c);
	values_open_blocks(c, "calls", VALUES_INTEGERS);
	for (uint32_t i = 0; i < arcs->count; i++)
		values_calls(c, arcs->calls,
		             gprofx_count(&arcs->calls->calls, shares_arc(order, i)));
	values_close_column(c);
	values_key(c, "values");
	values_open(c, '[');
	for (uint32_t i = 0; i < d->report->origin->metric_count; i++) {
		const struct gprofx_column *column = gprofx_column_at(arcs->columns, i);
		const struct gprofx_column *nodes = gprofx_column_at(d->report->graph->columns, i);
		struct shares shares = {.report = d->report,
		                        .arcs = arcs,
		                        .order = order,
		                        .of_nodes = &nodes->self,
		                        .of_arcs = &column->self,
		                        .is_estimate = nodes->total_origin == GPROFX_ESTIMATED};

		values_open(c, '{');
		put_arc_reals(d, "self", &shares);
		shares.of_nodes = &nodes->below;
		shares.of_arcs = &column->below;
		put_arc_reals(d, "below", &shares);
		values_close(c, '}');
	}
	values_close(c, ']');
}

/* A byte of each arc; NULL: there are none. */
static void
put_arc_marks(struct data *d, const char *key, const unsigned char *marks)
{
	struct values *c = &d->c;

	if (!marks) {
		values_key(c, key);
		values_null(c);
		return;
	}
	values_open_column(c, key, VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->report->graph->arcs.count; i++)
		values_count(c, marks[d->arc[i]]);
	values_close_column(c);
}

static uint64_t
site_node(const struct data *d, uint32_t i)
{
	return d->nodes->number[d->report->graph->site[i].node];
}

static uint64_t
site_calls(const struct data *d, uint32_t i)
{
	return d->report->graph->site[i].calls;
}

static void
put_site_numbers(struct data *d, const char *key,
                 uint64_t (*number)(const struct data *d, uint32_t i))
{
	const struct gprofx_report_graph *graph = d->report->graph;

	values_open_column(&d->c, key, VALUES_INTEGERS);
	for (uint32_t a = 0; a < graph->arcs.count; a++)
		for (uint32_t i = graph->site_first[d->arc[a]];
		     i < graph->site_first[d->arc[a] + 1]; i++)
			values_count(&d->c, number(d, i));
	values_close_column(&d->c);
}

/* The lines of source that make the calls of arcs. */
static void
put_sites(struct data *d)
{
	const struct gprofx_report_graph *graph = d->report->graph;
	struct values *c = &d->c;

	values_key(c, "site");
	if (!graph->site_first) {
		values_null(c);
		return;
	}
	values_open(c, '{');
	values_open_column(c, "first", VALUES_STEPS);
	for (uint32_t i = 0, count = 0; i <= graph->arcs.count; i++) {
		values_count(c, count);
		if (i < graph->arcs.count)
			count += graph->site_first[d->arc[i] + 1] - graph->site_first[d->arc[i]];
	}
	values_close_column(c);
	put_site_numbers(d, "node", site_node);
	put_site_numbers(d, "calls", site_calls);
	values_close(c, '}');
}

static void
put_arcs(struct data *d)
{
	const struct gprofx_report_graph *graph = d->report->graph;
	struct values *c = &d->c;

	values_key(c, "arcs");
	values_open(c, '{');
	columns_put_first_arcs(c, d->nodes);
	values_key(c, "ranked");
	values_count(c, ARC_ORDER_MANY);
	put_arc_values(d, &graph->arcs, d->arc);
	put_arc_marks(d, "found", graph->arc_static);
	put_arc_marks(d, "divided", (const void *)graph->arc_divided);
	put_sites(d);
	values_close(c, '}');
	values_key(c, "cycleArcs");
	if (!graph->cycle_callers.first) {
		values_null(c);
		return;
	}
	values_open(c, '{');
	values_open_column(c, "caller", VALUES_INTEGERS);
	for (uint32_t a = 0; a < graph->cycle_arcs.count; a++)
		values_count(c, d->nodes->number[gprofx_id(&graph->cycle_arcs.caller, a)]);
	values_close_column(c);
	put_arc_values(d, &graph->cycle_arcs, NULL);
	values_close(c, '}');
}

static void
put_context_names(struct data *d)
{
	const struct gprofx_report_contexts *contexts = d->report->contexts;
	struct values *c = &d->c;

	if (!contexts->place) {
		values_key(c, "name");
		values_null(c);
		values_key(c, "inlined");
		values_null(c);
		return;
	}
	values_open_column(c, "name", VALUES_INTEGERS);
	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t place = contexts->place[i];

		values_index(c,
		             strings_number(&d->texts, place == GPROFX_NO_PLACE ? NODES_NONE
		                                                                : d->place[place]),
		             NODES_NONE);
	}
	values_close_column(c);
	values_open_column(c, "inlined", VALUES_INTEGERS);
	for (uint32_t i = 0; i < contexts->count; i++)
		values_count(c, (contexts->flags[i] & GPROFX_CONTEXT_INLINED) != 0);
	values_close_column(c);
}

static void
put_contexts(struct data *d)
{
	const struct gprofx_report_contexts *contexts = d->report->contexts;
	const struct gprofx_column *column = contexts->columns;
	struct values *c = &d->c;

	values_key(c, "contexts");
	if (contexts->count == 0) {
		values_null(c);
		return;
	}
	values_open(c, '{');
	columns_put_parents(c, contexts);
	columns_put_nodes(c, "node", d->nodes, contexts->node, contexts->count);
	put_context_names(d);
	columns_put_context_reals(c, "self", contexts, &column->self);
	columns_put_context_reals(c, "below", contexts, &column->below);
	values_key(c, "total");
	values_real(c, column->graph_total);
	values_key(c, "cut");
	values_real(c, contexts->cut[0]);
	values_key(c, "bounds");
	values_count(c, contexts->bounds);
	values_key(c, "estimated");
	values_bool(c, contexts->is_estimated);
	values_close(c, '}');
}

void
data_put(struct gprofx_writer *w, const struct nodes *nodes, struct parts *parts,
         struct source *source, const struct many *many)
{
	struct data d = {.c.w = w,
	                 .nodes = nodes,
	                 .report = nodes->report,
	                 .parts = parts,
	                 .arc = arc_order(nodes->gx, nodes->report)};

	collect(&d, source);
	values_open(&d.c, '{');
	put_origin(&d);
	put_metrics(&d);
	columns_put_texts(&d.c, nodes, &d.texts);
	put_functions(&d);
	put_values(&d);
	put_calls(&d);
	columns_put_nodes(&d.c, "flat", nodes, nodes->row, nodes->row_count);
	put_arcs(&d);
	put_contexts(&d);
	parts_put(d.parts, &d.c, nodes, &d.texts, d.place);
	source_put(source, &d.texts, &d.c);
	many_put(&d.c, many);
	values_close(&d.c, '}');
}
