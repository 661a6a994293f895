/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms of a sum.  What a counter of 16 bits cannot hold goes into further records of the same
 * range, which every reader adds up.  Samples of several rates are written at one that all of them
 * divide, if there is such a rate, since GNU gprof uses only that of the first record.
 */

#include "base/memory.h"
#include "base/run.h"
#include "profile/profile.h"
#include "profile-writer/parts.h"

static uint64_t
greatest_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The least common multiple of all known rates; 0: it is too large to be a rate, or none is known.
 */
static uint32_t
common_rate(const struct profile *profile)
{
	uint64_t common = profile->rate;

	for (uint32_t i = 0; i < profile->histogram_count && common != 0; i++) {
		uint32_t rate = profile->histograms[i].rate;

		if (rate != 0)
			common *= rate / greatest_divisor(common, rate);
		if (common > UINT32_MAX)
			return 0;
	}
	return (uint32_t)common;
}

/* How often a sample counts at the rate of a range.  A rate that is not known is the usual one. */
static uint64_t
factor_of(const struct sum *sum, const struct sum_range *range, const struct histogram *histogram)
{
	uint32_t rate = histogram->rate != 0 ? histogram->rate : sum->profile->rate;

	return range->joins && rate != 0 ? range->rate / rate : 1;
}

/* Sums that pass 64 bits are as large as can be, which is too large to be written. */
static uint64_t
bin_of(const struct sum *sum, const struct sum_range *range, uint32_t bin)
{
	const struct histogram *histograms = sum->profile->histograms;
	uint32_t next = range->histogram;
	uint64_t value = 0, part;

	do {
		const struct histogram *histogram = &histograms[next];

		if (__builtin_mul_overflow(histogram_bin(histogram, bin),
		                           factor_of(sum, range, histogram), &part) ||
		    __builtin_add_overflow(value, part, &value))
			return UINT64_MAX;
		next = histogram->sibling;
	} while (range->joins && next != NO_HISTOGRAM);
	return value;
}

/* How many records a range takes besides the first, or more than there may be. */
static uint32_t
extra_records(const struct sum *sum, const struct sum_range *range)
{
	uint32_t bins = sum->profile->histograms[range->histogram].bin_count;
	uint64_t largest = 0, extra;

	for (uint32_t i = 0; i < bins; i++) {
		uint64_t value = bin_of(sum, range, i);

		largest = value > largest ? value : largest;
	}
	extra = largest == 0 ? 0 : (largest - 1) / MOST_IN_BIN;
	return extra > MOST_EXTRA_RECORDS ? MOST_EXTRA_RECORDS + 1 : (uint32_t)extra;
}

/* rate: of all records; 0: each histogram is written at its own. */
static struct histogram_plan
plan_at(const struct sum *sum, uint32_t rate)
{
	const struct profile *profile = sum->profile;
	bool converts = run_corrects(sum->run, GPROFX_CORRECT_RATES);
	struct histogram_plan plan = {.fits = true};
	uint32_t left = MOST_EXTRA_RECORDS, extra;
	bool *is_later;

	memory_array(sum->run, is_later, profile->histogram_count);
	memory_array(sum->run, plan.ranges, profile->histogram_count);
	for (uint32_t i = 0; i < profile->histogram_count; i++)
		if (profile->histograms[i].sibling != NO_HISTOGRAM)
			is_later[profile->histograms[i].sibling] = true;
	for (uint32_t i = 0; i < profile->histogram_count; i++) {
		uint32_t own = profile->histograms[i].rate;
		struct sum_range *range = &plan.ranges[plan.count];

		if (is_later[i] && rate != 0)
			continue;
		*range = (struct sum_range){
			.histogram = i,
			.rate = rate != 0              ? rate
		                : own != 0 && converts ? own
		                                       : profile->rate,
			.joins = rate != 0 && converts,
		};
		extra = extra_records(sum, range);
		plan.fits = plan.fits && extra <= left;
		extra = extra < left ? extra : left;
		left -= extra;
		range->records = extra + 1;
		plan.differ = plan.differ || range->rate != plan.ranges[0].rate;
		plan.count++;
	}
	memory_release(sum->run, is_later);
	return plan;
}

struct histogram_plan
sum_plan_histograms(const struct sum *sum)
{
	bool converts = run_corrects(sum->run, GPROFX_CORRECT_RATES);
	uint32_t rate = converts ? common_rate(sum->profile) : 0;
	struct histogram_plan plan = plan_at(sum, rate);

	if (plan.fits || rate == 0)
		return plan;
	/* At a high rate samples can become too many. */
	memory_release(sum->run, plan.ranges);
	return plan_at(sum, 0);
}

void
sum_put_bins(struct sum *sum, const struct sum_range *range, uint32_t record)
{
	uint32_t count = sum->profile->histograms[range->histogram].bin_count;
	uint64_t before = (uint64_t)record * MOST_IN_BIN;
	bool is_last = record + 1 == range->records;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t value = bin_of(sum, range, i);

		value = value > before ? value - before : 0;
		sum->is_cut = sum->is_cut || (is_last && value > MOST_IN_BIN);
		sum_put(sum, value < MOST_IN_BIN ? value : MOST_IN_BIN, 2);
	}
}
