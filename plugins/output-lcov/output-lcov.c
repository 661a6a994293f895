/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution counts of lines and functions as a tracefile of lcov: geninfo(1), "FILES".  Only what
 * was counted is written: a number of calls says nothing about the lines of the function.
 */
#include <string.h>

#include <gprofx/emitter.h>

#include "blocks.h"
#include "record.h"

struct options {
	const char *test;
};

static const struct gprofx_option table[] = {
	{.key = "test",
         .type = GPROFX_STRING,
         .offset = offsetof(struct options, test),
         .initial = "gprofx",
         .help = "the name of the test: letters, digits and underscores; each other character becomes an "
                 "underscore"},
};

/* The form that lcov requires. */
static struct gprofx_text
test_name(struct gprofx *gx, const char *text)
{
	size_t length = strlen(text);
	char *name = gprofx_alloc(gx, length + 1);

	for (size_t i = 0; i < length; i++) {
		bool is_digit = text[i] >= '0' && text[i] <= '9';
		bool is_letter = (text[i] >= 'a' && text[i] <= 'z') ||
		                 (text[i] >= 'A' && text[i] <= 'Z');

		name[i] = text[i];
		if (!is_digit && !is_letter)
			name[i] = '_';
	}
	return (struct gprofx_text){name, length};
}

/* Counts of compilers' counters, which ascend by file. */
static uint32_t
write_counters(struct record *record, const struct gprofx_report_source *source)
{
	uint32_t line = 0, function = 0;

	for (uint32_t file = 0; file < source->executed_file_count; file++) {
		for (; function < source->executed_function_count &&
		       source->executed_function[function].file == file;
		     function++) {
			const struct gprofx_executed_function
				*row = &source->executed_function[function];
			struct lcov_function found = {{row->name, strlen(row->name)},
			                              row->first_line,
			                              row->last_line,
			                              row->count};

			record_add_function(record, &found);
		}
		for (;
		     line < source->executed_line_count && source->executed_line[line].file == file;
		     line++)
			record_add_line(record, source->executed_line[line].line,
			                source->executed_line[line].count);
		record_write(record, source->executed_file[file]);
	}
	return line;
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	static const struct gprofx_diagnostic missing = {
		.id = "report.no-line-counts",
		.hint = "compile the program with -g, and select its functions",
	};
	const struct gprofx_report_source *source = emission->report->source;
	const struct options *options = opaque;
	struct record record = {.gx = gx, .writer = emission->writer};
	uint32_t found;

	record.test = test_name(gx, options->test);
	found = write_counters(&record, source) + blocks_write(&record, emission->report);
	if (found == 0 && source->block_first &&
	    source->block_first[emission->report->functions->count] > 0)
		return gprofx_fail(gx, &missing, "no source line of the counted blocks is known");
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_EXECUTED | GPROFX_PART_SOURCE | GPROFX_PART_NODES,
	.traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES,
};

static const struct gprofx_listing listings[] = {
	{
		.size = sizeof listings[0],
		.data = GPROFX_DATA_LINES,
		.name = "tracefile",
		.subject = "a tracefile of lcov",
		.hint = "name the files of gcov --json-format in addition to the profile, or use -l for "
			"a profile with counts of basic blocks",
		.place = 550,
	},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "lcov",
	.extension = "info",
	.emit = emit,
	.needs = &needs,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-lcov",
	.version = "1.0",
	.summary = "Execution counts of source lines, for lcov and genhtml",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
