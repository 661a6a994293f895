/* SPDX-License-Identifier: Apache-2.0 */
/* Names with what reports add to them. */
#include "testrun.h"

#include "select/pasted.h"

/* Expects these parts; a place of NULL is none, as is an address of 0. */
static void
expect(struct testrun *test, const char *text, const char *name, const char *place, uint32_t line,
       uint64_t address)
{
	struct pasted pasted;

	assert_true(pasted_parse(&test->run, text, &pasted));
	assert_string_equal(pasted.name, name);
	assert_int_equal(pasted.place != NULL, place != NULL);
	if (place)
		assert_string_equal(pasted.place, place);
	assert_int_equal(pasted.line, line);
	assert_int_equal(pasted.has_address, address != 0);
	assert_int_equal(pasted.address, address);
}

static void
test_what_is_taken_off(void **state)
{
	struct testrun *test = *state;

	expect(test, "f [12]", "f", NULL, 0, 0);
	expect(test, "f (12)", "f", NULL, 0, 0);
	expect(test, "f <cycle 3> [12]", "f", NULL, 0, 0);
	expect(test, "[12]", "", NULL, 0, 0);
	expect(test, "<cycle 3>", "", NULL, 0, 0);
	expect(test, "f (a.c)", "f", "a.c", 0, 0);
	expect(test, "f (a.c:7)", "f", "a.c", 7, 0);
	expect(test, "f (src/a.c:7 @ 4f0) [2]", "f", "src/a.c", 7, 0x4f0);
	expect(test, "f(int, char) (a.c)", "f(int, char)", "a.c", 0, 0);
	expect(test, "f (a.c:3 @ 10) inlined into g (a.c:9)", "f", "a.c", 3, 0x10);
	expect(test, "f [a.c]", "f", "a.c", 0, 0);
	expect(test, "f [0x4f0]", "f", NULL, 0, 0x4f0);
	expect(test, "f:0x4f0", "f", NULL, 0, 0x4f0);
	expect(test, "f [a.c] [0x4f0]", "f", "a.c", 0, 0x4f0);
}

static void
test_object_behind_place(void **state)
{
	struct testrun *test = *state;
	struct pasted pasted;

	assert_true(pasted_parse(&test->run, "f (a.c:3 @ 10) (liba.so)", &pasted));
	assert_string_equal(pasted.name, "f");
	assert_string_equal(pasted.place, "a.c");
	assert_string_equal(pasted.object, "liba.so");
	assert_int_equal(pasted.line, 3);
	assert_true(pasted.is_line);
}

static void
test_what_belongs_to_names(void **state)
{
	static const char *const texts[] = {"f",
	                                    "f(int)",
	                                    "operator new[]",
	                                    "f[abi:cxx11]",
	                                    "f [clone .isra.0]",
	                                    "main [omp 0]",
	                                    "A::operator()",
	                                    "f [x]",
	                                    "(a.c)",
	                                    "f [",
	                                    "f ()",
	                                    "f (a @ x)",
	                                    "f:0x",
	                                    "f:0x12x",
	                                    ":0x12",
	                                    "",
	                                    ")",
	                                    "]",
	                                    ">",
	                                    "f ] [",
	                                    " inlined into g"};
	struct testrun *test = *state;
	struct pasted pasted;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		assert_false(pasted_parse(&test->run, texts[i], &pasted));
		assert_string_equal(pasted.name, texts[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_what_is_taken_off),
		TESTRUN(test_object_behind_place),
		TESTRUN(test_what_belongs_to_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
