/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#include <string.h>

#include "../shared/costed.h"
#include "../shared/estimate.h"
#include "../shared/metrics.h"
#include "../shared/folded.h"
#include "../shared/line-names.h"
#include "../shared/names.h"
#include "../shared/options.h"
#include "../shared/threads.h"
#include "../shared/width.h"
#include "explanation.h"

const char *const flat_column_words[] = {"share",          "low",   "high",  "cumulative",
                                         "self",           "error", "calls", "self-per-call",
                                         "total-per-call", "name",  NULL};

/* A line of a heading: a word, and how many blanks stand between its end and the column's. */
struct heading {
	const char *word; /* NULL: the dimension */
	int blanks;
};

struct look {
	int width; /* 0: depends on the report */
	struct heading upper, lower;
};

static const struct look looks[COLUMN_KINDS] = {
	[COLUMN_SHARE] = {6, {"%", 3}, {"time", 1}},
	[COLUMN_LOW] = {9, {"95% from", 1}, {"% time", 0}},
	[COLUMN_HIGH] = {8, {"to", 1}, {"% time", 0}},
	[COLUMN_CUMULATIVE] = {9, {"cumulative", 0}, {NULL, 1}},
	[COLUMN_SELF] = {8, {"self", 2}, {NULL, 0}},
	[COLUMN_ERROR] = {8, {"error", 1}, {NULL, 0}},
	[COLUMN_CALLS] = {8, {"", 0}, {"calls", 0}},
	[COLUMN_SELF_PER_CALL] = {0, {"self", 2}, {"", 0}},
	[COLUMN_TOTAL_PER_CALL] = {0, {"total", 1}, {"", 0}},
};

enum { NAME_GAP = 2, NAME_LEAST = 8 };

/* The traditional layout has a decimal less in the first column, and the next one is wider. */
static int
width_of_column(const struct flat *flat, enum column column)
{
	int width = looks[column].width;

	if (column == COLUMN_SELF_PER_CALL)
		return flat->per_call.self_width;
	if (column == COLUMN_TOTAL_PER_CALL)
		return flat->per_call.total_width;
	if (flat->r->compatibility->traditional && column == COLUMN_SHARE)
		return width - 1;
	return flat->r->compatibility->traditional && column == COLUMN_CUMULATIVE ? width + 1
	                                                                          : width;
}

void
columns_leave_room(struct flat *flat)
{
	enum { NAME_ROOM = 45 };
	static const uint32_t usual[] = {COLUMN_SHARE, COLUMN_CUMULATIVE,    COLUMN_SELF,
	                                 COLUMN_CALLS, COLUMN_SELF_PER_CALL, COLUMN_TOTAL_PER_CALL,
	                                 COLUMN_NAME};
	const uint32_t count = sizeof usual / sizeof usual[0];
	struct table_columns *columns = &flat->columns;
	size_t at = 0;

	if (columns->count != count || memcmp(columns->items, usual, sizeof usual) != 0)
		return;
	for (uint32_t i = 0; usual[i] != COLUMN_NAME; i++)
		at += (size_t)width_of_column(flat, usual[i]) + (i > 0);
	if (at + NAME_GAP + NAME_ROOM <= flat->row_width)
		return;
	columns->count = 0;
	for (uint32_t i = 0; i < count; i++)
		if (usual[i] != COLUMN_SELF_PER_CALL && usual[i] != COLUMN_TOTAL_PER_CALL)
			columns_append(columns, usual[i]);
}

static void
put_heading_cell(const struct flat *flat, enum column column, bool lower, bool first)
{
	const struct heading *heading = lower ? &looks[column].lower : &looks[column].upper;
	const struct per_call *per_call = &flat->per_call;
	const char *word = heading->word ? heading->word : flat->r->origin->metrics->unit;
	/* Between the columns is a blank, which a long word takes. */
	int width = width_of_column(flat, column) + !(first && column == COLUMN_SHARE);
	int blanks = heading->blanks;

	if (column == COLUMN_SELF_PER_CALL || column == COLUMN_TOTAL_PER_CALL) {
		if (!lower && per_call->fits_each)
			word = "";
		else if (lower)
			word = column == COLUMN_SELF_PER_CALL ? per_call->self_heading
			                                      : per_call->total_heading;
	}
	if (flat->r->compatibility->traditional && column == COLUMN_SHARE)
		blanks--;
	if (!heading->word)
		gprofx_out(flat->w, "%*.*s", width - blanks, looks[column].width, word);
	else
		gprofx_out(flat->w, "%*s", width - blanks, word);
	gprofx_blanks(flat->w, (size_t)blanks);
}

/* Further metrics stand before the name, or, where there is none, behind all other columns. */
static void
put_metric_headings(const struct flat *flat, bool lower)
{
	for (uint32_t m = 1; m < flat->r->origin->metric_count; m++) {
		const char *name = gprofx_metric_at(flat->r, m)->name;
		int width = metric_width(flat->r, m);

		metric_put_heading(flat->w, width, lower ? "self" : name);
		if (metric_has_total(flat->r, m))
			metric_put_heading(flat->w, width, lower ? "total" : name);
	}
}

static void
put_metrics(const struct flat *flat, uint32_t function)
{
	for (uint32_t m = 1; m < flat->r->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(flat->r->graph->columns, m);

		metric_put(flat->r, flat->w, m, gprofx_real(&column->self, function));
		if (metric_has_total(flat->r, m))
			metric_put(flat->r, flat->w, m,
			           gprofx_whole_self_in(column, function) +
			                   gprofx_real(&column->below, function));
	}
}

static void
put_heading_line(const struct flat *flat, bool lower)
{
	const struct table_columns *columns = &flat->columns;

	if (flat->color)
		gprofx_puts(flat->w, COLOR_HEADING);
	for (uint32_t i = 0; i < columns->count; i++) {
		bool last = i + 1 == columns->count;

		if (columns->items[i] == COLUMN_NAME)
			put_metric_headings(flat, lower);
		if (columns->items[i] != COLUMN_NAME) {
			put_heading_cell(flat, columns->items[i], lower, i == 0);
			continue;
		}
		gprofx_blanks(flat->w, i > 0 ? NAME_GAP : 0);
		gprofx_out(flat->w, "%-*s", last ? NAME_LEAST : (int)flat->name_width,
		           lower ? "name" : "");
	}
	if (flat->metrics_go_last)
		put_metric_headings(flat, lower);
	gprofx_puts(flat->w, flat->color ? COLOR_END "\n" : "\n");
}

void
put_columns(const struct flat *flat)
{
	put_heading_line(flat, false);
	put_heading_line(flat, true);
}

/* Whether names are of lines of source, in our own form. */
static bool
has_line_names(const struct flat *flat)
{
	return flat->r->origin->by_line && !flat->r->compatibility->traditional;
}

struct gprofx_text
name_in_column(struct flat *flat, uint32_t function)
{
	struct gprofx_text name = names_of(&flat->names, function);

	return has_line_names(flat) ? line_names_ends(&flat->line_names, name) : name;
}

static void
put_name(struct flat *flat, uint32_t function, size_t at, bool last, const char *color)
{
	struct gprofx_writer *w = flat->w;
	bool is_line = has_line_names(flat);
	struct gprofx_text name = last ? names_of(&flat->names, function)
	                               : name_in_column(flat, function);
	size_t width;

	gprofx_puts(w, color);
	if (last && is_line)
		line_names_put(&flat->line_names, w, name, at, flat->row_width);
	else
		folded_put(w, name, at, last ? flat->row_width : 0);
	if (flat->r->compatibility->traditional)
		gprofx_put_place(w, flat->r, function);
	if (color[0] != '\0')
		gprofx_puts(w, COLOR_END);
	if (last)
		return;
	width = width_of(name);
	gprofx_blanks(w, width < flat->name_width ? flat->name_width - width : 0);
}

static void
put_calls_cell(const struct flat *flat, enum column column, uint32_t function, int width)
{
	const struct gprofx_report *r = flat->r;
	uint64_t calls = gprofx_known_calls_of(r, function);

	if (calls == 0) {
		gprofx_blanks(flat->w, (size_t)width);
		return;
	}
	if (column == COLUMN_CALLS) {
		flat->w->services->number(flat->w, calls, width);
		return;
	}
	per_call_put(&flat->per_call, flat->w, function, column == COLUMN_TOTAL_PER_CALL, width);
}

static void
put_share(const struct flat *flat, double percent, int width, const char *color)
{
	gprofx_puts(flat->w, color);
	flat->w->services->fixed(flat->w, percent, width,
	                         flat->r->compatibility->traditional ? 1 : 2);
	if (color[0] != '\0')
		gprofx_puts(flat->w, COLOR_END);
}

/* The columns that a figure takes: numbers of calls can be wider than theirs. */
static size_t
columns_of_cell(const struct flat *flat, enum column column, uint32_t function)
{
	uint64_t calls = column == COLUMN_CALLS ? gprofx_known_calls_of(flat->r, function) : 0;
	size_t width = (size_t)width_of_column(flat, column), digits = 0;

	for (; calls > 0; calls /= 10)
		digits++;
	return digits > width ? digits : width;
}

void
put_row(struct flat *flat, uint32_t function, double sum)
{
	const struct gprofx_writer_services *s = flat->w->services;
	double self = gprofx_self_of(flat->r, function),
	       rate = flat->r->origin->metrics->ticks_per_unit;
	double percent = 100.0 * self / flat->total;
	size_t at = 0;
	const char *color = flat->color ? color_of_share(percent) : "";
	const struct gprofx_doubt *doubt = flat->r->graph->columns->self_doubt
	                                           ? &flat->r->graph->columns->self_doubt[function]
	                                           : NULL;

	for (uint32_t i = 0; i < flat->columns.count; i++) {
		enum column column = flat->columns.items[i];
		int width = width_of_column(flat, column);

		if (column == COLUMN_NAME) {
			put_metrics(flat, function);
			gprofx_blanks(flat->w, i > 0 ? NAME_GAP : 0);
			put_name(flat, function, at + (i > 0 ? NAME_GAP : 0),
			         i + 1 == flat->columns.count, color);
			continue;
		}
		if (flat->row_width > 0)
			at += (i > 0 || column != COLUMN_SHARE) +
			      columns_of_cell(flat, column, function);
		if (i > 0 || column != COLUMN_SHARE)
			gprofx_putc(flat->w, ' ');
		switch (column) {
		case COLUMN_SHARE:
			put_share(flat, percent, width, color);
			break;
		case COLUMN_LOW:
			s->fixed(flat->w,
			         100.0 * estimate_open_share(self, doubt,
			                                     flat->r->graph->columns->flat_total)
			                         .low,
			         width, 2);
			break;
		case COLUMN_HIGH:
			s->fixed(flat->w,
			         100.0 * estimate_open_share(self, doubt,
			                                     flat->r->graph->columns->flat_total)
			                         .high,
			         width, 2);
			break;
		case COLUMN_CUMULATIVE:
			s->fixed(flat->w, sum / rate, width, 2);
			break;
		case COLUMN_SELF:
			s->fixed(flat->w, self / rate, width, 2);
			break;
		case COLUMN_ERROR:
			s->fixed(flat->w,
			         estimate_error(self, flat->r->graph->columns->flat_total) / rate,
			         width, 3);
			break;
		default:
			put_calls_cell(flat, column, function, width);
			break;
		}
	}
	if (flat->metrics_go_last)
		put_metrics(flat, function);
	gprofx_putc(flat->w, '\n');
}

/* Of a column of times per call whose unit is in the heading; together, where both are there. */
static const char *
explanation_of_one_unit(const struct flat *flat, enum column column, bool is_first)
{
	const struct table_columns *columns = &flat->columns;

	if (columns_have(columns, COLUMN_SELF_PER_CALL) &&
	    columns_have(columns, COLUMN_TOTAL_PER_CALL))
		return is_first ? flat_explanation_both_per_call : "";
	return column == COLUMN_SELF_PER_CALL ? flat_explanation_self_per_call
	                                      : flat_explanation_total_per_call;
}

static const char *
explanation_of(const struct flat *flat, enum column column)
{
	if (gprofx_is_measured(flat->r) && column == COLUMN_CALLS)
		return flat_explanation_measured_calls;
	if (costed_calls(flat->r) && column == COLUMN_SELF_PER_CALL)
		return flat_explanation_costed_self_per_call;
	if (costed_calls(flat->r) && column == COLUMN_TOTAL_PER_CALL)
		return flat_explanation_costed_total;
	if (gprofx_is_clocked(flat->r) && column == COLUMN_SELF_PER_CALL)
		return flat_explanation_clocked_self_per_call;
	if (gprofx_is_clocked(flat->r) && column == COLUMN_TOTAL_PER_CALL)
		return flat_explanation_clocked_total;
	if (gprofx_is_measured(flat->r) && column == COLUMN_TOTAL_PER_CALL)
		return flat_explanation_measured_total;
	return flat_explanation_columns[column];
}

static bool
is_counted(const struct gprofx_report *report)
{
	return report->origin->metrics->kind == GPROFX_COUNTED;
}

void
put_explanation(const struct flat *flat)
{
	struct gprofx_writer *w = flat->w;
	bool told_per_call = false;

	gprofx_puts(w, flat->r->origin->by_line ? flat_explanation_begin_lines
	                                        : flat_explanation_begin);
	if (columns_have(&flat->columns, COLUMN_CUMULATIVE))
		gprofx_puts(w, flat_explanation_cumulative);
	gprofx_puts(w, "\n\n");
	for (uint32_t i = 0; i < flat->columns.count; i++) {
		enum column column = flat->columns.items[i];
		bool per_call = column == COLUMN_SELF_PER_CALL || column == COLUMN_TOTAL_PER_CALL;

		if (per_call && !flat->per_call.fits_each) {
			gprofx_puts(w, explanation_of_one_unit(flat, column, !told_per_call));
			told_per_call = true;
		} else if (flat->r->compatibility->traditional && column == COLUMN_SHARE) {
			gprofx_puts(w, flat_explanation_traditional_share);
		} else if (flat->r->compatibility->traditional || column != COLUMN_NAME) {
			gprofx_puts(w, explanation_of(flat, column));
		}
	}
	if (flat->r->origin->metric_count > 1)
		gprofx_puts(w, gprofx_is_measured(flat->r) ? flat_explanation_measured_metrics
		                                           : flat_explanation_metrics);
	line_names_explain(&flat->line_names, w);
	if (gprofx_is_measured(flat->r)) {
		gprofx_puts(w, costed_calls(flat->r) && is_counted(flat->r)
		                       ? flat_explanation_costed_end
		               : gprofx_is_clocked(flat->r) ? flat_explanation_clocked_end
		                                            : flat_explanation_measured_end);
		return;
	}
	gprofx_puts(w, flat_explanation_end);
	gprofx_puts(w, threads_note(flat->r) ? flat_explanation_lost_calls
	                                     : flat_explanation_exact_calls);
	if (columns_have(&flat->columns, COLUMN_TOTAL_PER_CALL))
		gprofx_puts(w, flat_explanation_estimates);
}
