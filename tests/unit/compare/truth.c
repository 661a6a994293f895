/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether comparisons say what is true: profiles are drawn from known shares, one function is
 * slower by a known part, and false alarms, differences that are found, and intervals are counted.
 * GPROFX_COMPARE_PAIRS sets how many pairs of each kind, 200 or more; the default is 20, of which
 * the exact numbers are known.  Takes three seconds.
 */
#include "comparedrun.h"

#include <math.h>

#include "compare/compare.h"
#include "compare/distributions.h"
#include "compare/rows.h"
#include "draws.h"

enum { USUAL_PAIRS = 20, SLOWED = 2, LARGEST_WEIGHT = 19, SEED = 20261127 };

/* What is drawn from: the expected number of samples of each function. */
struct truth {
	uint32_t count;
	double means[COMPARED_FUNCTIONS];
	bool has_weights; /* samples weigh 1 to LARGEST_WEIGHT; else 1 */
	uint32_t run_count;
	double spread;      /* of the runs, beside that of sampling: a part of their time */
	bool hides_weights; /* the format does not say what samples weigh */
	bool is_clocked;    /* and values are times by a clock */
};

/* Expected weight of a sample, and its square. */
static double
weight(const struct truth *truth)
{
	return truth->has_weights ? (1 + LARGEST_WEIGHT) / 2.0 : 1;
}

static double
square_of_weight(const struct truth *truth)
{
	return truth->has_weights ? (LARGEST_WEIGHT + 1) * (2 * LARGEST_WEIGHT + 1) / 6.0 : 1;
}

/* A factor by which a run, or a function in it, is slower or faster than others. */
static double
draw_factor(uint64_t *state, double spread)
{
	return spread > 0 ? exp(spread * compare_normal_quantile(draw_part(state))) : 1;
}

static void
draw_run(struct compared_report *side, uint32_t run, const struct truth *truth, uint64_t *state)
{
	double load = draw_factor(state, truth->spread);

	for (uint32_t i = 0; i < truth->count; i++) {
		double own = draw_factor(state, truth->spread / 2);
		uint32_t samples = draw_poisson(state, truth->means[i] * load * own);

		for (uint32_t k = 0; k < samples; k++) {
			double weighs = truth->has_weights
			                        ? (double)(1 + draw(state) % LARGEST_WEIGHT)
			                        : 1;

			side->values[run].self[i] += weighs;
			side->values[run].squares[i] += weighs * weighs;
		}
	}
}

static void
draw_side(struct compared_report *side, const struct truth *truth, uint64_t *state)
{
	memset(side, 0, sizeof *side);
	for (uint32_t i = 0; i < truth->run_count; i++)
		draw_run(side, i, truth, state);
	compared_link(side, truth->count, truth->run_count);
	for (uint32_t i = 0; truth->hides_weights && i < truth->run_count; i++)
		side->columns[i].self_squares.first = NULL;
	if (truth->is_clocked)
		side->metric.kind = GPROFX_CLOCKED;
}

/* Each function is itself on the other side. */
static void
match_all(struct run *run, struct compare_matches *matches, uint32_t count)
{
	matches->base_count = matches->new_count = count;
	memory_array(run, matches->of_base, count);
	memory_array(run, matches->of_new, count);
	memory_array(run, matches->how, count);
	for (uint32_t i = 0; i < count; i++) {
		matches->of_base[i] = matches->of_new[i] = i;
		matches->how[i] = GPROFX_MATCH_NAME;
	}
}

static void
compare(struct testrun *test, const struct compared_report *base, const struct compared_report *new,
        bool by_total, struct gprofx_report_comparison *comparison)
{
	struct compare_rows_input input = {.normalization = by_total
	                                                            ? GPROFX_NORMALIZED_BY_TOTAL
	                                                            : GPROFX_NORMALIZED_BY_NOTHING};

	memset(comparison, 0, sizeof *comparison);
	compare_values_begin(&test->run, &input.base, &base->report, 0, 100);
	compare_values_begin(&test->run, &input.new_side, &new->report, 0, 100);
	compare_values_weigh(&input.base, &input.new_side);
	if (by_total) {
		compare_values_to_total(&input.base, input.new_side.mean);
		compare_values_to_total(&input.new_side, input.new_side.mean);
	}
	match_all(&test->run, &input.matches, base->functions.count);
	compare_number_nodes(&test->run, &input);
	compare_make_rows(&test->run, &input, comparison);
}

enum trait {
	SHARES = 1, /* are compared in any case */
	HIDDEN = 2, /* the format does not say what samples weigh */
	/*
	 * So few samples that intervals are not those of a normal distribution: only false alarms
	 * are counted.
	 */
	SMALL = 4,
	CLOCKED = 8 /* values are times by a clock, in few of its ticks */
};

/* What pairs are drawn from. */
struct kind {
	uint32_t functions;
	double samples; /* of a run */
	bool has_weights;
	uint32_t base_runs, new_runs;
	double spread;
	double longer; /* the new side measures as many times as long; if not 1, shares are compared
	                */
	uint32_t traits; /* enum trait */
};

static bool
compares_shares(const struct kind *kind)
{
	return kind->longer != 1 || (kind->traits & SHARES);
}

/* What the pairs of one kind showed. */
struct tally {
	uint32_t pairs, alarms, found, covered;
	bool is_visible; /* the effect exceeds what tests of all rows need to find it */
};

static bool
is_alarm(const struct gprofx_report_comparison *comparison)
{
	uint32_t total = comparison->total.self.verdict;

	return comparison->less_count + comparison->more_count > 0 ||
	       total == GPROFX_VERDICT_LESS || total == GPROFX_VERDICT_MORE;
}

static void
count_pair(struct tally *tally, const struct gprofx_report_comparison *comparison, double effect)
{
	tally->pairs++;
	tally->alarms += is_alarm(comparison);
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct gprofx_difference *self = &comparison->row[i].self;

		if (comparison->row[i].node != SLOWED)
			continue;
		tally->found += self->verdict == GPROFX_VERDICT_MORE;
		tally->covered += self->low <= effect && effect <= self->high;
	}
}

static double
sum_of(const struct truth *truth)
{
	double sum = 0;

	for (uint32_t i = 0; i < truth->count; i++)
		sum += truth->means[i];
	return sum;
}

/* The n-th function has an n-th of the time of the first one, as Zipf found for words. */
static void
set_truths(const struct kind *kind, double slower, struct truth *before, struct truth *after)
{
	double sum;

	*before = (struct truth){.count = kind->functions,
	                         .has_weights = kind->has_weights,
	                         .run_count = kind->base_runs,
	                         .spread = kind->spread,
	                         .hides_weights = (kind->traits & (HIDDEN | CLOCKED)) != 0,
	                         .is_clocked = (kind->traits & CLOCKED) != 0};
	for (uint32_t i = 0; i < before->count; i++)
		before->means[i] = 1.0 / (i + 1);
	sum = sum_of(before);
	for (uint32_t i = 0; i < before->count; i++)
		before->means[i] *= kind->samples / sum;
	*after = *before;
	after->run_count = kind->new_runs;
	after->means[SLOWED] *= 1 + slower;
	for (uint32_t i = 0; i < after->count; i++)
		after->means[i] *= kind->longer;
}

static double
effect_of(const struct truth *before, const struct truth *after, const struct kind *kind)
{
	double base = before->means[SLOWED];

	if (compares_shares(kind))
		base *= sum_of(after) / sum_of(before);
	return (after->means[SLOWED] - base) * weight(before);
}

/* Whether the difference is so large that tests of all rows have to find it. */
static bool
is_visible(const struct truth *before, const struct truth *after, const struct kind *kind)
{
	const double found_in_99_of_100 = 2.33;
	double row_level = COMPARE_ROW_RATE / (2 * kind->functions);
	double error = sqrt((after->means[SLOWED] + before->means[SLOWED]) *
	                    square_of_weight(before));

	return kind->base_runs == 1 && kind->new_runs == 1 && !compares_shares(kind) &&
	       effect_of(before, after, kind) >
	               error * (found_in_99_of_100 - compare_normal_quantile(row_level));
}

static struct tally
count_pairs(struct testrun *test, const struct kind *kind, double slower, uint32_t pairs)
{
	static struct compared_report base, new;
	static struct truth before, after;
	struct tally tally = {0};
	uint64_t state = SEED + kind->functions * 7 + kind->has_weights * 13 +
	                 kind->base_runs * 17 +
	                 (uint64_t)(kind->spread * 1000 + slower * 1000 + kind->samples);

	set_truths(kind, slower, &before, &after);
	tally.is_visible = is_visible(&before, &after, kind);
	for (uint32_t i = 0; i < pairs; i++) {
		struct gprofx_report_comparison comparison;

		draw_side(&base, &before, &state);
		draw_side(&new, &after, &state);
		compare(test, &base, &new, compares_shares(kind), &comparison);
		count_pair(&tally, &comparison, effect_of(&before, &after, kind));
		testrun_again(test);
	}
	return tally;
}

static const struct kind kinds[] = {
	{20, 2000, false, 1, 1, 0, 1, 0},
	{20, 40000, false, 1, 1, 0, 1, 0},
	{20, 80000, true, 1, 1, 0, 1, 0},
	{1000, 2000, false, 1, 1, 0, 1, 0},
	{1000, 2000, true, 1, 1, 0, 1, 0},
	{1000, 100000, false, 1, 1, 0, 1, 0},
	{1000, 200000, true, 1, 1, 0, 1, 0},
	{20, 5000, false, 5, 5, 0, 1, 0},
	{20, 5000, false, 5, 5, 0.05, 1, 0},
	{1000, 20000, false, 5, 5, 0.05, 1, 0},
	{20, 5000, false, 5, 1, 0.05, 1, 0},
	{1000, 20000, false, 5, 1, 0.05, 1, 0},
	{20, 2000, true, 1, 1, 0, 10, 0},
	{1000, 5000, false, 1, 1, 0, 10, 0},
	{1000, 20000, false, 1, 1, 0, 0.1, 0},
	/* Shares of few samples. */
	{3, 6, false, 1, 1, 0, 1, SHARES | SMALL},
	{3, 18, false, 1, 1, 0, 1, SHARES | SMALL},
	{20, 40, true, 1, 1, 0, 1, SHARES | SMALL},
	{20, 2000, false, 1, 1, 0, 1, SHARES},
	/* Repeated runs of formats that do not say what a sample weighs. */
	{20, 40, false, 2, 2, 0, 1, HIDDEN | SMALL},
	{100, 400, false, 2, 2, 0, 1, HIDDEN | SMALL},
	{100, 400, true, 2, 2, 0, 1, HIDDEN | SMALL},
	{20, 120, false, 3, 3, 0, 1, HIDDEN | SMALL},
	{3, 3000, true, 2, 2, 0, 1, HIDDEN | SMALL},
	{20, 5000, true, 5, 5, 0, 1, HIDDEN},
	{100, 5000, false, 5, 5, 0.05, 1, HIDDEN},
	{20, 40, false, 5, 5, 0, 1, HIDDEN | SMALL},
	{100, 600, false, 3, 3, 0, 1, HIDDEN | SMALL},
	{100, 600, false, 5, 5, 0, 1, HIDDEN | SMALL},
	/* Shares of them. */
	{20, 40, false, 2, 2, 0, 1, SHARES | HIDDEN | SMALL},
	{20, 120, false, 3, 3, 0, 1, SHARES | HIDDEN | SMALL},
	{100, 200, false, 2, 2, 0, 1, SHARES | HIDDEN | SMALL},
	{100, 600, false, 5, 5, 0, 1, SHARES | HIDDEN | SMALL},
	{20, 10000, false, 5, 5, 0.05, 1, SHARES | HIDDEN},
	/* Shares of few samples of repeated runs. */
	{3, 6, false, 2, 2, 0, 1, SHARES | SMALL},
	{3, 6, false, 5, 5, 0, 1, SHARES | SMALL},
	/* Repeated runs that are equal by chance, or as a clock has no finer ticks. */
	{20, 40, false, 2, 2, 0, 1, CLOCKED | SMALL},
	{100, 200, false, 3, 3, 0, 1, CLOCKED | SMALL},
	{100, 600, false, 5, 5, 0, 1, SHARES | CLOCKED | SMALL},
};
static const double slowdowns[] = {0, 0.01, 0.02, 0.05, 0.2};

/* Of the usual number of pairs, by kind and slowdown: alarms, found, covered. */
static const struct {
	uint32_t alarms, found, covered;
} recorded[sizeof kinds / sizeof kinds[0]][sizeof slowdowns / sizeof slowdowns[0]] = {
	{{0, 0, 19}, {0, 0, 20}, {1, 0, 20}, {0, 0, 20}, {3, 2, 20}},
	{{1, 1, 17}, {0, 0, 19}, {2, 0, 20}, {5, 4, 20}, {20, 20, 19}},
	{{2, 0, 20}, {1, 0, 19}, {1, 0, 19}, {6, 5, 19}, {20, 20, 19}},
	{{0, 0, 19}, {0, 0, 19}, {0, 0, 20}, {1, 0, 18}, {0, 0, 20}},
	{{1, 0, 18}, {0, 0, 18}, {0, 0, 18}, {1, 0, 18}, {0, 0, 18}},
	{{1, 0, 19}, {1, 0, 19}, {1, 0, 20}, {2, 2, 19}, {20, 20, 19}},
	{{1, 0, 19}, {0, 0, 18}, {1, 0, 20}, {6, 6, 20}, {20, 20, 20}},
	{{0, 0, 20}, {0, 0, 19}, {0, 0, 20}, {0, 0, 20}, {16, 16, 20}},
	{{1, 0, 20}, {0, 0, 19}, {0, 0, 20}, {0, 0, 19}, {7, 7, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {3, 3, 19}},
	{{2, 0, 20}, {0, 0, 19}, {0, 0, 20}, {0, 0, 19}, {0, 0, 20}},
	{{0, 0, 20}, {1, 0, 20}, {1, 0, 18}, {0, 0, 19}, {0, 0, 19}},
	{{0, 0, 17}, {1, 0, 20}, {2, 0, 19}, {1, 0, 20}, {0, 0, 19}},
	{{1, 0, 19}, {0, 0, 19}, {0, 0, 19}, {0, 0, 19}, {1, 0, 20}},
	{{0, 0, 18}, {1, 0, 20}, {1, 0, 20}, {0, 0, 20}, {0, 0, 18}},
	{{0, 0, 17}, {0, 0, 18}, {0, 0, 17}, {0, 0, 16}, {0, 0, 19}},
	{{0, 0, 17}, {1, 0, 20}, {1, 0, 19}, {0, 0, 20}, {0, 0, 19}},
	{{0, 0, 19}, {0, 0, 19}, {0, 0, 20}, {0, 0, 19}, {0, 0, 20}},
	{{0, 0, 19}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {2, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 19}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {15, 14, 20}},
	{{0, 0, 20}, {0, 0, 20}, {1, 0, 17}, {0, 0, 20}, {1, 1, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 19}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 19}, {0, 0, 19}, {0, 0, 19}, {0, 0, 20}, {17, 17, 18}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}},
	{{0, 0, 19}, {0, 0, 20}, {0, 0, 19}, {0, 0, 19}, {0, 0, 19}},
	{{0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 20}, {0, 0, 19}},
	{{0, 0, 19}, {1, 0, 18}, {2, 0, 20}, {1, 0, 19}, {0, 0, 20}},
};

static uint32_t
wanted_pairs(void)
{
	const char *word = getenv("GPROFX_COMPARE_PAIRS");

	return word ? (uint32_t)strtoul(word, NULL, 10) : USUAL_PAIRS;
}

/* In a hundred pairs. */
static double
percent(uint32_t count, const struct tally *tally)
{
	return 100.0 * count / tally->pairs;
}

static void
check(const struct tally *tally, const struct kind *kind, double slower)
{
	const double most_alarms = 11, least_found = 95, least_covered = 90, most_covered = 99;

	if (slower == 0)
		assert_true(percent(tally->alarms, tally) <= most_alarms);
	if (tally->is_visible)
		assert_true(percent(tally->found, tally) >= least_found);
	if (kind->traits & SMALL)
		return;
	assert_true(percent(tally->covered, tally) >= least_covered);
	/* The error of a few runs is taken to be larger rather than smaller. */
	if (kind->base_runs == 1)
		assert_true(percent(tally->covered, tally) <= most_covered);
}

static void
pairs_are_judged(void **state)
{
	struct testrun *test = *state;
	uint32_t pairs = wanted_pairs(), visible = 0;

	assert_true(pairs > 0);
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
		for (size_t s = 0; s < sizeof slowdowns / sizeof slowdowns[0]; s++) {
			struct tally tally = count_pairs(test, &kinds[k], slowdowns[s], pairs);

			print_message(
				"%4u functions, %6g %s samples%s%s, %u runs against %u, %g times "
				"as long, %4.1f %% slower: of %u pairs %u with an alarm, %u found%s, "
				"%u covered\n",
				kinds[k].functions, kinds[k].samples,
				kinds[k].has_weights ? "weighted" : "plain",
				kinds[k].traits & CLOCKED  ? " by a clock"
				: kinds[k].traits & HIDDEN ? " of unknown weight"
							   : "",
				compares_shares(&kinds[k]) ? " as shares" : "", kinds[k].base_runs,
				kinds[k].new_runs, kinds[k].longer, 100 * slowdowns[s], pairs,
				tally.alarms, tally.found, tally.is_visible ? " (visible)" : "",
				tally.covered);
			visible += tally.is_visible;
			if (pairs != USUAL_PAIRS) {
				check(&tally, &kinds[k], slowdowns[s]);
				continue;
			}
			assert_int_equal(tally.alarms, recorded[k][s].alarms);
			assert_int_equal(tally.found, recorded[k][s].found);
			assert_int_equal(tally.covered, recorded[k][s].covered);
		}
	assert_true(visible >= 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pairs_are_judged, testrun_begin, testrun_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
