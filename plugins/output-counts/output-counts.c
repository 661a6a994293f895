/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution counts: one line per function, or line of source, with its source position and the
 * number of its calls or executions, and one for each of its basic blocks.
 */
#include <gprofx/emitter.h>

#include "../shared/lines.h"
#include "../shared/names.h"

enum { RAW_NAMES, FIRST_FORM /* and further ones, as in enum name_form */ };

static const char *const name_words[] = {
	"raw", "full", "no-arguments", "no-templates", "last-components", NULL};

struct options {
	int64_t row_width;
	uint32_t names; /* of name_words */
};

static const struct gprofx_option table[] = {
	{.key = "names",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, names),
         .initial = "raw",
         .choices = name_words,
         .help = "how names are shown: as in the symbol table, or how much of them"},
	LINES_ROW_WIDTH,
};

static void
put_place(struct gprofx_writer *w, const char *file, uint32_t line)
{
	gprofx_puts(w, file ? file : "<unknown>");
	gprofx_putc(w, ':');
	w->services->number(w, line, 0);
	gprofx_puts(w, ": ");
}

static void
put_executions(struct gprofx_writer *w, uint64_t count)
{
	w->services->number(w, count, 0);
	gprofx_puts(w, " executions\n");
}

/* The name of a function. */
static void
put_name(struct names *names, const struct options *options, struct gprofx_writer *w,
         uint32_t function)
{
	const struct gprofx_report *report = names->report;
	struct gprofx_text name;

	if (options->names == RAW_NAMES) {
		gprofx_puts(w, report->functions->raw_name[function]);
		return;
	}
	name = report->services->function_name(report, function);
	if (options->names > FIRST_FORM)
		name = names_shorten(names, name);
	gprofx_put(w, name.bytes, name.length);
}

/* A line for a function, or for a basic block of it. */
static void
put_count(struct names *names, const struct options *options, struct gprofx_writer *w,
          const struct gprofx_counted_row *row, struct gprofx_block block)
{
	const struct gprofx_report *report = names->report;

	if (block.count == 0 && !report->origin->shows_unused)
		return;
	if (row->executed_function != UINT32_MAX) {
		const struct gprofx_executed_function
			*function = &report->source->executed_function[row->executed_function];

		put_place(w, report->source->executed_file[function->file], function->first_line);
	} else {
		uint32_t line;
		const char *file = report->services->source(report, row->function, &line);

		put_place(w, file, line);
	}
	gprofx_putc(w, '(');
	put_name(names, options, w, row->function);
	gprofx_out(w, ":0x%llx) ", (unsigned long long)block.address);
	put_executions(w, block.count);
}

/* A line of the source, or a function of it that has no place in the program of its own. */
static void
put_source(const struct gprofx_report *report, struct gprofx_writer *w,
           const struct gprofx_counted_row *row)
{
	if (row->executed_line != UINT32_MAX) {
		const struct gprofx_executed_line
			*line = &report->source->executed_line[row->executed_line];

		put_place(w, report->source->executed_file[line->file], line->line);
	} else {
		const struct gprofx_executed_function
			*function = &report->source->executed_function[row->executed_function];

		put_place(w, report->source->executed_file[function->file], function->first_line);
		gprofx_putc(w, '(');
		gprofx_puts(w, function->name);
		gprofx_puts(w, ") ");
	}
	put_executions(w, row->count);
}

/* The lines of a row, with those of its basic blocks. */
static void
put_row(struct names *names, const struct options *options, struct gprofx_writer *w,
        const struct gprofx_counted_row *row)
{
	const struct gprofx_report *report = names->report;
	const uint32_t *first = report->source->block_first;
	uint32_t function = row->function;

	if (function == UINT32_MAX) {
		put_source(report, w, row);
		return;
	}
	put_count(names, options, w, row,
	          (struct gprofx_block){report->functions->address[function], row->count});
	for (uint32_t k = first ? first[function] : 0; first && k < first[function + 1]; k++)
		put_count(names, options, w, row, report->source->block[k]);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	enum { INDENT = 4 };
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *w = emission->writer;
	struct names names;
	struct lines lines;

	names_begin(
		&names, gx, report,
		(enum name_form)(options->names > FIRST_FORM ? options->names - FIRST_FORM : 0));
	w->services->separator(w);
	for (uint32_t i = 0; i < report->source->counted_row_count; i++) {
		put_row(&names, options,
		        lines_begin(&lines, gx, w, (size_t)options->row_width, INDENT),
		        &report->source->counted_row[i]);
		lines_end(&lines);
	}
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {.size = sizeof needs, .parts = GPROFX_PART_COUNTS};

static const struct gprofx_listing listings[] = {
	{
		.size = sizeof listings[0],
		.name = "execution-counts",
		.data = GPROFX_DATA_COUNTS,
		.subject = "execution counts",
		.hint = "name a profile that counts calls as well, such as a gmon.out",
		.place = 500,
	},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "counts",
	.extension = "txt",
	.emit = emit,
	.needs = &needs,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-counts",
	.version = "1.0",
	.summary = "Execution counts of functions, lines and basic blocks",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
