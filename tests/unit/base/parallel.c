/* SPDX-License-Identifier: Apache-2.0 */
/* The parallel loop covers every item once, whatever the number of workers. */
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

	test->run.threads = 8;
	assert_int_equal(parallel_workers(&test->run, 0, 100), 1);
	assert_int_equal(parallel_workers(&test->run, 199, 100), 1);
	assert_int_equal(parallel_workers(&test->run, 200, 100), 2);
	assert_int_equal(parallel_workers(&test->run, 1000000, 100), 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_every_item_once),
		TESTRUN(test_small_loops_stay_in_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
