/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the time of each function differs between the profile files, as between the ranks of a
 * parallel program.
 */
#include <gprofx/emitter.h>

#include "../shared/differences.h"
#include "../shared/options.h"
#include "../shared/whole.h"
#include "files.h"

enum what { WHAT_FUNCTIONS, WHAT_FILES, WHAT_ALL };

static const char *const what_words[] = {"functions", "files", "all", NULL};

struct options {
	struct differences_options differences;
	uint32_t what; /* enum what */
};

static const struct gprofx_option table[] = {
	TABLE_ROW_OPTIONS(differences_columns, "auto", "number of rows, from the top; 0: all",
                          "smallest share of the time for which a row is printed, in percent"),
	DIFFERENCES_OPTIONS,
	{.key = "what",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, what),
         .initial = "functions",
         .choices = what_words,
         .help = "tables to write: a row for each function, for each file, or both (all)"},
};

static struct gprofx_text
label_of(struct gprofx *gx, const void *report, uint32_t file)
{
	return per_file_label(gx, report, file);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	static const struct gprofx_diagnostic missing = {
		.id = "report.no-statistics",
		.hint = "request them with --per-file",
	};
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	const struct gprofx_report_files *files = report->files;
	struct gprofx_writer *w = emission->writer;
	const struct differences_members members = {
		.one = "file",
		.many = "files",
		.count = files->labelled_count,
		.label = label_of,
		.source = report,
		.spread_count = files->spread_count,
		.spread = files->spread,
	};

	if (!files->spread)
		return gprofx_fail(gx, &missing, "no per-file statistics were collected");
	w->services->separator(w);
	if (options->what != WHAT_FILES) {
		whole_put_phase(report, w);
		differences_put(gx, report, w, &options->differences, &members);
	}
	if (options->what == WHAT_ALL)
		gprofx_putc(w, '\n');
	if (options->what != WHAT_FUNCTIONS)
		per_file_put_files(gx, report, w, options->differences.explain,
		                   (size_t)options->differences.table.text_width);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_FLAT | GPROFX_PART_PER_FILE,
};

static const struct gprofx_listing listings[] = {
	{
		.size = sizeof listings[0],
		.name = "times-per-file",
		.data = GPROFX_DATA_TIMES,
		.subject = "times per file",
		.hint = "the profiles have no samples; --output=json has the calls",
		.place = 600,
	},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "per-file",
	.extension = "txt",
	.emit = emit,
	.needs = &needs,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-per-file",
	.version = "1.0",
	.summary = "The differences in each function's time between profile files",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
