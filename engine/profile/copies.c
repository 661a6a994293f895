/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_BINS = 1 << 20, FIRST_ROOM = 64 };

/* Who keeps. */
struct copies_context {
	struct run *run;
	uint32_t file_count;
};

void
copies_want(struct run *run, struct profile *profile)
{
	profile->copies = memory_alloc(run, sizeof *profile->copies);
	profile->copies->run = run;
}

static int
compare_arcs(const void *left, const void *right)
{
	const struct gprofx_raw_arc *a = left, *b = right;

	if (a->self != b->self)
		return a->self < b->self ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

void
copies_keep_arcs(struct profile *profile)
{
	struct copies_context *context = profile->copies;
	struct profile_file *file = profile_current_file(profile);
	uint32_t first = profile->mark.arc_count, count = profile->arc_count - first, kept = 0;
	struct file_rows *rows;

	if (!context || !file || context->file_count == COPIES_MOST_FILES ||
	    count > COPIES_MOST_ROWS || profile->arc_count < first)
		return;
	context->file_count++;
	rows = file->rows = memory_alloc(context->run, sizeof *rows);
	rows->is_whole = true;
	memory_array(context->run, rows->arcs, (size_t)count + 1);
	if (count > 0)
		memcpy(rows->arcs, profile->arcs + first, count * sizeof *rows->arcs);
	qsort(rows->arcs, count, sizeof *rows->arcs, compare_arcs);
	for (uint32_t i = 0; i < count; i++) {
		if (kept > 0 && compare_arcs(&rows->arcs[kept - 1], &rows->arcs[i]) == 0)
			rows->arcs[kept - 1].count += rows->arcs[i].count;
		else
			rows->arcs[kept++] = rows->arcs[i];
	}
	rows->arc_count = kept;
}

void
copies_keep_bins(const struct profile *profile, struct profile_file *file,
                 const struct gprofx_histogram *record)
{
	struct file_rows *rows = file->rows;
	uint64_t span = record->high - record->low;

	if (!rows || !rows->is_whole)
		return;
	rows->is_whole = record->bin_count <= MOST_BINS;
	for (uint32_t i = 0; i < record->bin_count && rows->is_whole; i++) {
		uint64_t count = record_counter(record, i);

		if (count == 0)
			continue;
		/* Room doubles from one power of two to the next. */
		if (rows->bin_count == 0)
			memory_array(profile->copies->run, rows->bins, FIRST_ROOM);
		else if (rows->bin_count >= FIRST_ROOM &&
		         (rows->bin_count & (rows->bin_count - 1)) == 0)
			rows->bins = memory_grow(profile->copies->run, rows->bins,
			                         rows->bin_count * sizeof *rows->bins,
			                         2 * rows->bin_count * sizeof *rows->bins);
		rows->bins[rows->bin_count++] = (struct file_bin){
			record->low + (uint64_t)((double)span / record->bin_count * i), count};
		rows->is_whole = rows->bin_count < COPIES_MOST_ROWS;
	}
}
