/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks.h"

#include <string.h>

static bool
has_blocks(const struct gprofx_report_source *source, uint32_t function)
{
	return source->block_first[function] != source->block_first[function + 1];
}

/*
 * How often a function ran: its calls, or, where these are not known, the block that it starts
 * with.  false: neither is known.
 */
static bool
count_function(const struct gprofx_report *report, uint32_t function, uint64_t *count)
{
	const struct gprofx_report_source *source = report->source;
	uint64_t calls = gprofx_calls_of(report, function);

	*count = 0;
	if (report->origin->has_arcs && gprofx_is_counted(report->graph->calls, calls))
		*count = calls + gprofx_recursive_of(report, function);
	if (*count > 0)
		return true;
	if (source->begins_with && source->begins_with[function] != GPROFX_CALLS_UNKNOWN) {
		*count = source->begins_with[function];
		return true;
	}
	for (uint32_t i = source->block_first[function]; i < source->block_first[function + 1]; i++)
		if (source->block[i].address == report->functions->address[function]) {
			*count += source->block[i].count;
			calls = 0;
		}
	return *count > 0 || calls == 0;
}

/* Functions that start on a line. */
static void
add_functions(struct record *record, const struct gprofx_report *report, uint32_t row)
{
	const struct gprofx_lists *lists = &report->source->functions;
	uint32_t line = gprofx_source_line_at(report, row)->line;

	for (uint32_t i = lists->first[row]; i < lists->first[row + 1]; i++) {
		uint32_t function = lists->item[i];
		const char *name = report->functions->raw_name[function];
		struct lcov_function found = {.name = {name, strlen(name)},
		                              .first_line = line,
		                              .last_line = line};

		if ((report->graph->flags[function] & GPROFX_NODE_LINE) == 0 &&
		    count_function(report, function, &found.count))
			record_add_function(record, &found);
	}
}

static bool
is_block(const struct gprofx_report *report, uint32_t row)
{
	const struct gprofx_lists *lists = &report->source->functions;
	const struct gprofx_source_line *line = gprofx_source_line_at(report, row);

	/* Compilers' counters have been written. */
	if (line->is_exact || !line->is_counted)
		return false;
	for (uint32_t i = lists->first[row]; i < lists->first[row + 1]; i++) {
		uint32_t function = lists->item[i];

		if (has_blocks(report->source, function) ||
		    (report->source->begins_with &&
		     report->source->begins_with[function] != GPROFX_CALLS_UNKNOWN))
			return true;
	}
	return false;
}

uint32_t
blocks_write(struct record *record, const struct gprofx_report *report)
{
	const struct gprofx_report_source *source = report->source;
	uint32_t files = 0;

	if (!source->block_first)
		return 0;
	for (uint32_t row = 0; row < source->line_count; row++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(report, row);
		bool is_last = row + 1 == source->line_count ||
		               gprofx_source_line_at(report, row + 1)->file != line->file;

		if (is_block(report, row)) {
			record_add_line(record, line->line, line->count);
			add_functions(record, report, row);
		}
		if (!is_last)
			continue;
		files += record->line_count > 0;
		record_write(record, source->file[line->file]);
	}
	return files;
}
