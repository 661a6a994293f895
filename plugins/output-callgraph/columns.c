/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#include <string.h>

#include "../shared/estimate.h"
#include "../shared/metrics.h"
#include "../shared/options.h"

/* A number of calls, and what stands behind it where there is nothing to distinguish it from. */
enum { CALLS_WIDTH = 7, BEHIND_CALLS = 8 };

const char *const graph_column_words[] = {"share",    "low",   "high",   "self",
                                          "children", "error", "called", NULL};

/* Where the word above a column stands, counted from the column's begin. */
static const struct look {
	size_t width; /* with the blank before it */
	const char *word;
	size_t word_at;
} looks[COLUMN_KINDS] = {
	[COLUMN_SHARE] = {6, "% time", 0},      [COLUMN_LOW] = {9, "95% from", 1},
	[COLUMN_HIGH] = {8, "to", 6},           [COLUMN_SELF] = {8, "self", 4},
	[COLUMN_CHILDREN] = {8, "children", 2}, [COLUMN_ERROR] = {9, "error", 4},
	[COLUMN_CALLED] = {16, "called", 6},
};

static size_t
width_of_column(const struct columns *columns, enum column column)
{
	return column == COLUMN_CHILDREN ? (size_t)columns->below_width + 1 : looks[column].width;
}

static bool
fills(enum line_kind kind, enum column column)
{
	if (kind == LINE_PRIMARY || column == COLUMN_CALLED)
		return true;
	return kind == LINE_TIMES && column > COLUMN_HIGH;
}

/* Blanks before the name. */
static uint32_t
indent_of(enum line_kind kind)
{
	return kind == LINE_PRIMARY ? 1 : NAME_INDENT;
}

/* Most lines of a large graph are for arcs; how they look is determined once. */
static void
make_plan(struct columns *columns, enum line_kind kind)
{
	struct line_plan *plan = &columns->plans[kind];
	size_t blanks = kind == LINE_PRIMARY ? 0 : INDEX_WIDTH;

	for (uint32_t i = 0; i < columns->chosen.count; i++) {
		enum column column = columns->chosen.items[i];

		if (!fills(kind, column)) {
			blanks += width_of_column(columns, column);
			continue;
		}
		plan->steps[plan->count].blanks = (uint32_t)blanks + 1;
		plan->steps[plan->count++].column = column;
		blanks = 0;
	}
	plan->trailing = (uint32_t)blanks + indent_of(kind);
}

static bool
are_usual(const struct table_columns *chosen)
{
	static const enum column usual[] = {COLUMN_SHARE, COLUMN_SELF, COLUMN_CHILDREN,
	                                    COLUMN_CALLED};
	uint32_t same = 0;

	while (same < chosen->count && same < 4 && chosen->items[same] == usual[same])
		same++;
	return same == 4 && chosen->count == 4;
}

void
columns_begin(struct columns *columns, const struct gprofx_report *report,
              struct gprofx_writer *writer, const struct table_options *options)
{
	const struct line_plan *plan;

	*columns = (struct columns){
		.r = report,
		.w = writer,
		.chosen = columns_chosen(options),
		.total = report->graph->columns->graph_total > 0
	                         ? report->graph->columns->graph_total
	                         : 1,
		.rate = report->origin->metrics->ticks_per_unit,
		.below_width = report->compatibility->traditional ? 11 : 7,
		.width = INDEX_WIDTH,
	};
	if (options->errors) {
		columns_add(&columns->chosen, COLUMN_LOW, COLUMN_SHARE);
		columns_add(&columns->chosen, COLUMN_HIGH, COLUMN_LOW);
		columns_add(&columns->chosen, COLUMN_ERROR, COLUMN_CHILDREN);
	}
	columns->are_usual = are_usual(&columns->chosen) && report->origin->metric_count == 1;
	for (uint32_t i = 0; i < columns->chosen.count; i++)
		columns->width += width_of_column(columns, columns->chosen.items[i]);
	for (uint32_t m = 1; m < report->origin->metric_count; m++)
		columns->width += 2 * ((size_t)metric_width(report, m) + 1);
	for (enum line_kind kind = 0; kind < LINE_KINDS; kind++)
		make_plan(columns, kind);
	plan = &columns->plans[LINE_CALLS];
	if (columns->are_usual) {
		memset(columns->few_calls, ' ', sizeof columns->few_calls);
		columns->few_calls_at = plan->steps[0].blanks + CALLS_WIDTH - 1;
		columns->few_calls_width = plan->steps[0].blanks + CALLS_WIDTH + BEHIND_CALLS +
		                           plan->trailing;
	}
}

/* Figures about the time of a function and its children together. */
static void
put_estimate(const struct columns *columns, const struct cells *cells, enum column column,
             int taken)
{
	const struct gprofx_writer_services *s = columns->w->services;
	double ticks = cells->self + cells->below, total = columns->r->graph->columns->graph_total;

	if (column == COLUMN_ERROR)
		s->fixed(columns->w, estimate_error(ticks, total) / columns->rate, 8 - taken, 3);
	else if (column == COLUMN_LOW)
		s->fixed(columns->w, 100.0 * estimate_open_share(ticks, cells->doubt, total).low,
		         8 - taken, 1);
	else
		s->fixed(columns->w, 100.0 * estimate_open_share(ticks, cells->doubt, total).high,
		         7 - taken, 1);
}

static void
put_called(struct gprofx_writer *w, const struct cells *cells, int taken)
{
	if (cells->kind == CALLS_NONE) {
		gprofx_blanks(w, 15 - (size_t)taken);
		return;
	}
	w->services->number(w, cells->calls, CALLS_WIDTH - taken);
	if (cells->kind == CALLS_PLAIN ||
	    (cells->kind == CALLS_AND_RECURSIVE && cells->other == 0)) {
		gprofx_blanks(w, BEHIND_CALLS);
		return;
	}
	gprofx_putc(w, cells->kind == CALLS_OF ? '/' : '+');
	w->services->number(w, cells->other, -7);
}

/* Blanks before a name, of which the last one is a mark if there is one. */
static inline void
put_indent(struct gprofx_writer *w, size_t blanks, const struct cells *cells)
{
	gprofx_blanks(w, cells->mark ? blanks - 1 : blanks);
	if (cells->mark)
		gprofx_putc(w, cells->mark);
}

/* Nearly all lines of nearly all listings, without a detour by the plan. */
static inline void
put_usual_arc(const struct columns *columns, const struct cells *cells)
{
	const struct gprofx_writer_services *s = columns->w->services;

	gprofx_blanks(columns->w, 13);
	s->fixed(columns->w, cells->self / columns->rate, 7, 2);
	gprofx_putc(columns->w, ' ');
	s->fixed(columns->w, cells->below / columns->rate, columns->below_width, 2);
	gprofx_putc(columns->w, ' ');
	s->number(columns->w, cells->calls, 7);
	gprofx_putc(columns->w, '/');
	s->number(columns->w, cells->other, -7);
	put_indent(columns->w, NAME_INDENT, cells);
}

/* Self and children of further metrics, behind all other columns; blank where there is no time. */
static void
put_metrics(const struct columns *columns, enum line_kind kind, const struct metric_row *row)
{
	for (uint32_t m = 1; m < columns->r->origin->metric_count; m++) {
		const struct gprofx_column *column;
		const struct gprofx_reals *self, *below;

		if (kind == LINE_CALLS) {
			gprofx_blanks(columns->w, 2 * ((size_t)metric_width(columns->r, m) + 1));
			continue;
		}
		column = gprofx_column_at(row->columns, m);
		/* Arcs have no other values than those that are shown. */
		self = column->selected_self.first ? &column->selected_self : &column->self;
		below = column->selected_below.first ? &column->selected_below : &column->below;
		metric_put(columns->r, columns->w, m, gprofx_real(self, row->number) * row->part);
		metric_put(columns->r, columns->w, m, gprofx_real(below, row->number) * row->part);
	}
}

void
columns_put(const struct columns *columns, enum line_kind kind, const struct cells *cells)
{
	const struct line_plan *plan = &columns->plans[kind];
	struct gprofx_writer *w = columns->w;
	int taken = cells->taken;

	if (cells->kind == CALLS_OF && columns->are_usual) {
		put_usual_arc(columns, cells);
		return;
	}
	for (uint32_t i = 0; i < plan->count; i++, taken = 0) {
		gprofx_blanks(w, plan->steps[i].blanks);
		switch (plan->steps[i].column) {
		case COLUMN_SELF:
			w->services->fixed(w, cells->self / columns->rate, 7 - taken, 2);
			break;
		case COLUMN_CHILDREN:
			w->services->fixed(w, cells->below / columns->rate,
			                   columns->below_width - taken, 2);
			break;
		case COLUMN_CALLED:
			put_called(w, cells, taken);
			break;
		case COLUMN_SHARE:
			w->services->fixed(w, 100.0 * (cells->self + cells->below) / columns->total,
			                   taken < 5 ? 5 - taken : 0, 1);
			break;
		default:
			put_estimate(columns, cells, plan->steps[i].column, taken);
			break;
		}
	}
	if (columns->r->origin->metric_count > 1) {
		gprofx_blanks(w, plan->trailing - indent_of(kind));
		put_metrics(columns, kind, cells->row);
		put_indent(w, indent_of(kind), cells);
		return;
	}
	put_indent(w, plan->trailing, cells);
}

/* The names of further metrics above their columns, on a line of its own. */
void
columns_put_metric_names(const struct columns *columns)
{
	size_t width = columns->width;

	if (columns->r->origin->metric_count == 1)
		return;
	for (uint32_t m = 1; m < columns->r->origin->metric_count; m++)
		width -= 2 * ((size_t)metric_width(columns->r, m) + 1);
	gprofx_blanks(columns->w, width);
	for (uint32_t m = 1; m < columns->r->origin->metric_count; m++)
		for (int i = 0; i < 2; i++)
			metric_put_heading(columns->w, metric_width(columns->r, m),
			                   gprofx_metric_at(columns->r, m)->name);
	gprofx_putc(columns->w, '\n');
}

static void
put_metric_headings(const struct columns *columns)
{
	for (uint32_t m = 1; m < columns->r->origin->metric_count; m++) {
		metric_put_heading(columns->w, metric_width(columns->r, m), "self");
		metric_put_heading(columns->w, metric_width(columns->r, m), "children");
	}
}

void
columns_put_heading(const struct columns *columns)
{
	size_t at = INDEX_WIDTH, written = INDEX_WIDTH;

	gprofx_puts(columns->w, "index ");
	for (uint32_t i = 0; i < columns->chosen.count; i++) {
		enum column column = columns->chosen.items[i];
		const char *word = looks[column].word;
		size_t begin = at + looks[column].word_at;

		if (written < begin)
			gprofx_blanks(columns->w, begin - written);
		else if (i > 0)
			gprofx_putc(columns->w, ' ');
		gprofx_puts(columns->w, word);
		written = (written < begin ? begin : written + (i > 0)) + strlen(word);
		at += width_of_column(columns, column);
	}
	if (columns->r->origin->metric_count > 1) {
		gprofx_blanks(columns->w, written < at ? at - written : 0);
		put_metric_headings(columns);
		written = at;
	}
	gprofx_blanks(columns->w, written < at + 1 ? at + 1 - written : 1);
	gprofx_puts(columns->w, "name");
}
