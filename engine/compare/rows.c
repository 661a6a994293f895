/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/rows.h"

#include <math.h>

#include "base/memory.h"
#include "base/sort.h"
#include "compare/compare.h"
#include "compare/significance.h"

/* The share of comparisons whose interval covers the truth. */
static const double coverage = 0.95;
/* The same of a normal distribution, in standard errors. */
static const double normal_half = 1.959963984540054;

/* A share of the total that one would like to see. */
static const double one_percent = 0.01;

static bool
has_calls(uint64_t calls)
{
	return calls != 0 && calls != GPROFX_CALLS_UNKNOWN;
}

void
compare_number_nodes(struct run *run, struct compare_rows_input *input)
{
	const struct compare_matches *matches = &input->matches;

	input->node_count = matches->new_count;
	memory_array(run, input->node_of_base, (size_t)matches->base_count + 1);
	for (uint32_t i = 0; i < matches->base_count; i++)
		if (matches->of_base[i] == UINT32_MAX &&
		    ((input->is_needed && input->is_needed[i]) || compare_has_any(&input->base, i)))
			input->node_of_base[i] = input->node_count++;
		else
			input->node_of_base[i] = UINT32_MAX;
}

static const struct gprofx_difference nothing = {
	.error = NAN,
	.low = NAN,
	.high = NAN,
	.p = NAN,
};

/* is_tested: the values are measured, so that their errors are those of the difference. */
static void
set_difference(struct gprofx_difference *row, const struct compare_value *base,
               const struct compare_value *now, bool is_tested)
{
	struct compare_difference tested;
	double half;

	*row = nothing;
	row->base = base->mean;
	row->now = now->mean;
	if (!is_tested)
		return;
	tested = compare_test(*base, *now);
	if (isnan(tested.error))
		return;
	half = isinf(tested.freedom) ? normal_half * tested.error
	                             : compare_half_width(&tested, coverage);
	row->error = tested.error;
	row->low = tested.difference - half;
	row->high = tested.difference + half;
	row->p = tested.p;
}

static struct compare_value
value_on(const struct compare_values *values, uint32_t function, enum compare_what what,
         double factor)
{
	if (function == UINT32_MAX || !values->is_in[function])
		return compare_value_of_none(values);
	return compare_value_of(values, function, what, factor);
}

/* Exact numbers of calls per run: sums of runs are compared crosswise. */
static uint32_t
calls_verdict(uint64_t base, uint32_t base_runs, uint64_t now, uint32_t now_runs)
{
	long double left, right;

	if (base == GPROFX_CALLS_UNKNOWN || now == GPROFX_CALLS_UNKNOWN)
		return GPROFX_VERDICT_UNTESTED;
	left = (long double)base * now_runs;
	right = (long double)now * base_runs;
	return left == right  ? GPROFX_VERDICT_EQUAL
	       : right < left ? GPROFX_VERDICT_LESS
	                      : GPROFX_VERDICT_MORE;
}

/* By what a function's values of the base are multiplied, if calls are to be equal. */
static double
factor_of_calls(const struct compare_rows_input *input, const struct gprofx_compared *row)
{
	if (input->normalization != GPROFX_NORMALIZED_BY_CALLS || !has_calls(row->base_calls) ||
	    !has_calls(row->new_calls))
		return 1;
	return (double)row->new_calls / input->new_side.run_count /
	       ((double)row->base_calls / input->base.run_count);
}

static uint64_t
calls_on(const struct compare_values *values, uint32_t function)
{
	if (function != UINT32_MAX)
		return compare_calls_of(values, function);
	/* It is not there: if functions of the side count their calls, it was not called. */
	return compare_counts_calls(values) ? 0 : GPROFX_CALLS_UNKNOWN;
}

static void
set_row(struct gprofx_compared *row, const struct compare_rows_input *input, uint32_t base,
        uint32_t now)
{
	struct compare_value base_value, new_value;
	double factor;

	*row = (struct gprofx_compared){
		.size = sizeof *row,
		.node = now != UINT32_MAX ? now : input->node_of_base[base],
		.match = now != UINT32_MAX ? input->matches.how[now] : (uint32_t)GPROFX_MATCH_NONE,
		.is_in_base = base != UINT32_MAX,
		.base_calls = calls_on(&input->base, base),
		.new_calls = calls_on(&input->new_side, now),
		.total = nothing,
	};
	factor = factor_of_calls(input, row);
	row->calls_verdict = calls_verdict(row->base_calls, input->base.run_count, row->new_calls,
	                                   input->new_side.run_count);
	base_value = value_on(&input->base, base, COMPARE_SELF, factor);
	new_value = value_on(&input->new_side, now, COMPARE_SELF, 1);
	set_difference(&row->self, &base_value, &new_value, true);
	if (!input->base.has_total || !input->new_side.has_total) {
		row->total.base = row->total.now = NAN;
		return;
	}
	base_value = value_on(&input->base, base, COMPARE_TOTAL, factor);
	new_value = value_on(&input->new_side, now, COMPARE_TOTAL, 1);
	set_difference(&row->total, &base_value, &new_value,
	               input->base.measures_total && input->new_side.measures_total);
}

/* What a significant difference is. */
static uint32_t
direction(const struct gprofx_difference *difference)
{
	return difference->now < difference->base ? GPROFX_VERDICT_LESS : GPROFX_VERDICT_MORE;
}

static void
judge(struct gprofx_difference *difference, bool is_found)
{
	difference->verdict = isnan(difference->p) ? GPROFX_VERDICT_UNTESTED
	                      : is_found           ? direction(difference)
	                                           : (uint32_t)GPROFX_VERDICT_EQUAL;
}

/* Whether samples were seen on a side: only then there is something to be tested. */
static double
p_of(const struct gprofx_difference *difference)
{
	return difference->base == 0 && difference->now == 0 ? (double)NAN : difference->p;
}

/* The rows' own and inclusive values are one family of tests. */
static void
judge_rows(struct run *run, struct gprofx_compared *rows, uint32_t count)
{
	double *p;
	uint32_t *scratch;
	bool *is_found;

	memory_array(run, p, 2 * (size_t)count + 1);
	memory_array(run, scratch, 2 * (size_t)count + 1);
	memory_array(run, is_found, 2 * (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		p[2 * (size_t)i] = p_of(&rows[i].self);
		p[2 * (size_t)i + 1] = p_of(&rows[i].total);
	}
	compare_discover(p, 2 * count, COMPARE_ROW_RATE, scratch, is_found);
	for (uint32_t i = 0; i < count; i++) {
		judge(&rows[i].self, is_found[2 * (size_t)i]);
		judge(&rows[i].total, is_found[2 * (size_t)i + 1]);
	}
	memory_release(run, p);
	memory_release(run, scratch);
	memory_release(run, is_found);
}

static bool
is_different(uint32_t verdict)
{
	return verdict == GPROFX_VERDICT_LESS || verdict == GPROFX_VERDICT_MORE;
}

/* 0: a verdict; 1: not tested; 2: equal. */
static uint32_t
class_of(const struct gprofx_compared *row)
{
	if (is_different(row->self.verdict) || is_different(row->total.verdict))
		return 0;
	return row->self.verdict == GPROFX_VERDICT_UNTESTED ? 1 : 2;
}

static double
size_of(const struct gprofx_compared *row)
{
	return fabs(row->self.now - row->self.base);
}

/* Puts row ids[i] at place i, for all of them; ids change. */
static void
permute_rows(struct gprofx_compared *rows, uint32_t *ids, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct gprofx_compared first;
		uint32_t to = i;

		if (ids[i] == i)
			continue;
		first = rows[i];
		for (uint32_t from = ids[to]; from != i; from = ids[to]) {
			rows[to] = rows[from];
			ids[to] = to;
			to = from;
		}
		rows[to] = first;
		ids[to] = to;
	}
}

/* By class, then by size, the largest first; equal ones stay in the order of nodes. */
static void
sort_rows(struct run *run, struct gprofx_compared *rows, uint32_t count)
{
	uint64_t *keys;
	uint32_t *ids;

	memory_array(run, keys, count);
	memory_array(run, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		keys[i] = ~sort_key(size_of(&rows[i]));
		ids[i] = i;
	}
	sort_ascending(run, keys, ids, count);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = class_of(&rows[ids[i]]);
	sort_ascending(run, keys, ids, count);
	permute_rows(rows, ids, count);
	memory_release(run, keys);
	memory_release(run, ids);
}

static void
count_verdicts(struct gprofx_report_comparison *comparison)
{
	uint32_t counts[GPROFX_VERDICT_MORE + 1] = {0};

	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct gprofx_compared *row = &comparison->row[i];

		if (row->match == GPROFX_MATCH_NONE &&
		    (is_different(row->self.verdict) || is_different(row->total.verdict)))
			(*(row->is_in_base ? &comparison->only_base_count
			                   : &comparison->only_new_count))++;
		else if (!is_different(row->self.verdict) && is_different(row->total.verdict))
			(*(row->total.verdict == GPROFX_VERDICT_LESS
			           ? &comparison->total_less_count
			           : &comparison->total_more_count))++;
		else
			counts[row->self.verdict]++;
	}
	comparison->less_count = counts[GPROFX_VERDICT_LESS];
	comparison->more_count = counts[GPROFX_VERDICT_MORE];
	comparison->equal_count = counts[GPROFX_VERDICT_EQUAL];
	comparison->untested_count = counts[GPROFX_VERDICT_UNTESTED];
}

/* What each way of matching accounts for, of the times of a side. */
static void
share_matches(const struct compare_rows_input *input, struct gprofx_report_comparison *comparison)
{
	const struct compare_matches *matches = &input->matches;

	for (uint32_t i = 0; i < matches->new_count; i++)
		comparison->new_side.matched[matches->how[i]] +=
			value_on(&input->new_side, i, COMPARE_SELF, 1).mean;
	for (uint32_t i = 0; i < matches->base_count; i++) {
		uint32_t partner = matches->of_base[i];
		uint32_t how = partner == UINT32_MAX ? (uint32_t)GPROFX_MATCH_NONE
		                                     : matches->how[partner];

		comparison->base.matched[how] += value_on(&input->base, i, COMPARE_SELF, 1).mean;
	}
}

/* The error of a quotient, by the delta method. */
static double
change_error(struct compare_value base, struct compare_value now,
             const struct compare_difference *tested)
{
	double ratio = now.mean / base.mean;
	struct compare_difference of_ratio = *tested;

	of_ratio.error = sqrt(now.variance + ratio * ratio * base.variance) / base.mean;
	return base.mean > 0 ? compare_half_width(&of_ratio, coverage) : (double)NAN;
}

static void
set_total(const struct compare_rows_input *input, struct gprofx_report_comparison *comparison)
{
	struct compare_value base = compare_value_of_all(&input->base);
	struct compare_value now = compare_value_of_all(&input->new_side);
	bool is_tested = input->normalization == GPROFX_NORMALIZED_BY_NOTHING;
	struct compare_difference tested = compare_test(base, now);

	comparison->total = (struct gprofx_compared){
		.size = sizeof comparison->total,
		.node = UINT32_MAX,
		.total = nothing,
		.base_calls = GPROFX_CALLS_UNKNOWN,
		.new_calls = GPROFX_CALLS_UNKNOWN,
	};
	set_difference(&comparison->total.self, &base, &now, is_tested);
	judge(&comparison->total.self, comparison->total.self.p < COMPARE_TOTAL_LEVEL);
	comparison->change_error = is_tested ? change_error(base, now, &tested) : (double)NAN;
	comparison->needed_for_percent = is_tested
	                                         ? compare_needed(&tested, one_percent * base.mean,
	                                                          COMPARE_TOTAL_LEVEL)
	                                         : (double)NAN;
}

struct gprofx_compared *
compare_make_rows(struct run *run, const struct compare_rows_input *input,
                  struct gprofx_report_comparison *comparison)
{
	const struct compare_matches *matches = &input->matches;
	struct gprofx_compared *rows;
	uint32_t count = 0;

	memory_array(run, rows, (size_t)input->node_count + 1);
	for (uint32_t i = 0; i < matches->new_count; i++) {
		uint32_t base = matches->of_new[i];

		if (compare_has_any(&input->new_side, i) ||
		    (base != UINT32_MAX && compare_has_any(&input->base, base)))
			set_row(&rows[count++], input, base, i);
	}
	for (uint32_t i = 0; i < matches->base_count; i++)
		if (input->node_of_base[i] != UINT32_MAX && compare_has_any(&input->base, i))
			set_row(&rows[count++], input, i, UINT32_MAX);
	judge_rows(run, rows, count);
	sort_rows(run, rows, count);
	comparison->estimates_totals = !input->base.measures_total ||
	                               !input->new_side.measures_total;
	comparison->row = rows;
	comparison->row_count = count;
	comparison->total_level = COMPARE_TOTAL_LEVEL;
	comparison->row_rate = COMPARE_ROW_RATE;
	count_verdicts(comparison);
	share_matches(input, comparison);
	set_total(input, comparison);
	return rows;
}

bool
compare_has_tests(const struct gprofx_report_comparison *comparison)
{
	if (comparison->total.self.verdict != GPROFX_VERDICT_UNTESTED)
		return true;
	for (uint32_t i = 0; i < comparison->row_count; i++)
		if (comparison->row[i].self.verdict != GPROFX_VERDICT_UNTESTED ||
		    comparison->row[i].total.verdict != GPROFX_VERDICT_UNTESTED)
			return true;
	return false;
}

/* Whether a value grew by more than a percentage, and chance does not explain it. */
static bool
is_slower(const struct gprofx_difference *difference, double percent)
{
	return difference->verdict == GPROFX_VERDICT_MORE &&
	       difference->now > difference->base * (1 + percent / 100);
}

bool
compare_is_slower(const struct gprofx_report_comparison *comparison, double percent,
                  double min_share)
{
	double least = comparison->total.self.now * min_share / 100;

	if (is_slower(&comparison->total.self, percent))
		return true;
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct gprofx_compared *row = &comparison->row[i];

		/* What one side only has can have another name on the other, or have been inlined.
		 */
		if (row->match == GPROFX_MATCH_NONE)
			continue;
		if ((row->self.now >= least && is_slower(&row->self, percent)) ||
		    (row->total.now >= least && is_slower(&row->total, percent)))
			return true;
	}
	return false;
}
