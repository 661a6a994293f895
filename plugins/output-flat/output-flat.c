/* SPDX-License-Identifier: Apache-2.0 */
/* The flat profile, in gprof's normal layout and in that of BSD. */
#include <gprofx/emitter.h>

#include "account.h"
#include "../shared/costed.h"
#include "../shared/fetch.h"
#include "../shared/inlined.h"
#include "../shared/line-names.h"
#include "../shared/metrics.h"
#include "../shared/names.h"
#include "../shared/options.h"
#include "columns.h"
#include "../shared/granularity.h"
#include "../shared/sources.h"
#include "../shared/threads.h"
#include "../shared/whole.h"
#include "../shared/width.h"
#include "../shared/wrap.h"
#include "per-call.h"

struct options {
	struct table_options table;
	bool explain, account;
};

static const struct gprofx_option table[] = {
	TABLE_OPTIONS(flat_column_words, COLUMNS_DEFAULT, "number of rows, from the top; 0: all",
                      "smallest share of the time for which a row is printed, in percent"),
	TABLE_ROW_WIDTH,
	{.key = "explain",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, explain),
         .initial = "true",
         .help = "explain the columns below the listing"},
	{.key = "account",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, account),
         .initial = "true",
         .help = "account below the table for all samples, and for time that was not sampled"},
};

/* What shares refer to, where that is not all: readers see no more than the table. */
static void
put_selection(const struct gprofx_report *report, struct gprofx_writer *w, double total)
{
	const struct gprofx_account *account = report->findings->account;
	double whole = account ? account->ticks : whole_ticks(report);

	if (account ? account->excluded.samples > 0 : whole_is_more(whole, total)) {
		gprofx_putc(w, ' ');
		whole_put_part(report, w, total, whole);
	}
	gprofx_putc(w, '\n');
}

static void
put_heading(const struct gprofx_report *report, struct gprofx_writer *w, double total)
{
	if (report->compatibility->traditional) {
		whole_put_phase(report, w);
		put_granularity(report, w, total, report->origin->metrics->unit);
	} else {
		gprofx_puts(w, "Flat profile:\n\n");
		whole_put_phase(report, w);
		if (costed_calls(report))
			gprofx_out(w,
			           "Costs are measured, in %s: of functions, and of calls as a "
			           "whole.",
			           report->origin->metrics->unit);
		else if (gprofx_is_measured(report))
			gprofx_out(w,
			           gprofx_is_clocked(report)
			                   ? "Times are measured by a clock, at entry and exit of "
			                     "functions, in %s."
			                   : "Times are measured from call stacks, in %s.",
			           report->origin->metrics->unit);
		else
			gprofx_out(w, "Each sample counts as %g %s.",
			           1.0 / report->origin->metrics->ticks_per_unit,
			           report->origin->metrics->unit);
		put_selection(report, w, total);
		if (sources_differ(report)) {
			sources_put_both(report, w, true);
			gprofx_puts(w, ".\n");
		}
	}
	if (!(total > 0))
		gprofx_puts(w, " no time accumulated\n\n");
	metrics_put_units(report, w);
}

/* The width of the column of names where something follows it. */
static size_t
widest_name(struct flat *flat, const struct options *options)
{
	/* A longer name pushes aside what follows: a single one should not widen all rows. */
	enum { LEAST = 8, MOST = 60 };
	const struct gprofx_report *report = flat->r;
	size_t widest = LEAST;
	uint32_t shown = 0;

	for (uint32_t i = 0; i < report->graph->flat_count && widest < MOST; i++) {
		uint32_t function = report->graph->flat[i];
		size_t width;

		if (!table_takes(&options->table, shown,
		                 100.0 * gprofx_self_of(report, function) / flat->total))
			continue;
		shown++;
		width = width_of(name_in_column(flat, function));
		widest = width > widest ? width : widest;
	}
	return widest < MOST ? widest : MOST;
}

static struct flat
begin(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
      const struct options *options)
{
	struct flat flat = {
		.r = report,
		.w = w,
		.columns = columns_chosen(&options->table),
		.per_call = per_call_begin(report),
		.total = report->graph->columns->flat_total > 0 ? report->graph->columns->flat_total
	                                                        : 1,
		.row_width = report->compatibility->traditional ? 0
	                                                        : (size_t)options->table.row_width,
		.color = writer_takes_color(w),
	};

	flat.line_names.gx = gx;
	if (flat.row_width > 0 && report->origin->by_line)
		columns_leave_room(&flat);
	if (options->table.errors) {
		columns_add(&flat.columns, COLUMN_LOW, COLUMN_SHARE);
		columns_add(&flat.columns, COLUMN_HIGH, COLUMN_LOW);
		columns_add(&flat.columns, COLUMN_ERROR, COLUMN_SELF);
	}
	flat.metrics_go_last = report->origin->metric_count > 1 &&
	                       !columns_have(&flat.columns, COLUMN_NAME);
	names_begin(&flat.names, gx, report, options->table.names);
	flat.line_names.drops_addresses = flat.names.form != NAME_FULL;
	if (columns_have(&flat.columns, COLUMN_NAME) &&
	    flat.columns.items[flat.columns.count - 1] != COLUMN_NAME)
		flat.name_width = widest_name(&flat, options);
	return flat;
}

static void
explain(struct flat *flat, struct gprofx *gx, const struct options *options)
{
	struct gprofx_writer *w = flat->w;
	struct wrap wrap;

	flat->w = wrap_begin(&wrap, gx, w, (size_t)options->table.text_width);
	put_explanation(flat);
	wrap_end(&wrap);
	flat->w = w;
}

/* What the table does not have: that calls may be missing, next to them, and the account. */
static void
put_below(const struct gprofx_report *report, struct gprofx *gx, struct gprofx_writer *w,
          const struct options *options)
{
	bool has_account = options->account && report->findings->account;
	const char *note = threads_note(report);
	struct wrap wrap;

	if (!has_account && !note)
		return;
	w = wrap_begin(&wrap, gx, w, (size_t)options->table.text_width);
	if (note)
		gprofx_out(w, "\n%s\n", note);
	if (has_account)
		put_account(report, w);
	wrap_end(&wrap);
}

static void
put_table(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
          const struct options *options)
{
	enum { AHEAD = 8 };
	struct flat flat = begin(gx, report, w, options);
	struct table_rest rest = {0};
	struct wrap wrap;
	bool by_line = report->origin->by_line;
	uint32_t shown = 0;
	double sum = 0;

	if (report->compatibility->traditional && options->explain) {
		gprofx_puts(w, "\n\n\nflat profile:\n");
		explain(&flat, gx, options);
	}
	put_heading(report, wrap_begin(&wrap, gx, w, (size_t)options->table.text_width),
	            report->graph->columns->flat_total);
	wrap_end(&wrap);
	put_columns(&flat);
	for (uint32_t i = 0; i < report->graph->flat_count; i++) {
		uint32_t function = report->graph->flat[i];
		double self = gprofx_self_of(report, function);

		/* By time, functions lie all over memory. */
		if (i + AHEAD < report->graph->flat_count) {
			uint32_t later = report->graph->flat[i + AHEAD];

			FETCH_ROW(&report->graph->columns->self, later);
			FETCH_ROW(&report->graph->columns->below, later);
			FETCH_ROW(&report->graph->calls->calls, later);
		}
		sum += self;
		if (table_takes(&options->table, shown, 100.0 * self / flat.total)) {
			put_row(&flat, function, sum);
			shown++;
		} else {
			rest.count++;
			rest.ticks += self;
		}
	}
	table_put_rest(w, &rest, flat.total, by_line ? "more line" : "more function",
	               by_line ? "more lines" : "more functions", "time");
	put_below(report, gx, w, options);
	if (!report->compatibility->traditional && options->explain)
		explain(&flat, gx, options);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *w = emission->writer;
	bool has_inlined = inlined_are_in(report, GPROFX_INLINED_FLAT);

	w->services->separator(w);
	/* Subroutines that were inlined have no row. */
	if (has_inlined)
		inlined_put(gx, report, w, GPROFX_INLINED_FLAT, (size_t)options->table.text_width);
	if (has_inlined && report->graph->flat_count > 0)
		gprofx_putc(w, '\n');
	if (!has_inlined || report->graph->flat_count > 0)
		put_table(gx, report, w, options);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_FLAT | GPROFX_PART_FINDINGS | GPROFX_PART_INLINED,
};

static const struct gprofx_listing listings[] = {
	{
		.size = sizeof listings[0],
		.name = "flat-profile",
		.data = GPROFX_DATA_TIMES,
		.subject = "the flat profile",
		.hint = "the profile has no samples; ask for the call graph (-q) instead",
		.place = 200,
	},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "flat",
	.extension = "txt",
	.emit = emit,
	.needs = &needs,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-flat",
	.version = "1.0",
	.summary = "The flat profile: time and calls of each function",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
