/* SPDX-License-Identifier: Apache-2.0 */
/* Widths of texts, and how far figures from samples can be trusted. */
#include "testrun.h"

#include <math.h>

#include "../../shared/estimate.h"
#include "../../shared/width.h"

static void
expect_width(const char *bytes, size_t length, size_t expected)
{
	char *exact = malloc(length > 0 ? length : 1);

	assert_non_null(exact);
	memcpy(exact, bytes, length);
	assert_int_equal(width_of((struct gprofx_text){exact, length}), expected);
	free(exact);
}

#define EXPECT_WIDTH(text, expected) expect_width(text, sizeof(text) - 1, expected)

static void
widths_are_those_of_terminals(void **state)
{
	(void)state;
	EXPECT_WIDTH("", 0);
	EXPECT_WIDTH("main", 4);
	EXPECT_WIDTH("gr\xc3\xb6\xc3\x9f"
	             "e",
	             5);
	EXPECT_WIDTH("e\xcc\x81", 1);                /* an accent of its own */
	EXPECT_WIDTH("\xe9\x96\xa2\xe6\x95\xb0", 4); /* two Chinese characters */
	EXPECT_WIDTH("\xf0\x9f\xa6\x80", 2);
	EXPECT_WIDTH("\xce\xbb\xf0\x9d\x94\xbd", 2);
	/* Not UTF-8: each byte by itself. */
	EXPECT_WIDTH("\xe9t\xe9", 3);
	EXPECT_WIDTH("\x80\xff", 2);
	EXPECT_WIDTH("a\xe9\x96", 3);
	EXPECT_WIDTH("\xc0\xaf", 2);
	EXPECT_WIDTH("\xf8\x88\x80\x80\x80", 5);
}

static void
expect_interval(double samples, double total, double low, double high)
{
	struct share_interval interval = estimate_share(samples, total);

	assert_true(fabs(interval.low - low) < 5e-6);
	assert_true(fabs(interval.high - high) < 5e-6);
}

/* The figures were computed by hand, with the formula as textbooks have it. */
static void
intervals_are_wilsons(void **state)
{
	(void)state;
	expect_interval(5, 10, 0.236593, 0.763407);
	expect_interval(10, 100, 0.055229, 0.174366);
	expect_interval(1, 10000, 0.000018, 0.000566);
	expect_interval(2.5, 10, 0.080948, 0.557819);
	/* The ends are exact, so that no "-0.00" is printed. */
	assert_true(estimate_share(0, 20).low == 0 && !signbit(estimate_share(0, 20).low));
	expect_interval(0, 20, 0, 0.161125);
	assert_true(estimate_share(20, 20).high == 1);
	expect_interval(20, 20, 0.838875, 1);
	/* More samples, closer ends. */
	assert_true(estimate_share(500, 1000).low > estimate_share(50, 100).low);
}

static void
errors_are_binomial(void **state)
{
	(void)state;
	assert_true(fabs(estimate_error(10, 100) - 3) < 1e-12);
	assert_true(fabs(estimate_error(0.5, 1) - 0.5) < 1e-12);
	assert_true(estimate_error(0, 100) == 0);
	assert_true(estimate_error(100, 100) == 0);
	/* Few of many: the square root, as for rare events. */
	assert_true(fabs(estimate_error(16, 1e9) - 4) < 1e-6);
}

static void
expect_sane(double samples, double total)
{
	struct share_interval interval = estimate_share(samples, total);
	double error = estimate_error(samples, total);

	assert_true(interval.low >= 0 && interval.low <= interval.high && interval.high <= 1);
	assert_true(error >= 0);
}

/* Damaged profiles lead to any number. */
static void
nothing_is_out_of_range(void **state)
{
	static const double odd[] = {0, -1, 1e-300, 1, 1e300, INFINITY, -INFINITY, NAN, 1e18};

	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
		for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++)
			expect_sane(odd[i], odd[k]);
	expect_interval(0, 0, 0, 1);
	expect_interval(3, -1, 0, 1);
	expect_interval(30, 20, 0.838875, 1);
	expect_interval(-30, 20, 0, 0.161125);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_are_those_of_terminals),
		cmocka_unit_test(intervals_are_wilsons),
		cmocka_unit_test(errors_are_binomial),
		cmocka_unit_test(nothing_is_out_of_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
