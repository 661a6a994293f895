/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../shared/folded.h"
#include "../shared/names.h"
#include "../shared/options.h"

/* The width of a row up to its name. */
enum {
	VALUES_WIDTH = 9 + 1 + 9 + 1 + 10,
	RATIO_WIDTH = 1 + 7 + 2,
	ERROR_WIDTH = 1 + 9,
	VERDICT_WIDTH = 10 + 1,
	CALLS_WIDTH = 12 + 1 + 12,
	/* Estimates are no result: the largest of their differences show where to look. */
	ESTIMATES_SHOWN = 10
};

/* A row in the order of its table. */
struct ranked {
	double distance;
	uint32_t row;
	int class;
};

enum kind { KIND_SELF, KIND_TOTAL, KIND_CALLS };

struct listing {
	const struct gprofx_report *report;
	const struct gprofx_report_comparison *comparison;
	struct gprofx_writer *w;
	const struct diff_options *options;
	struct names names;
	enum kind kind;
	double ticks_per_unit; /* 1: they are the unit */
	bool is_time;
	bool is_estimated;   /* values of the table */
	struct ranked *rows; /* those of the table, in its order */
};

static bool
is_different(uint32_t verdict)
{
	return verdict == GPROFX_VERDICT_LESS || verdict == GPROFX_VERDICT_MORE;
}

static const struct gprofx_difference *
difference_of(const struct listing *l, const struct gprofx_compared *row)
{
	return l->kind == KIND_SELF ? &row->self : &row->total;
}

/* Whether a table has a row: with a difference, or where that is not known. */
static bool
is_shown(const struct listing *l, const struct gprofx_compared *row)
{
	const struct gprofx_difference *difference = difference_of(l, row);

	if (l->kind == KIND_CALLS)
		return is_different(row->calls_verdict);
	if (isnan(difference->base))
		return false;
	if (l->options->all || is_different(difference->verdict))
		return true;
	return difference->verdict == GPROFX_VERDICT_UNTESTED &&
	       difference->base != difference->now;
}

static const char *
verdict_word(const struct listing *l, const struct gprofx_difference *difference)
{
	switch (difference->verdict) {
	case GPROFX_VERDICT_LESS:
		return l->is_time ? "faster" : "less";
	case GPROFX_VERDICT_MORE:
		return l->is_time ? "slower" : "more";
	case GPROFX_VERDICT_EQUAL:
		return "none shown";
	default:
		return "not tested";
	}
}

static const char *
color_of(uint32_t verdict)
{
	return verdict == GPROFX_VERDICT_LESS   ? "\033[32m"
	       : verdict == GPROFX_VERDICT_MORE ? "\033[31m"
	                                        : "";
}

/* A value in a column; large ones of events have no places behind the point. */
static void
put_value(const struct listing *l, double ticks, int width, bool has_sign)
{
	double value = ticks / l->ticks_per_unit;
	int places = fabs(value) < 1e4 ? 3 : fabs(value) < 1e6 ? 1 : 0;

	if (!l->is_time && l->ticks_per_unit == 1 && value == floor(value))
		places = 0;
	gprofx_out(l->w, has_sign ? "%+*.*f" : "%*.*f", width, places, value);
}

static void
put_ratio(struct gprofx_writer *w, double base, double now)
{
	if (base == 0)
		gprofx_out(w, " %7s  ", "");
	else
		gprofx_out(w, now / base < 1e3 ? " %7.3f  " : " %7.1e  ", now / base);
}

static void
put_name(struct listing *l, const struct gprofx_compared *row, size_t column)
{
	const struct gprofx_report_services *services = l->report->services;
	struct gprofx_text name = services->name(l->report, row->node), shown;
	const char *note = row->match != GPROFX_MATCH_NONE ? NULL
	                   : row->is_in_base               ? "only in the base"
	                                                   : "only in the new profile";

	shown = names_shorten(&l->names, name);
	folded_put(l->w, shown, column, (size_t)l->options->row_width);
	if (note)
		gprofx_out(l->w, " (%s)", note);
	if (row->match == GPROFX_MATCH_RENAMED && row->base_name) {
		gprofx_puts(l->w, " (was ");
		gprofx_puts(l->w, row->base_name);
		gprofx_putc(l->w, ')');
	}
	gprofx_putc(l->w, '\n');
}

static void
put_row(struct listing *l, const struct gprofx_compared *row)
{
	const struct gprofx_difference *difference = difference_of(l, row);
	const char *color = writer_takes_color(l->w) ? color_of(difference->verdict) : "";

	gprofx_puts(l->w, color);
	put_value(l, difference->base, 9, false);
	gprofx_putc(l->w, ' ');
	put_value(l, difference->now, 9, false);
	gprofx_putc(l->w, ' ');
	put_value(l, difference->now - difference->base, 10, true);
	if (!l->is_estimated) {
		gprofx_putc(l->w, ' ');
		if (isnan(difference->error))
			gprofx_blanks(l->w, 9);
		else
			put_value(l, difference->error, 9, false);
	}
	put_ratio(l->w, difference->base, difference->now);
	if (!l->is_estimated)
		gprofx_out(l->w, "%-10s ", verdict_word(l, difference));
	gprofx_puts(l->w, color[0] != '\0' ? COLOR_END : "");
	put_name(l, row,
	         VALUES_WIDTH + RATIO_WIDTH + (l->is_estimated ? 0 : ERROR_WIDTH + VERDICT_WIDTH));
}

/* Calls per run: runs can differ. */
static void
put_calls(struct gprofx_writer *w, uint64_t calls, uint32_t runs)
{
	if (calls % runs == 0)
		w->services->number(w, calls / runs, 12);
	else
		gprofx_out(w, "%12.1f", (double)calls / runs);
}

static void
put_calls_row(struct listing *l, const struct gprofx_compared *row)
{
	uint32_t base_runs = l->comparison->base.run_count;
	uint32_t new_runs = l->comparison->new_side.run_count;

	put_calls(l->w, row->base_calls, base_runs);
	gprofx_putc(l->w, ' ');
	put_calls(l->w, row->new_calls, new_runs);
	put_ratio(l->w, (double)row->base_calls / base_runs, (double)row->new_calls / new_runs);
	put_name(l, row, CALLS_WIDTH + RATIO_WIDTH);
}

static void
put_heading(const struct listing *l)
{
	static const char *const titles[] = {
		[KIND_SELF] = "Self",
		[KIND_TOTAL] = "With all that is called",
		[KIND_CALLS] = "Calls",
	};
	const struct gprofx_metric *metric = l->report->origin->metrics;
	bool color = writer_takes_color(l->w);

	if (l->kind == KIND_CALLS)
		gprofx_out(l->w, "\n%s, per run:\n\n", titles[l->kind]);
	else
		gprofx_out(l->w, "\n%s %s, in %s%s%s:\n\n", titles[l->kind], metric->name,
		           metric->unit,
		           l->comparison->base.run_count > 1 ||
		                           l->comparison->new_side.run_count > 1
		                   ? ", mean of the runs"
		                   : "",
		           l->is_estimated ? ", estimated: differences are not tested" : "");
	gprofx_puts(l->w, color ? COLOR_HEADING : "");
	if (l->kind == KIND_CALLS)
		gprofx_out(l->w, "%12s %12s %7s  function", "base", "new", "ratio");
	else if (l->is_estimated)
		gprofx_out(l->w, "%9s %9s %10s %7s  function", "~base", "~new", "difference",
		           "ratio");
	else
		gprofx_out(l->w, "%9s %9s %10s %9s %7s  %-10s function", "base", "new",
		           "difference", "std error", "ratio", "verdict");
	gprofx_puts(l->w, color ? COLOR_END "\n" : "\n");
}

/* What a table leaves out. */
static void
put_hidden(const struct listing *l, uint32_t hidden, uint32_t beyond)
{
	if (beyond > 0)
		gprofx_out(l->w, "... and %u more\n", beyond);
	if (hidden > 0 && l->kind == KIND_SELF)
		gprofx_out(l->w,
		           "%s%u function%s without a difference that can be shown %s left out; -z "
		           "lists %s\n",
		           beyond > 0 ? "" : "\n", hidden, hidden == 1 ? "" : "s",
		           hidden == 1 ? "is" : "are", hidden == 1 ? "it" : "them");
}

/* 0: a verdict; 1: not tested; 2: no difference shown. */
static int
class_of(uint32_t verdict)
{
	return is_different(verdict) ? 0 : verdict == GPROFX_VERDICT_UNTESTED ? 1 : 2;
}

static int
compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->class != b->class)
		return a->class - b->class;
	if (a->distance != b->distance)
		return a->distance > b->distance ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* The rows of a table, the largest differences first. */
static uint32_t
choose_rows(struct listing *l)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < l->comparison->row_count; i++) {
		const struct gprofx_compared *row = gprofx_compared_at(l->report, i);
		const struct gprofx_difference *difference = difference_of(l, row);
		struct ranked ranked = {.row = i};

		if (!is_shown(l, row))
			continue;
		if (l->kind == KIND_CALLS) {
			ranked.distance = fabs((double)row->new_calls - (double)row->base_calls);
		} else {
			ranked.distance = fabs(difference->now - difference->base);
			ranked.class = class_of(difference->verdict);
		}
		l->rows[count++] = ranked;
	}
	qsort(l->rows, count, sizeof *l->rows, compare_ranked);
	return count;
}

static void
put_table(struct listing *l, enum kind kind)
{
	uint32_t count, shown;

	l->kind = kind;
	count = shown = choose_rows(l);
	if (l->options->top > 0 && shown > l->options->top)
		shown = (uint32_t)l->options->top;
	if (kind == KIND_TOTAL && l->is_estimated && !l->options->all && shown > ESTIMATES_SHOWN)
		shown = ESTIMATES_SHOWN;
	if (shown > 0)
		put_heading(l);
	for (uint32_t i = 0; i < shown; i++) {
		const struct gprofx_compared *row = gprofx_compared_at(l->report, l->rows[i].row);

		if (kind == KIND_CALLS)
			put_calls_row(l, row);
		else
			put_row(l, row);
	}
	put_hidden(l, l->comparison->row_count - count, count - shown);
}

void
diff_put_tables(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
                const struct diff_options *options)
{
	const struct gprofx_metric *metric = report->origin->metrics;
	struct listing listing = {
		.report = report,
		.comparison = report->comparison,
		.w = writer,
		.options = options,
		.ticks_per_unit = metric->ticks_per_unit == 0 ? 1 : metric->ticks_per_unit,
		.is_time = strcmp(metric->unit, "seconds") == 0,
	};

	names_begin(&listing.names, gx, report, options->names);
	listing.rows = gprofx_alloc(gx, ((size_t)report->comparison->row_count + 1) *
	                                        sizeof *listing.rows);
	put_table(&listing, KIND_SELF);
	listing.is_estimated = report->comparison->estimates_totals;
	put_table(&listing, KIND_TOTAL);
	put_table(&listing, KIND_CALLS);
}
