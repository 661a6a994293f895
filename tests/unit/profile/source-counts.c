/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of source lines and functions: paths, sums, order, what a refused file leaves behind. */
#include "testrun.h"

#include "profile/profile.h"
#include "profile/source-counts.h"

static void
expect_path(struct testrun *test, const char *folder, const char *path, const char *expected)
{
	assert_string_equal(source_counts_path(&test->run, folder, path), expected);
}

static void
test_paths_have_one_spelling(void **state)
{
	struct testrun *test = *state;

	expect_path(test, "/src", "a.c", "/src/a.c");
	expect_path(test, "/src/", "./a.c", "/src/a.c");
	expect_path(test, "/src", "/usr//include/./b.h", "/usr/include/b.h");
	expect_path(test, "/src/build", "../a.c", "/src/a.c");
	expect_path(test, "/src", "../../../a.c", "/a.c");
	expect_path(test, NULL, "../x/../../a.c", "../../a.c");
	expect_path(test, NULL, "x/y/../z/./", "x/z");
	expect_path(test, "", "a.c", "a.c");
	expect_path(test, "/", "..", "");
	expect_path(test, "/a", "b...c/..d", "/a/b...c/..d");
}

static void
add(struct testrun *test, struct profile *profile, const char *path,
    const struct gprofx_raw_line *lines, uint32_t line_count,
    const struct gprofx_raw_function *functions, uint32_t function_count)
{
	const struct gprofx_raw_source source = {
		.size = sizeof source,
		.path = path,
		.folder = "/src",
		.lines = lines,
		.line_count = line_count,
		.functions = functions,
		.function_count = function_count,
	};

	profile->public.builder->source(&test->run.gx, &profile->public, &source);
}

static void
test_rows_add_up_in_order(void **state)
{
	static const struct gprofx_raw_line first[] = {{9, 4}, {3, 1}, {9, 6}},
					    second[] = {{2, UINT64_MAX - 1}, {2, 5}};
	static const struct gprofx_raw_function functions[] = {{"g", 8, 9, 4}, {"f", 3, 5, 1}},
						again[] = {{"f", 2, 6, 2}};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	profile_begin_file(&test->run, profile, "one", 0, true);
	add(test, profile, "b.c", first, 3, functions, 2);
	add(test, profile, "a.c", second, 2, NULL, 0);
	add(test, profile, "x/../b.c", first, 1, again, 1);
	add(test, profile, "empty.c", NULL, 0, NULL, 0);
	profile_add_up(&test->run, profile);
	source_counts_finish(&test->run, profile);
	assert_int_equal(profile->source_file_count, 2);
	assert_string_equal(profile->source_files[0], "/src/a.c");
	assert_string_equal(profile->source_files[1], "/src/b.c");
	assert_int_equal(profile->source_count_count, 3);
	assert_int_equal(profile->source_counts[0].line, 2);
	assert_true(profile->source_counts[0].count == UINT64_MAX);
	assert_int_equal(profile->source_counts[1].file, 1);
	assert_int_equal(profile->source_counts[1].line, 3);
	assert_int_equal(profile->source_counts[2].count, 14);
	assert_int_equal(profile->source_function_count, 2);
	assert_string_equal(profile->source_names.items[profile->source_functions[0].name], "f");
	assert_int_equal(profile->source_functions[0].first_line, 2);
	assert_int_equal(profile->source_functions[0].last_line, 6);
	assert_int_equal(profile->source_functions[0].count, 3);
	assert_int_equal(profile->source_functions[1].count, 4);
	assert_int_equal(source_counts_file(&test->run, profile, "/src//./b.c"), 1);
	assert_int_equal(source_counts_file(&test->run, profile, "/src/empty.c"), NO_NAME);
}

static void
test_refused_files_leave_nothing(void **state)
{
	static const struct gprofx_raw_line lines[] = {{9, 4}, {3, 1}};
	static const struct gprofx_raw_function functions[] = {{"g", 8, 9, 4}};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	profile_begin_file(&test->run, profile, "one", 0, true);
	add(test, profile, "b.c", lines, 1, NULL, 0);
	profile_begin_file(&test->run, profile, "two", 0, true);
	add(test, profile, "a.c", lines, 2, functions, 1);
	profile_drop_file(&test->run, profile);
	assert_true(profile->has_source);
	source_counts_finish(&test->run, profile);
	assert_int_equal(profile->source_file_count, 1);
	assert_string_equal(profile->source_files[0], "/src/b.c");
	assert_int_equal(profile->source_count_count, 1);
	assert_int_equal(profile->source_function_count, 0);
}

/* Each file is found by its path, and what lies between them is not. */
static void
test_files_are_looked_up(void **state)
{
	static const struct gprofx_raw_line line[] = {{1, 1}};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	char path[] = "/src/a.c";

	profile_begin_file(&test->run, profile, "one", 0, true);
	for (char letter = 'b'; letter <= 'j'; letter = (char)(letter + 2)) {
		path[5] = letter;
		add(test, profile, path, line, 1, NULL, 0);
	}
	profile_add_up(&test->run, profile);
	source_counts_finish(&test->run, profile);
	for (uint32_t i = 0; i < 11; i++) {
		path[5] = (char)('a' + i);
		assert_int_equal(source_counts_file(&test->run, profile, path),
		                 i % 2 == 0 ? NO_NAME : i / 2);
	}
}

static void
test_many_repeated_rows_are_merged_early(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct gprofx_raw_line lines[1000];

	for (uint32_t i = 0; i < 1000; i++)
		lines[i] = (struct gprofx_raw_line){i + 1, i};
	for (uint32_t i = 0; i < 500; i++) {
		profile_begin_file(&test->run, profile, "one", 0, true);
		add(test, profile, "a.c", lines, 1000, NULL, 0);
		profile_add_up(&test->run, profile);
		assert_true(profile->source_count_count <= 70000);
	}
	source_counts_finish(&test->run, profile);
	assert_int_equal(profile->source_count_count, 1000);
	assert_int_equal(profile->source_counts[999].count, 999 * 500);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_paths_have_one_spelling),
		TESTRUN(test_rows_add_up_in_order),
		TESTRUN(test_refused_files_leave_nothing),
		TESTRUN(test_files_are_looked_up),
		TESTRUN(test_many_repeated_rows_are_merged_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
