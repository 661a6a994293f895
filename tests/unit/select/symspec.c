/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of symspecs. */
#include "testrun.h"

#include "select/symspec.h"

static void
expect(struct testrun *test, const char *text, const char *file, const char *name, uint32_t line)
{
	struct symspec left, right;

	assert_false(symspec_parse(&test->run, text, &left, &right));
	assert_int_equal(left.file != NULL, file != NULL);
	assert_int_equal(left.name != NULL, name != NULL);
	if (file)
		assert_string_equal(left.file, file);
	if (name)
		assert_string_equal(left.name, name);
	assert_int_equal(left.line, line);
}

static void
test_forms(void **state)
{
	struct testrun *test = *state;

	expect(test, "foo", NULL, "foo", 0);
	expect(test, "a.c", "a.c", NULL, 0);
	expect(test, "17", NULL, NULL, 17);
	expect(test, "a.c:17", "a.c", NULL, 17);
	expect(test, "a.c:17x", "a.c", NULL, 17);
	expect(test, "a.c:foo", "a.c", "foo", 0);
	expect(test, ":f.part.0", NULL, "f.part.0", 0);
	expect(test, "odd:", "odd", NULL, 0);
	expect(test, "a:b:c", "a:b", "c", 0);
	expect(test, "", NULL, NULL, 0);
	expect(test, ":", NULL, NULL, 0);
	expect(test, ":0", NULL, NULL, 0);
}

static void
test_pairs(void **state)
{
	struct testrun *test = *state;
	struct symspec left, right;

	assert_true(symspec_parse(&test->run, "a/b", &left, &right));
	assert_string_equal(left.name, "a");
	assert_string_equal(right.name, "b");
	assert_true(symspec_parse(&test->run, "/", &left, &right));
	assert_null(left.name);
	assert_null(right.name);
	/* The first slash parts the halves. */
	assert_true(symspec_parse(&test->run, "src/x.c/f", &left, &right));
	assert_string_equal(left.name, "src");
	assert_string_equal(right.file, "x.c/f");
}

static void
expect_one(struct testrun *test, const char *text, const char *file, const char *name,
           uint32_t line)
{
	struct symspec spec = symspec_parse_one(&test->run, text);

	assert_string_equal(spec.file ? spec.file : "", file);
	assert_string_equal(spec.name ? spec.name : "", name);
	assert_int_equal(spec.line, line);
}

static void
test_names_of_files_with_folders(void **state)
{
	struct testrun *test = *state;

	expect_one(test, "src/x.c:f", "src/x.c", "f", 0);
	expect_one(test, "src/x.c:12", "src/x.c", "", 12);
	expect_one(test, "src/x.c", "src/x.c", "", 0);
	expect_one(test, "src/x", "src/x", "", 0);
	expect_one(test, "x", "", "x", 0);
	expect_one(test, "12/x", "", "", 12);
}

static void
test_shown_names(void **state)
{
	struct testrun *test = *state;

	test->settings.tells_unmatched = true;
	expect_one(test, "a::b<1>::f", "", "a::b<1>::f", 0);
	expect_one(test, "a::operator/", "", "a::operator/", 0);
	expect_one(test, ":f[abi:cxx11].cold", "", "f[abi:cxx11].cold", 0);
	expect_one(test, "::f", "", "::f", 0);
	expect_one(test, ":f.part.0", "", "f.part.0", 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_forms), TESTRUN(test_pairs),
	                                   TESTRUN(test_names_of_files_with_folders),
	                                   TESTRUN(test_shown_names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
