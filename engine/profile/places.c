/* SPDX-License-Identifier: Apache-2.0 */
/* Where the addresses of a file are among those of the program and of other objects. */
#include "base/memory.h"
#include "base/run.h"
#include "profile/kept-rows.h"
#include "profile/maps.h"
#include "profile/parts.h"
#include "profile/profile.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

void
profile_place_file(struct profile *profile, const struct symbols *symbols,
                   const struct symbol_image *image)
{
	profile->symbols = symbols;
	profile->holds = profile->holds || image;
	profile_current_file(profile)->image = image;
}

/* Rows from here on have no place yet. */
static void
set_placed(struct profile *profile)
{
	profile->placed = (struct profile_placed){profile->arc_count, profile->call_count,
	                                          profile->block_count, profile->sparse_file.count};
}

void
profile_place_rows(struct profile *profile)
{
	const struct symbols *symbols = profile->symbols;
	const struct symbol_image *image;

	if (!symbols)
		return;
	image = profile_current_file(profile)->image;
	for (uint32_t i = profile->placed.arcs; i < profile->arc_count; i++) {
		struct gprofx_raw_arc *arc = &profile->arcs[i];

		arc->from = symbols_location(symbols, image, arc->from);
		arc->self = symbols_location(symbols, image, arc->self);
	}
	for (uint32_t i = profile->placed.calls; i < profile->call_count; i++)
		profile->calls[i].self = symbols_location(symbols, image, profile->calls[i].self);
	for (uint32_t i = profile->placed.blocks; i < profile->block_count; i++)
		profile->blocks[i].address = symbols_location(symbols, image,
		                                              profile->blocks[i].address);
	for (uint32_t i = profile->placed.samples; i < profile->sparse_file.count; i++) {
		struct gprofx_raw_sample *sample = &profile->sparse_file.rows[i];

		sample->address = symbols_location(symbols, image, sample->address);
	}
	set_placed(profile);
}

/* Moves the samples of files that were read before; those of a run before ascend. */
static void
place_sparse(struct run *run, struct profile *profile, const struct symbols *symbols)
{
	struct sparse_sample *rows = profile->sparse.items;

	for (uint32_t i = 0; i < profile->sparse.count; i++)
		rows[i].address = symbols_location(symbols, NULL, rows[i].address);
	if (profile->sparse.count > 0)
		sparse_sort(run, &profile->sparse);
}

/* Moves all rows of all files of a run, now that there is something beside the program. */
static void
place_all(struct run *run, struct profile *profile, const struct symbols *symbols)
{
	profile->symbols = symbols;
	profile->placed = (struct profile_placed){0, 0, 0, 0};
	/* What came before is of the program: there was nothing beside it. */
	profile_place_rows(profile);
	place_sparse(run, profile, symbols);
	for (uint32_t i = 0; i < profile->other_count; i++)
		place_sparse(run, profile->others[i], symbols);
	for (uint32_t i = 0; i < profile->slices.calls.count; i++) {
		struct slice_call *call = (struct slice_call *)profile->slices.calls.items + i;

		call->from = call->has_caller ? symbols_location(symbols, NULL, call->from) : 0;
		call->self = symbols_location(symbols, NULL, call->self);
	}
}

void
profile_begin_rows(struct profile *profile, const struct gprofx_from *from)
{
	if (from->process == 0)
		return;
	profile_place_rows(profile);
	/* Without images, rows of the program stay where they are. */
	set_placed(profile);
}

void
profile_end_rows(struct run *run, struct profile *profile, const struct gprofx_from *from)
{
	uint32_t process = from->process;

	if (process == 0)
		return;
	for (uint32_t i = profile->placed.arcs; i < profile->arc_count; i++) {
		struct gprofx_raw_arc *arc = &profile->arcs[i];

		arc->from = maps_locate(run, profile, process, arc->from);
		arc->self = maps_locate(run, profile, process, arc->self);
	}
	for (uint32_t i = profile->placed.calls; i < profile->call_count; i++)
		profile->calls[i].self = maps_locate(run, profile, process, profile->calls[i].self);
	for (uint32_t i = profile->placed.blocks; i < profile->block_count; i++)
		profile->blocks[i].address = maps_locate(run, profile, process,
		                                         profile->blocks[i].address);
	for (uint32_t i = profile->placed.samples; i < profile->sparse_file.count; i++) {
		struct gprofx_raw_sample *sample = &profile->sparse_file.rows[i];

		sample->address = maps_locate(run, profile, process, sample->address);
	}
	set_placed(profile);
}

uint64_t *
profile_placed_frames(struct run *run, struct profile *profile, const struct gprofx_from *from,
                      const struct gprofx_raw_stacks *rows, const struct symbols **of)
{
	const struct profile_file *file = profile_current_file(profile);
	const struct symbol_image *image = file ? file->image : NULL;
	uint32_t past = rows->first[rows->count];
	uint64_t slide = profile->frame_slide, *placed;

	if (from->process == 0 && !image && slide == 0)
		return NULL;
	if (from->process != 0 || image)
		*of = profile->image_symbols;
	memory_array(run, placed, past);
	for (uint32_t i = rows->first[0]; i < past; i++) {
		uint64_t address = rows->address[i];

		if (from->process != 0)
			placed[i] = maps_locate(run, profile, from->process, address);
		else if (image)
			placed[i] = symbols_location(profile->symbols, image, address);
		else
			placed[i] = symbols_unslid(&profile->image_symbols->table.target, address,
			                           slide);
	}
	return placed;
}

/* The highest address of the records of one metric. */
static uint64_t
highest_of(const struct profile *profile)
{
	uint64_t highest = 0;

	for (uint32_t i = 0; i < profile->histogram_count; i++)
		if (profile->histograms[i].high > highest)
			highest = profile->histograms[i].high;
	return highest;
}

/* The highest address that a histogram reaches up to, of all metrics of all runs. */
static uint64_t
highest_of_runs(const struct profile *profile)
{
	uint64_t highest = 0;

	for (; profile; profile = profile->next_run) {
		uint64_t own = highest_of(profile);

		highest = own > highest ? own : highest;
		for (uint32_t i = 0; i < profile->other_count; i++) {
			own = highest_of(profile->others[i]);
			highest = own > highest ? own : highest;
		}
	}
	return highest;
}

struct late_images *
profile_late_images(struct run *run, struct profile *profile, struct symbols *symbols)
{
	bool was_open = symbols->late || symbols->others_bytes > 0;
	struct profile *first = profile->first_run;

	if (symbols->late)
		return symbols->late;
	symbols_late(run, symbols, highest_of_runs(first));
	for (; first && !was_open && symbols->others_bytes > 0; first = first->next_run)
		if (profile_current_file(first))
			place_all(run, first, symbols);
	return symbols->late;
}

enum gprofx_result
profile_place_record(struct run *run, struct profile *profile, const struct gprofx_file *file,
                     struct gprofx_histogram *record)
{
	const struct symbols *symbols = profile->symbols;
	uint64_t low = record->low, high = record->high;
	struct gprofx_diagnostic diagnostic;
	const struct symbol_image *image;

	/* What is of a process has its place. */
	if (!symbols || record->process != 0)
		return GPROFX_OK;
	image = profile_current_file(profile)->image;
	if (symbols_move_range(symbols, image, &record->low, &record->high)) {
		/* No image that comes later is to be where it is. */
		if (symbols->late)
			symbols_keep_free(profile->image_symbols, record->high);
		return GPROFX_OK;
	}
	diagnostic = gprofx_at(file, record->offset, "profile.far-off",
	                       "name each profile with the object that wrote it; its addresses are "
	                       "those that the object was linked for");
	diagnostic.number[0] = low;
	diagnostic.number[1] = high;
	return run_fail(run, &diagnostic,
	                "expected a histogram within 4 GiB of the code of %s, found 0x%llx-0x%llx",
	                (image ? image : symbols->images)->path, (unsigned long long)low,
	                (unsigned long long)high);
}
