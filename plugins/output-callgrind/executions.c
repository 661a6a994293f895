/* SPDX-License-Identifier: Apache-2.0 */
#include "executions.h"

enum { MOST_NESTED = 64 };

#define NO_FUNCTION UINT32_MAX

/*
 * Per line its function, or NO_FUNCTION.  Lines and functions stand in the order of files and
 * numbers, so both are gone through once; functions around a line wait on a stack.
 */
static void
find_functions(const struct gprofx_report_source *source, uint32_t *function_of)
{
	uint32_t open[MOST_NESTED], depth = 0, next = 0, file = 0;

	for (uint32_t i = 0; i < source->executed_line_count; i++) {
		const struct gprofx_executed_line *line = &source->executed_line[i];

		if (line->file != file)
			depth = 0;
		file = line->file;
		for (; next < source->executed_function_count; next++) {
			const struct gprofx_executed_function *f = &source->executed_function[next];

			if (f->file > file || (f->file == file && f->first_line > line->line))
				break;
			if (f->file == file && f->function != NO_FUNCTION && depth < MOST_NESTED)
				open[depth++] = next;
		}
		while (depth > 0 &&
		       source->executed_function[open[depth - 1]].last_line < line->line)
			depth--;
		function_of[i] = depth > 0 ? source->executed_function[open[depth - 1]].function
		                           : NO_FUNCTION;
	}
}

void
executions_make(struct gprofx *gx, const struct gprofx_report *report,
                struct executions *executions)
{
	const struct gprofx_report_source *source = report->source;
	uint32_t count = report->functions->count, *function_of;

	*executions = (struct executions){.are_known = source && source->executed_line_count > 0};
	if (!source || !executions->are_known)
		return;
	function_of = gprofx_alloc(gx, (size_t)source->executed_line_count * sizeof *function_of);
	find_functions(source, function_of);
	executions->first = gprofx_alloc(gx, ((size_t)count + 2) * sizeof *executions->first);
	executions->line = gprofx_alloc(gx, (size_t)source->executed_line_count *
	                                            sizeof *executions->line);
	/* Sorted by function: first[f + 1] is where the next line of f goes, and then its end. */
	for (uint32_t i = 0; i < source->executed_line_count; i++)
		if (function_of[i] < count)
			executions->first[function_of[i] + 2]++;
	for (uint32_t i = 2; i < count + 2; i++)
		executions->first[i] += executions->first[i - 1];
	for (uint32_t i = 0; i < source->executed_line_count; i++) {
		if (function_of[i] >= count)
			continue;
		executions->line[executions->first[function_of[i] + 1]++] = i;
		executions->total += source->executed_line[i].count;
		executions->whole += (double)source->executed_line[i].count;
	}
}
