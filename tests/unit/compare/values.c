/* SPDX-License-Identifier: Apache-2.0 */
/* Values of sides without a function. */
#include "testrun.h"

#include <math.h>

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
