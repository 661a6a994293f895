/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/sparse.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/sums.h"
#include "profile/facts.h"
#include "profile/file-names.h"
#include "profile/metrics.h"
#include "profile/parts.h"
#include "profile/profile.h"

enum { ROW_BYTES = 2 }; /* of a file, at least */

void
sparse_build(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
             const struct gprofx_from *from, const struct gprofx_raw_sample *rows, uint32_t count)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	const struct gprofx_from known = profile_take_from(run, profile, from, true);
	struct sparse_file *to = &profile->sparse_file;
	uint32_t kept = 0;

	(void)file;
	profile_expect_rows(run, rows, count, "samples");
	profile_spend(run, profile, count, ROW_BYTES, "samples");
	if (known.slice == SLICE_LEFT_OUT)
		count = 0;
	profile_begin_rows(profile, &known);
	to->rows = memory_room(run, to->rows, sizeof *to->rows, to->count, &to->room, count);
	for (uint32_t i = 0; i < count; i++) {
		if (rows[i].weight < 0)
			to->negative++;
		else if (rows[i].weight > 0)
			to->rows[to->count + kept++] = rows[i];
		if (run_traces(run, GPROFX_TRACE_SAMPLES))
			run_trace(run, "sample 0x%llx: %lld", (unsigned long long)rows[i].address,
			          (long long)rows[i].weight);
	}
	to->batches = memory_room(run, to->batches, sizeof *to->batches, to->batch_count,
	                          &to->batch_room, 1);
	to->batches[to->batch_count++] = (struct sparse_batch){known.metric, known.slice, to->count,
	                                                       kept};
	to->count += kept;
	profile_end_rows(run, profile, &known);
}

/* What a batch measures, as a histogram would say it. */
static struct gprofx_histogram
record_of(struct run *run, const struct profile *profile, uint32_t metric)
{
	struct gprofx_histogram record = {
		.size = sizeof record,
		.metric = metric == 0 && profile->declared_count > 0 ? 1 : metric,
		.rate = 1,
		.dimension = "samples"};

	metrics_resolve(run, profile, &record);
	return record;
}

static struct profile *
metric_of(struct run *run, struct profile *profile, const struct gprofx_file *file,
          struct gprofx_histogram *record)
{
	struct profile *of = metrics_enter(run, profile, file, record);

	if (!of)
		return NULL;
	profile_set_rate(run, of, record);
	if (profile_is_measured(of) && profile_check_unit(run, of, file, record) != GPROFX_OK)
		return NULL;
	profile_learn_metric(run, of, record);
	of->has_sparse = true;
	return of;
}

/* Returns how many rows are too heavy for a sum of all. */
static uint32_t
keep_batch(struct run *run, struct profile *profile, struct profile *of,
           const struct sparse_batch *batch, const struct gprofx_histogram *record)
{
	struct profile_file *current = profile_current_file(profile);
	const struct gprofx_raw_sample *rows = profile->sparse_file.rows + batch->first;
	struct sparse_sample *to = kept_rows_add(run, &of->sparse, sizeof *to, batch->count);
	bool is_own = of == profile;
	uint32_t heavy = 0;

	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t weight = (uint64_t)rows[i].weight;

		to[i] = (struct sparse_sample){batch->slice, record->rate, rows[i].address, weight};
		heavy += !sum_add(&of->sparse_total, weight);
		if (is_own && current)
			sum_add(&current->samples, weight);
	}
	if (!current)
		return heavy;
	if (is_own && !current->has_histogram && !current->has_sparse)
		current->rate = record->rate;
	file_names_add(run, &of->sparse_files, current->name);
	current->has_sparse = current->has_sparse || is_own;
	current->has_other_metric = current->has_other_metric || !is_own;
	current->sparse_count += is_own ? batch->count : 0;
	facts_note_samples(profile, of, record, rows, batch->count);
	return heavy;
}

static void
warn_lost(struct run *run, const struct gprofx_file *file, uint32_t negative, uint32_t heavy)
{
	const struct gprofx_diagnostic below = {
		.id = "profile.negative-weights",
		.file = file->name,
		.hint = "write the profile again with a tool that counts from 0 up",
		.number = {negative},
	};
	const struct gprofx_diagnostic over = {
		.id = "profile.weights-overflow",
		.file = file->name,
		.hint = "report parts of the profile one by one",
		.number = {heavy},
	};

	if (negative > 0)
		run_warn(run, &below,
		         "expected sample weights of at least 0, found %u negative ones: they are "
		         "left out",
		         negative);
	if (heavy > 0)
		run_warn(run, &over,
		         "the sum of sample weights exceeds 64 bits: sums are too small from the "
		         "%u last samples on",
		         heavy);
}

enum gprofx_result
sparse_commit(struct run *run, struct profile *profile, const struct gprofx_file *file)
{
	struct sparse_file *from = &profile->sparse_file;
	uint32_t heavy = 0;

	for (uint32_t i = 0; i < from->batch_count; i++) {
		const struct sparse_batch *batch = &from->batches[i];
		struct gprofx_histogram record = record_of(run, profile, batch->metric);
		struct profile *of = metric_of(run, profile, file, &record);

		if (!of)
			return GPROFX_FAILED;
		heavy += keep_batch(run, profile, of, batch, &record);
	}
	warn_lost(run, file, from->negative, heavy);
	from->count = from->batch_count = from->negative = 0;
	return GPROFX_OK;
}

void
sparse_sort(struct run *run, struct kept_rows *rows)
{
	const struct sparse_sample *from = rows->items;
	struct sparse_sample *to;
	uint64_t *keys;
	uint32_t *ids;

	memory_array(run, to, rows->count);
	memory_array(run, keys, rows->count);
	memory_array(run, ids, rows->count);
	for (uint32_t i = 0; i < rows->count; i++) {
		keys[i] = from[i].address;
		ids[i] = i;
	}
	sort_ascending(run, keys, ids, rows->count);
	for (uint32_t i = 0; i < rows->count; i++)
		to[i] = from[ids[i]];
	memory_release(run, keys);
	memory_release(run, ids);
	memory_release(run, rows->items);
	rows->items = to;
	rows->room = rows->count;
}

/* Those from "first" on that have its rate, as stacks of one frame. */
static enum gprofx_result
add_stacks(struct run *run, struct profile *profile, const struct profile *of, uint32_t first,
           uint32_t count)
{
	const struct gprofx_file none = {.size = sizeof none};
	const struct sparse_sample *rows = sparse_rows(&of->sparse) + first;
	struct gprofx_raw_stacks stacks = {.size = sizeof stacks, .count = count};
	struct stack_measure measure = {.name = of->metric_name,
	                                .kind = of->metric_kind,
	                                .rate = rows->rate != 0 ? rows->rate : 1,
	                                .abbreviation = of->abbreviation,
	                                .step = 1};
	struct stack_batch batch = {.rows = &stacks,
	                            .placed = profile->symbols,
	                            .measures = &measure,
	                            .count = 1};
	uint64_t *address, *weight;
	uint32_t *starts, *slices;

	memory_array(run, address, count);
	memory_array(run, weight, count);
	memory_array(run, starts, (size_t)count + 1);
	memory_array(run, slices, count);
	for (uint32_t i = 0; i < count; i++) {
		address[i] = rows[i].address;
		weight[i] = rows[i].weight;
		slices[i] = rows[i].slice;
		starts[i + 1] = i + 1;
	}
	stacks.first = starts;
	stacks.address = address;
	measure.weight = weight;
	batch.slices = slices;
	memcpy(measure.dimension, of->dimension, sizeof measure.dimension);
	stacks_begin_file(&profile->stacks, UINT64_MAX);
	if (stacks_add(run, &profile->stacks, &none, &batch) != GPROFX_OK)
		return GPROFX_FAILED;
	stacks_commit_file(run, &profile->stacks, NULL);
	memory_release(run, address);
	memory_release(run, weight);
	memory_release(run, starts);
	memory_release(run, slices);
	return GPROFX_OK;
}

/*
 * A sample of what stacks measure is a stack of one frame.  Fails where ticks of both have no
 * common measure; what then is in no stack is nowhere.
 */
static enum gprofx_result
move_to_stacks(struct run *run, struct profile *profile, struct profile *of, struct stacks *same)
{
	const struct sparse_sample *rows = sparse_rows(&of->sparse);
	enum gprofx_result result = GPROFX_OK;
	uint32_t count = of->sparse.count;

	for (uint32_t i = 0, past; i < count && result == GPROFX_OK; i = past) {
		for (past = i + 1; past < count && rows[past].rate == rows[i].rate;)
			past++;
		result = add_stacks(run, profile, of, i, past - i);
		for (uint32_t k = i; k < past && result == GPROFX_OK; k++)
			sum_add(&of->sparse_in_stacks, rows[k].weight);
	}
	if (of->sparse_in_stacks > 0)
		file_names_join(run, &same->files, &of->sparse_files);
	of->sparse.count = 0;
	of->has_sparse = false;
	return result;
}

static enum gprofx_result
finish_metric(struct run *run, struct profile *profile, struct profile *of)
{
	struct stacks *same;

	if (of->sparse.count == 0)
		return GPROFX_OK;
	kept_rows_merge(run, &of->sparse, sizeof(struct sparse_sample), true);
	sparse_sort(run, &of->sparse);
	same = stacks_of_metric(&profile->stacks, of->metric_name);
	if (same && strcmp(of->dimension, same->dimension) == 0 &&
	    of->metric_kind == same->metric_kind)
		return move_to_stacks(run, profile, of, same);
	return GPROFX_OK;
}

enum gprofx_result
sparse_finish(struct run *run, struct profile *profile)
{
	enum gprofx_result result = finish_metric(run, profile, profile);

	for (uint32_t i = 0; i < profile->other_count; i++)
		if (finish_metric(run, profile, profile->others[i]) != GPROFX_OK)
			result = GPROFX_FAILED;
	return result;
}

bool
sparse_is_within(const struct profile *profile, uint64_t low, uint64_t past)
{
	const struct sparse_sample *rows = sparse_rows(&profile->sparse);
	uint32_t first = 0, end = profile->sparse.count;

	while (first < end) {
		uint32_t middle = first + (end - first) / 2;

		if (rows[middle].address < low)
			first = middle + 1;
		else
			end = middle;
	}
	return first < profile->sparse.count && rows[first].address < past;
}
