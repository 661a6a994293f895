/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting: stable, and the merge exactly as stated. */
#include "testrun.h"

#include "base/sort.h"

enum { MOST = 5000 };

static int
compare_values(const void *context, uint32_t left, uint32_t right)
{
	const uint32_t *values = context;

	return values[left] < values[right] ? -1 : values[left] > values[right];
}

static void
test_ids_are_sorted_stably(void **state)
{
	struct testrun *test = *state;
	uint64_t random = 1234567;
	uint32_t ids[MOST], values[MOST] = {0};

	for (uint32_t count = 0; count < MOST; count = count * 3 + 1) {
		for (uint32_t i = 0; i < count; i++) {
			ids[i] = i;
			values[i] = (uint32_t)(testrun_random(&random) % 100);
		}
		sort_ids(&test->run, ids, count, compare_values, values);
		for (uint32_t i = 1; i < count; i++) {
			assert_true(values[ids[i - 1]] <= values[ids[i]]);
			assert_true(values[ids[i - 1]] < values[ids[i]] || ids[i - 1] < ids[i]);
		}
	}
}

/* Not an order: 0 < 1 < 2 < 0. */
static int
compare_in_a_circle(const void *context, uint32_t left, uint32_t right)
{
	(void)context;
	return left == right ? 0 : (left + 1) % 3 == right ? -1 : 1;
}

static void
test_merge_is_top_down(void **state)
{
	struct testrun *test = *state;
	/* Halves 0 | 2 1: the second half becomes 1 2, and 0 < 1 is taken first. */
	uint32_t ids[] = {0, 2, 1}, expected[] = {0, 1, 2};
	/* Halves 2 | 1 0: the second half becomes 0 1; 2 < 0 is taken first. */
	uint32_t others[] = {2, 1, 0}, others_expected[] = {2, 0, 1};

	sort_ids(&test->run, ids, 3, compare_in_a_circle, NULL);
	assert_memory_equal(ids, expected, sizeof expected);
	sort_ids(&test->run, others, 3, compare_in_a_circle, NULL);
	assert_memory_equal(others, others_expected, sizeof others_expected);
}

static void
test_keys_are_sorted_stably(void **state)
{
	struct testrun *test = *state;
	uint64_t random = 42, keys[MOST], original[MOST];
	uint32_t ids[MOST];

	for (uint32_t count = 1; count < MOST; count = count * 2 + 1) {
		/* Few values, so that many are equal; in all bytes of the key. */
		for (uint32_t i = 0; i < count; i++) {
			keys[i] = original[i] = (testrun_random(&random) % 50) *
			                        0x0101010101010101u;
			ids[i] = i;
		}
		sort_ascending(&test->run, keys, ids, count);
		for (uint32_t i = 0; i < count; i++) {
			assert_int_equal(keys[i], original[ids[i]]);
			if (i > 0) {
				assert_true(keys[i - 1] <= keys[i]);
				assert_true(keys[i - 1] < keys[i] || ids[i - 1] < ids[i]);
			}
		}
	}
}

/* Two lists that ascend, of any lengths, with keys in common and without. */
static void
test_two_lists_are_merged(void **state)
{
	enum { COUNT = 64 };
	struct testrun *test = *state;
	uint64_t keys[COUNT];
	uint32_t ids[COUNT];

	for (uint32_t half = 1; half < COUNT; half++)
		for (uint32_t shift = 0; shift < COUNT; shift += 9) {
			for (uint32_t i = 0; i < COUNT; i++) {
				keys[i] = (i < half ? i + shift : i - half) / 3;
				ids[i] = i;
			}
			sort_ascending(&test->run, keys, ids, COUNT);
			for (uint32_t i = 0; i < COUNT; i++) {
				uint32_t id = ids[i];

				assert_int_equal(keys[i], (id < half ? id + shift : id - half) / 3);
				assert_true(i == 0 || keys[i - 1] < keys[i] ||
				            (keys[i - 1] == keys[i] && ids[i - 1] < id));
			}
		}
}

static void
test_keys_of_doubles_keep_their_order(void **state)
{
	const double values[] = {-1e300, -2, -1e-300, 0, 1e-300, 0.5, 1, 2, 1e300};

	(void)state;
	for (size_t i = 1; i < sizeof values / sizeof values[0]; i++)
		assert_true(sort_key(values[i - 1]) < sort_key(values[i]));
	assert_true(sort_key(0.0) == sort_key(-0.0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_ids_are_sorted_stably),
		TESTRUN(test_merge_is_top_down),
		TESTRUN(test_keys_are_sorted_stably),
		TESTRUN(test_two_lists_are_merged),
		cmocka_unit_test(test_keys_of_doubles_keep_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
