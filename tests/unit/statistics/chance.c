/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether files are called out where they truly differ, and seldom where chance alone makes them
 * differ: samples are drawn from known means.  Takes a second.
 */
#include "testrun.h"

#include <math.h>

#include "draws.h"
#include "statistics/chance.h"
#include "statistics/series.h"

enum {
	FILES = 64,
	MOST_FUNCTIONS = 50,
	DRAWS = 200,
	MOST_ALARMS = 14, /* of DRAWS: 4 in 100 are expected, with twice their error */
	ODD = 37,         /* the file that differs, in function 0 */
	LARGEST_WEIGHT = 19
};

/* What is drawn from. */
struct truth {
	uint32_t functions;
	double mean; /* samples of each function in each file */
	double odd;  /* what one file has of function 0, divided by the mean of all files */
	bool has_weights;
};

/* A table with nothing but self times. */
struct table {
	struct gprofx_function_spread row[MOST_FUNCTIONS];
	uint32_t first[MOST_FUNCTIONS + 1];
	struct gprofx_file_value value[MOST_FUNCTIONS * FILES];
	double self[MOST_FUNCTIONS], squares[MOST_FUNCTIONS];
	struct gprofx_column column;
	struct chance_basis basis;
	struct chance_rows rows;
};

static void
begin_table(struct table *table, uint32_t files)
{
	memset(table, 0, sizeof *table);
	table->column = (struct gprofx_column){.size = sizeof table->column,
	                                       .self_origin = GPROFX_MEASURED,
	                                       .self = {table->self, sizeof(double)},
	                                       .self_squares = {table->squares, sizeof(double)}};
	table->basis.column = &table->column;
	table->rows = (struct chance_rows){table->row, 0, files, table->first, table->value};
}

/* Adds a function; each of its samples counts "unit". */
static struct gprofx_function_spread *
add_row(struct table *table, const double *values, double unit)
{
	uint32_t number = table->rows.count++, files = table->rows.files;
	uint32_t next = table->first[number];
	struct series series = {.row.count = 0};
	struct gprofx_function_spread *row = &table->row[number];

	for (uint32_t i = 0; i < files; i++)
		if (values[i] != 0) {
			series_add(&series, i, values[i]);
			table->value[next++] = (struct gprofx_file_value){.file = i,
			                                                  .self = values[i]};
			table->self[number] += values[i];
			table->squares[number] += values[i] * unit;
		}
	*row = (struct gprofx_function_spread){.size = sizeof *row,
	                                       .function = number,
	                                       .self = series_finish(&series, files)};
	table->first[number + 1] = next;
	return row;
}

static void
draw_row(struct table *table, const struct truth *truth, uint64_t *state)
{
	double values[FILES] = {0}, sum = 0, squares = 0;
	bool is_odd = table->rows.count == 0;

	for (uint32_t i = 0; i < FILES; i++) {
		double mean = truth->mean;

		/* The mean of all files stays as it is. */
		if (is_odd)
			mean *= i == ODD ? truth->odd : (FILES - truth->odd) / (FILES - 1);
		for (uint32_t samples = draw_poisson(state, mean); samples > 0; samples--) {
			double weight = truth->has_weights
			                        ? (double)(1 + draw(state) % LARGEST_WEIGHT)
			                        : 1;

			values[i] += weight;
			sum += weight;
			squares += weight * weight;
		}
	}
	add_row(table, values, sum > 0 ? squares / sum : 1);
}

static bool
is_called_out(const struct gprofx_function_spread *row)
{
	return row->most_verdict == GPROFX_VERDICT_MORE ||
	       row->least_verdict == GPROFX_VERDICT_LESS;
}

/* Whether the values of files other than the one that differs are outside of the bounds of a row.
 */
static bool
bounds_are_wrong(const struct table *table, uint32_t number, bool has_odd)
{
	const struct gprofx_function_spread *row = &table->row[number];

	if (row->self.files < FILES && row->low > 0)
		return true;
	for (uint32_t k = table->first[number]; k < table->first[number + 1]; k++) {
		const struct gprofx_file_value *value = &table->value[k];

		if ((value->self < row->low || value->self > row->high) &&
		    !(has_odd && value->file == ODD))
			return true;
	}
	return false;
}

/* Of the draws: those where any file is called out wrongly, and those where the true one is. */
static void
count_draws(struct testrun *test, const struct truth *truth, uint32_t *alarms, uint32_t *found)
{
	static struct table table;
	uint64_t state = 20261127 + truth->functions + (uint64_t)(truth->mean * 10 + truth->odd);

	*alarms = *found = 0;
	for (uint32_t i = 0; i < DRAWS; i++) {
		const struct gprofx_function_spread *odd = &table.row[0];
		bool is_wrong = false, is_found;

		begin_table(&table, FILES);
		for (uint32_t k = 0; k < truth->functions; k++)
			draw_row(&table, truth, &state);
		chance_judge(&test->run, &table.basis, &table.rows);
		is_found = odd->most_verdict == GPROFX_VERDICT_MORE && odd->self.most_file == ODD;
		for (uint32_t k = 0; k < truth->functions; k++) {
			bool has_odd = k == 0 && truth->odd != 1 && is_found;

			is_wrong = is_wrong || bounds_are_wrong(&table, k, has_odd) ||
			           (has_odd ? table.row[k].least_verdict == GPROFX_VERDICT_LESS
			                    : is_called_out(&table.row[k]));
		}
		*alarms += is_wrong;
		*found += is_found;
		testrun_again(test);
	}
}

static void
files_are_called_out_where_they_differ(void **state)
{
	static const struct {
		struct truth truth;
		bool is_visible;
	} cases[] = {
		{{1, 3, 1, false}, false},    {{1, 3, 1, true}, false},
		{{50, 3, 1, false}, false},   {{50, 3, 1, true}, false},
		{{50, 0.1, 1, false}, false}, {{20, 100, 1, false}, false},
		{{20, 100, 1, true}, false},  {{1, 8, 5.53, false}, true},
		{{50, 8, 5.53, false}, true}, {{50, 20, 5.53, true}, true},
		{{1, 3, 5.53, false}, false}, {{20, 400, 1.5, true}, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct truth *truth = &cases[i].truth;
		uint32_t alarms, found;

		count_draws(*state, truth, &alarms, &found);
		print_message(
			"%2u functions, %5g %s samples in a file, one file %g times the mean: "
			"of %d draws %u with a false alarm, %u found\n",
			truth->functions, truth->mean, truth->has_weights ? "weighted" : "plain",
			truth->odd, DRAWS, alarms, found);
		assert_true(alarms <= MOST_ALARMS);
		if (cases[i].is_visible)
			assert_true(found >= 0.99 * DRAWS);
	}
}

enum { UNTESTED = GPROFX_VERDICT_UNTESTED, EQUAL, LESS, MORE };

/* Judges one function alone. */
static const struct gprofx_function_spread *
judge(struct testrun *test, struct table *table, const double *values, uint32_t files, double unit)
{
	begin_table(table, files);
	add_row(table, values, unit);
	chance_judge(&test->run, &table->basis, &table->rows);
	return table->row;
}

static void
ends_and_bounds(void **state)
{
	static const struct {
		double values[8];
		uint32_t files, most, least;
		double low, high;
	} cases[] = {
		/* Of those that remain, chance explains the differences. */
		{{90, 92, 91, 290}, 4, MORE, EQUAL, 90, 92},
		{{290, 292, 291, 90}, 4, EQUAL, LESS, 290, 292},
		{{500, 100, 102, 98, 101, 0}, 6, MORE, LESS, 98, 102},
		{{300, 100, 300, 100, 100, 100}, 6, MORE, LESS, 100, 100},
		{{100, 110, 90, 105, 125}, 5, EQUAL, EQUAL, 90, 125},
		{{7, 7, 7}, 3, EQUAL, EQUAL, 7, 7},
		/* No more than half of them are set apart. */
		{{100, 200, 400, 800, 1600, 3200, 6400, 12800}, 8, MORE, LESS, 100, 800},
		{{1, 100, 1000, 10000, 100000}, 5, MORE, LESS, 1, 1000},
		{{1, 1, 1, 200}, 4, MORE, EQUAL, 1, 1},
		/* Files without samples are 0, and few samples say little. */
		{{0, 0, 0, 2}, 4, EQUAL, EQUAL, 0, 2},
		{{0, 0, 0, 5}, 4, MORE, EQUAL, 0, 0},
		{{0, 60, 60, 61}, 4, EQUAL, LESS, 60, 61},
		/* Of two files, both differ, and the larger one stands out. */
		{{100, 200}, 2, MORE, LESS, 100, 100},
		{{100, 110}, 2, EQUAL, EQUAL, 100, 110},
	};
	static struct table table;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct gprofx_function_spread *row = judge(*state, &table, cases[i].values,
		                                                 cases[i].files, 1);

		assert_int_equal(row->most_verdict, cases[i].most);
		assert_int_equal(row->least_verdict, cases[i].least);
		assert_true(row->low == cases[i].low && row->high == cases[i].high);
		assert_true(row->p >= 0 && row->p <= 1);
	}
}

/* The same values as sums of 10 times fewer samples differ by no more than chance explains. */
static void
heavy_samples_are_fewer(void **state)
{
	static const double values[] = {100, 100, 100, 160}, small[] = {0.1, 0.1, 0.1, 0.16};
	static struct table table;
	double p = judge(*state, &table, values, 4, 1)->p;

	assert_int_equal(table.row->most_verdict, MORE);
	assert_int_equal(judge(*state, &table, values, 4, 10)->most_verdict, EQUAL);
	assert_true(table.row->p > 1000 * p);
	assert_true(fabs(judge(*state, &table, small, 4, 0.001)->p / p - 1) < 1e-9);
}

/* With two files p is that of a single test, of which half of the outcome counts. */
static void
two_files_are_one_test(void **state)
{
	static const double values[] = {8, 1};
	static struct table table;
	double p = judge(*state, &table, values, 2, 1)->p;

	/* 2 (P(9 of 9) + P(8 of 9) / 2), each on either side with the same chance. */
	assert_true(fabs(p - 2 * (1.0 + 9.0 / 2) / 512) < 1e-12);
}

/* With three files it could have been any of them. */
static void
three_files_are_three_tests(void **state)
{
	static const double values[] = {0, 8, 1};
	static struct table table;
	double p = judge(*state, &table, values, 3, 1)->p;

	/* 3 times 2 (P(9 of 9) + P(8 of 9) / 2), where the chance of the file is a third. */
	assert_true(fabs(p - 6 * (1.0 + 9.0 * 2 / 2) / 19683) < 1e-12);
	assert_int_equal(table.row->most_verdict, MORE);
	/* The others have one sample together. */
	assert_int_equal(table.row->least_verdict, EQUAL);
}

static void
events_have_no_error(void **state)
{
	static const double few[] = {10, 10, 11, 10}, less[] = {10, 9, 10, 10}, equal[] = {7, 7, 7};
	static struct table table;

	begin_table(&table, 4);
	add_row(&table, few, 1);
	table.basis.is_exact = true;
	table.column.self_squares.first = NULL;
	chance_judge(&((struct testrun *)*state)->run, &table.basis, &table.rows);
	assert_int_equal(table.row->most_verdict, MORE);
	assert_int_equal(table.row->least_verdict, EQUAL);
	assert_true(table.row->low == 10 && table.row->high == 10 && table.row->p == 0);
	begin_table(&table, 4);
	add_row(&table, less, 1);
	table.basis.is_exact = true;
	chance_judge(&((struct testrun *)*state)->run, &table.basis, &table.rows);
	assert_int_equal(table.row->most_verdict, EQUAL);
	assert_int_equal(table.row->least_verdict, LESS);
	assert_true(table.row->low == 10 && table.row->high == 10);
	begin_table(&table, 3);
	add_row(&table, equal, 1);
	table.basis.is_exact = true;
	chance_judge(&((struct testrun *)*state)->run, &table.basis, &table.rows);
	assert_int_equal(table.row->most_verdict, EQUAL);
}

static void
assert_untested(const struct gprofx_function_spread *row)
{
	assert_int_equal(row->most_verdict, UNTESTED);
	assert_int_equal(row->least_verdict, UNTESTED);
	assert_true(isnan(row->p) && isnan(row->low) && isnan(row->high));
}

static void
what_is_not_known_is_not_tested(void **state)
{
	static const double values[] = {1, 900, 1};
	struct testrun *test = *state;
	static struct table table;

	assert_untested(judge(test, &table, values + 1, 1, 1));
	begin_table(&table, 3);
	add_row(&table, values, 1);
	table.column.self_squares.first = NULL;
	chance_judge(&test->run, &table.basis, &table.rows);
	assert_untested(table.row);
	begin_table(&table, 3);
	add_row(&table, values, 1);
	table.column.self_origin = GPROFX_ESTIMATED;
	chance_judge(&test->run, &table.basis, &table.rows);
	assert_untested(table.row);
	/* Squares that a file lacks. */
	assert_untested(judge(test, &table, values, 3, 0));
	/* Calls alone, and a function whose values were left out. */
	begin_table(&table, 3);
	add_row(&table, (const double[]){0, 0, 0}, 1);
	chance_judge(&test->run, &table.basis, &table.rows);
	assert_untested(table.row);
	begin_table(&table, 3);
	add_row(&table, values, 1);
	table.first[1] = 0;
	chance_judge(&test->run, &table.basis, &table.rows);
	assert_int_equal(table.row->most_verdict, MORE);
	assert_true(isnan(table.row->low) && isnan(table.row->high));
	table.rows.value_first = NULL;
	chance_judge(&test->run, &table.basis, &table.rows);
	assert_int_equal(table.row->most_verdict, MORE);
	assert_true(isnan(table.row->low));
	table.rows.count = 0;
	chance_judge(&test->run, &table.basis, &table.rows);
}

/* What one function would show is chance among many. */
static void
all_rows_count(void **state)
{
	static const double values[] = {20, 20, 20, 38}, equal[] = {20, 20, 20, 20};
	static struct table table;

	assert_int_equal(judge(*state, &table, values, 4, 1)->most_verdict, MORE);
	begin_table(&table, 4);
	add_row(&table, values, 1);
	for (uint32_t i = 1; i < MOST_FUNCTIONS; i++)
		add_row(&table, equal, 1);
	chance_judge(&((struct testrun *)*state)->run, &table.basis, &table.rows);
	assert_int_equal(table.row->most_verdict, EQUAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ends_and_bounds, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(heavy_samples_are_fewer, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(two_files_are_one_test, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(three_files_are_three_tests, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(events_have_no_error, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(what_is_not_known_is_not_tested, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(all_rows_count, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(files_are_called_out_where_they_differ,
	                                        testrun_begin, testrun_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
