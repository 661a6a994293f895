/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A comparison of two profiles as text: one sentence, what has to be known about it, and the
 * functions that differ.
 */

#include <gprofx/emitter.h>

#include "../shared/options.h"
#include "../shared/wrap.h"
#include "tables.h"

static const struct gprofx_option table[] = {
	{.key = "all",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct diff_options, all),
         .initial = "false",
         .help = "also write rows without a difference"},
	{.key = "explain",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct diff_options, explain),
         .initial = "true",
         .help = "explain the columns below the tables"},
	{.key = "graph",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct diff_options, graph),
         .initial = "false",
         .help = "also write the callers and callees of the functions that differ"},
	{.key = "lines",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct diff_options, lines),
         .initial = "false",
         .help = "also write the lines of source with the largest differences"},
	{.key = "names",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct diff_options, names),
         .initial = "full",
         .choices = table_name_forms,
         .help = "how much of each name is shown"},
	{.key = "row-width",
         .type = GPROFX_INT,
         .offset = offsetof(struct diff_options, row_width),
         .initial = "0",
         .minimum = 0,
         .maximum = INT32_MAX,
         .help = "width of a row in columns: names continue below; 0: any width"},
	{.key = "text-width",
         .type = GPROFX_INT,
         .offset = offsetof(struct diff_options, text_width),
         .initial = "0",
         .minimum = 0,
         .maximum = INT32_MAX,
         .help = "width of the texts in columns; 0: lines as they are written"},
	{.key = "top",
         .type = GPROFX_INT,
         .offset = offsetof(struct diff_options, top),
         .initial = "0",
         .minimum = 0,
         .maximum = UINT32_MAX,
         .help = "number of rows of each table, from the top; 0: all"},
};

static void
put_side(struct gprofx_writer *w, const char *label, const struct gprofx_compared_side *side)
{
	gprofx_out(w, "%s %s", label, side->name);
	if (side->run_count > 1)
		gprofx_out(w, ", %u runs", side->run_count);
	if (side->image)
		gprofx_out(w, ", of %s", side->image);
	gprofx_putc(w, '\n');
}

static void
put_head(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
         const struct diff_options *options)
{
	const struct gprofx_report_comparison *comparison = report->comparison;
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, gx, writer, (size_t)options->text_width);

	gprofx_out(w, "%s.\n", comparison->sentence);
	if (comparison->caution)
		gprofx_out(w, "\n%s.\n", comparison->caution);
	wrap_end(&wrap);
	gprofx_putc(writer, '\n');
	put_side(writer, "base:", &comparison->base);
	put_side(writer, "new: ", &comparison->new_side);
}

static void
put_explanation(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
                const struct diff_options *options)
{
	const struct gprofx_report_comparison *comparison = report->comparison;
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, gx, writer, (size_t)options->text_width);

	gprofx_puts(w, "\nHow to read these tables. Samples differ by chance from run to run. "
	               "A difference has\na verdict if chance alone makes one as large so rarely "
	               "that, of all verdicts of\nthe rows, at most ");
	gprofx_out(
		w,
		"%g in 100 are expected to be wrong, and that of the total with\na "
		"probability of %g %%. The error after \302\261 is that of a 95 %% interval.\n\n",
		100 * comparison->row_rate, 100 * comparison->total_level);
	gprofx_puts(w, " std error  standard error of the difference; empty: it is not known\n"
	               " ratio      new divided by base\n"
	               " none shown there may be a difference, but these samples cannot show it\n"
	               " not tested the values are estimates, or their errors are not known\n");
	wrap_end(&wrap);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	struct diff_options options = *(const struct diff_options *)opaque;
	const struct gprofx_report *report = emission->report;

	options.all = options.all || report->origin->shows_unused;
	emission->writer->services->separator(emission->writer);
	put_head(gx, report, emission->writer, &options);
	diff_put_tables(gx, report, emission->writer, &options);
	if (options.explain)
		put_explanation(gx, report, emission->writer, &options);
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct diff_options *options = opaque;

	needs->parts = GPROFX_PART_COMPARISON | (options->graph ? GPROFX_PART_GRAPH : 0);
	needs->also = options->lines ? GPROFX_PART_COMPARED_LINES : 0;
	needs->traits = GPROFX_EMITTER_COMPARES;
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "diff",
	.extension = "txt",
	.emit = emit,
	.needs_with = needs_with,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-diff",
	.version = "1.0",
	.summary = "What differs between two profiles, and what chance explains",
	GPROFX_OPTIONS(struct diff_options, table),
	.emitter = &emitter,
};
