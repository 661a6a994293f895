/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights of stacks while files are read, and what places have themselves in files with calls.
 * Takes milliseconds.
 */
#include "../stackrun.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "profile/profile.h"
#include "profile/stack-weights.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "stacks"};

/* Has the file that is being read add a call between functions, in the metric of the stacks. */
static void
add_call(struct testrun *test, struct profile *profile, char caller, char callee, uint64_t weight)
{
	const struct gprofx_raw_costed_call call = {.caller = stackrun_place(test, profile, caller),
	                                            .callee = stackrun_place(test, profile, callee),
	                                            .count = 1};
	const struct stack_measure measure = {.name = "samples",
	                                      .kind = GPROFX_SAMPLED,
	                                      .rate = 1,
	                                      .dimension = "samples",
	                                      .weight = &weight,
	                                      .step = 1};

	assert_int_equal(
		stacks_add_calls(&test->run, &profile->stacks, &file, &call, 1, &measure, 1),
		GPROFX_OK);
}

/* Reads a file of two stacks; calls: and of a call of b by a. */
static void
read_file(struct testrun *test, struct profile *profile, const char *one, const char *other,
          uint32_t rate, bool has_calls)
{
	profile_begin_file(&test->run, profile, "stacks", 0, false);
	if (has_calls)
		add_call(test, profile, 'a', 'b', 100);
	assert_int_equal(stackrun_add(test, profile, one, 3, rate), GPROFX_OK);
	assert_int_equal(stackrun_add(test, profile, other, 5, rate), GPROFX_OK);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
}

static uint64_t
self_of(struct testrun *test, struct profile *profile, char letter)
{
	return stack_weights_self(&test->run,
	                          &profile->stacks)[stackrun_place(test, profile, letter)];
}

/* The stack of one frame is found among others, and again after a file with it was dropped. */
static void
test_stacks_of_one_frame(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct small_text text = {.length = 0};

	stackrun_read(test, profile, "abc 1 a 2 ab 4 c 8", 1);
	profile_begin_file(&test->run, profile, "bad", 0, false);
	assert_int_equal(stackrun_add(test, profile, "b", 9, 1), GPROFX_OK);
	assert_int_equal(stackrun_add(test, profile, "bc", 9, 1), GPROFX_OK);
	assert_int_equal(stackrun_add(test, profile, "a", 9, 1), GPROFX_OK);
	profile_drop_file(&test->run, profile);
	assert_int_equal(profile->stacks.count, 4);
	stackrun_read(test, profile, "c 16 bc 64 a 32 abc 128 b 256 b 512", 1);
	stackrun_list(profile, &text);
	assert_string_equal(text.bytes, "abc 129 a 34 ab 4 c 24 bc 64 b 768");
	assert_int_equal(profile->stacks.count, 6);
	/* Only those of several frames are in slots. */
	assert_int_equal(profile->stacks.in_slots, 3);
}

/* Those that a file has made itself need no entries, but if slices are kept. */
static void
test_own_stacks_need_no_entries(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct stacks *stacks = &profile->stacks;

	stackrun_read(test, profile, "a 1", 1);
	for (int i = 0; i < 2; i++) {
		profile_begin_file(&test->run, profile, "stacks", 0, false);
		stacks->keeps_slices = i == 1;
		assert_int_equal(stackrun_add(test, profile, "b", 2, 1), GPROFX_OK);
		assert_int_equal(stackrun_add(test, profile, "a", 4, 1), GPROFX_OK);
		assert_int_equal(stacks->entry_count, i == 0 ? 1 : 2);
		assert_int_equal(stacks->weighed, i == 0 ? 2 : 1);
		profile_drop_file(&test->run, profile);
		assert_int_equal(stacks->weighed, 1);
		assert_int_equal(stacks->weight[0], 1);
	}
}

/* Before a file is moved, what it has is in entries alone. */
static void
test_spilled(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct stacks *stacks = &profile->stacks;
	struct small_text text = {.length = 0};

	stackrun_read(test, profile, "a 1 ab 2", 1);
	profile_begin_file(&test->run, profile, "stacks", 0, false);
	assert_int_equal(stackrun_add(test, profile, "b", 4, 1), GPROFX_OK);
	assert_int_equal(stackrun_add(test, profile, "a", 8, 1), GPROFX_OK);
	assert_int_equal(stackrun_add(test, profile, "c", 16, 1), GPROFX_OK);
	stacks_move_file(&test->run, stacks, NULL, 0);
	assert_int_equal(stacks->weighed, 2);
	assert_int_equal(stacks->entry_count, 3);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	stackrun_list(profile, &text);
	assert_string_equal(text.bytes, "a 9 ab 2 b 4 c 16");
}

static void
test_all_files_have_calls(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	read_file(test, profile, "a", "b", 1, true);
	read_file(test, profile, "b", "ac", 1, true);
	assert_null(profile->stacks.costs.self);
	profile_finish(&test->run, profile);
	assert_null(profile->stacks.costs.self);
	assert_int_equal(self_of(test, profile, 'a'), 3);
	assert_int_equal(self_of(test, profile, 'b'), 8);
	assert_int_equal(self_of(test, profile, 'c'), 5);
}

/* What files without calls have is not below any call, whichever file comes first. */
static void
test_some_files_have_calls(void **state)
{
	for (int first = 0; first < 3; first++) {
		struct testrun *test = *state;
		struct profile *profile = profile_new(&test->run);

		for (int i = 0; i < 3; i++)
			read_file(test, profile, "a", i == 0 ? "b" : "c", 1, i != first);
		profile_finish(&test->run, profile);
		assert_int_equal(self_of(test, profile, 'a'), 6);
		assert_int_equal(self_of(test, profile, 'b'), first == 0 ? 0 : 5);
		assert_int_equal(self_of(test, profile, 'c'), first == 0 ? 10 : 5);
		assert_int_equal(profile->stacks.total, 24);
	}
}

/* Both are brought to the ticks of all files. */
static void
test_ticks_of_files_with_calls(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	read_file(test, profile, "a", "b", 1, true);
	read_file(test, profile, "b", "c", 3, false);
	read_file(test, profile, "c", "d", 1, true);
	assert_int_equal(profile->stacks.rate, 3);
	profile_finish(&test->run, profile);
	assert_int_equal(self_of(test, profile, 'a'), 9);
	assert_int_equal(self_of(test, profile, 'b'), 15);
	assert_int_equal(self_of(test, profile, 'c'), 9);
	assert_int_equal(self_of(test, profile, 'd'), 15);
	assert_int_equal(profile->stacks.weight[1], 18);
	assert_int_equal(profile->stacks.total, 9 + 15 + 3 + 5 + 9 + 15);
}

/*
 * Bytes of a large file do not stay in memory beside what was made of them: what is written to
 * them here is then gone.
 */
static void
test_bytes_are_let_go(void **state)
{
	enum { LENGTH = 1 << 16, ROWS = 1 << 12, TIMES = 33 };
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	char name[] = "/tmp/gprofx-weights-XXXXXX";
	int descriptor = mkstemp(name), error = 0;
	struct gprofx_file large = {.size = sizeof large, .name = name};
	struct gprofx_raw_stacks rows = {.size = sizeof rows,
	                                 .count = ROWS,
	                                 .rate = 1,
	                                 .dimension = "samples"};
	const struct mapped_file *mapped;
	uint32_t *first, *places;
	uint64_t *weight;

	assert_int_equal(ftruncate(descriptor, LENGTH), 0);
	assert_int_equal(write(descriptor, "text", 4), 4);
	assert_int_equal(close(descriptor), 0);
	mapped = mapfile_open(&test->run, name, 0, &error);
	assert_int_equal(unlink(name), 0);
	assert_non_null(mapped);
	large.bytes = mapped->bytes;
	large.length = mapped->length;
	memory_array(&test->run, first, ROWS + 1);
	memory_array(&test->run, places, ROWS);
	memory_array(&test->run, weight, ROWS);
	profile_begin_file(&test->run, profile, name, 0, false);
	for (uint32_t i = 0; i < ROWS; i++) {
		first[i + 1] = i + 1;
		places[i] = stackrun_place(test, profile, i % 2 == 0 ? 'a' : 'b');
		weight[i] = 1;
	}
	rows.first = first;
	rows.place = places;
	rows.weight = weight;
	mapped->bytes[0] = 'n';
	for (int i = 0; i < TIMES; i++) {
		assert_int_equal(mapped->bytes[0], i < TIMES - 1 ? 'n' : 't');
		assert_int_equal(profile->public.builder->stacks(&test->run.gx, &profile->public,
		                                                 &large, NULL, &rows),
		                 GPROFX_OK);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stacks_of_one_frame, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(test_own_stacks_need_no_entries, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(test_spilled, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_all_files_have_calls, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(test_some_files_have_calls, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(test_ticks_of_files_with_calls, testrun_begin,
	                                        testrun_end),
		cmocka_unit_test_setup_teardown(test_bytes_are_let_go, testrun_begin, testrun_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
