/* SPDX-License-Identifier: Apache-2.0 */
/* What was counted in the source, and its place among the execution counts. */
#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "graph/graph.h"
#include "profile/executions.h"
#include "profile/profile.h"
#include "profile/source-counts.h"
#include "report/model.h"
#include "select/filters.h"
#include "symbols/symbols.h"

#define NO_ROW UINT32_MAX

void
report_set_executions(struct run *run, struct report_model *model, const struct profile *profile)
{
	struct report_parts *report = &model->parts;
	struct gprofx_executed_line *lines;
	struct gprofx_executed_function *functions;
	uint32_t *counted_as;

	if (!profile->executions)
		return;
	memory_array(run, lines, profile->source_count_count);
	memory_array(run, functions, profile->source_function_count);
	memory_array(run, counted_as, report->functions.count);
	for (uint32_t i = 0; i < profile->source_count_count; i++) {
		const struct source_count *row = &profile->source_counts[i];

		lines[i] = (struct gprofx_executed_line){row->file, row->line, row->count};
	}
	for (uint32_t i = 0; i < profile->source_function_count; i++) {
		const struct source_function *row = &profile->source_functions[i];

		functions[i] = (struct gprofx_executed_function){
			.file = row->file,
			.first_line = row->first_line,
			.last_line = row->last_line,
			.function = profile->executions->symbol[i],
			.name = profile->source_names.items[row->name],
			.count = row->count,
		};
	}
	for (uint32_t i = 0; i < model->symbols->count; i++)
		counted_as[i] = profile->executions->function[i];
	report->source.executed_file = profile->source_files;
	report->source.executed_file_count = profile->source_file_count;
	report->source.executed_line = lines;
	report->source.executed_line_count = profile->source_count_count;
	report->source.executed_function = functions;
	report->source.executed_function_count = profile->source_function_count;
	report->source.counted_as = counted_as;
}

/* The rows under way. */
struct listing {
	struct run *run;
	const struct report_model *model;
	const struct profile *profile;
	struct gprofx_counted_row *rows;
	uint32_t count, room;
	bool *is_selected; /* functions of the source of which a symbol is; NULL: all */
	uint32_t *file_of; /* per file of the symbols its number in the source plus 1; 0: none */
	uint32_t next;     /* of the lines, or functions, of the source */
};

static void
add_row(struct listing *l, struct gprofx_counted_row row)
{
	const struct gprofx_report *report = &l->model->public;
	bool may_have_blocks = row.function != NO_ROW && report->source->block_first;

	if (row.count == 0 && !report->origin->shows_unused && !may_have_blocks)
		return;
	l->rows = memory_room(l->run, l->rows, sizeof *l->rows, l->count, &l->room, 1);
	l->rows[l->count++] = row;
}

static bool
is_listed(const struct listing *l, uint32_t executed_function)
{
	return !l->is_selected ||
	       (executed_function != NO_ROW && l->is_selected[executed_function]);
}

bool *
report_select_executions(struct run *run, const struct gprofx_report *report,
                         const struct symbols *symbols, const struct filters *filters,
                         enum engine_filter filter)
{
	bool *is_selected;

	if (filters->include[filter].count == 0 && filters->exclude[filter].count == 0)
		return NULL;
	memory_array(run, is_selected, report->source->executed_function_count);
	if (filters->include[filter].count == 0)
		memset(is_selected, 1, report->source->executed_function_count);
	for (uint32_t i = 0; i < symbols->count; i++)
		if (report->source->counted_as[i] != 0)
			is_selected[report->source->counted_as[i] - 1] = false;
	for (uint32_t i = 0; i < symbols->count; i++)
		if (report->source->counted_as[i] != 0 && filter_selects(filters, filter, i))
			is_selected[report->source->counted_as[i] - 1] = true;
	return is_selected;
}

static uint32_t
source_count(const struct listing *l)
{
	return l->model->parts.origin.by_line ? l->model->parts.source.executed_line_count
	                                      : l->model->parts.source.executed_function_count;
}

/* The place of a line, or function, of the source. */
static uint64_t
place_of(const struct listing *l, uint32_t number)
{
	const struct gprofx_report *report = &l->model->public;

	if (report->origin->by_line)
		return (uint64_t)report->source->executed_line[number].file << 32 |
		       report->source->executed_line[number].line;
	return (uint64_t)report->source->executed_function[number].file << 32 |
	       report->source->executed_function[number].first_line;
}

static void
add_source_row(struct listing *l, uint32_t number)
{
	const struct gprofx_report *report = &l->model->public;
	const struct gprofx_executed_function *function = &report->source
	                                                           ->executed_function[number];
	uint32_t around;

	if (report->origin->by_line) {
		around = l->profile->executions->line_function[number];
		if (is_listed(l, around != 0 ? around - 1 : NO_ROW))
			add_row(l, (struct gprofx_counted_row){
					   NO_ROW, NO_ROW, number,
					   report->source->executed_line[number].count});
		return;
	}
	if (is_listed(l, number))
		add_row(l, (struct gprofx_counted_row){function->function, number, NO_ROW,
		                                       function->count});
}

/* Adds what stands in the source up to a place, that itself included. */
static void
add_up_to(struct listing *l, uint64_t place)
{
	while (l->next < source_count(l) && place_of(l, l->next) <= place)
		add_source_row(l, l->next++);
}

static bool
has_blocks(const struct gprofx_report *report, uint32_t function)
{
	const uint32_t *first = report->source->block_first;

	return first && first[function + 1] > first[function];
}

/*
 * Functions of the source counts stand at their places in the source, not at those of debug
 * information.
 */
static void
add_function(struct listing *l, uint32_t function)
{
	const struct gprofx_report *report = &l->model->public;
	const struct symbols *symbols = l->model->symbols;
	uint32_t counted = report->source->counted_as ? report->source->counted_as[function] : 0;
	uint32_t file = l->file_of ? l->file_of[symbols->file[function]] : 0;

	if (counted != 0 && !(report->origin->by_line && has_blocks(report, function)))
		return;
	if (file != 0)
		add_up_to(l, (uint64_t)(file - 1) << 32 | symbols->line[function]);
	add_row(l, (struct gprofx_counted_row){function, NO_ROW, NO_ROW,
	                                       gprofx_executions_of(report, function)});
}

/* Which files of the symbols are in the source. */
static void
join_files(struct listing *l)
{
	const struct symbols *symbols = l->model->symbols;

	if (!l->model->parts.source.counted_as || !symbols->is_located)
		return;
	memory_array(l->run, l->file_of, symbols->file_count);
	for (uint32_t i = 1; i < symbols->file_count; i++)
		l->file_of[i] = source_counts_file(l->run, l->profile, symbols->files[i].path) + 1;
}

void
report_list_counted_rows(struct run *run, struct report_model *model, const struct profile *profile)
{
	struct listing l = {.run = run, .model = model, .profile = profile};
	struct report_parts *report = &model->parts;

	join_files(&l);
	if (report->source.counted_as)
		l.is_selected = report_select_executions(run, &model->public, model->symbols,
		                                         model->graph->filters,
		                                         ENGINE_FILTER_COUNTS);
	for (uint32_t i = 0; i < report->source.counted_count; i++)
		add_function(&l, report->source.counted[i]);
	add_up_to(&l, UINT64_MAX);
	memory_release(run, l.file_of);
	memory_release(run, l.is_selected);
	report->source.counted_row = l.rows;
	report->source.counted_row_count = l.count;
}
