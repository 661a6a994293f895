/* SPDX-License-Identifier: Apache-2.0 */
/* Distributions against closed forms and tables, and tests against their definitions. */
#include "testrun.h"

#include <math.h>

#include "compare/significance.h"

/* Equal but for the last digits. */
static void
assert_near(double value, double expected, double precision)
{
	if (!(fabs(value - expected) <= precision * fabs(expected)))
		fail_msg("expected %.17g, found %.17g", expected, value);
}

static void
normal_quantiles(void **state)
{
	static const struct {
		double p, quantile;
	} rows[] = {
		{0.5, 0},
		{0.975, 1.9599639845400545},
		{0.995, 2.5758293035489004},
		{0.9, 1.2815515655446004},
		{1e-10, -6.3613409024040557},
		{0.0013498980316300946, -3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].quantile == 0)
			assert_true(fabs(compare_normal_quantile(rows[i].p)) < 1e-15);
		else
			assert_near(compare_normal_quantile(rows[i].p), rows[i].quantile, 1e-13);
	/* Far out, the tail of the quantile is the probability again. */
	for (double p = 1e-300; p < 0.4; p *= 1e7)
		assert_near(erfc(-compare_normal_quantile(p) / sqrt(2)) / 2, p, 1e-11);
	assert_true(isinf(compare_normal_quantile(0)) && compare_normal_quantile(0) < 0);
	assert_true(isinf(compare_normal_quantile(1)) && compare_normal_quantile(1) > 0);
	assert_true(isnan(compare_normal_quantile(-0.1)));
	assert_true(isnan(compare_normal_quantile(NAN)));
}

/* For one, two and four degrees of freedom the tail has a closed form. */
static double
tail_of_one(double t)
{
	return atan2(1, t) / M_PI;
}

static double
tail_of_two(double t)
{
	double root = sqrt(2 + t * t);

	/* 1 - t / root, without the loss of digits. */
	return 2 / (root * (root + t)) / 2;
}

static double
tail_of_four(double t)
{
	double scaled = 1 + t * t / 4;

	return 0.5 - 3.0 / 8 * t / sqrt(scaled) * (1 - t * t / 12 / scaled);
}

static void
student_tails(void **state)
{
	(void)state;
	for (double t = 0.001; t < 1e6; t *= 3) {
		assert_near(compare_student_tail(t, 1), tail_of_one(t), 1e-11);
		assert_near(compare_student_tail(t, 2), tail_of_two(t), 1e-11);
		assert_near(compare_student_tail(-t, 2), 1 - tail_of_two(t), 1e-11);
	}
	for (double t = 0.01; t < 20; t *= 2)
		assert_near(compare_student_tail(t, 4), tail_of_four(t), 1e-10);
	assert_near(compare_student_tail(0, 7), 0.5, 1e-15);
	/* With many degrees of freedom it is the normal one. */
	assert_near(compare_student_tail(3, 1e6), 0.0013498980316300946, 1e-4);
	assert_near(compare_student_tail(3, 1e9), 0.0013498980316300946, 1e-14);
	assert_near(compare_student_tail(3, INFINITY), 0.0013498980316300946, 1e-14);
	assert_near(compare_student_tail(1e200, 3), 0, 0);
	assert_true(isnan(compare_student_tail(NAN, 3)));
	assert_true(isnan(compare_student_tail(1, 0)));
	assert_true(isnan(compare_student_tail(1, NAN)));
}

static void
student_quantiles(void **state)
{
	/* As in tables of the distribution. */
	static const struct {
		double p, freedom, quantile;
	} rows[] = {
		{0.975, 1, 12.706204736432095},  {0.975, 4, 2.7764451051977987},
		{0.975, 8, 2.3060041350333704},  {0.995, 30, 2.7499956535672177},
		{0.025, 8, -2.3060041350333704},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_near(compare_student_quantile(rows[i].p, rows[i].freedom), rows[i].quantile,
		            1e-9);
	for (double freedom = 0.5; freedom < 1e6; freedom *= 7)
		for (double p = 1e-12; p < 0.4; p *= 50)
			assert_near(compare_student_tail(-compare_student_quantile(p, freedom),
			                                 freedom),
			            p, 1e-8);
	assert_near(compare_student_quantile(0.975, INFINITY), 1.9599639845400545, 1e-13);
}

static void
means_of_runs(void **state)
{
	static const double runs[] = {20, 22, 19, 21, 23}, squares[] = {1, 1, 1, 1, 1},
			    wide[] = {40, 44, 38, 42, 46}, unknown[] = {NAN, NAN, NAN, NAN, NAN};
	struct compare_value value = compare_mean(runs, squares, 1, 1);

	(void)state;
	assert_near(value.mean, 20, 0);
	assert_near(value.variance, 1, 0);
	assert_true(isinf(value.freedom));
	/* The spread is more than the error of sampling, 0.2. */
	value = compare_mean(runs, squares, 5, 1);
	assert_near(value.mean, 21, 0);
	assert_near(value.variance, 0.5, 1e-15);
	assert_near(value.freedom, 4, 0);
	assert_near(value.per_unit, 0.2, 1e-15);
	/* And here it is less. */
	value = compare_mean(runs, wide, 5, 1);
	assert_near(value.variance, (40 + 44 + 38 + 42 + 46) / 25.0, 1e-15);
	value = compare_mean(runs, unknown, 5, NAN);
	assert_near(value.variance, 0.5, 1e-15);
	value = compare_mean(runs, unknown, 1, NAN);
	assert_true(isnan(value.variance));
}

static void
welch(void **state)
{
	static const double base[] = {20, 22, 19, 21, 23}, new[] = {25, 27, 24, 29, 26},
			    squares[] = {0, 0, 0, 0, 0};
	struct compare_difference result = compare_test(compare_mean(base, squares, 5, NAN),
	                                                compare_mean(new, squares, 5, NAN));

	(void)state;
	/* Variances of the means 2.5 / 5 and 3.7 / 5. */
	assert_near(result.difference, 5.2, 1e-14);
	assert_near(result.error, sqrt(0.5 + 0.74), 1e-14);
	assert_near(result.freedom, 1.24 * 1.24 / (0.25 / 4 + 0.5476 / 4), 1e-13);
	assert_near(result.p, 2 * compare_student_tail(5.2 / sqrt(1.24), result.freedom), 1e-13);
	assert_true(result.p > 0.0017 && result.p < 0.0019);
	assert_near(compare_half_width(&result, 0.95),
	            result.error * compare_student_quantile(0.975, result.freedom), 1e-13);
}

/* Samples of a side count "each": their number is mean / each. */
static struct compare_value
sampled(double mean, double each)
{
	return (struct compare_value){mean, mean * each, INFINITY, each};
}

static void
samples(void **state)
{
	struct compare_difference result = compare_test(sampled(100, 1), sampled(144, 1));
	struct compare_value none = sampled(0, 1), exact = {5, 0, INFINITY, 0}, other = exact;

	(void)state;
	assert_near(result.error, sqrt(244), 1e-14);
	assert_near(result.p, erfc(44 / sqrt(244) / sqrt(2)), 1e-13);
	/* Nine samples in five runs, none in one: the odds are (5 / 6) ^ 9, not three errors. */
	result = compare_test(sampled(9.0 / 5, 1.0 / 5), none);
	assert_near(result.error, sqrt(9.0 / 25), 1e-14);
	assert_near(result.p, erfc(1.8 / sqrt(1.8) / sqrt(2)), 1e-13);
	/* The other way round they are certain. */
	result = compare_test(sampled(0, 1.0 / 5), sampled(9, 1));
	assert_true(result.p < 1e-9);
	assert_near(compare_test(none, none).p, 1, 0);
	/* Counts without an error differ or do not. */
	assert_near(compare_test(exact, other).p, 1, 0);
	other.mean = 6;
	assert_near(compare_test(exact, other).p, 0, 0);
	other.variance = NAN;
	assert_true(isnan(compare_test(exact, other).p));
	assert_true(isnan(compare_half_width(&(struct compare_difference){.error = NAN}, 0.95)));
}

/* The definition: the largest k so that k of the tests are at most k / m times the rate. */
static uint32_t
count_by_definition(const double *p, uint32_t count, double rate, double *limit)
{
	uint32_t tests = 0, found = 0;

	for (uint32_t i = 0; i < count; i++)
		tests += isnan(p[i]) ? 0 : 1;
	*limit = -1;
	for (uint32_t k = 1; k <= tests; k++) {
		uint32_t below = 0;

		for (uint32_t i = 0; i < count; i++)
			below += p[i] <= rate * k / tests ? 1 : 0;
		if (below >= k) {
			found = below;
			*limit = rate * k / tests;
		}
	}
	return found;
}

static void
discoveries(void **state)
{
	enum { MOST = 40, TRIALS = 2000 };
	/* The example of Benjamini and Hochberg (1995): four of fifteen at 5 %. */
	static const double example[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201,
	                                 0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
	                                 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
	double p[MOST], limit;
	uint32_t scratch[MOST], seed = 7;
	bool is_found[MOST];

	(void)state;
	assert_int_equal(compare_discover(example, 15, 0.05, scratch, is_found), 4);
	assert_true(is_found[3] && !is_found[4]);
	assert_int_equal(compare_discover(example, 0, 0.05, scratch, is_found), 0);
	for (int trial = 0; trial < TRIALS; trial++) {
		uint32_t count, found;

		seed = seed * 1664525 + 1013904223;
		count = seed >> 16 & 31;
		for (uint32_t i = 0; i < count; i++) {
			seed = seed * 1664525 + 1013904223;
			p[i] = (seed >> 8 & 15) == 0 ? (double)NAN
			                             : pow((seed >> 12) / 1048576.0, 3);
		}
		found = compare_discover(p, count, 0.04, scratch, is_found);
		assert_int_equal(found, count_by_definition(p, count, 0.04, &limit));
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(is_found[i], p[i] <= limit);
	}
}

static void
what_is_needed(void **state)
{
	const struct compare_difference result = {.error = 2, .freedom = INFINITY};
	double quantiles = 2.5758293035489004 + 1.6448536269514722;

	(void)state;
	assert_near(compare_needed(&result, 1, 0.01), 4 * quantiles * quantiles, 1e-12);
	assert_near(compare_needed(&result, 2 * quantiles + 0.001, 0.01), 0, 0);
	assert_true(isnan(compare_needed(&result, 0, 0.01)));
	assert_true(isnan(compare_needed(&(struct compare_difference){.error = NAN}, 1, 0.01)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal_quantiles),
		cmocka_unit_test(student_tails),
		cmocka_unit_test(student_quantiles),
		cmocka_unit_test(means_of_runs),
		cmocka_unit_test(welch),
		cmocka_unit_test(samples),
		cmocka_unit_test(discoveries),
		cmocka_unit_test(what_is_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
