/* SPDX-License-Identifier: Apache-2.0 */
/* Spreading bins over functions. */
#include "testrun.h"

#include "graph/graph.h"

static const char *const names[] = {"a", "b", "c", "last"};

static struct graph *
credit(struct testrun *test, uint64_t low, uint64_t high, const uint8_t *bins, uint32_t count)
{
	const struct gprofx_file file = {.size = sizeof file, .name = "test.gmon"};
	const struct gprofx_histogram histogram = testrun_record(low, high, bins, count);
	struct symbols *symbols = testrun_symbols(test, names, 4);
	struct profile *profile = profile_new(&test->run);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));

	assert_int_equal(profile->public.builder->histogram(&test->run.gx, &profile->public, &file,
	                                                    &histogram),
	                 GPROFX_OK);
	profile_add_up(&test->run, profile);
	graph_credit_samples(&test->run, graph, profile);
	return graph;
}

static void
test_bins_inside_functions(void **state)
{
	const uint8_t bins[] = {1, 2, 3, 4};
	struct graph *graph = credit(*state, 0x1000, 0x1040, bins, 4);

	assert_true(graph->self[0] == 1);
	assert_true(graph->self[1] == 2);
	assert_true(graph->self[2] == 3);
	/* What is in the highest symbol counts in the total only. */
	assert_true(graph->self[3] == 0);
	assert_true(graph->flat_total == 10);
}

static void
test_bins_across_functions(void **state)
{
	const uint8_t bins[] = {8, 0};
	struct graph *graph = credit(*state, 0x1008, 0x1048, bins, 2);

	/* The first bin covers half of a, all of b, half of c. */
	assert_true(graph->self[0] == 2);
	assert_true(graph->self[1] == 4);
	assert_true(graph->self[2] == 2);
	assert_true(graph->flat_total == 8);
}

static void
test_bins_outside(void **state)
{
	const uint8_t bins[] = {5, 7};
	struct graph *graph = credit(*state, 0x100, 0x200, bins, 2);

	for (uint32_t f = 0; f < 4; f++)
		assert_true(graph->self[f] == 0);
	assert_true(graph->flat_total == 12);
}

static void
test_rejected_functions_leave_the_total(void **state)
{
	struct testrun *test = *state;
	const struct engine_symspec specs[] = {{ENGINE_FILTER_FLAT, true, "b"}};
	const uint8_t bins[] = {1, 2, 3, 0};
	struct graph *graph;

	test->settings.symspecs = specs;
	test->settings.symspec_count = 1;
	graph = credit(test, 0x1000, 0x1040, bins, 4);
	assert_true(graph->self[1] == 0);
	assert_true(graph->flat_total == 4);
}

/* Where a histogram starts among the functions is looked up: each start gives what the whole does.
 */
static void
test_every_begin(void **state)
{
	const uint8_t bins[] = {4, 4};

	for (uint64_t low = 0xff0; low < 0x1050; low += 2) {
		struct graph *graph = credit(*state, low, low + 8, bins, 2);
		double expected[4] = {0};

		for (uint64_t unit = low; unit < low + 8; unit += 2)
			if (unit >= 0x1000 && unit < 0x1030)
				expected[(unit - 0x1000) / 16] += 2;
		for (uint32_t f = 0; f < 4; f++)
			assert_true(graph->self[f] == expected[f]);
		run_finish(&((struct testrun *)*state)->run);
		run_start(&((struct testrun *)*state)->run, &((struct testrun *)*state)->settings,
		          &((struct testrun *)*state)->frontend);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_bins_inside_functions),
		TESTRUN(test_bins_across_functions),
		TESTRUN(test_bins_outside),
		TESTRUN(test_every_begin),
		TESTRUN(test_rejected_functions_leave_the_total),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
