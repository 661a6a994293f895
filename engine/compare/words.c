/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* More percent than this are said as a multiple. */
enum { MOST_PERCENT = 1000 };

enum { LONGEST_WORDS = 200, LONGEST_SENTENCES = 1200 };

/* A percentage with as many digits as it needs next to its error. */
static void
put_percent(char *text, size_t room, double percent)
{
	double size = fabs(percent);
	int digits = size < 0.095 ? 3 : size < 9.95 ? 2 : size < 99.5 ? 1 : 0;

	snprintf(text, room, "%.*f %%", digits - (digits > 1 ? 1 : 0), percent);
}

static bool
is_time(const struct gprofx_metric *metric)
{
	return strcmp(metric->unit, "seconds") == 0 && metric->ticks_per_unit != 0;
}

/* A length of time for people, rounded up: enough to plan a measurement. */
static void
put_duration(char *text, size_t room, double seconds)
{
	static const struct {
		double seconds;
		const char *one, *many;
	} units[] = {
		{86400, "day", "days"},
		{3600, "hour", "hours"},
		{60, "minute", "minutes"},
		{1, "second", "seconds"},
	};
	size_t i = 0, last = sizeof units / sizeof units[0] - 1;
	double amount;

	while (i < last && seconds < 1.5 * units[i].seconds)
		i++;
	amount = ceil(seconds / units[i].seconds);
	if (amount > 1e6)
		snprintf(text, room, "%.2g %s", amount, units[i].many);
	else
		snprintf(text, room, "%.0f %s", amount, amount == 1 ? units[i].one : units[i].many);
}

/*
 * The error of the change, in percent of the base.  That of the base is a part of it; of few
 * samples it can be so large that the interval contains 0 in spite of a verdict: then it is that of
 * the difference alone.
 */
static double
half_of(const struct gprofx_report_comparison *comparison)
{
	const struct gprofx_difference *total = &comparison->total.self;
	double half = 100 * comparison->change_error;
	bool has_verdict = total->verdict == GPROFX_VERDICT_LESS ||
	                   total->verdict == GPROFX_VERDICT_MORE;

	if (has_verdict && half >= 100 * fabs(total->now / total->base - 1))
		return 100 * (total->high - total->low) / 2 / total->base;
	return half;
}

/* "7.2 % ± 1.1 % faster": of the base; the half width is that of a 95 % interval. */
static void
put_change(char *text, size_t room, const struct gprofx_metric *metric,
           const struct gprofx_report_comparison *comparison)
{
	const struct gprofx_difference *total = &comparison->total.self;
	const char *less = is_time(metric) ? "faster" : "less";
	const char *more = is_time(metric) ? "slower" : "more";
	double ratio = total->now / total->base, percent = 100 * (ratio - 1);
	double half = half_of(comparison);
	const char *unknown = isnan(half) ? ", with an error that is not known" : "";
	char change[LONGEST_WORDS / 4], error[LONGEST_WORDS / 4];

	put_percent(change, sizeof change, fabs(percent));
	put_percent(error, sizeof error, half);
	if (percent > MOST_PERCENT && total->verdict != GPROFX_VERDICT_EQUAL)
		snprintf(text, room,
		         ratio < 1e6 ? "%.1f times the base%s" : "%.3g times the base%s", ratio,
		         unknown);
	else if ((isnan(half) || half == 0) && total->now == total->base)
		snprintf(text, room, "equal totals%s",
		         isnan(half) ? ", with errors that are not known" : "");
	else if (isnan(half) || half == 0)
		snprintf(text, room, "%s %s%s", change, percent < 0 ? less : more, unknown);
	else if (total->verdict == GPROFX_VERDICT_LESS || total->verdict == GPROFX_VERDICT_MORE)
		snprintf(text, room, "%s \u00b1 %s %s", change, error,
		         total->verdict == GPROFX_VERDICT_LESS ? less : more);
	else
		snprintf(text, room, "%s (%s%s \u00b1 %s)",
		         fabs(percent) > half
		                 ? "a difference in the total is not certain"
		                 : "no difference in the total that these samples can show",
		         percent < 0 ? "-" : "+", change, error);
}

static void
put_total(char *text, size_t room, const struct gprofx_metric *metric,
          const struct gprofx_report_comparison *comparison)
{
	const struct gprofx_difference *total = &comparison->total.self;

	if (total->base == 0 && total->now == 0)
		snprintf(text, room, "neither side has any %s", is_time(metric) ? "time" : "value");
	else if (total->base == 0 || total->now == 0)
		snprintf(text, room, "only the %s has any %s",
		         total->base == 0 ? "new side" : "base",
		         is_time(metric) ? "time" : "value");
	else if (comparison->normalization == GPROFX_NORMALIZED_BY_TOTAL)
		snprintf(text, room, "shares of the total are compared");
	else if (comparison->normalization == GPROFX_NORMALIZED_BY_CALLS)
		snprintf(text, room, "costs of equal numbers of calls are compared");
	else
		put_change(text, room, metric, comparison);
}

static size_t
add(char *text, size_t room, size_t used, const char *words)
{
	int length = snprintf(text + used, room - used, "%s", words);

	return used + (size_t)length < room ? used + (size_t)length : room - 1;
}

/* "3 functions faster, 1 slower, 912 without a difference that these samples can show" */
static size_t
add_rows(char *text, size_t room, size_t used, const struct gprofx_metric *metric,
         const struct gprofx_report_comparison *comparison)
{
	const struct {
		uint32_t count;
		const char *words;
	} parts[] = {
		{comparison->less_count, is_time(metric) ? "faster" : "with less"},
		{comparison->more_count, is_time(metric) ? "slower" : "with more"},
		{comparison->total_less_count, is_time(metric) ? "faster with all that is called"
	                                                       : "with less in all that is called"},
		{comparison->total_more_count, is_time(metric) ? "slower with all that is called"
	                                                       : "with more in all that is called"},
		{comparison->only_base_count, "only in the base"},
		{comparison->only_new_count, "only in the new profile"},
		{comparison->equal_count,
	         metric->kind == GPROFX_COUNTED
	                 ? "without a difference"
	                 : "without a difference that these samples can show"},
		{comparison->untested_count, "not tested, since their errors are not known"},
	};
	char words[LONGEST_WORDS];
	bool is_first = true;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (parts[i].count == 0)
			continue;
		snprintf(words, sizeof words, "%s%u%s %s", is_first ? "; " : ", ", parts[i].count,
		         !is_first             ? ""
		         : parts[i].count == 1 ? " function"
		                               : " functions",
		         parts[i].words);
		used = add(text, room, used, words);
		is_first = false;
	}
	return used;
}

/* What would have to be measured so that one percent shows. */
static void
add_needed(char *text, size_t room, size_t used, const struct gprofx_metric *metric,
           const struct gprofx_report_comparison *comparison)
{
	double needed = comparison->needed_for_percent;
	double measured = comparison->base.ticks * comparison->base.run_count;
	double other = comparison->new_side.ticks * comparison->new_side.run_count;
	char words[LONGEST_WORDS], duration[LONGEST_WORDS / 4];

	if (isnan(needed) || needed <= 1)
		return;
	if (is_time(metric)) {
		put_duration(duration, sizeof duration,
		             needed * (measured > other ? measured : other) /
		                     metric->ticks_per_unit);
		snprintf(words, sizeof words, "; to see 1 %%, measure %s on each side", duration);
	} else {
		snprintf(words, sizeof words, "; to see 1 %%, measure %.*f times as much",
		         needed < 10 ? 1 : 0, ceil(needed * 10) / 10);
	}
	add(text, room, used, words);
}

/* How much of the time is in functions that are on both sides. */
static size_t
add_matches(char *text, size_t room, size_t used, const struct gprofx_report_comparison *comparison)
{
	static const char *const ways[GPROFX_MATCH_KINDS] = {
		[GPROFX_MATCH_BUILD] = "by address in the same build",
		[GPROFX_MATCH_NAME] = "by name and file",
		[GPROFX_MATCH_PLAIN] = "by name alone",
		[GPROFX_MATCH_RENAMED] = "as renamed, by place and calls",
	};
	const struct gprofx_compared_side *base = &comparison->base, *now = &comparison->new_side;
	double whole = 0, matched;
	char words[LONGEST_WORDS];
	bool is_first = true;

	for (size_t i = 0; i < GPROFX_MATCH_KINDS; i++)
		whole += base->matched[i] + now->matched[i];
	if (whole <= 0)
		return used;
	matched = fmax(whole - base->matched[GPROFX_MATCH_NONE] - now->matched[GPROFX_MATCH_NONE],
	               0);
	snprintf(words, sizeof words, "%.1f %% of the %s is in functions of both sides",
	         100 * matched / whole, "total");
	used = add(text, room, used, words);
	for (size_t i = GPROFX_MATCH_BUILD; i < GPROFX_MATCH_KINDS; i++) {
		double share = 100 * (base->matched[i] + now->matched[i]) / whole;

		if (share <= 0)
			continue;
		snprintf(words, sizeof words, "%s%.1f %% %s", is_first ? ": " : ", ", share,
		         ways[i]);
		used = add(text, room, used, words);
		is_first = false;
	}
	return used;
}

static size_t
add_sentence(char *text, size_t room, size_t used, const char *words)
{
	if (used > 0)
		used = add(text, room, used, ". ");
	return add(text, room, used, words);
}

static const char *
caution(struct run *run, const struct gprofx_report_comparison *comparison, bool is_counted)
{
	char text[LONGEST_SENTENCES];
	size_t used = add_matches(text, sizeof text, 0, comparison);
	bool is_base_single = comparison->base.run_count == 1;
	bool is_new_single = comparison->new_side.run_count == 1;
	bool has_errors = comparison->untested_count < comparison->row_count;
	const char *lacking = comparison->base_lacks_calls  ? "base"
	                      : comparison->new_lacks_calls ? "new side"
	                                                    : NULL;

	if (lacking) {
		char words[LONGEST_WORDS];

		snprintf(words, sizeof words,
		         "The %s has no calls, so values with all that is called are not compared",
		         lacking);
		used = add_sentence(text, sizeof text, used, words);
	}
	if (comparison->normalization == GPROFX_NORMALIZED_BY_CALLS)
		used = add_sentence(
			text, sizeof text, used,
			"Only functions are compared for equal numbers of calls: single "
			"calls, their paths and lines have the values that were measured");
	if (has_errors && (is_base_single || is_new_single))
		used = add_sentence(
			text, sizeof text, used,
			!is_base_single || !is_new_single
				? "With one run on one side, it is assumed to vary as those of the "
				  "other side do"
			: is_counted
				? "With one run on a side, what differs from run to run is not in "
				  "these numbers"
				: "With one run on a side only the error of sampling is known: what "
				  "else differs from run to run is not in these numbers");
	return used > 0 ? text_keep(run, text, used) : NULL;
}

void
compare_set_words(struct run *run, const struct gprofx_metric *metric,
                  struct gprofx_report_comparison *comparison)
{
	char text[LONGEST_SENTENCES];
	size_t used;

	put_total(text, sizeof text, metric, comparison);
	used = add_rows(text, sizeof text, strlen(text), metric, comparison);
	add_needed(text, sizeof text, used, metric, comparison);
	text[0] = (char)toupper((unsigned char)text[0]);
	comparison->sentence = text_keep(run, text, strlen(text));
	comparison->caution = caution(run, comparison, metric->kind == GPROFX_COUNTED);
}
