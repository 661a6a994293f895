/* SPDX-License-Identifier: Apache-2.0 */
#include "report/slices.h"

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "profile/slices.h"

/* Rows of the profile's, one kind after the other, and their numbers in the report. */
struct tables {
	const struct slices *slices;
	uint32_t *number; /* per row of the profile */
	uint32_t count[SLICE_KINDS];
};

static struct tables
number_rows(struct run *run, const struct slices *slices)
{
	struct tables tables = {.slices = slices};

	memory_array(run, tables.number, slices->count);
	for (uint32_t i = 0; i < slices->count; i++)
		tables.number[i] = tables.count[slices->rows[i].kind]++;
	return tables;
}

/* The number of a row plus 1, or none. */
static uint32_t
number_of(const struct tables *tables, uint64_t row)
{
	return row == 0 ? GPROFX_NO_ROW : tables->number[row - 1];
}

static const struct gprofx_process *
list_processes(struct run *run, const struct tables *tables)
{
	struct gprofx_process *rows;

	memory_array(run, rows, tables->count[SLICE_PROCESS]);
	for (uint32_t i = 0; i < tables->slices->count; i++) {
		const struct slice_row *row = &tables->slices->rows[i];

		if (row->kind == SLICE_PROCESS)
			rows[tables->number[i]] = (struct gprofx_process){
				sizeof *rows, number_of(tables, row->of), row->number, row->name};
	}
	return rows;
}

static const struct gprofx_thread *
list_threads(struct run *run, const struct tables *tables)
{
	struct gprofx_thread *rows;

	memory_array(run, rows, tables->count[SLICE_THREAD]);
	for (uint32_t i = 0; i < tables->slices->count; i++) {
		const struct slice_row *row = &tables->slices->rows[i];

		if (row->kind == SLICE_THREAD)
			rows[tables->number[i]] = (struct gprofx_thread){
				.size = sizeof *rows,
				.process = number_of(tables, row->of),
				.number = row->number,
				.name = row->name,
				.threads = row->threads,
				.is_unknown = row->is_unknown,
				.cpu_ns = row->cpu_ns,
			};
	}
	return rows;
}

static const struct gprofx_phase *
list_phases(struct run *run, const struct tables *tables)
{
	struct gprofx_phase *rows;

	memory_array(run, rows, tables->count[SLICE_PHASE]);
	for (uint32_t i = 0; i < tables->slices->count; i++) {
		const struct slice_row *row = &tables->slices->rows[i];

		if (row->kind == SLICE_PHASE)
			rows[tables->number[i]] = (struct gprofx_phase){sizeof *rows, row->number,
			                                                row->name};
	}
	return rows;
}

/* A slice of the profile's (a row plus 1, or 0: none) with what distinguishes it. */
static struct gprofx_slice
slice_of(const struct tables *tables, uint32_t number, uint32_t kinds)
{
	struct gprofx_slice slice = {sizeof slice, GPROFX_NO_ROW, GPROFX_NO_ROW, GPROFX_NO_ROW, 0};
	const struct slice_row *rows = tables->slices->rows, *row;

	if (number == 0)
		return slice;
	row = &rows[number - 1];
	if (row->of != 0 && (kinds & GPROFX_SLICE_THREAD))
		slice.thread = number_of(tables, row->of);
	/* A thread is of one process. */
	if (row->of != 0 && (kinds & (GPROFX_SLICE_PROCESS | GPROFX_SLICE_THREAD)))
		slice.process = number_of(tables, rows[row->of - 1].of);
	if (kinds & GPROFX_SLICE_PHASE)
		slice.phase = number_of(tables, row->number);
	return slice;
}

static bool
is_same(const struct gprofx_slice *left, const struct gprofx_slice *right)
{
	return left->process == right->process && left->thread == right->thread &&
	       left->phase == right->phase;
}

/*
 * Lists slices by process, thread and phase, what is none of them first, and says of each of the
 * profile's which one it is.
 */
static struct gprofx_slice *
list_slices(struct run *run, const struct sliced *sliced, const struct tables *tables,
            uint32_t kinds, uint32_t *place, uint32_t *count)
{
	uint32_t most = sliced->slices->count + 1, found = 0;
	struct gprofx_slice *all, *slices;
	uint64_t *keys;
	uint32_t *ids;

	memory_array(run, all, most);
	memory_array(run, slices, most);
	memory_array(run, keys, most);
	memory_array(run, ids, most);
	for (uint32_t i = 0; i < most; i++) {
		if (i > 0 && sliced->slices->rows[i - 1].kind != SLICE_SLICE)
			continue;
		all[i] = slice_of(tables, i, kinds);
		keys[found] = all[i].phase + UINT32_C(1);
		ids[found++] = i;
	}
	sort_ascending(run, keys, ids, found);
	/* No row, the largest number, comes first. */
	for (uint32_t i = 0; i < found; i++)
		keys[i] = (uint64_t)(all[ids[i]].process + UINT32_C(1)) << 32 |
		          (all[ids[i]].thread + UINT32_C(1));
	sort_ascending(run, keys, ids, found);
	*count = 0;
	for (uint32_t i = 0; i < found; i++) {
		const struct gprofx_slice *slice = &all[ids[i]];

		if (*count == 0 || !is_same(&slices[*count - 1], slice))
			slices[(*count)++] = *slice;
		place[ids[i]] = *count - 1;
		slices[*count - 1].ticks += sliced->ticks[ids[i]];
	}
	memory_release(run, all);
	memory_release(run, keys);
	memory_release(run, ids);
	return slices;
}

/* Adds up values of slices that are one here. */
static void
add_value(struct gprofx_slice_value *to, const struct gprofx_slice_value *more)
{
	bool is_known = to->calls != GPROFX_CALLS_UNKNOWN;

	to->self += more->self;
	to->below += more->below;
	if (is_known)
		to->calls = more->calls < GPROFX_CALLS_UNKNOWN - 1 - to->calls
		                    ? to->calls + more->calls
		                    : GPROFX_CALLS_UNKNOWN - 1;
}

static void
list_values(struct run *run, const struct sliced *sliced, const uint32_t *place,
            struct gprofx_report_slices *part)
{
	struct gprofx_slice_value *values;
	uint32_t *ids, *first, count = 0;
	uint64_t *keys;

	memory_array(run, values, sliced->count);
	memory_array(run, keys, sliced->count);
	memory_array(run, ids, sliced->count);
	memory_array(run, first, (size_t)part->slice_count + 1);
	for (uint32_t i = 0; i < sliced->count; i++) {
		keys[i] = (uint64_t)place[sliced->values[i].slice] << 32 | sliced->values[i].node;
		ids[i] = i;
	}
	sort_ascending(run, keys, ids, sliced->count);
	for (uint32_t i = 0; i < sliced->count; i++) {
		struct gprofx_slice_value value = sliced->values[ids[i]];

		value.slice = (uint32_t)(keys[i] >> 32);
		if (i > 0 && keys[i] == keys[i - 1]) {
			add_value(&values[count - 1], &value);
			continue;
		}
		values[count++] = value;
		first[value.slice + 1] = count;
	}
	/* Slices without values begin where those before them end. */
	for (uint32_t s = 1; s <= part->slice_count; s++)
		first[s] = first[s] > first[s - 1] ? first[s] : first[s - 1];
	part->value = values;
	part->first = first;
	memory_release(run, keys);
	memory_release(run, ids);
}

struct gprofx_report_slices
report_slices(struct run *run, const struct sliced *sliced, uint32_t kinds)
{
	struct tables tables = number_rows(run, sliced->slices);
	struct gprofx_report_slices part = {
		.size = sizeof part,
		.kinds = kinds,
		.total_origin = sliced->is_inclusive ? GPROFX_MEASURED : GPROFX_UNKNOWN,
	};
	uint32_t *place;

	if (kinds & (GPROFX_SLICE_PROCESS | GPROFX_SLICE_THREAD)) {
		part.process = list_processes(run, &tables);
		part.process_count = tables.count[SLICE_PROCESS];
	}
	if (kinds & GPROFX_SLICE_THREAD) {
		part.thread = list_threads(run, &tables);
		part.thread_count = tables.count[SLICE_THREAD];
	}
	if (kinds & GPROFX_SLICE_PHASE) {
		part.phase = list_phases(run, &tables);
		part.phase_count = tables.count[SLICE_PHASE];
	}
	memory_array(run, place, (size_t)sliced->slices->count + 1);
	part.slice = list_slices(run, sliced, &tables, kinds, place, &part.slice_count);
	list_values(run, sliced, place, &part);
	memory_release(run, place);
	memory_release(run, tables.number);
	return part;
}
