/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parallel loops cover every item once, whatever the number of workers, and in their order
 * where that is promised.
 */
#include "testrun.h"

#include "base/parallel.h"

static void
count_items(void *argument, uint32_t worker, uint32_t begin, uint32_t end)
{
	uint8_t *seen = argument;

	(void)worker;
	for (uint32_t i = begin; i < end; i++)
		seen[i]++;
}

static void
test_every_item_once(void **state)
{
	struct testrun *test = *state;
	static uint8_t seen[1000];

	for (uint32_t workers = 1; workers <= PARALLEL_MOST_WORKERS; workers += 7) {
		for (uint32_t count = 0; count <= 1000; count += 333) {
			memset(seen, 0, sizeof seen);
			parallel_loop(&test->run, count, workers, count_items, seen);
			for (uint32_t i = 0; i < 1000; i++)
				assert_int_equal(seen[i], i < count);
		}
	}
}

static void
test_small_loops_stay_in_place(void **state)
{
	struct testrun *test = *state;

#ifdef __SANITIZE_THREAD__
	skip(); /* there they do not */
#endif
	test->run.threads = 8;
	assert_int_equal(parallel_workers(&test->run, 0, 100), 1);
	assert_int_equal(parallel_workers(&test->run, 199, 100), 1);
	assert_int_equal(parallel_workers(&test->run, 200, 100), 2);
	assert_int_equal(parallel_workers(&test->run, 1000000, 100), 8);
}

struct ordered_test {
	uint32_t at[PARALLEL_MOST_WORKERS]; /* the task of each worker, plus 1; 0: none */
	bool wrong[PARALLEL_MOST_WORKERS];
	uint32_t merged;
};

static void
begin_task(void *argument, uint32_t worker, uint32_t task)
{
	struct ordered_test *test = argument;

	/* The later ones are done long before the first. */
	for (volatile uint32_t i = task == 0 ? 1000000 : 0; i > 0; i--)
		;
	test->wrong[worker] |= test->at[worker] != 0;
	test->at[worker] = task + 1;
}

static void
end_task(void *argument, uint32_t worker, uint32_t task)
{
	struct ordered_test *test = argument;

	test->wrong[worker] |= test->at[worker] != task + 1 || test->merged != task;
	test->at[worker] = 0;
	test->merged++;
}

static void
test_order_of_merging(void **state)
{
	struct testrun *test = *state;

	for (uint32_t workers = 1; workers <= PARALLEL_MOST_WORKERS; workers += 7)
		for (uint32_t count = 0; count <= 300; count += 100) {
			struct ordered_test ordered = {.merged = 0};

			parallel_ordered(&test->run, count, workers, begin_task, end_task,
			                 &ordered);
			for (uint32_t i = 0; i < workers; i++)
				assert_false(ordered.wrong[i]);
			assert_int_equal(ordered.merged, count);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_every_item_once),
		TESTRUN(test_small_loops_stay_in_place),
		TESTRUN(test_order_of_merging),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
