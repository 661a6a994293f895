/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

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

/* A length of time for people: two digits are enough to plan a measurement. */
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

/* "7.2 % ± 1.1 % faster": of the base; the half width is that of a 95 % interval. */
static void
put_change(char *text, size_t room, const struct gprofx_metric *metric,
           const struct gprofx_report_comparison *comparison)
{
	const struct gprofx_difference *total = &comparison->total.self;
	const char *less = is_time(metric) ? "faster" : "less";
	const char *more = is_time(metric) ? "slower" : "more";
	double percent = 100 * (total->now / total->base - 1);
	double half = 100 * comparison->change_error;
	char change[LONGEST_WORDS / 4], error[LONGEST_WORDS / 4];

	put_percent(change, sizeof change, fabs(percent));
	put_percent(error, sizeof error, half);
	if (isnan(half) && total->now == total->base)
		snprintf(text, room, "equal totals, with errors that are not known");
	else if (isnan(half))
		snprintf(text, room, "%s %s, with an error that is not known", change,
		         percent < 0 ? less : more);
	else if (total->verdict == GPROFX_VERDICT_LESS || total->verdict == GPROFX_VERDICT_MORE)
		snprintf(text, room, "%s \u00b1 %s %s", change, error,
		         total->verdict == GPROFX_VERDICT_LESS ? less : more);
	else
		snprintf(text, room,
		         "no difference in the total that these samples can show (%s%s \u00b1 %s)",
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
		{comparison->equal_count, "without a difference that these samples can show"},
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
		[GPROFX_MATCH_PLAIN] = "by name without arguments",
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
	matched = whole - base->matched[GPROFX_MATCH_NONE] - now->matched[GPROFX_MATCH_NONE];
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

static const char *
caution(struct run *run, const struct gprofx_report_comparison *comparison)
{
	char text[LONGEST_SENTENCES];
	size_t used = add_matches(text, sizeof text, 0, comparison);
	bool is_base_single = comparison->base.run_count == 1;
	bool is_new_single = comparison->new_side.run_count == 1;
	bool has_errors = comparison->untested_count < comparison->row_count;

	if (has_errors && (is_base_single || is_new_single)) {
		if (used > 0)
			used = add(text, sizeof text, used, ". ");
		used = add(text, sizeof text, used,
		           is_base_single && is_new_single
		                   ? "With one run on a side only the error of sampling is known: "
		                     "what else differs from run to run is not in these numbers"
		                   : "With one run on one side, it is assumed to vary as those of "
		                     "the other side do");
	}
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
	comparison->sentence = text_keep(run, text, strlen(text));
	comparison->caution = caution(run, comparison);
}
