/* SPDX-License-Identifier: Apache-2.0 */
/* Figures over files of which only some come: those that do not are 0. */
#include "testrun.h"

#include <math.h>

#include "draws.h"
#include "statistics/series.h"
#include "statistics/wide.h"

static void
test_no_files(void **state)
{
	const struct series none = {.row.count = 0};
	struct gprofx_spread spread = series_finish(&none, 0);

	(void)state;
	assert_true(spread.total == 0 && spread.mean == 0 && spread.deviation == 0);
	spread = series_finish(&none, 5);
	assert_true(spread.mean == 0 && spread.least == 0 && spread.most == 0);
	assert_int_equal(spread.files, 0);
}

/* The first file that does not come has the least, wherever it is. */
static void
test_gaps(void **state)
{
	static const struct {
		uint32_t files[4], count, of, least_file, most_file;
	} cases[] = {
		{{0, 1, 2}, 3, 3, 2, 0}, {{0, 1, 2}, 3, 4, 3, 0}, {{1, 2, 3}, 3, 4, 0, 1},
		{{0, 2, 3}, 3, 4, 1, 0}, {{0, 1, 3}, 3, 4, 2, 0}, {{0, 3}, 2, 5, 1, 0},
		{{5}, 1, 9, 0, 5},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct series series = {.row.count = 0};
		struct gprofx_spread spread;

		for (uint32_t k = 0; k < cases[i].count; k++)
			series_add(&series, cases[i].files[k], 9 - k);
		spread = series_finish(&series, cases[i].of);
		assert_int_equal(spread.least_file, cases[i].least_file);
		assert_int_equal(spread.most_file, cases[i].most_file);
		assert_int_equal(spread.files, cases[i].count);
		assert_true(spread.least == (cases[i].count < cases[i].of ? 0 : 7));
		assert_true(spread.most == 9);
	}
}

static void
test_deviation(void **state)
{
	struct series series = {.row.count = 0};
	struct gprofx_spread spread;

	(void)state;
	/* 2, 0, 6, 0: squares of the distances to 2 are 0, 4, 16, 4. */
	series_add(&series, 0, 2);
	series_add(&series, 2, 6);
	spread = series_finish(&series, 4);
	assert_true(spread.total == 8 && spread.mean == 2);
	assert_true(spread.deviation == sqrt(6));
	/* Equal files have none at all; of the first two ends alike the first one counts. */
	series = (struct series){.row.count = 0};
	for (uint32_t i = 0; i < 1000; i++)
		series_add(&series, i, 0.1);
	spread = series_finish(&series, 1000);
	assert_true(spread.deviation == 0 && spread.total == 100);
	assert_int_equal(spread.least_file, 0);
	assert_int_equal(spread.most_file, 0);
	/* What large values differ in is not lost. */
	series = (struct series){.row.count = 0};
	for (uint32_t i = 0; i < 1000; i++)
		series_add(&series, i, 1e12 + (i % 2 == 0 ? 1 : -1));
	assert_true(series_finish(&series, 1000).deviation == 1);
}

/* The extremes and their files are the same in any order; of equal ones the first file counts. */
static void
test_ties(void **state)
{
	static const double values[] = {5, 2, 9, 2, 9};

	(void)state;
	for (uint32_t i = 0; i < 120; i++) {
		uint32_t order[] = {0, 1, 2, 3, 4}, rest = i;
		struct series series = {.row.count = 0};
		struct gprofx_spread spread;

		for (uint32_t k = 0; k < 5; k++)
			series_wait(&series.row, k);
		for (uint32_t k = 0; k < 5; k++) {
			uint32_t other = k + rest % (5 - k), number = order[other];

			rest /= 5 - k;
			order[other] = order[k];
			order[k] = number;
			series_add(&series, number, values[number]);
		}
		spread = series_finish(&series, 5);
		assert_true(spread.least == 2 && spread.most == 9 && spread.total == 27);
		assert_int_equal(spread.least_file, 1);
		assert_int_equal(spread.most_file, 2);
	}
}

/* What waited comes or not; the first file that does not is known even if others come later. */
static void
test_waiting(void **state)
{
	static const uint32_t waiting[] = {1, 2, 4};

	(void)state;
	for (uint32_t come = 0; come < 8; come++) {
		struct series series = {.row.count = 0};
		struct gprofx_spread spread;
		uint32_t expected = 5, count = 2;

		series_add(&series, 0, 3);
		series_wait(&series.row, 1);
		series_wait(&series.row, 2);
		series_wait(&series.row, 2);
		series_add(&series, 3, 4);
		series_wait(&series.row, 4);
		for (uint32_t i = 3; i-- > 0;) {
			if (come & UINT32_C(1) << i) {
				series_add(&series, waiting[i], 1 + i);
				count++;
			} else {
				series_lack(&series.row, waiting[i]);
				expected = waiting[i];
			}
		}
		spread = series_finish(&series, 6);
		assert_int_equal(spread.least_file, expected);
		assert_int_equal(spread.files, count);
		assert_true(spread.least == 0);
	}
}

/* A positive value never is 0, and one that is too large counts as 2^64. */
static void
test_rounding(void **state)
{
	static const struct {
		double value, rounded;
	} cases[] = {
		{0, 0},
		{-1, 0},
		{NAN, 0},
		{1e-300, 0x1p-64},
		{0x1p-65, 0x1p-64},
		{0x1.8p-64, 0x1p-63},
		{0x1.4p-63, 0x1p-63},
		{0x1.cp-63, 0x1p-62},
		{0x1p-13 + 0x1p-65, 0x1p-13},
		{0x1.fffffffffffffp-13, 0x1p-12},
		{0x1.fffffffffffffp-12, 0x1.fffffffffffffp-12},
		{1.0 / 3, 1.0 / 3},
		{1e17, 1e17},
		{0x1.fffffffffffffp63, 0x1.fffffffffffffp63},
		{0x1p64, 0x1p64},
		{1e300, 0x1p64},
		{INFINITY, 0x1p64},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct series series = {.row.count = 0};
		struct gprofx_spread spread;

		assert_true(series_rounded(cases[i].value) == cases[i].rounded);
		assert_true(series_rounded(cases[i].rounded) == cases[i].rounded);
		series_add(&series, 0, cases[i].value);
		spread = series_finish(&series, 1);
		assert_true(spread.total == cases[i].rounded && spread.most == spread.total);
		assert_true(spread.deviation == 0);
		assert_int_equal(series.row.count, cases[i].rounded > 0);
		spread = series_finish(&series, 2);
		assert_true(fabs(spread.deviation - spread.total / 2) <= spread.total * 2e-16);
	}
}

/* The largest values of as many files as there can be do not pass the last limb. */
static void
test_largest(void **state)
{
	struct series series = {.row.count = 0}, twice;
	struct gprofx_spread spread;

	(void)state;
	series_add(&series, 0, INFINITY);
	for (int i = 0; i < 31; i++) {
		twice = series;
		series_merge(&series, &twice, UINT32_C(1) << i);
	}
	assert_int_equal(series.row.count, UINT32_C(1) << 31);
	spread = series_finish(&series, UINT32_MAX);
	assert_true(spread.total == 0x1p95 && fabs(spread.deviation - 0x1p63) < 0x1p34);
	spread = series_finish(&series, UINT32_C(1) << 31);
	assert_true(spread.deviation == 0);
}

/* A random value: none, whole, tiny, of any size, or a fraction. */
static double
draw_value(uint64_t *state)
{
	switch (draw(state) % 5) {
	case 0:
		return 0;
	case 1:
		return (double)(draw(state) % 4);
	case 2:
		return draw_part(state) * 1e-5;
	case 3:
		return (double)(draw(state) >> draw(state) % 64);
	default:
		return (double)(draw(state) % 1000) / 7;
	}
}

enum { FILES = 24 };

/* A series of files "first" to below "past", numbered from 0 on; each third one waits. */
static struct series
series_of(const double *values, uint32_t first, uint32_t past)
{
	struct series series = {.row.count = 0};

	for (uint32_t i = first; i < past; i++)
		if (i % 3 == 0)
			series_wait(&series.row, i - first);
		else if (values[i] > 0)
			series_add(&series, i - first, values[i]);
	return series;
}

/* What waited comes, or not. */
static void
finish_waiting(struct series *series, const double *values)
{
	for (uint32_t i = 0; i < FILES; i += 3) {
		if (values[i] > 0)
			series_add(series, i, values[i]);
		else
			series_lack(&series->row, i);
	}
}

/* Writes a series, and reads it again. */
static struct series
exchange(struct testrun *test, const struct series *series, uint32_t files)
{
	struct bytes_out out = {.run = &test->run};
	struct bytes_in in;
	struct series copy;

	series_write(series, &out);
	in = (struct bytes_in){.at = out.items, .end = out.items + out.count};
	assert_true(series_read(&copy, &in, files) && in.at == in.end);
	assert_memory_equal(series, &copy, sizeof copy);
	memory_release(&test->run, out.items);
	return copy;
}

/* The same bits for any three groups of files. */
static void
test_groups(void **state)
{
	struct testrun *test = *state;
	uint64_t drawing = 1;

	for (uint32_t round = 0; round < 30; round++) {
		double values[FILES];
		struct series all;

		for (uint32_t i = 0; i < FILES; i++)
			values[i] = draw_value(&drawing);
		all = series_of(values, 0, FILES);
		finish_waiting(&all, values);
		for (uint32_t a = 0; a <= FILES; a++)
			for (uint32_t b = a; b <= FILES; b++) {
				struct series left = series_of(values, 0, a);
				struct series middle = series_of(values, a, b);
				struct series right = series_of(values, b, FILES);

				right = exchange(test, &right, FILES - b);
				series_merge(&middle, &right, b - a);
				series_merge(&left, &middle, a);
				finish_waiting(&left, values);
				assert_memory_equal(&left, &all, sizeof all);
			}
	}
}

/* Four files and one that has none, against Python's fractions: squares that doubles would lose. */
static void
test_reference(void **state)
{
	static const struct {
		double values[4], total, deviation;
	} cases[] = {
		{{1000000000000.125, 999999999999.75, 1000000000000.0, 1000000000000.5},
	         0x1.d1a94a2000300p+41,
	         0x1.74876e8000266p+38},
		{{0.1, 0.2, 0.3, 0.7}, 0x1.4cccccccccccdp+0, 0x1.eeebeb8ed312dp-3},
		{{1e+18, 1.0, 3.0, 9.094947017729282e-13},
	         0x1.bc16d674ec800p+59,
	         0x1.6345785d8a000p+58},
		{{65535.0, 0.3333333333333333, 0.2857142857142857, 1e-09},
	         0x1.ffff3cf3cf459p+15,
	         0x1.9997c09c22900p+14},
		{{123456789.25, 0.001, 98765.4321, 1.8e+19},
	         0x1.f399b14398caap+63,
	         0x1.8fae2769384dep+62},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct series series = {.row.count = 0};
		struct gprofx_spread spread;

		for (uint32_t k = 0; k < 4; k++)
			series_add(&series, k, cases[i].values[k]);
		spread = series_finish(&series, 5);
		assert_true(spread.total == cases[i].total);
		assert_true(fabs(spread.deviation - cases[i].deviation) <=
		            cases[i].deviation * 0x1p-52);
	}
}

/* Bytes that are no series of so many files; every shorter one is none. */
static void
test_hostile(void **state)
{
	struct testrun *test = *state;
	struct series series = {.row.count = 0}, copy, bad;
	struct bytes_out out = {.run = &test->run};
	struct bytes_in in;

	series_add(&series, 0, 0.1);
	series_add(&series, 2, 1e30);
	series_write(&series, &out);
	for (size_t length = 0; length <= out.count; length++) {
		in = (struct bytes_in){.at = out.items, .end = out.items + length};
		assert_int_equal(series_read(&copy, &in, 3), length == out.count);
	}
	in = (struct bytes_in){.at = out.items, .end = out.items + out.count};
	assert_false(series_read(&copy, &in, 2));
	for (int i = 0; i < 8; i++) {
		bad = series;
		bad.row.least = i == 0 ? 0 : i == 1 ? 0x1p65 : bad.row.least;
		bad.row.most = i == 2 ? 0x1p65 : i == 3 ? (double)NAN : bad.row.most;
		bad.wide.total[SERIES_TOTAL - 1] = i == 4 ? 2 : 1;
		bad.wide.squares[SERIES_SQUARES - 1] = i == 5 ? 2 : 1;
		bad.row.gap = i == 6 ? 4 : 1;
		out.count = 0;
		series_write(&bad, &out);
		in = (struct bytes_in){.at = out.items, .end = out.items + out.count};
		assert_int_equal(series_read(&copy, &in, 3), i == 7);
	}
	/* A total that the squares cannot have has no deviation. */
	bad = series;
	memset(bad.wide.squares, 0, sizeof bad.wide.squares);
	assert_true(series_finish(&bad, 3).deviation == 0);
}

/* The nearest double; halves go to the even neighbor, unless there is more. */
static void
test_wide_real(void **state)
{
	static const struct {
		uint64_t limbs[3];
		double real;
	} cases[] = {
		{{0, 0, 0}, 0},
		{{1, 0, 0}, 1},
		{{UINT64_MAX, 0, 0}, 0x1p64},
		{{0x20000000000001, 0, 0}, 0x1p53},
		{{0x20000000000003, 0, 0}, 0x1.0000000000002p53},
		{{0x800, 1, 0}, 0x1p64},
		{{0x801, 1, 0}, 0x1.0000000000001p64},
		{{1, 0x800, 1}, 0x1.0000000000001p128},
		{{0, 0x800, 1}, 0x1p128},
		{{0, 0, 3}, 0x1.8p129},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_true(wide_real(cases[i].limbs, 3) == cases[i].real);
}

/* Limbs, against numbers worked out by hand. */
static void
test_wide_sums(void **state)
{
	static const uint64_t number[] = {UINT64_MAX, 1};
	uint64_t sum[3] = {UINT64_MAX, UINT64_MAX, 0}, square[3] = {0};

	(void)state;
	wide_add_limb(sum, 3, 0, 1);
	assert_true(sum[0] == 0 && sum[1] == 0 && sum[2] == 1);
	wide_add_limb(sum, 3, 2, UINT64_MAX);
	assert_true(sum[0] == 0 && sum[1] == 0 && sum[2] == 0);
	wide_add_product(sum, 3, 0, UINT64_MAX, UINT64_MAX);
	assert_true(sum[0] == 1 && sum[1] == UINT64_MAX - 1 && sum[2] == 0);
	wide_add_product(sum, 3, 1, UINT64_MAX, 2);
	assert_true(sum[0] == 1 && sum[1] == UINT64_MAX - 3 && sum[2] == 2);
	/* (2^65 - 1)^2 = 2^130 - 2^66 + 1 */
	wide_add_square(square, 3, number, 2);
	assert_true(square[0] == 1 && square[1] == UINT64_MAX - 3 && square[2] == 3);
	assert_true(wide_is_less(sum, square, 3) && !wide_is_less(square, sum, 3));
	assert_false(wide_is_less(sum, sum, 3));
	wide_subtract(square, sum, 3);
	assert_true(square[0] == 0 && square[1] == 0 && square[2] == 1);
	sum[0] = 2;
	sum[1] = sum[2] = 0;
	wide_subtract(square, sum, 3);
	assert_true(square[0] == UINT64_MAX - 1 && square[1] == UINT64_MAX && square[2] == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_files),  cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_deviation), cmocka_unit_test(test_ties),
		cmocka_unit_test(test_waiting),   cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_largest),   TESTRUN(test_groups),
		cmocka_unit_test(test_reference), TESTRUN(test_hostile),
		cmocka_unit_test(test_wide_real), cmocka_unit_test(test_wide_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
