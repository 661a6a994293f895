/* SPDX-License-Identifier: Apache-2.0 */
/* Figures over files of which only some come: those that do not are 0. */
#include "testrun.h"

#include <math.h>

#include "statistics/series.h"

static void
test_no_files(void **state)
{
	const struct series none = {.count = 0};
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
		struct series series = {.count = 0};
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
	struct series series = {.count = 0};
	struct gprofx_spread spread;

	(void)state;
	/* 2, 0, 6, 0: squares of the distances to 2 are 0, 4, 16, 4. */
	series_add(&series, 0, 2);
	series_add(&series, 2, 6);
	spread = series_finish(&series, 4);
	assert_true(spread.total == 8 && spread.mean == 2);
	assert_true(fabs(spread.deviation - sqrt(6)) < 1e-15);
	/* Equal files have none at all; of the first two ends alike the first one counts. */
	series = (struct series){.count = 0};
	for (uint32_t i = 0; i < 1000; i++)
		series_add(&series, i, 0.1);
	spread = series_finish(&series, 1000);
	assert_true(spread.deviation < 1e-12);
	assert_int_equal(spread.least_file, 0);
	assert_int_equal(spread.most_file, 0);
	/* What large values differ in is not lost. */
	series = (struct series){.count = 0};
	for (uint32_t i = 0; i < 1000; i++)
		series_add(&series, i, 1e12 + (i % 2 == 0 ? 1 : -1));
	assert_true(fabs(series_finish(&series, 1000).deviation - 1) < 1e-3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_files),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_deviation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
