/* SPDX-License-Identifier: Apache-2.0 */
/* Counters and rates: nothing counted, too little, too much, or at no known rate. */
#include <math.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sums.h"
#include "findings/parts.h"
#include "profile/profile.h"

enum {
	FEW_SAMPLES = 10,
	/* No timer interrupts a program so often; two-byte counters would be full within 7 ms. */
	ABSURD_RATE = 10000000,
	USUAL_RATE = 20000,
	METRICS_NAMED = 3,
	LOST_TICKS = 8 /* so many do not fail to be there by chance */
};

/* A call, its return and the counting of it take longer than this many seconds on any machine. */
static const double fastest_call = 1e-9;

static uint32_t
swapped(uint32_t value)
{
	return value >> 24 | (value >> 8 & 0xff00) | (value << 8 & 0xff0000) | value << 24;
}

/* The first file of which something is so, or NULL. */
static const struct profile_file *
first_file(const struct profile *profile, bool (*is_so)(const struct profile_file *file))
{
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (is_so(&profile->files[i]))
			return &profile->files[i];
	return NULL;
}

static bool
has_other_rate(const struct profile_file *file)
{
	return file->rate_differs;
}

static bool
has_no_rate(const struct profile_file *file)
{
	return (file->has_histogram || file->has_sparse) && file->rate == 0;
}

static void
inspect_rate(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct profile_file *other = first_file(profile, has_other_rate);
	const struct profile_file *without = first_file(profile, has_no_rate);
	struct run *run = findings->run;

	if (other && !run_corrects(run, GPROFX_CORRECT_RATES))
		finding_add(findings, FINDING_RATES_DIFFER, other->name,
		            "samples taken at different rates are added up as if all had the first "
		            "rate",
		            text_format(run, "the first rate is %u, the rate of this file is %u",
		                        profile->rate, other->other_rate));
	if (profile->rate == 0)
		finding_add(findings, FINDING_ZERO_RATE, NULL,
		            "the profile states no sampling rate, so its times have no unit",
		            text_format(run, "the rate is 0, with %llu samples",
		                        (unsigned long long)findings->samples));
	else if (without && run_corrects(run, GPROFX_CORRECT_RATES))
		finding_add(findings, FINDING_ZERO_RATE, without->name,
		            "the profile states no sampling rate, so its samples count like those "
		            "of the others",
		            text_format(run,
		                        "the rate is 0 here, with %llu samples, and %u elsewhere",
		                        (unsigned long long)without->samples, profile->rate));
	else if (profile->rate > ABSURD_RATE && profile_is_in_seconds(profile))
		finding_add(findings, FINDING_ABSURD_RATE, NULL,
		            "the sampling rate is not plausible, so times in seconds are wrong",
		            text_format(run, "the rate is %u Hz%s", profile->rate,
		                        swapped(profile->rate) <= USUAL_RATE
		                                ? ", a common rate with its bytes swapped"
		                                : ""));
}

static void
inspect_full(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct profile_file *full = NULL, *wrapped = NULL;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		if (file->full > 0 && !full)
			full = file;
		else if (file->nearly_full + file->dips > 0 && !wrapped)
			wrapped = file;
	}
	if (full)
		finding_add(
			findings, FINDING_FULL, full->name,
			"sample counters are saturated: hot places took more time than is shown",
			text_format(findings->run,
		                    "%u counters of %u bytes are at their maximum, the first one "
		                    "near 0x%llx",
		                    full->full, full->counter_bytes,
		                    (unsigned long long)full->full_low));
	else if (wrapped)
		finding_add(
			findings, FINDING_WRAPPED, wrapped->name,
			"sample counters reached their limit and may have wrapped around to 0: hot "
			"places may have taken much more time than is shown",
			text_format(findings->run,
		                    "%u counters of %u bytes are close to their maximum and %u far "
		                    "below both neighbors, the first one near 0x%llx",
		                    wrapped->nearly_full, wrapped->counter_bytes, wrapped->dips,
		                    (unsigned long long)wrapped->full_low));
}

/* The ticks that the calls of a file took at least. */
static double
least_ticks(const struct profile *profile, const struct profile_file *file)
{
	return profile_is_in_seconds(profile) ? (double)file->calls * fastest_call * file->rate : 0;
}

/*
 * Whether a file lacks samples that it should have: as many as other files have for so many calls,
 * or, if there is none with samples, any.
 */
static bool
lacks_samples(const struct findings *findings, const struct profile_file *file)
{
	double expected;

	if ((!file->has_histogram && !file->has_sparse) || file->samples > 0 || file->calls == 0)
		return false;
	if (findings->samples == 0 || least_ticks(findings->profile, file) >= LOST_TICKS)
		return true;
	expected = (double)findings->samples * (double)file->calls /
	           (double)(findings->calls - file->calls + 1);
	return expected >= LOST_TICKS;
}

static void
inspect_calls_alone(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct profile_file *first = NULL;
	uint32_t files = 0;
	const char *judgement;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		if (!lacks_samples(findings, &profile->files[i]))
			continue;
		if (!first)
			first = &profile->files[i];
		files++;
	}
	if (!first)
		return;
	judgement = least_ticks(profile, first) >= LOST_TICKS
	                    ? "; the calls took longer than that, so the timer did not run"
	            : findings->samples > 0
	                    ? "; the other profiles have many samples for as many calls"
	                    : "; the run may have been shorter than one sample, or spent all its "
	                      "time in shared libraries";
	finding_add(findings, FINDING_NO_SAMPLES, first->name,
	            "calls were counted, but no samples were taken: all times are 0",
	            text_format(findings->run,
	                        "%llu calls and no samples at %u Hz%s (%u of %u profiles)",
	                        (unsigned long long)first->calls, first->rate, judgement, files,
	                        profile->file_count));
	if (first->image)
		finding_advise(findings, FINDING_NO_SAMPLES,
		               "use the call counts; to get times, run a build of the program "
		               "without -pg, for several seconds: with -pg the program takes the "
		               "only timer");
}

static void
inspect_amount(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	struct run *run = findings->run;
	const char *count;
	double error;

	if (findings->samples == 0 && findings->calls == 0) {
		finding_add(findings, FINDING_ALL_ZERO, NULL,
		            "nothing was counted: there are no samples and no calls",
		            text_format(run,
		                        "all counters of %u histograms are 0, and there are no "
		                        "calls",
		                        profile->histogram_count));
		return;
	}
	if (findings->samples == 0 || findings->samples >= FEW_SAMPLES)
		return;
	error = 100 / sqrt((double)findings->samples);
	count = text_format(run, "%llu sample%s", (unsigned long long)findings->samples,
	                    findings->samples == 1 ? "" : "s");
	finding_add(findings, FINDING_FEW, NULL,
	            "the run was too short: too few samples for meaningful times",
	            profile_is_in_seconds(profile)
	                    ? text_format(run,
	                                  "%s of %g s; the standard error of their sum is %.0f %%",
	                                  count, 1.0 / profile->rate, error)
	                    : text_format(run, "%s; the standard error of their sum is %.0f %%",
	                                  count, error));
}

/* Samples of a further metric, which files do not have a sum of. */
static uint64_t
samples_of(const struct profile *of)
{
	uint64_t sum = of->sparse_total;

	for (uint32_t r = 0; r < of->histogram_count; r++) {
		const struct histogram *histogram = &of->histograms[r];

		for (uint32_t i = histogram_next(histogram, 0); i < histogram->bin_count;
		     i = histogram_next(histogram, i + 1))
			sum_add(&sum, histogram_bin(histogram, i));
	}
	return sum;
}

/* Where stacks have measured, what is no stack is in no row, whatever metric it is of. */
static void
inspect_unused(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const char *what = "";
	uint32_t metrics = 0;

	for (uint32_t i = 0; i <= profile->other_count; i++) {
		const struct profile *of = i == 0 ? profile : profile->others[i - 1];
		uint64_t samples = i == 0 ? findings->samples : samples_of(of);
		uint64_t unused = samples - of->sparse_in_stacks;

		if (unused > 0 && ++metrics <= METRICS_NAMED)
			what = text_format(findings->run, "%s%s%llu samples of %s", what,
			                   metrics > 1 ? ", " : "", (unsigned long long)unused,
			                   of->metric_name);
	}
	if (metrics == 0)
		return;
	if (metrics > METRICS_NAMED)
		what = text_format(findings->run, "%s, and some of other metrics (%u)", what,
		                   metrics - METRICS_NAMED);
	finding_add(findings, FINDING_NOT_USED, NULL,
	            "times come from call stacks: other samples are in no table", what);
}

void
findings_inspect_histogram(struct findings *findings)
{
	const struct profile *profile = findings->profile;

	if (profile->stacks.is_there) {
		inspect_unused(findings);
		return;
	}
	if (!profile_is_measured(profile)) {
		if (findings->calls > 0)
			finding_add(findings, FINDING_NO_HISTOGRAM, NULL,
			            "the profile has calls but no histogram: all times are 0",
			            text_format(findings->run,
			                        "%llu calls in %u records, no histogram",
			                        (unsigned long long)findings->calls,
			                        profile->arc_count + profile->call_count));
		else if (!profile->has_blocks && !profile->has_source)
			finding_add(findings, FINDING_EMPTY, NULL,
			            "the profile is empty: it has no samples and no calls",
			            text_format(findings->run,
			                        "%u files have neither a histogram nor calls",
			                        profile->file_count));
		return;
	}
	inspect_rate(findings);
	inspect_full(findings);
	inspect_calls_alone(findings);
	inspect_amount(findings);
}
