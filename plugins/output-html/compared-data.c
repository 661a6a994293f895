/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a comparison, in the form that data.md describes. */
#include <gprofx/emitter.h>

#include "../shared/compared-rows.h"
#include "../shared/compared.h"
#include "columns.h"
#include "compared.h"
#include "nodes.h"
#include "values.h"

/* Raised when a script for the form before would go wrong. */
enum { FORMAT = 1 };

static const char *const side_keys[COMPARED_SIDES] = {"base", "new"};

struct data {
	struct values c;
	const struct nodes *nodes;
	const struct gprofx_report *report;
	const struct gprofx_report_comparison *comparison;
	struct strings texts;
	struct places places;
	uint32_t *base_name; /* per row of the comparison: its row of texts */
};

static void
collect(struct data *d)
{
	uint32_t count = d->comparison->row_count;

	d->texts.gx = d->nodes->gx;
	d->base_name = gprofx_alloc(d->nodes->gx, ((size_t)count + 1) * sizeof *d->base_name);
	places_find(&d->places, d->nodes, &d->texts);
	for (uint32_t i = 0; i < count; i++)
		d->base_name[i] = strings_add(&d->texts,
		                              gprofx_compared_at(d->report, i)->base_name);
	strings_finish(&d->texts);
}

static void
put_side(struct values *c, const char *key, const struct gprofx_compared_side *side)
{
	values_key(c, key);
	values_open(c, '{');
	values_key(c, "name");
	values_text(c, side->name);
	values_key(c, "runs");
	values_count(c, side->run_count);
	values_key(c, "ticks");
	values_real(c, side->ticks);
	values_close(c, '}');
}

static void
put_origin(struct data *d)
{
	const struct gprofx_report_comparison *comparison = d->comparison;
	struct values *c = &d->c;

	columns_put_origin(c, d->report, FORMAT);
	values_key(c, "kind");
	values_text(c, "comparison");
	values_key(c, "metric");
	columns_put_metric(c, d->report->origin->metrics);
	values_key(c, "isTime");
	values_bool(c, compared_is_time(d->report));
	values_key(c, "estimatesTotals");
	values_bool(c, comparison->estimates_totals);
	values_key(c, "rowRate");
	values_real(c, comparison->row_rate);
	values_key(c, "normalization");
	values_text(c, compared_normalization_word(comparison->normalization));
	put_side(c, side_keys[0], &comparison->base);
	put_side(c, side_keys[1], &comparison->new_side);
}

static void
put_functions(struct data *d)
{
	struct values *c = &d->c;

	columns_put_texts(c, d->nodes, &d->texts);
	values_key(c, "functions");
	values_open(c, '{');
	columns_put_names(c, d->nodes);
	places_put(&d->places, c, d->nodes, &d->texts);
	values_close(c, '}');
}

/* What columns of differences have of one. */
static double
base_of(const struct gprofx_difference *difference)
{
	return difference->base;
}

static double
now_of(const struct gprofx_difference *difference)
{
	return difference->now;
}

static double
error_of(const struct gprofx_difference *difference)
{
	return difference->error;
}

static double
low_of(const struct gprofx_difference *difference)
{
	return difference->low;
}

static double
high_of(const struct gprofx_difference *difference)
{
	return difference->high;
}

static void
put_differences(struct data *d, const char *key, enum compared_kind kind)
{
	static const struct {
		const char *key;
		double (*value)(const struct gprofx_difference *difference);
	} columns[] = {
		{"base", base_of}, {"new", now_of},   {"error", error_of},
		{"low", low_of},   {"high", high_of},
	};
	struct values *c = &d->c;

	values_key(c, key);
	values_open(c, '{');
	for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
		values_open_column(c, columns[k].key, VALUES_REALS);
		for (uint32_t i = 0; i < d->comparison->row_count; i++) {
			const struct gprofx_compared *row = gprofx_compared_at(d->report, i);

			values_real(c, columns[k].value(compared_difference(row, kind)));
		}
		values_close_column(c);
	}
	values_open_column(c, "verdict", VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->comparison->row_count; i++) {
		const struct gprofx_compared *row = gprofx_compared_at(d->report, i);

		values_count(c, compared_difference(row, kind)->verdict);
	}
	values_close_column(c);
	values_close(c, '}');
}

/* -1: not known. */
static void
put_count(struct values *c, uint64_t calls)
{
	if (calls == GPROFX_CALLS_UNKNOWN)
		values_index(c, NODES_NONE, NODES_NONE);
	else
		values_count(c, calls);
}

static void
put_row_calls(struct data *d)
{
	struct values *c = &d->c;

	values_key(c, "calls");
	values_open(c, '{');
	for (uint32_t s = 0; s < COMPARED_SIDES; s++) {
		values_open_column(c, side_keys[s], VALUES_INTEGERS);
		for (uint32_t i = 0; i < d->comparison->row_count; i++) {
			const struct gprofx_compared *row = gprofx_compared_at(d->report, i);

			put_count(c, s == 0 ? row->base_calls : row->new_calls);
		}
		values_close_column(c);
	}
	values_open_column(c, "verdict", VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->comparison->row_count; i++)
		values_count(c, gprofx_compared_at(d->report, i)->calls_verdict);
	values_close_column(c);
	values_close(c, '}');
}

/* How a function was matched: as enum gprofx_match; -1: only the base has it. */
static void
put_matches(struct data *d)
{
	struct values *c = &d->c;

	values_open_column(c, "match", VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->comparison->row_count; i++) {
		const struct gprofx_compared *row = gprofx_compared_at(d->report, i);

		if (row->match == GPROFX_MATCH_NONE && row->is_in_base)
			values_index(c, NODES_NONE, NODES_NONE);
		else
			values_count(c, row->match);
	}
	values_close_column(c);
}

static void
put_rows(struct data *d)
{
	struct values *c = &d->c;

	values_key(c, "rows");
	values_open(c, '{');
	values_open_column(c, "node", VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->comparison->row_count; i++)
		values_count(c, d->nodes->number[gprofx_compared_at(d->report, i)->node]);
	values_close_column(c);
	put_matches(d);
	values_open_column(c, "was", VALUES_INTEGERS);
	for (uint32_t i = 0; i < d->comparison->row_count; i++)
		values_index(c, strings_number(&d->texts, d->base_name[i]), NODES_NONE);
	values_close_column(c);
	put_differences(d, "self", COMPARED_SELF);
	put_differences(d, "total", COMPARED_TOTAL);
	put_row_calls(d);
	values_close(c, '}');
}

/* Calls and inclusive values of arcs, on each side. */
static void
put_arc_side(struct data *d, uint32_t s)
{
	const struct gprofx_arcs *arcs = &d->report->graph->arcs;
	struct values *c = &d->c;

	values_key(c, side_keys[s]);
	values_open(c, '{');
	values_open_blocks(c, "calls", VALUES_INTEGERS);
	for (uint32_t a = 0; a < arcs->count; a++)
		put_count(c, compared_calls(arcs, a, s));
	values_close_column(c);
	values_open_blocks(c, "total", VALUES_REALS);
	for (uint32_t a = 0; a < arcs->count; a++) {
		double totals[COMPARED_SIDES];

		compared_totals(arcs->columns, a, totals);
		values_real(c, totals[s]);
	}
	values_close_column(c);
	values_close(c, '}');
}

static void
put_arcs(struct data *d)
{
	const struct gprofx_arcs *arcs = &d->report->graph->arcs;
	struct values *c = &d->c;

	values_key(c, "arcs");
	values_open(c, '{');
	columns_put_first_arcs(c, d->nodes);
	values_open_blocks(c, "callee", VALUES_INTEGERS);
	for (uint32_t a = 0; a < arcs->count; a++)
		values_count(c, d->nodes->number[gprofx_id(&arcs->callee, a)]);
	values_close_column(c);
	for (uint32_t s = 0; s < COMPARED_SIDES; s++)
		put_arc_side(d, s);
	values_close(c, '}');
}

static void
put_context_side(struct data *d, uint32_t s)
{
	const struct gprofx_report_contexts *contexts = d->report->contexts;
	const struct gprofx_column *column = GPROFX_ROW(struct gprofx_column, contexts->columns, s);
	struct values *c = &d->c;

	values_key(c, side_keys[s]);
	values_open(c, '{');
	columns_put_context_reals(c, "self", contexts, &column->self);
	columns_put_context_reals(c, "below", contexts, &column->below);
	if (column->total_squares.first) {
		columns_put_context_reals(c, "squares", contexts, &column->total_squares);
	} else {
		values_key(c, "squares");
		values_null(c);
	}
	values_key(c, "total");
	values_real(c, column->graph_total);
	values_key(c, "cut");
	values_real(c, contexts->cut[s]);
	values_close(c, '}');
}

static void
put_contexts(struct data *d)
{
	const struct gprofx_report_contexts *contexts = d->report->contexts;
	struct values *c = &d->c;

	values_key(c, "contexts");
	if (!contexts || contexts->count == 0) {
		values_null(c);
		return;
	}
	values_open(c, '{');
	columns_put_parents(c, contexts);
	columns_put_nodes(c, "node", d->nodes, contexts->node, contexts->count);
	for (uint32_t s = 0; s < COMPARED_SIDES; s++)
		put_context_side(d, s);
	values_key(c, "bounds");
	values_count(c, contexts->bounds);
	values_key(c, "estimated");
	values_bool(c, contexts->is_estimated);
	values_close(c, '}');
}

void
html_compared_put_data(struct gprofx_writer *w, const struct nodes *nodes)
{
	struct data d = {.c.w = w,
	                 .nodes = nodes,
	                 .report = nodes->report,
	                 .comparison = nodes->report->comparison};

	collect(&d);
	values_open(&d.c, '{');
	put_origin(&d);
	put_functions(&d);
	put_rows(&d);
	put_arcs(&d);
	put_contexts(&d);
	values_close(&d.c, '}');
}
