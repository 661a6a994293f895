/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with their costs: equal ones are one, files count as a whole, sums stay at the largest. */
#include "../testrun.h"

#include "profile/costed-calls.h"

enum { FACTOR = 12345677 /* of hashes */ };

static void
add(struct testrun *test, struct costed_calls *calls, struct call_costs *costs,
    struct costed_call call, uint64_t weight)
{
	call_costs_add(&test->run, costs, costed_calls_add(&test->run, calls, &call), weight);
}

static bool
commit(struct testrun *test, struct costed_calls *calls, struct call_costs *costs, uint64_t earlier,
       uint64_t grows)
{
	bool fits;

	costed_calls_commit(&test->run, calls, FACTOR);
	fits = call_costs_commit(&test->run, costs, calls, earlier, grows);
	costed_calls_drop(calls);
	return fits;
}

static void
test_equal_calls_add(void **state)
{
	struct testrun *test = *state;
	struct costed_calls calls = {0};
	struct call_costs costs = {0};

	add(test, &calls, &costs, (struct costed_call){1, 2, 0, 3}, 10);
	add(test, &calls, &costs, (struct costed_call){1, 2, 1, 4}, 20);
	add(test, &calls, &costs, (struct costed_call){1, 2, 0, 5}, 30);
	add(test, &calls, &costs, (struct costed_call){2, 1, 0, 6}, 40);
	add(test, &calls, &costs, (struct costed_call){1, 3, 0, 7}, 50);
	assert_int_equal(calls.count, 0);
	assert_null(costs.weight);
	assert_true(commit(test, &calls, &costs, 1, 1));
	assert_int_equal(calls.count, 4);
	assert_int_equal(calls.items[0].count, 8);
	assert_int_equal(costs.weight[0], 40);
	assert_int_equal(calls.items[1].flags, 1);
	assert_int_equal(costs.weight[1], 20);
	assert_int_equal(calls.items[2].caller, 2);
	assert_int_equal(costs.weight[2], 40);
	assert_int_equal(costs.weight[3], 50);
	add(test, &calls, &costs, (struct costed_call){1, 3, 0, 1}, 5);
	assert_true(commit(test, &calls, &costs, 1, 1));
	assert_int_equal(calls.count, 4);
	assert_int_equal(calls.items[3].count, 8);
	assert_int_equal(costs.weight[3], 55);
}

/* Of a file that is not read to its end nothing is left. */
static void
test_file_is_dropped(void **state)
{
	struct testrun *test = *state;
	struct costed_calls calls = {0};
	struct call_costs costs = {0};

	add(test, &calls, &costs, (struct costed_call){1, 2, 0, 3}, 10);
	costed_calls_drop(&calls);
	call_costs_drop(&costs);
	add(test, &calls, &costs, (struct costed_call){4, 5, 2, 6}, 7);
	assert_true(commit(test, &calls, &costs, 1, 1));
	assert_int_equal(calls.count, 1);
	assert_int_equal(calls.items[0].caller, 4);
	assert_int_equal(costs.weight[0], 7);
}

static void
test_ticks_are_joined(void **state)
{
	struct testrun *test = *state;
	struct costed_calls calls = {0};
	struct call_costs costs = {0};

	add(test, &calls, &costs, (struct costed_call){1, 2, 0, 1}, 10);
	assert_true(commit(test, &calls, &costs, 1, 1));
	assert_true(call_costs_add_self(&test->run, &costs, 1, 4));
	add(test, &calls, &costs, (struct costed_call){1, 2, 0, 1}, 10);
	assert_true(commit(test, &calls, &costs, 3, 2));
	assert_int_equal(costs.weight[0], 50);
	assert_int_equal(costs.self[1], 12);
	assert_int_equal(costs.self[0], 0);
}

static void
test_sums_stay_at_the_largest(void **state)
{
	struct testrun *test = *state;
	struct costed_calls calls = {0};
	struct call_costs costs = {0};

	add(test, &calls, &costs, (struct costed_call){1, 2, 0, UINT64_MAX}, UINT64_MAX);
	assert_true(commit(test, &calls, &costs, 1, 1));
	add(test, &calls, &costs, (struct costed_call){1, 2, 0, 1}, 1);
	assert_false(commit(test, &calls, &costs, 1, 1));
	assert_int_equal(calls.items[0].count, UINT64_MAX);
	assert_int_equal(costs.weight[0], UINT64_MAX);
	add(test, &calls, &costs, (struct costed_call){3, 4, 0, 1}, UINT64_MAX / 2 + 1);
	assert_false(commit(test, &calls, &costs, 1, 2));
	assert_int_equal(costs.weight[1], UINT64_MAX);
	assert_true(call_costs_add_self(&test->run, &costs, 0, UINT64_MAX));
	assert_false(call_costs_add_self(&test->run, &costs, 0, 1));
	assert_int_equal(costs.self[0], UINT64_MAX);
}

/* All calls and places have costs in the end, if a file with calls has some of the metric. */
static void
test_rest_has_no_costs(void **state)
{
	struct testrun *test = *state;
	struct costed_calls calls = {0};
	struct call_costs costs = {0}, none = {0};

	for (uint32_t i = 0; i < 3000; i++)
		add(test, &calls, &costs, (struct costed_call){i, i + 1, 0, 1}, i);
	assert_true(commit(test, &calls, &costs, 1, 1));
	assert_int_equal(calls.count, 3000);
	assert_int_equal(costs.weight[2999], 2999);
	costed_calls_finish(&test->run, &calls);
	call_costs_finish(&test->run, &costs, &calls, 10);
	call_costs_finish(&test->run, &none, &calls, 10);
	assert_int_equal(costs.weighed, 3000);
	assert_int_equal(costs.self_count, 10);
	assert_int_equal(costs.self[9], 0);
	assert_null(none.weight);
	assert_null(calls.slots.numbers);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_equal_calls_add, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_file_is_dropped, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_ticks_are_joined, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_sums_stay_at_the_largest, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(test_rest_has_no_costs, testrun_begin, testrun_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
