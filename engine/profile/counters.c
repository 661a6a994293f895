/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds the counters of records to histograms: those of several files at a time, each worker its own
 * bins of all of them.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/run.h"
#include "base/sums.h"
#include "profile/kept-rows.h"
#include "profile/metrics.h"
#include "profile/parts.h"
#include "profile/profile.h"
#include "profile/source-counts.h"

enum {
	TASKS_PER_WORKER = 4,
	SLICED_BINS = 16384,  /* histograms of fewer bins are one task's alone */
	WORKER_BINS = 131072, /* so many are worth another worker */
	MOST_REPEATS = 65536  /* rows that may wait to be merged, besides as many as differ */
};

static bool
is_counter_size(uint8_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* What a reader gets wrong about its record; no file can be the cause. */
static enum gprofx_result
fail_counter_size(struct run *run, const struct gprofx_file *file,
                  const struct gprofx_histogram *record)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(
		file, record->offset, "reader.bad-record",
		"this is a bug in the reader: report it to its author, or choose another with -O");

	return run_fail(run, &diagnostic, "expected bins of 1, 2, 4 or 8 bytes, found %u",
	                record->bin_bytes);
}

static enum gprofx_result
fail_negative(struct run *run, const struct gprofx_file *file,
              const struct gprofx_histogram *record, uint32_t bin)
{
	uint64_t offset = (uint64_t)(record->bins - file->bytes) +
	                  (uint64_t)bin * record->bin_bytes;
	struct gprofx_diagnostic diagnostic = gprofx_at(
		file, offset, "profile.negative-bin",
		"the file is damaged, or its counters are not signed");

	return run_fail(run, &diagnostic, "expected a count of samples, found a negative one");
}

enum gprofx_result
profile_check_counters(struct run *run, const struct gprofx_file *file,
                       const struct gprofx_histogram *record, uint64_t *upper)
{
	if (!is_counter_size(record->bin_bytes))
		return fail_counter_size(run, file, record);
	*upper = UINT64_MAX >> (64 - 8 * record->bin_bytes);
	if (record->bin_bytes <= 2 && !record->bins_signed)
		return GPROFX_OK;
	/* What wide counters could hold says nothing about what they do. */
	*upper = 0;
	for (uint32_t i = 0; i < record->bin_count; i++) {
		uint64_t value = record_counter(record, i);

		if (record->bins_signed && value >> (8 * record->bin_bytes - 1))
			return fail_negative(run, file, record, i);
		*upper = value > *upper ? value : *upper;
	}
	return GPROFX_OK;
}

static void
widen(struct run *run, struct histogram *histogram)
{
	memory_array(run, histogram->bins64, histogram->bin_count);
	for (uint32_t i = 0; i < histogram->bin_count; i++)
		histogram->bins64[i] = histogram->bins[i];
	memory_release(run, histogram->bins);
	histogram->bins = NULL;
}

/* What the counters of a record come to, or those of a part of its bins. */
struct seen {
	uint64_t samples;
	uint64_t bits; /* of all counters: at least the largest, and less than twice that */
};

static inline void
add_counter(struct histogram *histogram, uint32_t bin, uint64_t value, struct seen *seen)
{
	sum_add(&seen->samples, value);
	seen->bits |= value;
	histogram->is_used[bin / HISTOGRAM_BLOCK] = true;
	if (histogram->bins64 && histogram->bins64[bin] > UINT64_MAX - value)
		histogram->bins64[bin] = UINT64_MAX;
	else if (histogram->bins64)
		histogram->bins64[bin] += value;
	else
		histogram->bins[bin] += (uint32_t)value;
}

void
profile_add_bin_sums(struct run *run, struct histogram *histogram, const struct bin_sum *rows,
                     uint32_t count)
{
	struct seen seen = {0, 0};
	uint64_t most = 0;

	for (uint32_t i = 0; i < count; i++)
		most = rows[i].samples > most ? rows[i].samples : most;
	sum_add(&histogram->most, most);
	if (histogram->most > UINT32_MAX && histogram->bins && !sums_wrap(run))
		widen(run, histogram);
	for (uint32_t i = 0; (histogram->bins || histogram->bins64) && i < count; i++)
		add_counter(histogram, rows[i].bin, rows[i].samples, &seen);
}

static void
add_counters(struct histogram *histogram, const struct gprofx_histogram *record, uint32_t begin,
             uint32_t end, struct seen *seen)
{
	for (uint32_t i = begin; i < end; i++) {
		uint64_t value = record_counter(record, i);

		if (value != 0)
			add_counter(histogram, i, value, seen);
	}
}

/* A whole block of the usual counters; most have no samples at all. */
static ALWAYS_INLINE void
add_block(struct histogram *histogram, uint32_t begin, const uint8_t *bytes, bool is_swapped,
          struct seen *seen)
{
	uint64_t words[HISTOGRAM_BLOCK / 4], any = 0;
	uint16_t values[HISTOGRAM_BLOCK];
	uint32_t *bins = histogram->bins + begin, samples = 0;

	memcpy(words, bytes, sizeof words);
	for (int i = 0; i < HISTOGRAM_BLOCK / 4; i++)
		any |= words[i];
	histogram->is_used[begin / HISTOGRAM_BLOCK] |= any != 0;
	memcpy(values, bytes, sizeof values);
	for (int i = 0; i < HISTOGRAM_BLOCK; i++) {
		uint16_t value = values[i];

		if (is_swapped)
			value = (uint16_t)(value << 8 | value >> 8);
		bins[i] += value;
		samples += value;
	}
	sum_add(&seen->samples, samples);
	any |= any >> 32;
	any = (any | any >> 16) & UINT16_MAX;
	seen->bits |= is_swapped ? (uint64_t)(uint16_t)(any << 8 | any >> 8) : any;
}

/* begin stands at a block. */
static ALWAYS_INLINE void
add_blocks(struct histogram *histogram, const struct gprofx_histogram *record, uint32_t begin,
           uint32_t end, bool is_swapped, struct seen *seen)
{
	for (; end - begin >= HISTOGRAM_BLOCK; begin += HISTOGRAM_BLOCK)
		add_block(histogram, begin, record->bins + 2 * (size_t)begin, is_swapped, seen);
	add_counters(histogram, record, begin, end, seen);
}

static bool
is_big_endian_host(void)
{
	const uint16_t one = 1;
	uint8_t first;

	memcpy(&first, &one, 1);
	return first == 0;
}

static struct seen
add_range(struct histogram *histogram, const struct gprofx_histogram *record, uint32_t begin,
          uint32_t end)
{
	struct seen seen = {0, 0};

	if (record->bin_bytes != 2 || histogram->bins64)
		add_counters(histogram, record, begin, end, &seen);
	else if (record->bins_big_endian == is_big_endian_host())
		add_blocks(histogram, record, begin, end, false, &seen);
	else
		add_blocks(histogram, record, begin, end, true, &seen);
	return seen;
}

/* The adding up of what waits, divided into tasks. */
struct adding {
	const struct profile *profile;
	struct seen *seen;       /* per task, per record that waits */
	uint32_t tasks;          /* for counters; then come those for repeats */
	struct repeats *repeats; /* one of each kind at most */
	uint32_t repeat_count;
};

/* The part of a task of the bins of a histogram. */
static uint32_t
slice(const struct adding *adding, const struct histogram *histogram, uint32_t number,
      uint32_t task)
{
	uint64_t blocks = histogram->bin_count / HISTOGRAM_BLOCK;

	if (histogram->bin_count < SLICED_BINS)
		return task > number % adding->tasks ? histogram->bin_count : 0;
	if (task == adding->tasks)
		return histogram->bin_count;
	return (uint32_t)(blocks * task / adding->tasks * HISTOGRAM_BLOCK);
}

static void
add_task(void *argument, uint32_t task)
{
	const struct adding *adding = argument;
	const struct profile *profile = adding->profile;
	struct seen *seen;

	/* The longest first. */
	if (task < adding->repeat_count) {
		repeats_merge(&adding->repeats[task]);
		return;
	}
	task -= adding->repeat_count;
	seen = adding->seen + (size_t)task * profile->pending_count;
	for (uint32_t i = 0; i < profile->pending_count; i++) {
		const struct pending *pending = &profile->pending[i];
		struct histogram *histogram = &profile->histograms[pending->histogram];
		uint32_t begin = slice(adding, histogram, pending->histogram, task);
		uint32_t end = slice(adding, histogram, pending->histogram, task + 1);

		if (begin < end && !pending->is_left_out)
			seen[i] = add_range(histogram, &pending->record, begin, end);
	}
}

/* The record in which that with this number goes on, or NULL. */
static const struct gprofx_histogram *
next_part(const struct profile *profile, uint32_t number)
{
	const struct pending *this = &profile->pending[number], *next = this + 1;

	if (number + 1 == profile->pending_count || next->file != this->file ||
	    next->histogram != this->histogram || next->record.bin_bytes != this->record.bin_bytes)
		return NULL;
	return record_goes_on(&this->record, &next->record) ? &next->record : NULL;
}

static uint64_t
record_samples(const struct gprofx_histogram *record)
{
	uint64_t samples = 0;

	for (uint32_t i = 0; i < record->bin_count; i++)
		sum_add(&samples, record_counter(record, i));
	return samples;
}

/* What was seen of the records by all tasks is noted of their files. */
static void
note_seen(struct run *run, struct profile *whole, struct profile *profile,
          const struct adding *adding)
{
	struct counted_record counted = {.next = NULL};

	for (uint32_t i = 0; i < profile->pending_count; i++) {
		struct pending *pending = &profile->pending[i];
		struct seen all = {0, 0};

		for (uint32_t task = 0; task < adding->tasks; task++) {
			const struct seen
				*seen = &adding->seen[(size_t)task * profile->pending_count + i];

			sum_add(&all.samples, seen->samples);
			all.bits |= seen->bits;
		}
		if (pending->is_left_out)
			all.samples = record_samples(&pending->record);
		if (all.bits < pending->upper)
			profile->histograms[pending->histogram].most -= pending->upper - all.bits;
		counted = (struct counted_record){.record = &pending->record,
		                                  .next = next_part(profile, i),
		                                  .continues = counted.next != NULL,
		                                  .metric = metrics_given_name(profile),
		                                  .is_other = profile != whole};
		if (pending->file != NO_FILE)
			profile_note_counters(whole, &whole->files[pending->file], &counted,
			                      all.samples, all.bits);
	}
	for (uint32_t i = 0; i < profile->pending_count; i++)
		if (profile->pending[i].is_copy)
			memory_release(run, (void *)profile->pending[i].record.bins);
	profile->pending_count = 0;
}

static bool
are_many(uint32_t count, uint32_t distinct)
{
	return count - distinct > MOST_REPEATS && count - distinct > distinct;
}

/*
 * Adds up what waits in one metric, which is a profile of its own or the whole one, beside what
 * else the adding has to do.
 */
static void
add_waiting(struct run *run, struct profile *whole, struct profile *profile, struct adding *adding)
{
	uint64_t bins = 0;
	uint32_t workers;

	for (uint32_t i = 0; i < profile->pending_count; i++) {
		struct histogram *histogram = &profile->histograms[profile->pending[i].histogram];

		bins += histogram->bin_count;
		if (histogram->most > UINT32_MAX && histogram->bins && !sums_wrap(run))
			widen(run, histogram);
	}
	workers = parallel_workers(run, bins < UINT32_MAX ? (uint32_t)bins : UINT32_MAX,
	                           WORKER_BINS);
	adding->profile = profile;
	adding->tasks = workers > 1 ? workers * TASKS_PER_WORKER : 1;
	memory_array(run, adding->seen, (size_t)adding->tasks * profile->pending_count);
	parallel_tasks(run, adding->repeat_count + adding->tasks, workers, add_task, adding);
	note_seen(run, whole, profile, adding);
	memory_release(run, adding->seen);
}

void
profile_add_up(struct run *run, struct profile *profile)
{
	struct repeating kinds[REPEATING_KINDS], merged[REPEATING_KINDS];
	struct repeats repeats[REPEATING_KINDS];
	struct adding adding = {.repeats = repeats};
	uint32_t repeated = 0;

	if (profile->watch)
		profile->watch(profile->watcher, profile);
	slices_add_up(run, profile);
	kept_rows_merge(run, &profile->sparse, sizeof(struct sparse_sample), false);
	for (uint32_t i = 0; i < profile->other_count; i++)
		kept_rows_merge(run, &profile->others[i]->sparse, sizeof(struct sparse_sample),
		                false);
	repeating_of(profile, kinds);
	for (uint32_t i = 0; i < REPEATING_KINDS && profile->file_count > 1; i++) {
		const struct repeating *kind = &kinds[i];

		if (!are_many(*kind->count, *kind->distinct))
			continue;
		merged[repeated] = *kind;
		repeats[repeated++] = repeats_prepare(run, kind->rows, kind->row_bytes,
		                                      *kind->count);
	}
	adding.repeat_count = repeated;
	add_waiting(run, profile, profile, &adding);
	for (uint32_t i = 0; i < repeated; i++) {
		*merged[i].count = *merged[i].distinct = repeats[i].count;
		memory_release(run, repeats[i].slots);
	}
	adding.repeat_count = 0;
	for (uint32_t i = 0; i < profile->other_count; i++)
		add_waiting(run, profile, profile->others[i], &adding);
	source_counts_merge(run, profile);
	profile->added_files = profile->file_count;
}
