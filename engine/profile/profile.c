/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile builder: takes records from readers, file by file.  What a file says counts as a
 * whole or not at all.
 */
#include "base/run.h"
#include "base/sums.h"
#include "profile/copies.h"
#include "profile/facts.h"
#include "profile/maps.h"
#include "profile/metrics.h"
#include "profile/profile.h"
#include "profile/source-counts.h"

#include <search.h>
#include <string.h>

#include "base/memory.h"
#include "profile/parts.h"

static struct run *
run_of(struct gprofx *gx)
{
	return (struct run *)gx;
}

static struct profile *
profile_of(struct gprofx_profile *public)
{
	return (struct profile *)public;
}

void
profile_begin_file(struct run *run, struct profile *profile, const char *name, int64_t modified,
                   bool holds)
{
	profile->mark = (struct profile_mark){
		.histogram_count = profile->histogram_count,
		.pending_count = profile->pending_count,
		.arc_count = profile->arc_count,
		.call_count = profile->call_count,
		.block_count = profile->block_count,
		.file_count = profile->file_count,
		.rate = profile->rate,
		.has_histogram = profile->has_histogram,
		.has_sparse = profile->has_sparse,
		.sparse_count = profile->sparse.count,
		.sparse_total = profile->sparse_total,
		.histogram_files = profile->histogram_files.count,
		.sparse_files = profile->sparse_files.count,
		.has_arcs = profile->has_arcs,
		.has_blocks = profile->has_blocks,
		.has_source = profile->has_source,
		.source_count_count = profile->source_count_count,
		.source_function_count = profile->source_function_count,
		.other_count = profile->other_count,
	};
	for (uint32_t i = 0; i < profile->other_count; i++) {
		struct profile *other = profile->others[i];

		other->mark = (struct profile_mark){
			.histogram_count = other->histogram_count,
			.pending_count = other->pending_count,
			.rate = other->rate,
			.has_histogram = other->has_histogram,
			.has_sparse = other->has_sparse,
			.sparse_count = other->sparse.count,
			.sparse_total = other->sparse_total,
			.histogram_files = other->histogram_files.count,
			.sparse_files = other->sparse_files.count,
		};
	}
	profile->declared_count = 0;
	profile->contained_count = 0;
	profile->placed = (struct profile_placed){profile->arc_count, profile->call_count,
	                                          profile->block_count, 0};
	maps_begin_file(run, profile);
	profile->is_refused = false;
	profile->holds = holds;
	profile->held_count = 0;
	profile->files = memory_room(run, profile->files, sizeof *profile->files,
	                             profile->file_count, &profile->file_room, 1);
	profile->files[profile->file_count++] = (struct profile_file){.name = name,
	                                                              .modified = modified};
	stacks_begin_file(&profile->stacks, UINT64_MAX);
	profile->bytes_left = UINT64_MAX;
	profile->sparse_file.count = profile->sparse_file.batch_count = 0;
	profile->sparse_file.negative = 0;
	slices_begin_file(run, profile);
	facts_begin_file(profile);
}

/* What deflate makes of a byte at most. */
enum { MOST_INFLATED = 1032 };

void
profile_set_length(struct profile *profile, uint64_t bytes)
{
	profile->length = bytes;
	profile->bytes_left = bytes > UINT64_MAX / MOST_INFLATED ? UINT64_MAX
	                                                         : bytes * MOST_INFLATED;
	profile->stacks.frames_left = profile->bytes_left;
}

enum gprofx_result
profile_finish(struct run *run, struct profile *profile)
{
	enum gprofx_result result;

	source_counts_finish(run, profile);
	result = sparse_finish(run, profile);
	stacks_finish(run, &profile->stacks);
	return result;
}

/* Takes back what one metric has got since the mark. */
static void
drop_histograms(struct run *run, struct profile *profile)
{
	const struct profile_mark *mark = &profile->mark;

	profile_forget_histograms(run, profile, mark->histogram_count);
	while (profile->pending_count > mark->pending_count) {
		struct pending *last = &profile->pending[--profile->pending_count];

		/* What was expected of counters that do not come stays expected: it is no sum. */
		if (last->is_copy)
			memory_release(run, (void *)last->record.bins);
	}
	profile->rate = mark->rate;
	profile->has_histogram = mark->has_histogram;
	profile->has_sparse = mark->has_sparse;
	profile->sparse.count = mark->sparse_count;
	profile->sparse_total = mark->sparse_total;
	profile->histogram_files.count = mark->histogram_files;
	profile->sparse_files.count = mark->sparse_files;
}

void
profile_drop_file(struct run *run, struct profile *profile)
{
	const struct profile_mark *mark = &profile->mark;

	profile->held_count = 0;
	stacks_drop_file(run, &profile->stacks);
	slices_drop_file(run, profile);
	drop_histograms(run, profile);
	/* The marks of metrics that the file brought are those of nothing. */
	for (uint32_t i = 0; i < profile->other_count; i++)
		drop_histograms(run, profile->others[i]);
	while (profile->other_count > mark->other_count) {
		struct profile *last = profile->others[--profile->other_count];

		memory_release(run, last->histograms);
		memory_release(run, last->pending);
		memory_release(run, last->sparse.items);
		memory_release(run, last->histogram_files.items);
		memory_release(run, last->sparse_files.items);
		memory_release(run, last);
	}
	profile->arc_count = mark->arc_count;
	profile->call_count = mark->call_count;
	profile->block_count = mark->block_count;
	profile->file_count = mark->file_count;
	profile->has_arcs = mark->has_arcs;
	profile->has_blocks = mark->has_blocks;
	profile->has_source = mark->has_source;
	profile->source_count_count = mark->source_count_count;
	profile->source_function_count = mark->source_function_count;
}

/* The record as far as the reader knows of its members. */
static struct gprofx_histogram
known_part(struct run *run, const struct profile *profile, const struct gprofx_histogram *given)
{
	struct gprofx_histogram record;

	profile_take(run, "the histogram record", &record, sizeof record, given);
	metrics_resolve(run, profile, &record);
	record.slice = slices_resolve(run, profile, record.slice);
	phases_select_bins(run, &record);
	return record;
}

void
profile_set_rate(const struct run *run, const struct profile *of, struct gprofx_histogram *record)
{
	if (run->settings->rate == 0 || of->whole)
		return;
	record->rate = run->settings->rate;
	record->lacks_rate = false;
}

static enum gprofx_result
check_histogram(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
                const struct gprofx_histogram *given)
{
	struct run *run = run_of(gx);
	struct profile *profile = profile_of(public);
	struct gprofx_histogram record = known_part(run, profile, given);
	const struct profile *of = metrics_find(run, profile, &record);

	if (!of)
		return GPROFX_OK;
	profile_set_rate(run, of, &record);
	/* Those before it have their places. */
	if (record.process != 0 && maps_locate_record(run, profile, file, &record) != GPROFX_OK)
		return GPROFX_FAILED;
	if (profile_current_file(profile) && profile_current_file(profile)->image &&
	    profile_place_record(run, profile, file, &record) != GPROFX_OK)
		return GPROFX_FAILED;
	return profile_check_record(run, of, file, &record);
}

static bool
is_in_file(const struct gprofx_file *file, const struct gprofx_histogram *record)
{
	return record->bin_count == 0 ||
	       ((uintptr_t)record->bins >= (uintptr_t)file->bytes &&
	        (uintptr_t)record->bins - (uintptr_t)file->bytes < file->length);
}

/* Bins outside of the file are the reader's, and have to be copied. */
static void
keep_bins(struct run *run, const struct gprofx_file *file, struct gprofx_histogram *record)
{
	size_t bytes = (size_t)record->bin_count * record->bin_bytes;
	uint8_t *copy;

	if (is_in_file(file, record))
		return;
	copy = memory_alloc(run, bytes);
	memcpy(copy, record->bins, bytes);
	record->bins = copy;
}

/* The counters of a record wait for those of other files, so that they are added together. */
static enum gprofx_result
enter_histogram(struct run *run, struct profile *profile, const struct gprofx_file *file,
                struct gprofx_histogram *record)
{
	enum gprofx_result result = profile_place_record(run, profile, file, record);
	struct profile *of = NULL;
	struct pending *pending;
	uint64_t upper = 0, *most;

	if (result == GPROFX_OK) {
		of = metrics_enter(run, profile, file, record);
		if (!of)
			return GPROFX_FAILED;
		profile_set_rate(run, of, record);
		result = profile_check_record(run, of, file, record);
	}
	if (result == GPROFX_OK)
		result = profile_check_counters(run, file, record, &upper);
	if (result != GPROFX_OK)
		return result;
	if (run_traces(run, GPROFX_TRACE_SAMPLES))
		run_trace(run, "histogram 0x%llx-0x%llx: %u bins, rate %u, unit %.15s (%c)",
		          (unsigned long long)record->low, (unsigned long long)record->high,
		          record->bin_count, record->rate, record->dimension,
		          record->abbreviation ? record->abbreviation : '?');
	of->pending = memory_room(run, of->pending, sizeof *of->pending, of->pending_count,
	                          &of->pending_room, 1);
	pending = &of->pending[of->pending_count];
	*pending = (struct pending){
		.record = *record,
		.histogram = profile_enter_record(run, of, record),
		.file = profile->file_count > 0 ? profile->file_count - 1 : NO_FILE,
		.upper = upper,
		.is_copy = !is_in_file(file, record),
	};
	of->pending_count++;
	if (profile->file_count > 0)
		file_names_add(run, &of->histogram_files,
		               profile->files[profile->file_count - 1].name);
	most = &of->histograms[pending->histogram].most;
	sum_add(most, upper);
	return GPROFX_OK;
}

static enum gprofx_result
build_histogram(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
                const struct gprofx_histogram *given)
{
	struct run *run = run_of(gx);
	struct profile *profile = profile_of(public);
	struct gprofx_histogram record = known_part(run, profile, given);

	profile_expect_rows(run, record.bins, record.bin_count, "bins");
	if (record.process != 0 && maps_locate_record(run, profile, file, &record) != GPROFX_OK)
		return GPROFX_FAILED;
	keep_bins(run, file, &record);
	if (!profile->holds)
		return enter_histogram(run, profile, file, &record);
	profile->held = memory_room(run, profile->held, sizeof *profile->held, profile->held_count,
	                            &profile->held_room, 1);
	profile->held[profile->held_count++] = record;
	return GPROFX_OK;
}

static void
keep_stacks(struct run *run, struct profile *profile, const char *name)
{
	struct profile_file *file = profile_current_file(profile);
	struct stacks *stacks = &profile->stacks;
	const struct stacks *first = stacks;

	if (!stacks->file_has_any)
		return;
	/* The first metric that the file has. */
	for (uint32_t i = 0; !first->file_has_stacks; i++)
		first = stacks->others[i];
	file->has_stacks = true;
	file->stack_count = stacks->file_count;
	file->stack_ticks = first->file_total;
	file->left_out_ticks = first->file_left_out;
	file->stack_rate = first->file_rate;
	memcpy(file->stack_dimension, first->file_dimension, sizeof file->stack_dimension);
	file->deepest = stacks->file_deepest;
	stacks_commit_file(run, stacks, name);
}

enum gprofx_result
profile_commit_file(struct run *run, struct profile *profile, const struct gprofx_file *file)
{
	enum gprofx_result result = profile->is_refused ? GPROFX_FAILED : GPROFX_OK;

	profile_place_rows(profile);
	maps_tell(run, profile, file->name);
	for (uint32_t i = 0; i < profile->held_count && result == GPROFX_OK; i++)
		result = enter_histogram(run, profile, file, &profile->held[i]);
	profile->held_count = 0;
	if (result == GPROFX_OK)
		result = sparse_commit(run, profile, file);
	if (result != GPROFX_OK) {
		profile_drop_file(run, profile);
		return result;
	}
	copies_keep_arcs(profile);
	keep_stacks(run, profile, file->name);
	slices_commit_file(run, profile);
	return result;
}

static void
build_arcs(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_from *given,
           const struct gprofx_raw_arc *rows, uint32_t count)
{
	struct run *run = run_of(gx);
	struct profile *profile = profile_of(public);
	const struct gprofx_from from = profile_take_from(run, profile, given, false);
	struct profile_file *current = profile_current_file(profile);

	if (from.slice == SLICE_LEFT_OUT)
		count = 0;
	profile_begin_rows(profile, &from);
	profile_expect_rows(run, rows, count, "calls");
	slices_note_batch(run, &profile->slices.arc_batches, from.slice, profile->arc_count, count);
	profile->has_arcs = true;
	profile->arcs = memory_room(run, profile->arcs, sizeof *profile->arcs, profile->arc_count,
	                            &profile->arc_room, count);
	if (count > 0)
		memcpy(profile->arcs + profile->arc_count, rows, count * sizeof *rows);
	profile->arc_count += count;
	profile_end_rows(run, profile, &from);
	if (current) {
		current->arc_count += count;
		for (uint32_t i = 0; i < count; i++)
			current->calls += rows[i].count;
	}
	if (run_traces(run, GPROFX_TRACE_SAMPLES))
		for (uint32_t i = 0; i < count; i++)
			run_trace(run, "arc 0x%llx -> 0x%llx: %llu calls",
			          (unsigned long long)rows[i].from,
			          (unsigned long long)rows[i].self,
			          (unsigned long long)rows[i].count);
}

static void
build_calls(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_from *given,
            const struct gprofx_raw_call *rows, uint32_t count)
{
	struct run *run = run_of(gx);
	struct profile *profile = profile_of(public);
	const struct gprofx_from from = profile_take_from(run, profile, given, false);
	struct profile_file *current = profile_current_file(profile);

	if (from.slice == SLICE_LEFT_OUT)
		count = 0;
	profile_begin_rows(profile, &from);
	profile_expect_rows(run, rows, count, "calls");
	slices_note_batch(run, &profile->slices.call_batches, from.slice, profile->call_count,
	                  count);
	profile->calls = memory_room(run, profile->calls, sizeof *profile->calls,
	                             profile->call_count, &profile->call_room, count);
	if (count > 0)
		memcpy(profile->calls + profile->call_count, rows, count * sizeof *rows);
	profile->call_count += count;
	profile_end_rows(run, profile, &from);
	if (current)
		current->call_count += count;
	for (uint32_t i = 0; current && i < count; i++)
		current->calls += rows[i].count;
	if (run_traces(run, GPROFX_TRACE_SAMPLES))
		for (uint32_t i = 0; i < count; i++)
			run_trace(run, "arc ? -> 0x%llx: %llu calls",
			          (unsigned long long)rows[i].self,
			          (unsigned long long)rows[i].count);
}

static void
build_blocks(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_from *given,
             const struct gprofx_raw_block *rows, uint32_t count)
{
	struct run *run = run_of(gx);
	struct profile *profile = profile_of(public);
	const struct gprofx_from from = profile_take_from(run, profile, given, false);

	if (from.slice == SLICE_LEFT_OUT)
		count = 0;
	profile_begin_rows(profile, &from);
	profile_expect_rows(run, rows, count, "basic blocks");
	profile->has_blocks = true;
	if (count > 0 && profile->block_count == 0 && !run->settings->sum_file &&
	    !run->settings->by_line) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "profile.blocks-ignored",
			.hint = "add -l to count them",
		};

		run_warn(run, &diagnostic, "basic-block counts are left out of the report");
	}
	profile->blocks = memory_room(run, profile->blocks, sizeof *profile->blocks,
	                              profile->block_count, &profile->block_room, count);
	if (count > 0)
		memcpy(profile->blocks + profile->block_count, rows, count * sizeof *rows);
	profile->block_count += count;
	profile_end_rows(run, profile, &from);
	if (run_traces(run, GPROFX_TRACE_BLOCKS))
		for (uint32_t i = 0; i < count; i++)
			run_trace(run, "basic block 0x%llx: %llu executions",
			          (unsigned long long)rows[i].address,
			          (unsigned long long)rows[i].count);
}

bool
profile_has_block_calls(const struct profile *profile)
{
	/* Without any, as in a phase that they were not recorded in, nothing is said of lines. */
	for (uint32_t i = 0; profile->block_count > 0 && i < profile->file_count; i++)
		if (profile->files[i].is_recording &&
		    profile->files[i].recording.flags & GPROFX_RECORDING_BLOCK_CALLS)
			return true;
	return false;
}

static void
build_source(struct gprofx *gx, struct gprofx_profile *public,
             const struct gprofx_raw_source *given)
{
	struct run *run = run_of(gx);
	struct profile *profile = profile_of(public);
	struct profile_file *current = profile_current_file(profile);
	struct gprofx_raw_source source;

	profile_take(run, "the record of a source file", &source, sizeof source, given);
	profile_expect_rows(run, source.path, 1, "path of a source file");
	profile_expect_rows(run, source.lines, source.line_count, "lines of a source file");
	profile_expect_rows(run, source.functions, source.function_count,
	                    "functions of a source file");
	for (uint32_t i = 0; i < source.function_count; i++)
		profile_expect_rows(run, source.functions[i].name, 1, "name of a function");
	/* Of which phase they are is not known. */
	if (phases_are_chosen(run))
		return;
	profile->has_source = true;
	if (current)
		current->has_source = true;
	source_counts_add(run, profile, &source);
	if (run_traces(run, GPROFX_TRACE_BLOCKS))
		for (uint32_t i = 0; i < source.line_count; i++)
			run_trace(run, "line %s:%u: %llu executions", source.path,
			          source.lines[i].line, (unsigned long long)source.lines[i].count);
}

static const struct gprofx_profile_builder builder = {
	.size = sizeof builder,
	.check_histogram = check_histogram,
	.histogram = build_histogram,
	.arcs = build_arcs,
	.blocks = build_blocks,
	.describe = facts_describe,
	.calls = build_calls,
	.source = build_source,
	.metric = metrics_declare,
	.places = profile_build_places,
	.stacks = profile_build_stacks,
	.process = slices_process,
	.thread = slices_thread,
	.phase = slices_phase,
	.slice = slices_slice,
	.samples = sparse_build,
	.image = maps_declare_image,
	.names = maps_declare_names,
	.mapping = maps_declare_mapping,
	.recording = facts_note_recording,
	.places_in = profile_build_places_in,
	.texts = profile_build_texts,
	.code = profile_build_code,
	.costed_calls = profile_build_costed_calls,
	.contained = profile_build_contained,
};

/* Their items belong to the run's memory. */
static void
forget_item(void *item)
{
	(void)item;
}

static void
forget_ranges(struct run *run, void *argument)
{
	struct profile *profile = argument;

	(void)run;
	tdestroy(profile->filled_ranges, forget_item);
	tdestroy(profile->empty_ranges, forget_item);
	for (uint32_t i = 0; i < profile->other_count; i++)
		forget_ranges(run, profile->others[i]);
}

struct profile *
profile_new(struct run *run)
{
	struct profile *profile = memory_alloc(run, sizeof *profile);

	profile->public.builder = &builder;
	profile->first_run = profile;
	run_close_later(run, forget_ranges, profile);
	return profile;
}
