/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of stacks: figures by hand, sums against what the graph has measured, and deep stacks.
 */
#include "../stackrun.h"

#include "../contextrun.h"

#include "graph/graph.h"

static struct graph *
analyse(struct testrun *test, struct profile *profile)
{
	return stackrun_analyse(test, profile, symbols_without_image(&test->run));
}

static struct graph *
measure(struct testrun *test, const char *stacks)
{
	struct profile *profile = profile_new(&test->run);

	stackrun_read(test, profile, stacks, 1);
	return analyse(test, profile);
}

static void
expect(struct testrun *test, const char *stacks, const char *expected)
{
	struct graph *graph;
	const struct gprofx_report_contexts *contexts;

	testrun_again(test);
	graph = measure(test, stacks);
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS_MEASURED, 1);
	contextrun_expect(graph, contexts, 0, expected);
	assert_true(!contexts->is_estimated && contexts->bounds == 0 && contexts->cut[0] == 0);
	assert_int_equal(contexts->columns->total_origin, GPROFX_MEASURED);
	assert_true(contexts->columns->graph_total == graph->total);
	assert_null(contexts->place);
}

static void
test_by_hand(void **state)
{
	struct testrun *test = *state;

	expect(test, "m 1 ma 2 mab 3 mc 4", "m 1+9; 0>a 2+3; 1>b 3+0; 0>c 4+0");
	/* Recursion is a chain. */
	expect(test, "maaa 5 ma 1 mab 2", "m 0+8; 0>a 1+7; 1>a 0+5; 2>a 5+0; 1>b 2+0");
	/* So is a cycle, wherever it is entered. */
	expect(test, "mabab 4 mab 3 mba 2",
	       "m 0+9; 0>a 0+7; 1>b 3+4; 2>a 0+4; 3>b 4+0; 0>b 0+2; 5>a 2+0");
	/* Several outermost frames, and stacks of nobody. */
	expect(test, "a 1 b 2 - 4", "a 1+0; b 2+0; <outside any function> 4+0");
	/* What has no weight is no context. */
	expect(test, "ab 0 a 1 cd 0", "a 1+0");
	expect(test, "a 0", "");
}

static void
test_selection(void **state)
{
	const struct engine_symspec only_a[] = {{.filter = ENGINE_FILTER_TIME, .text = "a"}};
	const struct engine_symspec no_b[] = {
		{.filter = ENGINE_FILTER_TIME, .exclude = true, .text = "b"}};
	struct testrun *test = *state;

	test->settings.symspec_count = 1;
	test->settings.symspecs = only_a;
	expect(test, "m 1 mab 2 mb 4 ma 8 - 16", "m 0+10; 0>a 8+2; 1>b 2+0");
	test->settings.symspecs = no_b;
	expect(test, "m 1 mab 2 mb 4 mbc 8", "m 1+8; 0>b 0+8; 1>c 8+0");
}

/* Integers that doubles do not hold, in the order of the contexts. */
static void
expect_ticks(struct testrun *test, const char *stacks, uint32_t count, const uint64_t *ticks)
{
	const struct gprofx_report_contexts *contexts;

	testrun_again(test);
	contexts = contextrun_make(test, measure(test, stacks), 1, GPROFX_CONTEXTS_MEASURED, 1);
	assert_int_equal(contexts->count, count);
	assert_true((contexts->self_ticks != NULL) == (ticks != NULL));
	for (uint32_t i = 0; ticks && i < count; i++)
		assert_int_equal(contexts->self_ticks[i], ticks[i]);
}

static void
test_large_weights(void **state)
{
	const uint64_t odd[] = {1, 9007199254740993, 3};
	const uint64_t nobody[] = {9007199254740993, 2};
	const uint64_t most[] = {UINT64_MAX};
	const uint64_t selected[] = {0, 9007199254740993};
	const struct engine_symspec only_a[] = {{.filter = ENGINE_FILTER_TIME, .text = "a"}};
	struct testrun *test = *state;

	expect_ticks(test, "m 1 ma 9007199254740991", 2, NULL);
	expect_ticks(test, "m 1 ma 9007199254740992 mb 3 ma 1", 3, odd);
	expect_ticks(test, "a 9007199254740993 - 2", 2, nobody);
	expect_ticks(test, "a 18446744073709551615 a 7", 1, most);
	test->settings.symspec_count = 1;
	test->settings.symspecs = only_a;
	expect_ticks(test, "m 5 ma 9007199254740993 - 16", 2, selected);
}

/* Stacks "am", with "a" on a line each and inlined or not. */
static struct graph *
measure_lines(struct testrun *test)
{
	static const struct gprofx_raw_place rows[] = {
		{"m", "dir/m.c", 0, 0},
		{"a", "dir/m.c", 3, 0},
		{"a", "dir/m.c", 7, 0},
		{"a", "dir/m.c", 7, GPROFX_PLACE_INLINED},
	};
	static const uint32_t first[] = {0, 2, 4, 6, 7};
	static const uint64_t weight[] = {1, 2, 4, 8};
	struct profile *profile = profile_new(&test->run);
	uint32_t number[4], places[7];

	profile_begin_file(&test->run, profile, "stacks", 0, false);
	profile->public.builder->places(&test->run.gx, &profile->public, rows, 4, number);
	for (uint32_t i = 0; i < 7; i++)
		places[i] = number[i % 2 == 0 && i < 6 ? 1 + i / 2 : 0];
	stackrun_end_file(test, profile,
	                  (struct gprofx_raw_stacks){.count = 4,
	                                             .first = first,
	                                             .place = places,
	                                             .weight = weight});
	return analyse(test, profile);
}

static void
test_places(void **state)
{
	struct testrun *test = *state;
	struct graph *graph = measure_lines(test);
	const struct gprofx_report_contexts *contexts;

	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, 1);
	contextrun_expect(graph, contexts, 0, "m 8+7; 0>a 3+0; 0>a inlined 4+0");
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS_BY_PLACE, 1);
	contextrun_expect(graph, contexts, 0, "m 8+7; 0>a 1+0; 0>a 2+0; 0>a inlined 4+0");
	for (uint32_t i = 0; i < contexts->count; i++) {
		static const uint32_t line[] = {0, 3, 7, 7};
		uint32_t place = contexts->place[i];

		assert_true(place < contexts->place_count);
		assert_string_equal(contexts->place_file[place], "dir/m.c");
		assert_int_equal(contexts->place_line[place], line[i]);
		assert_int_equal(contexts->place_address[place], 0);
	}
}

/* Contexts add up to what each function has itself, and to what stacks that it is in have. */
static void
test_sums(void **state)
{
	enum { ROUNDS = 200, STACKS = 12, DEEP = 9, LETTERS = 5 };
	struct testrun *test = *state;
	uint64_t seed = 7;

	for (int round = 0; round < ROUNDS; round++) {
		struct small_text text = {.length = 0};
		const struct gprofx_report_contexts *contexts;
		struct graph *graph;

		testrun_again(test);
		for (uint32_t i = 0; i < STACKS; i++) {
			uint32_t depth = 1 + (uint32_t)(testrun_random(&seed) % DEEP);

			for (uint32_t k = 0; k < depth; k++)
				small_add(&text, "%c",
				          (char)('a' + testrun_random(&seed) % LETTERS));
			small_add(&text, " %u ", i + 1);
		}
		graph = measure(test, text.bytes);
		contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, 1);
		for (uint32_t f = 0; f < graph->function_count; f++) {
			double self = 0, whole = 0;

			for (uint32_t i = 0; i < contexts->count; i++) {
				uint32_t above = contexts->parent[i];

				if (contexts->node[i] != f)
					continue;
				self += gprofx_real(&contexts->columns->self, i);
				while (above != GPROFX_NO_CONTEXT && contexts->node[above] != f)
					above = contexts->parent[above];
				if (above == GPROFX_NO_CONTEXT)
					whole += contextrun_total(contexts, i);
			}
			assert_true(self == graph->self[f]);
			assert_true(whole == graph->self[f] + graph->below[f]);
		}
	}
}

/* A context for each of 100,000 frames; the bound on estimated ones is none of theirs. */
static void
test_deep(void **state)
{
	enum { DEEP = 100000 };
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_report_contexts *contexts;

	stackrun_read_deep(test, profile, DEEP, 3);
	contexts = contextrun_make(test, analyse(test, profile), 1, GPROFX_CONTEXTS, 1);
	assert_int_equal(contexts->count, DEEP);
	for (uint32_t i = 0; i < DEEP; i++)
		assert_true(contexts->parent[i] == i - 1 && contextrun_total(contexts, i) == 3);
	assert_true(gprofx_real(&contexts->columns->self, DEEP - 1) == 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_by_hand), TESTRUN(test_selection), TESTRUN(test_large_weights),
		TESTRUN(test_places),  TESTRUN(test_sums),      TESTRUN(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
