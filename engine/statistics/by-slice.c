/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/by-slice.h"

#include "base/memory.h"
#include "base/sort.h"
#include "statistics/gathered.h"

struct adding {
	struct run *run;
	const struct series_table *self, *calls;
	struct file_values *values;
	struct gathered file; /* what the slices of one file have */
};

/* What was taken of a file becomes its values, and is forgotten. */
static void
finish_file(struct adding *at, uint32_t number)
{
	struct gathered *file = &at->file;

	sort_numbers(file->listed, file->count);
	for (uint32_t i = 0; i < file->count; i++) {
		uint32_t f = file->listed[i];

		if (file->ticks[f] != 0) {
			series_table_add(at->self, f, number, file->ticks[f]);
			file_values_add_self(at->values, number, f, file->ticks[f]);
		}
		if (file->calls[f] != 0) {
			series_table_add(at->calls, f, number, (double)file->calls[f]);
			file_values_add_calls(at->values, number, f, file->calls[f]);
		}
	}
	gathered_clear(file);
	file_values_bound(at->run, at->values);
}

/* The values in the order of their files; those of none come first. */
static uint32_t *
sort_values(struct run *run, const struct sliced *sliced, uint64_t *file_of)
{
	uint32_t *ids;

	memory_array(run, ids, sliced->count);
	for (uint32_t i = 0; i < sliced->count; i++) {
		uint32_t slice = sliced->values[i].slice;

		ids[i] = i;
		file_of[i] = slice > 0 ? sliced->slices->rows[slice - 1].file : 0;
	}
	sort_ascending(run, file_of, ids, sliced->count);
	return ids;
}

/* What all of the file weighs. */
static void
set_ticks(struct profile *profile, const struct sliced *sliced)
{
	const struct slices *slices = sliced->slices;

	for (uint32_t i = 0; i < profile->file_count; i++)
		profile->files[i].ticks = 0;
	for (uint32_t i = 1; i <= slices->count; i++) {
		const struct slice_row *row = &slices->rows[i - 1];

		if (row->kind == SLICE_SLICE && row->file > 0)
			profile->files[row->file - 1].ticks += sliced->ticks[i];
	}
}

uint32_t
by_slice_add(struct run *run, struct profile *profile, const struct sliced *sliced,
             uint32_t functions, const struct series_table *self, const struct series_table *calls,
             struct file_values *values)
{
	struct adding at = {.run = run, .self = self, .calls = calls, .values = values};
	uint32_t next = 0, number = 0, *ids;
	uint64_t *file_of;

	memory_array(run, file_of, sliced->count);
	gathered_begin(run, &at.file, functions);
	ids = sort_values(run, sliced, file_of);
	set_ticks(profile, sliced);
	for (uint32_t f = 0; f < profile->file_count; f++) {
		bool is_one = by_slice_has_file(profile, &profile->files[f]);

		while (next < sliced->count && file_of[next] < UINT64_C(1) + f)
			next++;
		for (; next < sliced->count && file_of[next] == UINT64_C(1) + f; next++)
			if (is_one)
				gathered_take(&at.file, &sliced->values[ids[next]]);
		if (profile_is_source_only(&profile->files[f]))
			continue;
		finish_file(&at, number++);
	}
	memory_release(run, file_of);
	memory_release(run, ids);
	gathered_release(run, &at.file);
	return number;
}
