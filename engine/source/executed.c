/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that compilers' counters know, by the files of the debug information. */
#include "base/memory.h"
#include "base/run.h"
#include "profile/executions.h"
#include "profile/profile.h"
#include "profile/source-counts.h"
#include "report/model.h"
#include "select/filters.h"
#include "source/source.h"
#include "symbols/symbols.h"

/* Files of the symbols by those of the counters; 0: none has been found. */
static uint32_t *
match_files(struct run *run, const struct symbols *symbols, const struct profile *profile,
            struct source_executed *executed)
{
	uint32_t *file_of;

	memory_array(run, file_of, (size_t)profile->source_file_count + 1);
	memory_array(run, executed->same_file, symbols->file_count);
	executed->known_files = symbols->file_count;
	for (uint32_t i = 1; i < symbols->file_count; i++) {
		uint32_t file = source_counts_file(run, profile, symbols->files[i].path);

		executed->same_file[i] = i;
		if (file >= profile->source_file_count)
			continue;
		if (file_of[file] == 0)
			file_of[file] = i;
		executed->same_file[i] = file_of[file];
	}
	return file_of;
}

/* The number of a file that has lines: one that the debug information does not know becomes new. */
static uint32_t
number_file(struct run *run, struct symbols *symbols, const struct profile *profile,
            uint32_t *file_of, uint32_t file)
{
	if (file_of[file] == 0)
		file_of[file] = symbols_intern_file(run, symbols, profile->source_files[file]);
	return file_of[file];
}

struct source_executed
source_select_executed(struct run *run, struct symbols *symbols, const struct filters *filters,
                       const struct profile *profile, const struct gprofx_report *report)
{
	struct source_executed executed = {0};
	uint32_t *file_of;
	bool *is_selected;

	if (!profile->executions)
		return executed;
	file_of = match_files(run, symbols, profile, &executed);
	is_selected = report_select_executions(run, report, symbols, filters,
	                                       ENGINE_FILTER_ANNOTATE);
	memory_array(run, executed.key, profile->source_count_count);
	memory_array(run, executed.count, profile->source_count_count);
	for (uint32_t i = 0; i < profile->source_count_count; i++) {
		const struct source_count *line = &profile->source_counts[i];
		uint32_t function = profile->executions->line_function[i];

		if (is_selected && (function == 0 || !is_selected[function - 1]))
			continue;
		executed.key[executed.rows] = source_key(
			number_file(run, symbols, profile, file_of, line->file), line->line);
		executed.count[executed.rows++] = line->count;
	}
	memory_release(run, file_of);
	memory_release(run, is_selected);
	return executed;
}
