/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include <math.h>

#include "../shared/compared-rows.h"
#include "../shared/folded.h"
#include "../shared/kept.h"
#include "../shared/names.h"
#include "../shared/options.h"
#include "../shared/wrap.h"
#include "listing.h"

/* The width of a row up to its name. */
enum {
	ERROR_WIDTH = 1 + 9,
	VERDICT_WIDTH = 10 + 1,
	CALLS_WIDTH = 12 + 1 + 12,
	/* Estimates are no result: the largest of their differences show where to look. */
	ESTIMATES_SHOWN = 10
};

static const char *
color_of(uint32_t verdict)
{
	return verdict == GPROFX_VERDICT_LESS   ? "\033[32m"
	       : verdict == GPROFX_VERDICT_MORE ? "\033[31m"
	                                        : "";
}

void
diff_put_ratio(struct gprofx_writer *w, double base, double now)
{
	gprofx_putc(w, ' ');
	compared_put_ratio(w, base, now, DIFF_RATIO_WIDTH - 1 - 2);
	gprofx_puts(w, "  ");
}

/* A name, with what has to be known about its row. */
static void
put_noted(struct gprofx_writer *w, struct gprofx_text name, const struct gprofx_compared *row)
{
	const char *note = compared_note(row);

	gprofx_put(w, name.bytes, name.length);
	if (note)
		gprofx_out(w, " (%s)", note);
	if (row->match == GPROFX_MATCH_RENAMED && row->base_name) {
		gprofx_puts(w, " (was ");
		gprofx_puts(w, row->base_name);
		gprofx_putc(w, ')');
	}
}

void
diff_put_name(struct listing *l, const struct gprofx_compared *row, size_t column)
{
	const struct gprofx_report_services *services = l->report->services;
	struct gprofx_text name = names_shorten(&l->names, services->name(l->report, row->node));
	size_t width = (size_t)l->options->row_width;
	struct kept kept;

	if (width == 0) {
		put_noted(l->w, name, row);
	} else {
		put_noted(kept_begin(&kept, l->gx), name, row);
		name = (struct gprofx_text){kept.text, (size_t)(kept.writer.at - kept.text)};
		folded_wrap(l->w, name, column, width);
		kept_release(&kept);
	}
	gprofx_putc(l->w, '\n');
}

void
diff_put_values(const struct listing *l, double base, double now)
{
	compared_put_value(l->w, l->report, base, 9, false);
	gprofx_putc(l->w, ' ');
	compared_put_value(l->w, l->report, now, 9, false);
	gprofx_putc(l->w, ' ');
	compared_put_value(l->w, l->report, now - base, 10, true);
}

static void
put_row(struct listing *l, const struct gprofx_compared *row)
{
	const struct gprofx_difference *difference = compared_difference(row, l->kind);
	const char *color = writer_takes_color(l->w) ? color_of(difference->verdict) : "";

	gprofx_puts(l->w, color);
	diff_put_values(l, difference->base, difference->now);
	if (!l->is_estimated) {
		gprofx_putc(l->w, ' ');
		if (isnan(difference->error))
			gprofx_blanks(l->w, 9);
		else
			compared_put_value(l->w, l->report, difference->error, 9, false);
	}
	diff_put_ratio(l->w, difference->base, difference->now);
	if (!l->is_estimated)
		gprofx_out(l->w, "%-10s ", compared_row_verdict(l->report, row, l->kind));
	gprofx_puts(l->w, color[0] != '\0' ? COLOR_END : "");
	diff_put_name(l, row,
	              DIFF_VALUES_WIDTH + DIFF_RATIO_WIDTH +
	                      (l->is_estimated ? 0 : ERROR_WIDTH + VERDICT_WIDTH));
}

void
diff_put_calls(struct gprofx_writer *w, uint64_t calls, uint32_t runs, int width)
{
	if (calls % runs == 0)
		w->services->number(w, calls / runs, width);
	else
		gprofx_out(w, "%*.1f", width, (double)calls / runs);
}

static void
put_calls_row(struct listing *l, const struct gprofx_compared *row)
{
	uint32_t base_runs = l->comparison->base.run_count;
	uint32_t new_runs = l->comparison->new_side.run_count;

	diff_put_calls(l->w, row->base_calls, base_runs, 12);
	gprofx_putc(l->w, ' ');
	diff_put_calls(l->w, row->new_calls, new_runs, 12);
	diff_put_ratio(l->w, (double)row->base_calls / base_runs,
	               (double)row->new_calls / new_runs);
	diff_put_name(l, row, CALLS_WIDTH + DIFF_RATIO_WIDTH);
}

static void
put_title(const struct listing *l)
{
	static const char *const titles[] = {
		[COMPARED_SELF] = "Self",
		[COMPARED_TOTAL] = "Total",
		[COMPARED_CALLS] = "Calls",
	};
	const struct gprofx_metric *metric = l->report->origin->metrics;
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, l->gx, l->w, (size_t)l->options->text_width);

	if (l->kind == COMPARED_CALLS)
		gprofx_out(w, "\n%s, per run:\n\n", titles[l->kind]);
	else
		gprofx_out(
			w, "\n%s %s%s, in %s%s%s:\n\n", titles[l->kind], metric->name,
			l->kind == COMPARED_TOTAL ? ", with all that is called" : "", metric->unit,
			l->comparison->base.run_count > 1 || l->comparison->new_side.run_count > 1
				? ", mean of the runs"
				: "",
			l->is_estimated ? ", estimated: differences are not tested" : "");
	wrap_end(&wrap);
}

static void
put_heading(const struct listing *l)
{
	bool color = writer_takes_color(l->w);

	put_title(l);
	gprofx_puts(l->w, color ? COLOR_HEADING : "");
	if (l->kind == COMPARED_CALLS)
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
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, l->gx, l->w, (size_t)l->options->text_width);

	if (beyond > 0)
		gprofx_out(w, "... and %u more\n", beyond);
	if (hidden > 0)
		gprofx_out(w,
		           "%s%u function%s without a difference that can be shown %s left out; -z "
		           "lists %s\n",
		           beyond > 0 ? "" : "\n", hidden, hidden == 1 ? "" : "s",
		           hidden == 1 ? "is" : "are", hidden == 1 ? "it" : "them");
	wrap_end(&wrap);
}

static uint32_t
count_hidden(const struct listing *l)
{
	uint32_t hidden = 0;

	for (uint32_t i = 0; !l->options->all && i < l->comparison->row_count; i++)
		hidden += !compared_is_in_tables(gprofx_compared_at(l->report, i));
	return hidden;
}

static void
put_table(struct listing *l, enum compared_kind kind)
{
	uint32_t count, shown, *rows;

	l->kind = kind;
	count = compared_choose(l->gx, l->report, kind, l->options->all, &rows);
	shown = count;
	if (l->options->top > 0 && shown > l->options->top)
		shown = (uint32_t)l->options->top;
	if (kind == COMPARED_TOTAL && l->is_estimated && !l->options->all &&
	    shown > ESTIMATES_SHOWN)
		shown = ESTIMATES_SHOWN;
	if (shown > 0)
		put_heading(l);
	for (uint32_t i = 0; i < shown; i++) {
		const struct gprofx_compared *row = gprofx_compared_at(l->report, rows[i]);

		if (kind == COMPARED_CALLS)
			put_calls_row(l, row);
		else
			put_row(l, row);
	}
	put_hidden(l, kind == COMPARED_SELF ? count_hidden(l) : 0, count - shown);
	l->gx->host->release(l->gx, rows);
}

void
diff_put_tables(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
                const struct diff_options *options)
{
	struct listing listing = {
		.gx = gx,
		.report = report,
		.comparison = report->comparison,
		.w = writer,
		.options = options,
	};

	names_begin(&listing.names, gx, report, options->names);
	put_table(&listing, COMPARED_SELF);
	listing.is_estimated = report->comparison->estimates_totals;
	put_table(&listing, COMPARED_TOTAL);
	put_table(&listing, COMPARED_CALLS);
	if (options->graph)
		diff_put_entries(&listing);
	if (options->lines)
		diff_put_lines(&listing);
}
