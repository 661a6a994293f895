/* SPDX-License-Identifier: Apache-2.0 */
/* Values of sides: of functions, of none and of all.  Takes no time. */
#include "comparedrun.h"

#include <math.h>
#include <string.h>

#include "compare/values.h"
#include "near.h"

static void
values_of_none(void **state)
{
	static double totals[] = {100, 50}, squares[] = {200, 100}, scale[2];
	struct compare_values values = {.run_count = 2,
	                                .factor = 1,
	                                .totals = totals,
	                                .squares = squares,
	                                .scale = scale};
	struct compare_value none;

	(void)state;
	compare_values_to_total(&values, 100);
	none = compare_value_of_none(&values);
	assert_near(scale[1], 2, 0);
	assert_near(none.mean, 0, 0);
	/* As if each run had a sample more in the function, and one in the others. */
	assert_near(
		none.variance,
		(100 * 2 * (2 / 104.0) * (102 / 104.0) + 4 * 50 * 2 * (2 / 54.0) * (52 / 54.0)) / 4,
		1e-12);
	assert_near(none.whole, 100, 0);
	assert_near(none.squares, 0, 0);
	/* Two runs that both have no sample. */
	assert_near(none.freedom, 1, 0);
	assert_near(none.per_unit, (200 + 100 * 4) / 200.0 / 2, 1e-15);
	values.run_count = 1;
	compare_values_to_total(&values, 100);
	none = compare_value_of_none(&values);
	assert_true(isinf(none.freedom));
	assert_near(none.per_unit, 2, 1e-15);
	totals[0] = 0;
	compare_values_to_total(&values, 100);
	assert_true(isnan(compare_value_of_none(&values).per_unit));
	/* A share of nothing is not known. */
	assert_true(isnan(compare_value_of_none(&values).variance));
}

/* Ticks are those of the new side, where it is known how long they are. */
static void
units(void **state)
{
	static const struct {
		uint32_t own, wanted;
		double factor;
	} cases[] = {{100, 100, 1}, {1000, 100, 0.1}, {1, 100, 100}, {100, 1, 0.01},
	             {0, 100, 1},   {100, 0, 1},      {0, 0, 1}};
	struct testrun *test = *state;
	struct compared_report *side = memory_alloc(&test->run, sizeof *side);

	compared_link(side, 2, 2);
	for (uint32_t i = 0; i < 2; i++)
		side->values[i].self[1] = side->values[i].squares[1] = 50 + 10 * i;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct compare_values values;

		side->metric.ticks_per_unit = cases[i].own;
		compare_values_begin(&test->run, &values, &side->report, 0, cases[i].wanted);
		assert_near(values.factor, cases[i].factor, 1e-15);
		assert_near(values.mean, 55 * cases[i].factor, 1e-15);
		assert_near(values.squares[1], 60 * cases[i].factor * cases[i].factor, 1e-15);
		assert_near(compare_value_of(&values, 1, COMPARE_SELF, 1).mean,
		            55 * cases[i].factor, 1e-15);
		assert_near(compare_value_of(&values, 1, COMPARE_SELF, 3).mean,
		            165 * cases[i].factor, 1e-15);
	}
}

/* Events that are counted have no error. */
static void
exact_values(void **state)
{
	struct testrun *test = *state;
	struct compared_report *side = memory_alloc(&test->run, sizeof *side);
	struct compare_values values;

	compared_link(side, 1, 1);
	side->values[0].self[0] = side->values[0].squares[0] = 50;
	compare_values_begin(&test->run, &values, &side->report, 0, 100);
	assert_near(compare_value_of(&values, 0, COMPARE_SELF, 1).variance, 50, 0);
	side->metric.kind = GPROFX_COUNTED;
	compare_values_begin(&test->run, &values, &side->report, 0, 100);
	assert_near(compare_value_of(&values, 0, COMPARE_SELF, 1).variance, 0, 0);
}

/* Of shares the total has no error, and a large one has a smaller one. */
static void
shares(void **state)
{
	struct testrun *test = *state;
	struct compared_report *side = memory_alloc(&test->run, sizeof *side);
	struct compare_values values;

	compared_link(side, 2, 1);
	side->values[0].self[0] = side->values[0].squares[0] = 0.375;
	side->values[0].self[1] = side->values[0].squares[1] = 0.125;
	compare_values_begin(&test->run, &values, &side->report, 0, 100);
	assert_near(values.per_unit, 1, 0);
	compare_values_to_total(&values, 100);
	assert_near(values.per_unit, 200, 0);
	assert_near(values.scale[0], 200, 0);
	assert_near(compare_value_of_all(&values).mean, 100, 0);
	assert_near(compare_value_of_all(&values).variance, 0, 0);
	assert_near(compare_value_of(&values, 0, COMPARE_SELF, 1).mean, 75, 0);
	/* As of a binomial distribution with a sample more in and beside the function: 11/20. */
	assert_near(compare_value_of(&values, 0, COMPARE_SELF, 1).variance,
	            0.5 * 0.55 * 0.45 * 200 * 200, 1e-11);
	assert_near(compare_value_of(&values, 0, COMPARE_SELF, 2).variance,
	            4 * 0.5 * 0.55 * 0.45 * 200 * 200, 1e-11);
	assert_near(compare_value_of(&values, 0, COMPARE_SELF, 2).whole, 200, 0);
	assert_near(compare_value_of(&values, 0, COMPARE_SELF, 2).squares, 4 * 0.375 * 200 * 200,
	            1e-11);
	/* Of nothing at all, no share is known. */
	memset(&side->values[0], 0, sizeof side->values[0]);
	compare_values_begin(&test->run, &values, &side->report, 0, 100);
	compare_values_to_total(&values, 100);
	assert_near(values.scale[0], 1, 0);
	assert_true(isnan(values.per_unit));
	assert_true(isnan(compare_value_of(&values, 0, COMPARE_SELF, 1).variance));
}

/* A side that does not say what a sample weighs. */
static struct compared_report *
hidden_side(struct testrun *test, uint32_t functions, uint32_t runs)
{
	struct compared_report *side = memory_alloc(&test->run, sizeof *side);

	compared_link(side, functions, runs);
	for (uint32_t i = 0; i < runs; i++)
		side->columns[i].self_squares.first = NULL;
	return side;
}

/* The weight of a sample of both of two equal sides, in its ticks. */
static double
weight_of(struct testrun *test, const struct compared_report *side, uint32_t ticks_per_unit)
{
	struct compare_values base, new_side;

	compare_values_begin(&test->run, &base, &side->report, 0, ticks_per_unit);
	compare_values_begin(&test->run, &new_side, &side->report, 0, ticks_per_unit);
	compare_values_weigh(&base, &new_side);
	if (base.weight > 0)
		assert_near(base.per_unit, base.weight * base.factor, 1e-13);
	return base.weight;
}

/* The weight is that which explains how functions vary, beside how long runs are. */
static void
hidden_weights(void **state)
{
	struct testrun *test = *state;
	struct compared_report *side = hidden_side(test, 2, 3);

	/* The first run has no samples at all.  In the others, 4 are expected of each function. */
	side->values[1].self[0] = side->values[2].self[1] = 6;
	side->values[1].self[1] = side->values[2].self[0] = 2;
	assert_near(weight_of(test, side, 100), 4, 1e-14);
	assert_near(weight_of(test, side, 1000), 4, 1e-14);
	/* Of 24 ticks in all, the third run has 16, and the first function has 10. */
	side->values[2].self[0] = 4;
	side->values[2].self[1] = 12;
	assert_near(weight_of(test, side, 100),
	            pow(6 - 10 / 3.0, 2) / (10 / 3.0) + pow(4 - 20 / 3.0, 2) / (20 / 3.0) +
	                    pow(2 - 14 / 3.0, 2) / (14 / 3.0) + pow(12 - 28 / 3.0, 2) / (28 / 3.0),
	            1e-14);
	/* At least a tick. */
	side->values[2].self[0] = 12;
	side->values[2].self[1] = 4;
	assert_near(weight_of(test, side, 100), 1, 0);
	side->values[2].self[0] = side->values[2].self[1] = 0;
	assert_near(weight_of(test, side, 100), 1, 0);
	side = hidden_side(test, 1, 2);
	side->values[0].self[0] = side->values[1].self[0] = 5;
	assert_near(weight_of(test, side, 100), 1, 0);
	/* Of single runs it is not known, and times by a clock have no samples. */
	side = hidden_side(test, 2, 1);
	side->values[0].self[0] = 5;
	assert_near(weight_of(test, side, 100), 0, 0);
	side = hidden_side(test, 2, 2);
	side->values[0].self[0] = 5;
	side->metric.kind = GPROFX_CLOCKED;
	assert_near(weight_of(test, side, 100), 0, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_none),
		TESTRUN(units),
		TESTRUN(exact_values),
		TESTRUN(shares),
		TESTRUN(hidden_weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
