/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of stacks: equal ones are one, files count as a whole, ticks are brought to one measure.
 */
#include "../stackrun.h"

#include "profile/profile.h"

static void
expect_stacks(const struct profile *profile, const char *expected)
{
	struct small_text text = {.length = 0};

	stackrun_list(profile, &text);
	assert_string_equal(text.bytes, expected);
}

static void
test_equal_stacks_add(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	stackrun_read(test, profile, "abc 3 ab 1 abc 2 b 7 - 5 abd 1 - 1", 1);
	expect_stacks(profile, "abc 5 ab 1 b 7 abd 1 - 6");
	/* abc, ab, b, abd, whose a and b are of their own: abc was not the one before */
	assert_int_equal(profile->stacks.count, 4);
	assert_int_equal(profile->stacks.frame_count, 7);
	assert_int_equal(profile->stacks.total, 20);
	assert_int_equal(profile->files[0].stack_count, 7);
	assert_int_equal(profile->files[0].stack_ticks, 20);
	assert_int_equal(profile->files[0].deepest, 3);
	stackrun_read(test, profile, "abd 10 x 1", 1);
	expect_stacks(profile, "abc 5 ab 1 b 7 abd 11 x 1 - 6");
	assert_int_equal(profile->files[1].stack_ticks, 11);
}

/* Of a file that is not read to its end nothing is left, and what follows is not mixed up with it.
 */
static void
test_file_is_dropped(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	stackrun_read(test, profile, "abc 3", 1);
	profile_begin_file(&test->run, profile, "bad", 0, false);
	assert_int_equal(stackrun_add(test, profile, "abcd", 4, 1), GPROFX_OK);
	assert_int_equal(stackrun_add(test, profile, "abc", 4, 1), GPROFX_OK);
	assert_int_equal(stackrun_add(test, profile, "", 4, 1), GPROFX_OK);
	profile_drop_file(&test->run, profile);
	expect_stacks(profile, "abc 3");
	assert_int_equal(profile->stacks.count, 1);
	assert_int_equal(profile->stacks.frame_count, 3);
	assert_int_equal(profile->stacks.place_count, 3);
	stackrun_read(test, profile, "abce 1 abcd 2", 1);
	expect_stacks(profile, "abc 3 abce 1 abcd 2");
	/* abc, then abce by itself, and the d of abcd */
	assert_int_equal(profile->stacks.count, 3);
	assert_int_equal(profile->stacks.frame_count, 8);
	assert_int_equal(profile->stacks.total, 6);
}

static void
test_rates_are_joined(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	stackrun_read(test, profile, "ab 3 - 1", 2);
	stackrun_read(test, profile, "ab 5 c 1", 3);
	assert_int_equal(profile->stacks.rate, 6);
	expect_stacks(profile, "ab 19 c 2 - 3");
	assert_int_equal(profile->stacks.total, 24);
	stackrun_read(test, profile, "c 1", 1);
	assert_int_equal(profile->stacks.rate, 6);
	expect_stacks(profile, "ab 19 c 8 - 3");
	profile_begin_file(&test->run, profile, "bad", 0, false);
	assert_int_equal(stackrun_add(test, profile, "a", 1, 999999937), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.stacks-differ");
}

static void
test_units_differ(void **state)
{
	static const struct gprofx_file file = {.size = sizeof file, .name = "stacks"};
	const uint32_t first[] = {0, 0};
	const uint64_t weight[] = {1};
	const struct gprofx_raw_stacks rows = {.size = sizeof rows,
	                                       .count = 1,
	                                       .first = first,
	                                       .weight = weight,
	                                       .rate = 1,
	                                       .dimension = "cycles"};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct engine_settings *settings = test->run.settings;
	struct engine_settings gnu = *settings;

	gnu.one_metric = true;
	stackrun_read(test, profile, "a 1", 1);
	/* Another unit is another metric, of the same tree; a file that is dropped has none. */
	for (int i = 0; i < 3; i++) {
		profile_begin_file(&test->run, profile, "other", 0, false);
		assert_int_equal(profile->public.builder->stacks(&test->run.gx, &profile->public,
		                                                 &file, NULL, &rows),
		                 GPROFX_OK);
		if (i == 1)
			assert_int_equal(profile_commit_file(&test->run, profile, &file),
			                 GPROFX_OK);
		else
			profile_drop_file(&test->run, profile);
	}
	profile_finish(&test->run, profile);
	assert_int_equal(profile->stacks.other_count, 1);
	assert_string_equal(profile->stacks.metric_name, "samples");
	assert_string_equal(profile->stacks.others[0]->metric_name, "cycles");
	assert_int_equal(profile->stacks.others[0]->nowhere, 1);
	assert_int_equal(profile->stacks.others[0]->weight[0], 0);
	assert_int_equal(profile->stacks.nowhere, 0);
	expect_stacks(profile, "a 1");
	/* Where there is but one metric, the unit has to be the same. */
	test->run.settings = &gnu;
	profile_begin_file(&test->run, profile, "bad", 0, false);
	assert_int_equal(profile->public.builder->stacks(&test->run.gx, &profile->public, &file,
	                                                 NULL, &rows),
	                 GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.stacks-differ");
	test->run.settings = settings;
}

static void
test_sums_stay_at_the_largest(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	stackrun_read(test, profile, "a 18446744073709551614 b 1", 1);
	assert_string_equal(test->last_id, "profile.weights-overflow");
	stackrun_read(test, profile, "a 7", 1);
	expect_stacks(profile, "a 18446744073709551615 b 1");
}

/* Whatever the place and however often: stacks that share a hash would be compared in full. */
static void
test_hashes_differ(void **state)
{
	enum { DEPTHS = 50 };
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const uint32_t *hash;
	char frames[DEPTHS + 1] = "";

	profile_begin_file(&test->run, profile, "stacks", 0, false);
	for (int i = 0; i < DEPTHS; i++) {
		frames[i] = 'a';
		assert_int_equal(stackrun_add(test, profile, frames, 1, 1), GPROFX_OK);
	}
	hash = profile->stacks.hash;
	/* The first stack has one frame, and needs no hash. */
	for (int i = 1; i < DEPTHS; i++)
		for (int k = 1; k < i; k++)
			assert_int_not_equal(hash[i], hash[k]);
}

/* Of thousands of places each is found again, and so is a stack of all, whatever the table has to
 * grow to. */
static void
test_many(void **state)
{
	enum { NAMES = 3000 };
	static const struct gprofx_file file = {.size = sizeof file, .name = "stacks"};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct stacks *stacks = &profile->stacks;
	uint32_t places[NAMES], again[NAMES], first[] = {0, NAMES};
	const uint64_t weight[] = {1};
	const struct gprofx_raw_stacks rows = {.size = sizeof rows,
	                                       .count = 1,
	                                       .first = first,
	                                       .place = places,
	                                       .weight = weight,
	                                       .rate = 1,
	                                       .dimension = "samples"};

	profile_begin_file(&test->run, profile, "stacks", 0, false);
	for (int round = 0; round < 2; round++) {
		uint32_t *numbers = round == 0 ? places : again;

		for (uint32_t i = 0; i < NAMES; i++) {
			char name[16];
			struct gprofx_raw_place place = {.function = name, .line = i % 3};

			snprintf(name, sizeof name, "f%u", i / 3);
			profile->public.builder->places(&test->run.gx, &profile->public, &place, 1,
			                                &numbers[i]);
		}
	}
	assert_memory_equal(places, again, sizeof places);
	assert_int_equal(stacks->place_count, NAMES);
	for (int round = 0; round < 2; round++)
		assert_int_equal(profile->public.builder->stacks(&test->run.gx, &profile->public,
		                                                 &file, NULL, &rows),
		                 GPROFX_OK);
	assert_int_equal(stacks->count, 1);
	assert_int_equal(stacks->frame_count, NAMES);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	assert_int_equal(stacks->weight[0], 2);
	profile_finish(&test->run, profile);
	assert_null(stacks->stack_slots.numbers);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_equal_stacks_add, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_file_is_dropped, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_rates_are_joined, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_units_differ, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_sums_stay_at_the_largest, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(test_hashes_differ, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_many, testrun_begin, testrun_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
