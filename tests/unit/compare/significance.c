/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of differences against their definitions. */
#include "testrun.h"

#include <math.h>

#include "compare/distributions.h"
#include "compare/significance.h"
#include "near.h"

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

/* A run whose samples count "each": their number is mean / each. */
static struct compare_value
sampled(double mean, double each)
{
	return (struct compare_value){.mean = mean,
	                              .variance = mean * each,
	                              .freedom = INFINITY,
	                              .per_unit = each};
}

static struct compare_value
known(double mean, double variance, double freedom)
{
	return (struct compare_value){.mean = mean,
	                              .variance = variance,
	                              .freedom = freedom,
	                              .per_unit = NAN};
}

static void
samples(void **state)
{
	struct compare_difference result = compare_test(sampled(100, 1), sampled(144, 1));
	struct compare_value none = sampled(0, 1);

	(void)state;
	assert_near(result.difference, 44, 0);
	assert_near(result.error, sqrt(244), 1e-14);
	assert_near(result.p,
	            compare_binomial_tail(144, 100, 0.5, 0.5) +
	                    compare_binomial_tail(145, 99, 0.5, 0.5),
	            1e-12);
	assert_near(compare_test(sampled(144, 1), sampled(100, 1)).p, result.p, 1e-12);
	/* Nine tosses of a coin, and half of that outcome on each side. */
	assert_near(compare_test(none, sampled(9, 1)).p, pow(0.5, 9), 1e-13);
	assert_near(compare_test(sampled(9, 1), none).p, pow(0.5, 9), 1e-13);
	/* A side that measured five times as long has a sample with five times the probability. */
	result = compare_test(sampled(9.0 / 5, 1.0 / 5), none);
	assert_near(result.error, sqrt(9.0 / 25), 1e-14);
	assert_near(result.p, pow(5.0 / 6, 9), 1e-12);
	assert_near(compare_test(sampled(0, 1.0 / 5), sampled(9, 1)).p, pow(1.0 / 6, 9), 1e-12);
	assert_near(compare_test(none, none).p, 1, 0);
	assert_near(compare_test(none, sampled(-0.0, 1)).p, 1, 0);
	assert_near(compare_test(sampled(1, 1), sampled(2, 1)).p, 0.625, 1e-12);
	/* Twice a half of a skewed distribution can be more than 1. */
	assert_near(compare_test(sampled(1, 1), sampled(1.1, 0.1)).p, 1, 0);
	/* What samples count is known from the values themselves, or from the other side. */
	assert_near(compare_test(sampled(100, 1), known(144, 144, INFINITY)).p,
	            compare_test(sampled(100, 1), sampled(144, 1)).p, 1e-12);
	assert_near(compare_test(sampled(5, 1), known(0, 0, INFINITY)).p, pow(0.5, 5), 1e-12);
	assert_near(compare_test(known(0, 0, INFINITY), sampled(5, 1)).p, pow(0.5, 5), 1e-12);
}

static void
weighted_samples(void **state)
{
	/* Sixteen samples of 2 among others of 1: what counts is their number. */
	struct compare_value heavy = sampled(32, 2), none = sampled(0, 1);

	(void)state;
	heavy.per_unit = 1;
	assert_near(compare_test(none, heavy).p, pow(0.5, 16), 1e-12);
	assert_near(compare_test(compare_scaled(none, 7), compare_scaled(heavy, 7)).p, pow(0.5, 16),
	            1e-12);
}

static void
many_samples(void **state)
{
	(void)state;
	/* The binomial distribution becomes a normal one. */
	for (int power = 19; power < 46; power += 9) {
		double size = ldexp(1, power), difference = 3 * sqrt(2 * size);
		struct compare_value base = sampled(size, 1), new = sampled(size + difference, 1);

		assert_near(compare_test(base, new).p,
		            2 * compare_normal_tail(difference / sqrt(base.mean + new.mean)), 1e-4);
		/* With one sample of the base for ten of the other, too. */
		base = sampled(size, 10);
		assert_near(compare_test(base, new).p,
		            2 * compare_normal_tail(difference / sqrt(base.mean + 10 * new.mean)),
		            power == 19 ? 0.03 : 1e-4);
	}
}

static void
exact_values(void **state)
{
	struct compare_value exact = known(5, 0, INFINITY), other = exact;

	(void)state;
	assert_near(compare_test(exact, other).p, 1, 0);
	other.mean = 6;
	assert_near(compare_test(exact, other).p, 0, 0);
	assert_near(compare_test(exact, known(6, 0, 4)).p, 0, 0);
	/* Shares of the total are equal but for rounding. */
	other.mean = 5 + 5e-15;
	assert_near(compare_test(exact, other).p, 1, 0);
	/* Counts of events with six digits more are not. */
	other.mean = 5 + 5e-9;
	assert_near(compare_test(exact, other).p, 0, 0);
}

static void
unknown_values(void **state)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY};
	static const double huge[] = {1e300, 1.1e300, 0.9e300}, unknown[] = {NAN, NAN, NAN};
	struct compare_value usual = sampled(5, 1);
	struct compare_difference result;

	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
		assert_true(isnan(compare_test(usual, known(odd[i], 1, INFINITY)).p));
		assert_true(isnan(compare_test(usual, known(5, odd[i], INFINITY)).p));
		assert_true(isnan(compare_test(known(odd[i], 1, 3), usual).p));
		assert_true(isnan(compare_test(known(5, odd[i], 3), usual).p));
		assert_true(isnan(compare_test(known(5, odd[i], 3), usual).error));
	}
	result = compare_test(compare_mean(huge, unknown, 3, NAN), usual);
	assert_true(isnan(result.p) && isnan(result.error));
	/* Squares that just are numbers. */
	result = compare_test(known(1e150, 1e290, 3), known(2e150, 1e290, 3));
	assert_near(result.freedom, 6, 1e-14);
	assert_near(result.p, 2 * compare_student_tail(1e5 / sqrt(2), 6), 1e-12);
	/* A value below zero is no number of samples. */
	assert_near(compare_test(known(-3, 8, INFINITY), known(7, 8, INFINITY)).p,
	            2 * compare_normal_tail(2.5), 1e-13);
	assert_true(isnan(compare_half_width(&(struct compare_difference){.error = NAN}, 0.95)));
	assert_near(compare_half_width(&(struct compare_difference){.error = 0}, 0.95), 0, 0);
}

static void
one_run_against_many(void **state)
{
	static const double base[] = {20, 22, 19, 21, 23}, one = 26, square = 0.1, no_square = 0,
			    small[] = {0.3, 0.3, 0.3, 0.3, 0.3}, none[] = {0, 0, 0, 0, 0};
	struct compare_value runs = compare_mean(base, none, 5, NAN);
	struct compare_difference result;

	(void)state;
	/* As a further one of the runs: a prediction interval. */
	result = compare_test(runs, compare_mean(&one, &no_square, 1, NAN));
	assert_near(result.error, sqrt(2.5 + 2.5 / 5), 1e-14);
	assert_near(result.freedom, 4, 0);
	assert_near(result.p, 2 * compare_student_tail(5 / sqrt(3), 4), 1e-13);
	assert_near(compare_test(compare_mean(&one, &no_square, 1, NAN), runs).p, result.p, 1e-13);
	/* With an error of sampling of its own, which the runs have, too. */
	result = compare_test(compare_mean(base, small, 5, NAN),
	                      compare_mean(&one, &square, 1, NAN));
	assert_near(result.error, sqrt(0.5 + 0.1 + (0.5 - 0.06) * 5), 1e-14);
	assert_near(result.freedom, 4, 0);
	assert_true(isnan(compare_test(runs, known(26, NAN, INFINITY)).p));
}

static void
sampling_is_the_least(void **state)
{
	enum { MANY = 40 };
	static const double equal[] = {2, 2, 2, 2, 2}, none[] = {0, 0, 0, 0, 0};
	struct compare_value base = compare_mean(equal, equal, 5, 1), single = sampled(0, 1);
	double many[MANY];

	(void)state;
	/*
	 * A run without samples has the error of those that others have: five runs with ten, in
	 * which a sample counts a fifth, give the difference a variance of 2.
	 */
	assert_near(compare_test(base, single).p, 2 * compare_student_tail(2 / sqrt(2), 4), 1e-12);
	/* With many runs, Student's distribution would give 0.32. */
	for (int i = 0; i < MANY; i++)
		many[i] = 1;
	assert_near(compare_test(compare_mean(many, many, MANY, 1), single).p,
	            pow((double)MANY / (MANY + 1), MANY), 1e-12);
	/* With five runs without samples it is the distribution of Student that counts. */
	assert_near(compare_test(base, compare_mean(none, none, 5, 1)).p,
	            2 * compare_student_tail(2 / sqrt(0.4), 4), 1e-12);
}

/* Of runs that are equal, and do not say what a sample weighs, no error is known. */
static void
equal_runs(void **state)
{
	static const double ones[] = {1, 1}, twos[] = {2, 2}, other[] = {2, 4},
			    tenths[] = {0.1, 0.1, 0.1}, unknown[] = {NAN, NAN, NAN},
			    known_squares[] = {0, 0};
	struct compare_value base = compare_mean(ones, unknown, 2, NAN);
	struct compare_difference result = compare_test(base, compare_mean(twos, unknown, 2, NAN));

	(void)state;
	assert_near(result.difference, 1, 0);
	assert_true(isnan(result.error) && isnan(result.p));
	/* They may be equal on both sides by chance, too. */
	assert_true(isnan(compare_test(base, base).p));
	/* But for rounding, as of shares. */
	assert_true(compare_mean(tenths, unknown, 3, NAN).variance > 0);
	assert_true(isnan(compare_test(compare_mean(tenths, unknown, 3, NAN), base).p));
	/* A side without a sample, or whose values are exact, adds no error. */
	assert_true(isnan(compare_test(base, known(0, 0, 1)).p));
	assert_true(isnan(compare_test(compare_mean(twos, known_squares, 2, NAN), base).p));
	/* The other side's runs differ. */
	result = compare_test(base, compare_mean(other, unknown, 2, NAN));
	assert_near(result.error, 1, 1e-15);
	assert_near(result.p, 2 * compare_student_tail(2, 1), 1e-13);
	/* It is known that there is none. */
	assert_near(compare_test(compare_mean(ones, known_squares, 2, NAN),
	                         compare_mean(twos, known_squares, 2, NAN))
	                    .p,
	            0, 0);
}

static double
poisson(uint32_t count, double mean)
{
	return exp(count * log(mean) - mean - lgamma(count + 1.0));
}

/*
 * How often two equal functions raise a false alarm of each level, from all pairs of numbers of
 * samples.  The base has "mean" of them, the new side measures "odds" times as long.
 */
static void
add_alarms(double mean, double odds, const double *levels, double *alarms, size_t level_count)
{
	const double least = 1e-13;
	uint32_t most[2] = {(uint32_t)(mean + 9 * sqrt(mean) + 40),
	                    (uint32_t)(mean * odds + 9 * sqrt(mean * odds) + 40)};

	for (uint32_t i = 0; i <= most[0]; i++)
		for (uint32_t k = 0; k <= most[1]; k++) {
			double probability = poisson(i, mean) * poisson(k, mean * odds), p;

			if (probability < least)
				continue;
			p = compare_test(sampled(i, 1), sampled(k / odds, 1 / odds)).p;
			for (size_t l = 0; l < level_count; l++)
				alarms[l] += p <= levels[l] ? probability : 0;
		}
}

/* Takes half a second. */
static void
false_alarms_of_samples(void **state)
{
	enum { LEVELS = 4 };
	static const double means[] = {0.5, 2, 5, 20, 100}, odds[] = {0.1, 0.5, 1, 2, 10};
	static const double levels[LEVELS] = {1e-2, 1e-3, 1e-4, 1e-6};

	(void)state;
	for (size_t m = 0; m < sizeof means / sizeof means[0]; m++)
		for (size_t o = 0; o < sizeof odds / sizeof odds[0]; o++) {
			double alarms[LEVELS] = {0};

			add_alarms(means[m], odds[o], levels, alarms, LEVELS);
			for (size_t l = 0; l < LEVELS; l++)
				assert_true(alarms[l] <= levels[l]);
			/* And with enough samples not much less. */
			if (means[m] * fmin(1, odds[o]) >= 20)
				assert_true(alarms[0] > 0.85 * levels[0]);
		}
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
	const struct compare_difference repeated = {.error = 2, .freedom = 8};
	double quantiles = 2.5758293035489004 + 1.6448536269514722;

	(void)state;
	assert_near(compare_needed(&result, 1, 0.01), 4 * quantiles * quantiles, 1e-12);
	assert_near(compare_needed(&result, 2 * quantiles + 0.001, 0.01), 0, 0);
	/* With few runs, the error is not well known. */
	assert_near(compare_needed(&repeated, 1, 0.01),
	            4 * pow(1.6448536269514722 + 3.3553873313333966, 2), 1e-9);
	assert_true(isnan(compare_needed(&result, 0, 0.01)));
	assert_true(isnan(compare_needed(&(struct compare_difference){.error = NAN}, 1, 0.01)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_of_runs),
		cmocka_unit_test(welch),
		cmocka_unit_test(samples),
		cmocka_unit_test(weighted_samples),
		cmocka_unit_test(many_samples),
		cmocka_unit_test(exact_values),
		cmocka_unit_test(unknown_values),
		cmocka_unit_test(one_run_against_many),
		cmocka_unit_test(sampling_is_the_least),
		cmocka_unit_test(equal_runs),
		cmocka_unit_test(false_alarms_of_samples),
		cmocka_unit_test(discoveries),
		cmocka_unit_test(what_is_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
