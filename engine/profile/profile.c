/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile builder: takes records from readers, checks that histograms agree, adds up what
 * belongs to the same range.
 */
#include "profile/profile.h"

#include <math.h>
#include <search.h>
#include <string.h>

#include "base/memory.h"

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

/* A diagnostic about a histogram record. */
static struct gprofx_diagnostic
about(const struct gprofx_file *file, const struct gprofx_histogram *record, const char *id,
      const char *hint)
{
	return gprofx_at(file, record->offset, id, hint);
}

static const char different_run[] =
	"these files come from different programs or settings; report them one by one";

/* The bin width in units of two bytes: an integer division, then a floating one. */
static double
scale_of(const struct gprofx_histogram *record)
{
	uint64_t units = (record->high - record->low) / 2;

	return (double)units / record->bin_count;
}

static enum gprofx_result
check_unit(struct run *run, const struct profile *profile, const struct gprofx_file *file,
           const struct gprofx_histogram *record)
{
	char from[2] = {profile->abbreviation, '\0'}, to[2] = {record->abbreviation, '\0'};
	struct gprofx_diagnostic diagnostic;

	if (strncmp(profile->dimension, record->dimension, 15) != 0) {
		diagnostic = about(file, record, "profile.dimension-changed", different_run);
		diagnostic.text[0] = profile->dimension;
		diagnostic.text[1] = record->dimension;
		return run_fail(
			run, &diagnostic,
			"expected a histogram in \"%s\" like those before it, found one in \"%s\"",
			profile->dimension, record->dimension);
	}
	if (profile->abbreviation != record->abbreviation) {
		diagnostic = about(file, record, "profile.abbreviation-changed", different_run);
		diagnostic.text[0] = from;
		diagnostic.text[1] = to;
		return run_fail(
			run, &diagnostic,
			"expected a histogram with the unit '%s' like those before it, found '%s'",
			from, to);
	}
	return GPROFX_OK;
}

/*
 * Ranges seen so far, in a tree (tsearch).  Ranges that hold bytes never intersect, so "intersects"
 * serves as equality there; empty ranges intersect nothing and have a tree of their own.
 */
struct range {
	uint64_t low, high;
	uint32_t histogram; /* its number */
};

static int
compare_filled(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	return a->high <= b->low ? -1 : b->high <= a->low ? 1 : 0;
}

static int
compare_empty(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->high < b->high ? -1 : a->high > b->high;
}

static enum gprofx_result
fail_overlap(struct run *run, const struct gprofx_file *file, const struct gprofx_histogram *record,
             const struct range *other)
{
	struct gprofx_diagnostic diagnostic = about(file, record, "profile.overlap", different_run);

	diagnostic.number[0] = record->low;
	diagnostic.number[1] = record->high;
	return run_fail(run, &diagnostic,
	                "expected a histogram range apart from 0x%llx-0x%llx, found 0x%llx-0x%llx",
	                (unsigned long long)other->low, (unsigned long long)other->high,
	                (unsigned long long)record->low, (unsigned long long)record->high);
}

/* The range seen before that the record's intersects, or equals, or NULL. */
static const struct range *
known_range(const struct run *run, const struct gprofx_histogram *record)
{
	struct range wanted = {record->low, record->high, 0}, **found;
	bool is_empty = record->low >= record->high;

	found = tfind(&wanted, is_empty ? &run->empty_ranges : &run->filled_ranges,
	              is_empty ? compare_empty : compare_filled);
	return found ? *found : NULL;
}

static void
enter_range(struct run *run, const struct gprofx_histogram *record, uint32_t histogram)
{
	struct range *range = memory_alloc(run, sizeof *range);
	bool is_empty = record->low >= record->high;

	*range = (struct range){record->low, record->high, histogram};
	if (!tsearch(range, is_empty ? &run->empty_ranges : &run->filled_ranges,
	             is_empty ? compare_empty : compare_filled))
		memory_exhausted(run, sizeof *range);
}

static enum gprofx_result
fail_scale(struct run *run, const struct profile *profile, const struct gprofx_file *file,
           const struct gprofx_histogram *record)
{
	struct gprofx_diagnostic diagnostic = about(file, record, "profile.scale-changed",
	                                            different_run);

	return run_fail(
		run, &diagnostic,
		"expected histogram bins of %g bytes like those before, found %u bins of %g bytes",
		2 * profile->scale, record->bin_count, 2 * scale_of(record));
}

/* GNU gprof's rule for formats with one histogram in a file; none of the others holds for them. */
static enum gprofx_result
check_like_first(struct run *run, const struct profile *profile, const struct gprofx_file *file,
                 const struct gprofx_histogram *record)
{
	const struct histogram *first = &profile->histograms[0];
	struct gprofx_diagnostic diagnostic;

	if (!record->lacks_rate && record->rate != profile->rate) {
		diagnostic = about(file, record, "profile.rate-differs", different_run);
		return run_fail(run, &diagnostic, "expected a rate of %u, found %u", profile->rate,
		                record->rate);
	}
	if (record->low != first->low || record->high != first->high ||
	    record->bin_count != first->bin_count) {
		diagnostic = about(file, record, "profile.first-differs", different_run);
		return run_fail(
			run, &diagnostic,
			"expected %u bins over 0x%llx-0x%llx as in the first file, found %u "
			"over 0x%llx-0x%llx",
			first->bin_count, (unsigned long long)first->low,
			(unsigned long long)first->high, record->bin_count,
			(unsigned long long)record->low, (unsigned long long)record->high);
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

/* Adds a counter; returns false if the sum needs more than 32 bits. */
static inline bool
add_narrow(struct histogram *histogram, uint32_t i, uint64_t value)
{
	uint64_t sum = histogram->bins[i] + value;

	if (sum > UINT32_MAX)
		return false;
	histogram->bins[i] = (uint32_t)sum;
	return true;
}

static void
add_one(struct run *run, struct histogram *histogram, uint32_t i, uint64_t value)
{
	if (!histogram->bins64) {
		if (run->settings->bin_sums_wrap) {
			histogram->bins[i] += (uint32_t)value;
			return;
		}
		if (add_narrow(histogram, i, value))
			return;
		widen(run, histogram);
	}
	histogram->bins64[i] += value;
}

/* What the counters of a record come to. */
struct seen {
	uint64_t samples, largest;
};

static inline void
add_counter(struct run *run, struct histogram *histogram, uint32_t i, uint64_t value,
            struct seen *seen)
{
	seen->samples += value;
	seen->largest = value > seen->largest ? value : seen->largest;
	histogram->is_used[i / HISTOGRAM_BLOCK] = true;
	add_one(run, histogram, i, value);
}

static bool
is_bin_size(uint8_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* What a reader gets wrong about its record; no file can be the cause. */
static enum gprofx_result
fail_bin_size(struct run *run, const struct gprofx_file *file,
              const struct gprofx_histogram *record)
{
	struct gprofx_diagnostic diagnostic = about(
		file, record, "reader.bad-record",
		"this is a defect of the reader; ask its maker, or choose another with -O");

	return run_fail(run, &diagnostic, "expected bins of 1, 2, 4 or 8 bytes, found %u",
	                record->bin_bytes);
}

static enum gprofx_result
add_bins(struct run *run, struct profile *profile, struct histogram *histogram,
         const struct gprofx_file *file, const struct gprofx_histogram *record)
{
	const uint8_t *bytes = record->bins;
	struct seen seen = {0, 0};

	/* The usual case: 16-bit counters in the byte order of most machines. */
	if (record->bin_bytes == 2 && !record->bins_big_endian && !record->bins_signed) {
		for (uint32_t i = 0; i < record->bin_count; i++, bytes += 2) {
			uint32_t value = (uint32_t)(bytes[0] | bytes[1] << 8);

			if (value != 0)
				add_counter(run, histogram, i, value, &seen);
		}
		profile_note_counters(profile, record, seen.samples, seen.largest);
		return GPROFX_OK;
	}
	if (!is_bin_size(record->bin_bytes))
		return fail_bin_size(run, file, record);
	for (uint32_t i = 0; i < record->bin_count; i++, bytes += record->bin_bytes) {
		uint64_t value = gprofx_number_at(bytes, record->bin_bytes,
		                                  record->bins_big_endian);

		if (record->bins_signed && value >> (8 * record->bin_bytes - 1)) {
			struct gprofx_diagnostic diagnostic = about(
				file, record, "profile.negative-bin",
				"the file is damaged, or its counters are not signed");

			diagnostic.offset = (uint64_t)(bytes - file->bytes);
			return run_fail(run, &diagnostic,
			                "expected a count of samples, found a negative one");
		}
		if (value != 0)
			add_counter(run, histogram, i, value, &seen);
	}
	profile_note_counters(profile, record, seen.samples, seen.largest);
	return GPROFX_OK;
}

static enum gprofx_result
check_record(struct run *run, const struct profile *profile, const struct gprofx_file *file,
             const struct gprofx_histogram *record)
{
	const struct range *known = known_range(run, record);
	enum gprofx_result result;

	if (!profile->has_histogram)
		return GPROFX_OK;
	if (record->is_only && run->settings->only_histograms_match)
		return check_like_first(run, profile, file, record);
	result = check_unit(run, profile, file, record);
	if (result != GPROFX_OK)
		return result;
	if (fabs(profile->scale - scale_of(record)) > 1e-6)
		return fail_scale(run, profile, file, record);
	if (known && (known->low != record->low || known->high != record->high))
		return fail_overlap(run, file, record, known);
	/* Over a million bins the widths can agree where the numbers of bins do not. */
	if (known && profile->histograms[known->histogram].bin_count != record->bin_count)
		return fail_scale(run, profile, file, record);
	return GPROFX_OK;
}

/* The record as far as the reader knows of its members. */
static struct gprofx_histogram
known_part(const struct gprofx_histogram *given)
{
	struct gprofx_histogram record = {0};

	memcpy(&record, given, given->size < sizeof record ? given->size : sizeof record);
	return record;
}

static enum gprofx_result
check_histogram(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
                const struct gprofx_histogram *given)
{
	const struct gprofx_histogram record = known_part(given);

	return check_record(run_of(gx), profile_of(public), file, &record);
}

static void
add_histogram(struct run *run, struct profile *profile, const struct gprofx_histogram *record)
{
	struct histogram *added;

	enter_range(run, record, profile->histogram_count);
	profile->histograms = memory_room(run, profile->histograms, sizeof *profile->histograms,
	                                  profile->histogram_count, &profile->histogram_room, 1);
	added = &profile->histograms[profile->histogram_count++];
	*added = (struct histogram){.low = record->low,
	                            .high = record->high,
	                            .bin_count = record->bin_count};
	memory_array(run, added->bins, record->bin_count);
	memory_array(run, added->is_used, (size_t)record->bin_count / HISTOGRAM_BLOCK + 1);
}

static enum gprofx_result
merge_histogram(struct run *run, struct profile *profile, const struct gprofx_file *file,
                const struct gprofx_histogram *record)
{
	enum gprofx_result result = check_record(run, profile, file, record);
	const struct range *known;

	if (result != GPROFX_OK)
		return result;
	if (run_traces(run, GPROFX_TRACE_SAMPLES))
		run_trace(run, "histogram 0x%llx-0x%llx: %u bins, rate %u, unit %.15s (%c)",
		          (unsigned long long)record->low, (unsigned long long)record->high,
		          record->bin_count, record->rate, record->dimension,
		          record->abbreviation ? record->abbreviation : '?');
	if (!profile->has_histogram) {
		profile->has_histogram = true;
		profile->rate = record->rate;
		memcpy(profile->dimension, record->dimension, 15);
		profile->abbreviation = record->abbreviation;
		profile->scale = scale_of(record);
	}
	if (profile->rate == 0 && record->usual_rate != 0)
		profile->rate = record->rate != 0 ? record->rate : record->usual_rate;
	if (!known_range(run, record))
		add_histogram(run, profile, record);
	known = known_range(run, record);
	return add_bins(run, profile, &profile->histograms[known->histogram], file, record);
}

/* Bins outside of the file are the reader's, and have to be copied. */
static void
hold_histogram(struct run *run, struct profile *profile, const struct gprofx_file *file,
               const struct gprofx_histogram *record)
{
	size_t bytes = (size_t)record->bin_count * record->bin_bytes;
	struct gprofx_histogram *held;
	uint8_t *copy;

	profile->held = memory_room(run, profile->held, sizeof *profile->held, profile->held_count,
	                            &profile->held_room, 1);
	held = &profile->held[profile->held_count++];
	*held = *record;
	if (bytes == 0 || ((uintptr_t)record->bins >= (uintptr_t)file->bytes &&
	                   (uintptr_t)record->bins - (uintptr_t)file->bytes < file->length))
		return;
	copy = memory_alloc(run, bytes);
	memcpy(copy, record->bins, bytes);
	held->bins = copy;
}

static enum gprofx_result
build_histogram(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
                const struct gprofx_histogram *given)
{
	struct profile *profile = profile_of(public);
	const struct gprofx_histogram record = known_part(given);

	if (!profile->holds)
		return merge_histogram(run_of(gx), profile, file, &record);
	hold_histogram(run_of(gx), profile, file, &record);
	return GPROFX_OK;
}

enum gprofx_result
profile_merge_held(struct run *run, struct profile *profile, const struct gprofx_file *file)
{
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < profile->held_count && result == GPROFX_OK; i++)
		result = merge_histogram(run, profile, file, &profile->held[i]);
	profile->held_count = 0;
	return result;
}

static void
build_arcs(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_raw_arc *rows,
           uint32_t count)
{
	struct run *run = run_of(gx);
	struct profile *profile = profile_of(public);
	struct profile_file *current = profile_current_file(profile);

	profile->has_arcs = true;
	profile->arcs = memory_room(run, profile->arcs, sizeof *profile->arcs, profile->arc_count,
	                            &profile->arc_room, count);
	if (count > 0)
		memcpy(profile->arcs + profile->arc_count, rows, count * sizeof *rows);
	profile->arc_count += count;
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
build_blocks(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_raw_block *rows,
             uint32_t count)
{
	struct run *run = run_of(gx);
	struct profile *profile = profile_of(public);

	if (count > 0 && !profile->has_blocks) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "profile.blocks-ignored",
			.hint = "basic-block counts belong to source lines, which this report does not show",
		};

		run_warn(run, &diagnostic, "basic-block counts are left out of the report");
		profile->has_blocks = true;
	}
	profile->blocks = memory_room(run, profile->blocks, sizeof *profile->blocks,
	                              profile->block_count, &profile->block_room, count);
	if (count > 0)
		memcpy(profile->blocks + profile->block_count, rows, count * sizeof *rows);
	profile->block_count += count;
	if (run_traces(run, GPROFX_TRACE_BLOCKS))
		for (uint32_t i = 0; i < count; i++)
			run_trace(run, "basic block 0x%llx: %llu executions",
			          (unsigned long long)rows[i].address,
			          (unsigned long long)rows[i].count);
}

static const struct gprofx_profile_builder builder = {
	.size = sizeof builder,
	.check_histogram = check_histogram,
	.histogram = build_histogram,
	.arcs = build_arcs,
	.blocks = build_blocks,
};

struct profile *
profile_new(struct run *run)
{
	struct profile *profile = memory_alloc(run, sizeof *profile);

	profile->public.builder = &builder;
	return profile;
}
