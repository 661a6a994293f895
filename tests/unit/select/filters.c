/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of ranges: which symbols and arcs they select. */
#include "testrun.h"

#include "select/filters.h"

static const char *const names[] = {"f1", "f2", "f3", "g1", "g2"};
enum { F1, F2, F3, G1, G2, COUNT };

static struct filters *
resolve(struct testrun *test, const struct engine_symspec *specs, uint32_t count,
        struct symbols **symbols)
{
	*symbols = testrun_symbols(test, names, COUNT);
	test->settings.symspecs = specs;
	test->settings.symspec_count = count;
	return filters_resolve(&test->run, *symbols);
}

static void
test_include_wins_over_exclude(void **state)
{
	const struct engine_symspec specs[] = {
		{ENGINE_FILTER_FLAT, false, "f2"},     {ENGINE_FILTER_FLAT, true, "f2"},
		{ENGINE_FILTER_FLAT, true, "f3"},      {ENGINE_FILTER_GRAPH, true, "g1"},
		{ENGINE_FILTER_TIME, false, "nosuch"},
	};
	struct symbols *symbols;
	struct filters *filters = resolve(*state, specs, 5, &symbols);

	for (uint32_t i = 0; i < COUNT; i++) {
		assert_int_equal(filter_selects(filters, ENGINE_FILTER_FLAT, i), i == F2);
		assert_int_equal(filter_removes(filters, ENGINE_FILTER_FLAT, i), i == F3);
		assert_int_equal(filter_selects(filters, ENGINE_FILTER_GRAPH, i), i != G1);
		/* An include list that matches nothing is no include list. */
		assert_true(filter_selects(filters, ENGINE_FILTER_TIME, i));
	}
}

static void
test_everything_is_one_range(void **state)
{
	const struct engine_symspec specs[] = {
		{ENGINE_FILTER_FLAT, false, ":"},
		{ENGINE_FILTER_FLAT, false, "f3"},
	};
	struct symbols *symbols;
	struct filters *filters = resolve(*state, specs, 2, &symbols);

	/* From f3 on its own, shorter range has the greatest start. */
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(filter_selects(filters, ENGINE_FILTER_FLAT, i), i <= F3);
}

static void
test_last_of_one_caller_counts(void **state)
{
	const struct engine_symspec specs[] = {
		{ENGINE_FILTER_ARCS, true, "f1/f2"}, {ENGINE_FILTER_ARCS, true, "f1/f3"},
		{ENGINE_FILTER_ARCS, true, "/g2"},   {ENGINE_FILTER_ARCS, true, "g1/"},
		{ENGINE_FILTER_ARCS, true, "f2"},
	};
	struct symbols *symbols;
	struct filters *filters = resolve(*state, specs, 2, &symbols);

	assert_true(filter_keeps_arc(filters, symbols, F1, F2));
	assert_false(filter_keeps_arc(filters, symbols, F1, F3));
	filters = resolve(*state, specs + 2, 3, &symbols);
	assert_false(filter_keeps_arc(filters, symbols, F1, G2));
	assert_false(filter_keeps_arc(filters, symbols, G2, G2));
	assert_false(filter_keeps_arc(filters, symbols, G1, F1));
	assert_true(filter_keeps_arc(filters, symbols, F2, F3));
}

static void
test_included_arcs(void **state)
{
	const struct engine_symspec specs[] = {{ENGINE_FILTER_ARCS, false, "f1/f2"}};
	struct symbols *symbols;
	struct filters *filters = resolve(*state, specs, 1, &symbols);

	for (uint32_t caller = 0; caller < COUNT; caller++)
		for (uint32_t callee = 0; callee < COUNT; callee++)
			assert_int_equal(filter_keeps_arc(filters, symbols, caller, callee),
			                 caller == F1 && callee == F2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_include_wins_over_exclude),
		TESTRUN(test_everything_is_one_range),
		TESTRUN(test_last_of_one_caller_counts),
		TESTRUN(test_included_arcs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
