/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether samples without callers and call stacks, which both say where the time is, say the same:
 * times come from the stacks, but calls can be those of the run that the samples are of.
 *
 * Shares are compared by function, among the functions of the program that both can have, with the
 * test for two proportions; a stack counts as many samples as its weights are made of (their sum,
 * squared, divided by the sum of their squares).  Since each function is a test, the chance of one
 * false finding is divided by their number (Bonferroni).
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "graph/samples.h"
#include "profile/file-names.h"
#include "profile/profile.h"
#include "select/filters.h"
#include "symbols/symbols.h"

static const double chance = 0.001;      /* of a finding where there is nothing */
static const double least_share = 0.01;  /* a smaller difference is of no interest */
static const double least_factor = 1.1;  /* of sums, likewise */
static const double least_samples = 5;   /* expected in both: fewer are not normally distributed */
static const double enough_samples = 50; /* of both: fewer are no reason to compare at all */

/* What one source has of the functions that are compared. */
struct source_times {
	double *of;      /* per symbol, in ticks */
	double all;      /* of them */
	double variance; /* of that sum, in ticks squared */
	double rate;     /* ticks per second */
};

struct comparison {
	struct source_times sampled, stacked;
	uint32_t both;    /* functions with time in one of them */
	uint32_t differ;  /* so many of them have another share */
	uint32_t widest;  /* the one that differs most; NO_SYMBOL: none does */
	double distance;  /* of its shares */
	double deviation; /* the standard error of that */
};

static bool
is_in_seconds(const char *unit)
{
	return strcmp(unit, "seconds") == 0;
}

/* The samples of processor time that are in no stack, or NULL. */
static const struct profile *
find_samples(const struct profile *profile)
{
	for (uint32_t i = 0; i <= profile->other_count; i++) {
		const struct profile *of = i == 0 ? profile : profile->others[i - 1];

		if (of->histogram_count > 0 && of->rate > 0 && is_in_seconds(of->dimension))
			return of;
	}
	return NULL;
}

static bool
is_of_processor(const struct stacks *stacks)
{
	return stacks->metric_kind == GPROFX_SAMPLED && stacks->rate > 0 &&
	       is_in_seconds(stacks->dimension) &&
	       (!stacks->metric_name || strcmp(stacks->metric_name, "wait") != 0) &&
	       (stacks->squares || stacks->are_squares);
}

/* The stacks that measured it, with their uncertainty, or NULL. */
static const struct stacks *
find_stacks(const struct stacks *stacks)
{
	if (is_of_processor(stacks))
		return stacks;
	for (uint32_t i = 0; i < stacks->other_count; i++)
		if (is_of_processor(stacks->others[i]))
			return stacks->others[i];
	return NULL;
}

/* Both can have the time of a function of the program, but for the code that counts calls. */
static bool
is_compared(const struct findings *findings, uint32_t function)
{
	const struct symbols *symbols = findings->symbols;

	return symbols_is_program(symbols, symbols->address[function]) &&
	       !symbols_import(symbols, function) && !filter_is_collector(symbols->name[function]);
}

/* What symbols have becomes what their functions have. */
static void
join_lines(const struct findings *findings, struct source_times *times)
{
	const struct symbols *symbols = findings->symbols;

	for (uint32_t i = 0; i < symbols->count; i++) {
		uint32_t function = symbols_function(symbols, i);
		double ticks = times->of[i];

		times->of[i] = 0;
		if (is_compared(findings, function)) {
			times->of[function] += ticks;
			times->all += ticks;
		}
	}
}

static void
take_samples(struct findings *findings, const struct profile *profile, struct source_times *times)
{
	const struct symbols *symbols = findings->symbols;
	uint64_t *start;

	memory_array(findings->run, start, (size_t)symbols->count + 1);
	for (uint32_t i = 0; i < symbols->count; i++)
		start[i] = symbols->address[i];
	start[symbols->count] = symbols->end[symbols->count - 1] + 1;
	times->of = samples_by_space(findings->run, symbols, findings->scan, profile, start,
	                             symbols->count, NULL);
	memory_release(findings->run, start);
	times->rate = profile->rate;
	join_lines(findings, times);
	times->variance = times->all;
}

static void
take_stacks(struct findings *findings, const struct stacks *stacks, struct source_times *times)
{
	const struct symbols *symbols = findings->symbols;
	const uint64_t *squares = stacks->squares ? stacks->squares->weight : stacks->weight;
	uint32_t weighed = stacks->squares ? stacks->squares->weighed : stacks->weighed;
	const struct stacks *tree = &findings->profile->stacks;

	memory_array(findings->run, times->of, (size_t)symbols->count + 1);
	for (uint32_t i = 0; i < stacks->weighed; i++) {
		uint32_t end = stacks_end(tree, i);
		uint32_t function = end != NO_FRAME ? tree->function[tree->place[end]]
		                                    : symbols->count;

		if (function >= symbols->count)
			continue;
		times->of[function] += (double)stacks->weight[i];
		if (i < weighed && is_compared(findings, symbols_function(symbols, function)))
			times->variance += (double)squares[i];
	}
	times->rate = stacks->rate;
	join_lines(findings, times);
}

/* How many samples a sum is made of. */
static double
samples_in(const struct source_times *times)
{
	return times->variance > 0 ? times->all * times->all / times->variance : 0;
}

static double
share_of(const struct source_times *times, uint32_t function)
{
	return times->of[function] / times->all;
}

/* The standard error of the difference of a function's shares; 0: there is too little of it. */
static double
deviation_of(const struct comparison *at, uint32_t function)
{
	double sampled = samples_in(&at->sampled), stacked = samples_in(&at->stacked);
	double share = (share_of(&at->sampled, function) * sampled +
	                share_of(&at->stacked, function) * stacked) /
	               (sampled + stacked);

	if (share * fmin(sampled, stacked) < least_samples ||
	    (1 - share) * fmin(sampled, stacked) < least_samples)
		return 0;
	return sqrt(share * (1 - share) * (1 / sampled + 1 / stacked));
}

static void
compare(const struct findings *findings, struct comparison *at)
{
	uint32_t count = findings->symbols->count;

	at->widest = NO_SYMBOL;
	for (uint32_t i = 0; i < count; i++)
		at->both += at->sampled.of[i] > 0 || at->stacked.of[i] > 0;
	for (uint32_t i = 0; i < count; i++) {
		double distance = fabs(share_of(&at->sampled, i) - share_of(&at->stacked, i));
		double deviation = deviation_of(at, i);

		if (deviation == 0 || distance < least_share ||
		    erfc(distance / deviation / sqrt(2)) * at->both >= chance)
			continue;
		at->differ++;
		if (distance > at->distance) {
			at->widest = i;
			at->distance = distance;
			at->deviation = deviation;
		}
	}
}

static void
tell_shares(struct findings *findings, const struct comparison *at, const char *samples,
            const char *stacks)
{
	struct run *run = findings->run;

	finding_add(findings, FINDING_SHARES_DIFFER, NULL,
	            text_format(run,
	                        "profiles contradict each other: %s has %.1f %% of the time by "
	                        "samples of %s, but %.1f %% by call stacks of %s",
	                        findings_name(run, findings->symbols, at->widest),
	                        100 * share_of(&at->sampled, at->widest), samples,
	                        100 * share_of(&at->stacked, at->widest), stacks),
	            text_format(run,
	                        "%u of %u functions of the program differ by more than chance "
	                        "explains; the standard error of this difference is %.1f points",
	                        at->differ, at->both, 100 * at->deviation));
}

const char *
findings_files_of(struct run *run, const struct file_names *files)
{
	return files->count == 1 ? files->items[0] : text_format(run, "%u profiles", files->count);
}

/* What is said of the samples anyway is not all that is known of them. */
static void
tell_agreement(struct findings *findings)
{
	struct gprofx_finding *unused = &findings->found[FINDING_NOT_USED];

	if (unused->id)
		unused->evidence = text_format(findings->run,
		                               "%s; by function, they agree with the stacks within "
		                               "their errors",
		                               unused->evidence);
}

/* Only times per call suffer from it. */
static void
compare_sums(struct findings *findings, const struct comparison *at, const char *samples,
             const char *stacks)
{
	struct run *run = findings->run;
	double sampled = at->sampled.all / at->sampled.rate,
	       stacked = at->stacked.all / at->stacked.rate;
	double deviation = sqrt(at->sampled.variance / at->sampled.rate / at->sampled.rate +
	                        at->stacked.variance / at->stacked.rate / at->stacked.rate);
	double factor = fmax(sampled, stacked) / fmin(sampled, stacked);

	if (findings->calls == 0 || factor < least_factor ||
	    erfc(fabs(sampled - stacked) / deviation / sqrt(2)) >= chance)
		return;
	finding_add(findings, FINDING_SUMS_DIFFER, NULL,
	            text_format(run,
	                        "calls and times are not of equal work: the functions of the "
	                        "program take %.2f s by samples of %s, but %.2f s by call stacks "
	                        "of %s",
	                        sampled, samples, stacked, stacks),
	            text_format(run,
	                        "times per call divide the time of one by the calls of the other, "
	                        "if both are not of the same runs: a factor of %.2f; the standard "
	                        "error of the difference is %.2f s",
	                        factor, deviation));
}

void
findings_inspect_contradictions(struct findings *findings)
{
	const struct profile *profile = find_samples(findings->profile);
	const struct stacks *stacks = find_stacks(&findings->profile->stacks);
	struct comparison at = {0};

	if (!profile || !stacks || !findings->profile->stacks.function ||
	    !symbols_have_image(findings->symbols) || findings->symbols->count == 0)
		return;
	take_samples(findings, profile, &at.sampled);
	take_stacks(findings, stacks, &at.stacked);
	if (samples_in(&at.sampled) >= enough_samples &&
	    samples_in(&at.stacked) >= enough_samples) {
		const char *samples = findings_files_of(findings->run, &profile->histogram_files);
		const char *measured = findings_files_of(findings->run, &stacks->files);

		compare(findings, &at);
		if (at.widest == NO_SYMBOL)
			tell_agreement(findings);
		if (at.widest != NO_SYMBOL)
			tell_shares(findings, &at, samples, measured);
		compare_sums(findings, &at, samples, measured);
	}
	memory_release(findings->run, at.sampled.of);
	memory_release(findings->run, at.stacked.of);
}
