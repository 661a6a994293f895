/* SPDX-License-Identifier: Apache-2.0 */
/* Distributions against closed forms, tables, and values with many digits. */
#include "testrun.h"

#include <math.h>

#include "compare/distributions.h"
#include "near.h"

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
	for (int power = -300; power < 0; power += 7) {
		double p = pow(10, power);

		assert_near(erfc(-compare_normal_quantile(p) / sqrt(2)) / 2, p, 1e-11);
	}
	assert_true(isinf(compare_normal_quantile(0)) && compare_normal_quantile(0) < 0);
	assert_true(isinf(compare_normal_quantile(1)) && compare_normal_quantile(1) > 0);
	assert_true(isnan(compare_normal_quantile(-0.1)));
	assert_true(isnan(compare_normal_quantile(NAN)));
	assert_near(compare_normal_quantile(1e-300), -37.0470962993611992, 1e-13);
	/* The least number there is. */
	assert_true(isfinite(compare_normal_quantile(5e-324)));
}

static void
normal_tails(void **state)
{
	(void)state;
	assert_near(compare_normal_tail(0), 0.5, 0);
	assert_near(compare_normal_tail(10), 7.61985302416052607e-24, 1e-13);
	assert_near(compare_normal_tail(37), 5.72557122252457682e-300, 1e-12);
	assert_near(compare_normal_tail(-INFINITY), 1, 0);
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

/* Computed with 40 digits by mpmath. */
static const struct {
	double t, freedom, tail;
} student_rows[] = {
	{1, 3, 0.195501109477885321},           {2.5, 7, 0.0204961092928764484},
	{12, 11, 5.81642025130956288e-8},       {50, 30, 9.3577088296113563e-31},
	{5, 200, 6.25099063885769768e-7},       {4, 1000, 0.0000340049596043907888},
	{4.5, 54321, 3.40471301692729022e-6},   {3, 1e6, 0.00134993127071089853},
	{37, 1e6, 9.14986543090113153e-300},    {1e101, 0.5, 1.01414553014660574e-51},
	{1e160, 1.5, 3.77085243201624635e-241}, {2, 0.25, 0.302561792218385966},
};

static void
student_tails(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof student_rows / sizeof student_rows[0]; i++)
		assert_near(compare_student_tail(student_rows[i].t, student_rows[i].freedom),
		            student_rows[i].tail, 1e-10);
	for (int power = -10; power < 20; power++) {
		double t = ldexp(1, power);

		assert_near(compare_student_tail(t, 1), tail_of_one(t), 1e-11);
		assert_near(compare_student_tail(t, 2), tail_of_two(t), 1e-11);
		assert_near(compare_student_tail(-t, 2), 1 - tail_of_two(t), 1e-11);
	}
	for (int power = -6; power < 5; power++)
		assert_near(compare_student_tail(ldexp(1, power), 4), tail_of_four(ldexp(1, power)),
		            1e-10);
	assert_near(compare_student_tail(0, 7), 0.5, 1e-15);
	/* With many degrees of freedom it is the normal one. */
	assert_near(compare_student_tail(3, 1e9), 0.0013498980316300946, 1e-14);
	assert_near(compare_student_tail(3, INFINITY), 0.0013498980316300946, 1e-14);
	assert_near(compare_student_tail(1e200, 3), 0, 0);
	assert_near(compare_student_tail(INFINITY, 3), 0, 0);
	assert_near(compare_student_tail(-INFINITY, 3), 1, 0);
	assert_near(compare_student_tail(-0.0, 3), 0.5, 1e-15);
	assert_true(isnan(compare_student_tail(NAN, 3)));
	assert_true(isnan(compare_student_tail(1, 0)));
	assert_true(isnan(compare_student_tail(1, NAN)));
}

static void
student_quantiles(void **state)
{
	/* As in tables of the distribution, and far out by mpmath. */
	static const struct {
		double p, freedom, quantile;
	} rows[] = {
		{0.975, 1, 12.706204736432095},  {0.975, 4, 2.7764451051977987},
		{0.975, 8, 2.3060041350333704},  {0.995, 30, 2.7499956535672177},
		{0.025, 8, -2.3060041350333704}, {2e-5, 8, -8.09799129387807911},
		{2e-5, 4, -19.5950800171079152}, {1e-10, 12, -19.3915461790477333},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_near(compare_student_quantile(rows[i].p, rows[i].freedom), rows[i].quantile,
		            1e-9);
	for (int power = -3; power < 20; power++)
		for (int digits = 1; digits < 13; digits++) {
			double freedom = ldexp(1, power), p = 0.4 * pow(10, 1 - digits);

			assert_near(compare_student_tail(-compare_student_quantile(p, freedom),
			                                 freedom),
			            p, 1e-8);
		}
	assert_near(compare_student_quantile(0.975, INFINITY), 1.9599639845400545, 1e-13);
	assert_true(isinf(compare_student_quantile(1, 3)) && compare_student_quantile(1, 3) > 0);
	assert_true(isinf(compare_student_quantile(0, 3)) && compare_student_quantile(0, 3) < 0);
	/* 1e1200 is no number. */
	assert_true(isinf(compare_student_quantile(1e-12, 0.01)));
	assert_near(compare_student_tail(compare_student_quantile(0.975, 0.01), 0.01), 0.025, 1e-9);
	assert_true(isnan(compare_student_quantile(1.1, 3)));
	assert_true(isnan(compare_student_quantile(0.5, -1)));
}

/* The definition, in long double: a sum, from the far end. */
static double
binomial_tail_by_sum(uint32_t hits, uint32_t misses, double chance)
{
	uint32_t all = hits + misses;
	long double sum = 0;

	for (uint32_t k = all + 1; k-- > hits;) {
		long double outcome = 1;

		for (uint32_t i = 0; i < k; i++)
			outcome *= chance * (all - i) / (i + 1);
		for (uint32_t i = k; i < all; i++)
			outcome *= 1 - chance;
		sum += outcome;
	}
	return (double)sum;
}

static void
binomial_tails(void **state)
{
	/* Computed with 40 digits by mpmath. */
	static const struct {
		double hits, misses, chance, tail;
	} rows[] = {
		{60, 20, 0.25, 9.46018292987183409e-21},
		{700, 300, 0.5, 8.83283900397506857e-38},
		{1000, 0, 0.5, 9.33263618503218879e-302},
		{100200, 99800, 0.5, 0.186145270028850763},
		{5, 1e6, 1e-6, 0.00365990047672076046},
		{40, 1e9, 1e-8, 7.34164199014303827e-13},
		{3.5, 1.25, 0.5, 0.286414904170339459},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_near(compare_binomial_tail(rows[i].hits, rows[i].misses, rows[i].chance,
		                                  1 - rows[i].chance),
		            rows[i].tail, 1e-9);
	for (uint32_t hits = 0; hits < 25; hits++)
		for (uint32_t misses = 0; misses < 25; misses += 3) {
			assert_near(compare_binomial_tail(hits, misses, 0.5, 0.5),
			            binomial_tail_by_sum(hits, misses, 0.5), 1e-12);
			assert_near(compare_binomial_tail(hits, misses, 0.1, 0.9),
			            binomial_tail_by_sum(hits, misses, 0.1), 1e-12);
		}
	assert_true(isnan(compare_binomial_tail(-1, 3, 0.5, 0.5)));
	assert_true(isnan(compare_binomial_tail(1, -1, 0.5, 0.5)));
	assert_true(isnan(compare_binomial_tail(1, 3, 0, 1)));
	assert_true(isnan(compare_binomial_tail(1, 3, 1, 0)));
	assert_true(isnan(compare_binomial_tail(NAN, 3, 0.5, 0.5)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal_quantiles), cmocka_unit_test(normal_tails),
		cmocka_unit_test(student_tails),    cmocka_unit_test(student_quantiles),
		cmocka_unit_test(binomial_tails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
