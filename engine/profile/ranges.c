/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which histogram a record belongs to: records have to agree with those before them in unit and
 * width of bins, and to cover the same range as one of them, or none of the same addresses.
 */
#include <math.h>
#include <search.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "profile/metrics.h"
#include "profile/parts.h"
#include "profile/profile.h"

static const char different_run[] =
	"these files come from different programs or settings; report them one by one";

/* The bin width in units of two bytes: an integer division, then a floating one. */
static double
scale_of(const struct gprofx_histogram *record)
{
	uint64_t units = (record->high - record->low) / 2;

	return (double)units / record->bin_count;
}

enum gprofx_result
profile_check_unit(struct run *run, const struct profile *profile, const struct gprofx_file *file,
                   const struct gprofx_histogram *record)
{
	char from[2] = {profile->abbreviation, '\0'}, to[2] = {record->abbreviation, '\0'};
	struct gprofx_diagnostic diagnostic;
	enum gprofx_result result = metrics_check(run, profile, file, record);

	if (result != GPROFX_OK)
		return result;
	if (strncmp(profile->dimension, record->dimension, 15) != 0) {
		diagnostic = gprofx_at(file, record->offset, "profile.dimension-changed",
		                       different_run);
		diagnostic.text[0] = profile->dimension;
		diagnostic.text[1] = record->dimension;
		return run_fail(
			run, &diagnostic,
			"expected a histogram in \"%s\" like those before it, found one in \"%s\"",
			profile->dimension, record->dimension);
	}
	if (profile->abbreviation != record->abbreviation) {
		diagnostic = gprofx_at(file, record->offset, "profile.abbreviation-changed",
		                       different_run);
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
	struct gprofx_diagnostic diagnostic = gprofx_at(file, record->offset, "profile.overlap",
	                                                different_run);

	diagnostic.number[0] = record->low;
	diagnostic.number[1] = record->high;
	return run_fail(run, &diagnostic,
	                "expected a histogram range apart from 0x%llx-0x%llx, found 0x%llx-0x%llx",
	                (unsigned long long)other->low, (unsigned long long)other->high,
	                (unsigned long long)record->low, (unsigned long long)record->high);
}

/* The range seen before that the record's intersects, or equals, or NULL. */
static const struct range *
known_range(const struct profile *profile, const struct gprofx_histogram *record)
{
	struct range wanted = {record->low, record->high, 0}, **found;
	bool is_empty = record->low >= record->high;

	found = tfind(&wanted, is_empty ? &profile->empty_ranges : &profile->filled_ranges,
	              is_empty ? compare_empty : compare_filled);
	return found ? *found : NULL;
}

static void
enter_range(struct run *run, struct profile *profile, const struct gprofx_histogram *record,
            uint32_t histogram)
{
	struct range *range = memory_alloc(run, sizeof *range);
	bool is_empty = record->low >= record->high;

	*range = (struct range){record->low, record->high, histogram};
	if (!tsearch(range, is_empty ? &profile->empty_ranges : &profile->filled_ranges,
	             is_empty ? compare_empty : compare_filled))
		memory_exhausted(run, sizeof *range);
}

static enum gprofx_result
fail_scale(struct run *run, const struct profile *profile, const struct gprofx_file *file,
           const struct gprofx_histogram *record)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(file, record->offset,
	                                                "profile.scale-changed", different_run);

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
	enum gprofx_result result = metrics_check(run, profile, file, record);

	if (result != GPROFX_OK)
		return result;
	if (!record->lacks_rate && record->rate != profile->rate) {
		diagnostic = gprofx_at(file, record->offset, "profile.rate-differs", different_run);
		return run_fail(run, &diagnostic, "expected a rate of %u, found %u", profile->rate,
		                record->rate);
	}
	if (record->low != first->low || record->high != first->high ||
	    record->bin_count != first->bin_count) {
		diagnostic = gprofx_at(file, record->offset, "profile.first-differs",
		                       different_run);
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

/* Whether a record can be of another object than the program: such bins have nothing in common. */
static bool
is_of_object(const struct profile *profile, const struct gprofx_histogram *record)
{
	const struct profile *whole = profile->whole ? profile->whole : profile;

	return record->process != 0 ||
	       (whole->file_count > 0 && whole->files[whole->file_count - 1].image);
}

enum gprofx_result
profile_check_record(struct run *run, const struct profile *profile, const struct gprofx_file *file,
                     const struct gprofx_histogram *record)
{
	const struct range *known = known_range(profile, record);
	enum gprofx_result result;

	if (!profile->has_histogram)
		return profile->has_sparse ? profile_check_unit(run, profile, file, record)
		                           : GPROFX_OK;
	if (record->is_only && run->settings->only_histograms_match)
		return check_like_first(run, profile, file, record);
	result = profile_check_unit(run, profile, file, record);
	if (result != GPROFX_OK)
		return result;
	if (!is_of_object(profile, record) && fabs(profile->scale - scale_of(record)) > 1e-6)
		return fail_scale(run, profile, file, record);
	if (known && (known->low != record->low || known->high != record->high))
		return fail_overlap(run, file, record, known);
	/* Over a million bins the widths can agree where the numbers of bins do not. */
	if (known && profile->histograms[known->histogram].bin_count != record->bin_count)
		return fail_scale(run, profile, file, record);
	return GPROFX_OK;
}

/* The histogram of a range for records of a rate, from its first one on; or NO_HISTOGRAM. */
static uint32_t
of_rate(const struct run *run, const struct profile *profile, uint32_t first, uint32_t rate)
{
	if (!run_corrects(run, GPROFX_CORRECT_RATES))
		return first;
	while (first != NO_HISTOGRAM && profile->histograms[first].rate != rate)
		first = profile->histograms[first].sibling;
	return first;
}

static uint32_t
add_histogram(struct run *run, struct profile *profile, const struct gprofx_histogram *record,
              uint32_t rate)
{
	uint32_t number = profile->histogram_count;
	struct histogram *added;

	profile->histograms = memory_room(run, profile->histograms, sizeof *profile->histograms,
	                                  profile->histogram_count, &profile->histogram_room, 1);
	added = &profile->histograms[profile->histogram_count++];
	*added = (struct histogram){.low = record->low,
	                            .high = record->high,
	                            .bin_count = record->bin_count,
	                            .rate = rate,
	                            .sibling = NO_HISTOGRAM,
	                            .scale = is_of_object(profile, record) ? scale_of(record)
	                                                                   : profile->scale};
	memory_array(run, added->bins, record->bin_count);
	memory_array(run, added->is_used, (size_t)record->bin_count / HISTOGRAM_BLOCK + 1);
	return number;
}

void
profile_learn_metric(struct run *run, struct profile *profile,
                     const struct gprofx_histogram *record)
{
	bool converts = run_corrects(run, GPROFX_CORRECT_RATES);

	if (!profile_is_measured(profile)) {
		metrics_learn(run, profile, record);
		profile->rate = record->rate;
		memcpy(profile->dimension, record->dimension, 15);
		profile->abbreviation = record->abbreviation;
	}
	if (profile->rate == 0 && (converts || record->usual_rate != 0))
		profile->rate = record->rate != 0 ? record->rate : record->usual_rate;
}

/* What all records have in common is what the first one says. */
static void
learn(struct run *run, struct profile *profile, const struct gprofx_histogram *record)
{
	profile_learn_metric(run, profile, record);
	if (profile->has_histogram)
		return;
	profile->has_histogram = true;
	profile->scale = scale_of(record);
}

uint32_t
profile_enter_record(struct run *run, struct profile *profile,
                     const struct gprofx_histogram *record)
{
	uint32_t rate = record->rate != 0 ? record->rate : record->usual_rate, number;
	const struct range *known = known_range(profile, record);

	learn(run, profile, record);
	if (!known) {
		number = add_histogram(run, profile, record, rate);
		enter_range(run, profile, record, number);
		return number;
	}
	number = of_rate(run, profile, known->histogram, rate);
	if (number == NO_HISTOGRAM) {
		struct histogram *first;

		number = add_histogram(run, profile, record, rate);
		first = &profile->histograms[known->histogram];
		profile->histograms[number].sibling = first->sibling;
		first->sibling = number;
	}
	return number;
}

uint32_t
profile_find_histogram(const struct run *run, const struct profile *profile, uint64_t low,
                       uint64_t high, uint32_t rate)
{
	const struct gprofx_histogram record = {.low = low, .high = high};
	const struct range *known = known_range(profile, &record);

	return known && known->low == low && known->high == high
	               ? of_rate(run, profile, known->histogram, rate)
	               : NO_HISTOGRAM;
}

static void
release_bins(struct run *run, struct histogram *histogram)
{
	memory_release(run, histogram->bins);
	memory_release(run, histogram->bins64);
	memory_release(run, histogram->is_used);
	histogram->bins = NULL;
	histogram->bins64 = NULL;
	histogram->is_used = NULL;
	histogram->bin_count = 0;
}

static void
forget(struct run *run, struct profile *profile, uint32_t number)
{
	struct histogram *histogram = &profile->histograms[number];
	const struct gprofx_histogram record = {.low = histogram->low, .high = histogram->high};
	const struct range *known = known_range(profile, &record);
	bool is_empty = record.low >= record.high;

	if (known && known->histogram == number) {
		tdelete(known, is_empty ? &profile->empty_ranges : &profile->filled_ranges,
		        is_empty ? compare_empty : compare_filled);
		memory_release(run, (void *)known);
	} else if (known) {
		/* The newest one comes right behind the first. */
		profile->histograms[known->histogram].sibling = histogram->sibling;
	}
	release_bins(run, histogram);
}

void
profile_release_bins(struct run *run, struct profile *profile)
{
	for (uint32_t i = 0; i < profile->histogram_count; i++)
		release_bins(run, &profile->histograms[i]);
	for (uint32_t i = 0; i < profile->other_count; i++)
		profile_release_bins(run, profile->others[i]);
}

void
profile_forget_histograms(struct run *run, struct profile *profile, uint32_t count)
{
	while (profile->histogram_count > count)
		forget(run, profile, --profile->histogram_count);
}

/* The bin that an address is in, give or take one. */
static uint32_t
bin_near(const struct histogram *histogram, uint64_t address)
{
	double place = (double)(address - histogram->low) /
	               (double)(histogram->high - histogram->low) * histogram->bin_count;

	return place < histogram->bin_count ? (uint32_t)place : histogram->bin_count - 1;
}

/* As histogram_next(), but no further than the last bin. */
static bool
has_samples(const struct histogram *histogram, uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i <= last; i++) {
		if (i % HISTOGRAM_BLOCK == 0 && !histogram->is_used[i / HISTOGRAM_BLOCK])
			i += HISTOGRAM_BLOCK - 1;
		else if (histogram_bin(histogram, i) != 0)
			return true;
	}
	return false;
}

bool
profile_has_samples(const struct profile *profile, uint64_t low, uint64_t past)
{
	if (sparse_is_within(profile, low, past))
		return true;
	for (uint32_t i = 0; i < profile->histogram_count; i++) {
		const struct histogram *histogram = &profile->histograms[i];
		uint32_t first, last;

		if (histogram->bin_count == 0 || past <= histogram->low || low >= histogram->high ||
		    past <= low)
			continue;
		first = low > histogram->low ? bin_near(histogram, low) : 0;
		last = past < histogram->high ? bin_near(histogram, past)
		                              : histogram->bin_count - 1;
		if (has_samples(histogram, first > 0 ? first - 1 : 0, last))
			return true;
	}
	for (uint32_t i = 0; i < profile->other_count; i++)
		if (profile_has_samples(profile->others[i], low, past))
			return true;
	return false;
}
