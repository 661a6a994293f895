/* SPDX-License-Identifier: Apache-2.0 */
/* Which corrections a run makes: the defaults of its mode, and the switches of its settings. */
#include "testrun.h"

#include "corrections/corrections.h"

/* All rows as bits; each has one of its own, and a name that finds it. */
static uint64_t
all_bits(void)
{
	uint64_t all = 0;
	uint32_t count;
	const struct engine_correction *rows = engine_corrections(&count);

	assert_true(count > 40);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(rows[i].bit != 0 && (rows[i].bit & (rows[i].bit - 1)) == 0);
		assert_int_equal(all & rows[i].bit, 0);
		all |= rows[i].bit;
	}
	return all;
}

static void
test_names_find_their_rows(void **state)
{
	uint32_t count;
	const struct engine_correction *rows = engine_corrections(&count);

	(void)state;
	for (uint32_t i = 0; i < count; i++)
		assert_ptr_equal(engine_correction_by_name(rows[i].name), &rows[i]);
	assert_null(engine_correction_by_name("last-symbols"));
	assert_null(engine_correction_by_name(""));
	assert_int_equal(engine_correction_by_name("gaps")->bit, GPROFX_CORRECT_GAPS);
}

static void
test_defaults_and_switches(void **state)
{
	const uint64_t all = all_bits(), gaps = GPROFX_CORRECT_GAPS, clones = GPROFX_CORRECT_CLONES,
		       unknown = ~all;
	const struct {
		bool by_default;
		uint64_t on, off, expected;
	} cases[] = {
		{false, 0, 0, 0},       /* GNU mode */
		{true, 0, 0, all},      /* own mode: every row is a default */
		{false, gaps, 0, gaps}, /* one alone */
		{true, gaps, 0, all},   /* what is on stays on */
		{true, 0, gaps, all & ~gaps},
		{false, gaps, clones, gaps},
		{true, gaps, gaps, all & ~gaps}, /* off wins over on */
		{false, UINT64_MAX, clones, all & ~clones},
		{false, unknown, 0, 0}, /* bits of no row mean nothing */
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct engine_settings settings = {.correct_by_default = cases[i].by_default,
		                                         .corrections_on = cases[i].on,
		                                         .corrections_off = cases[i].off};

		if (engine_corrections_chosen(&settings) != cases[i].expected)
			fail_msg("case %zu", i);
	}
}

/* The report names what was corrected, in the order of the table. */
static void
test_names_of_a_run(void **state)
{
	struct testrun *test = *state;
	const char *const *names;
	uint32_t count = 7, all;
	const struct engine_correction *rows = engine_corrections(&all);

	test->settings.corrections_on = rows[0].bit | rows[2].bit | rows[all - 1].bit;
	corrections_choose(&test->run);
	names = corrections_names(&test->run, &count);
	assert_int_equal(count, 3);
	assert_string_equal(names[0], rows[0].name);
	assert_string_equal(names[1], rows[2].name);
	assert_string_equal(names[2], rows[all - 1].name);
	test->settings.corrections_on = 0;
	corrections_choose(&test->run);
	corrections_names(&test->run, &count);
	assert_int_equal(count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_names_find_their_rows),
		TESTRUN(test_defaults_and_switches),
		TESTRUN(test_names_of_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
