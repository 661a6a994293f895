/* SPDX-License-Identifier: Apache-2.0 */
/* Measured times against figures by hand, and against counting in each stack by itself. */
#include "../stackrun.h"

#include "graph/graph.h"

static struct graph *
measure(struct testrun *test, const char *text)
{
	struct profile *profile = profile_new(&test->run);

	stackrun_read(test, profile, text, 1);
	return stackrun_analyse(test, profile, symbols_without_image(&test->run));
}

/* "a 1+2 b 3+0 | a>b 3+0": what is selected of functions, then of arcs by caller. */
static void
expect(void **state, const struct engine_symspec *specs, uint32_t spec_count, const char *stacks,
       const char *expected)
{
	struct testrun *test = *state;
	struct small_text text = {.length = 0};
	struct graph *graph;

	test->settings.symspecs = specs;
	test->settings.symspec_count = spec_count;
	graph = measure(test, stacks);
	for (uint32_t f = 0; f < graph->function_count; f++)
		small_add(&text, "%s%s %g+%g", f > 0 ? " " : "", graph->symbols->name[f],
		          graph->visible_self[f], graph->visible_below[f]);
	for (uint32_t i = 0; i < graph->arc_count; i++)
		small_add(&text, " | %s>%s %g+%g", graph->symbols->name[graph->arcs[i].caller],
		          graph->symbols->name[graph->arcs[i].callee], graph->arcs[i].self,
		          graph->arcs[i].below);
	assert_string_equal(text.bytes, expected);
}

static void
test_by_hand(void **state)
{
	static const struct {
		const char *stacks, *expected;
	} cases[] = {
		{"m 1 ma 2 mab 3 mc 4", "m 1+9 a 2+3 b 3+0 c 4+0 | m>a 2+3 | m>c 4+0 | a>b 3+0"},
		/* Recursion: each stack counts once, however often the function is in it. */
		{"maaa 5 ma 1 mab 2", "m 0+8 a 6+2 b 2+0 | m>a 1+7 | a>a 5+0 | a>b 2+0"},
		/* A cycle: its functions have their own times, which overlap. */
		{"mabab 4 mab 3 mba 2",
	         "m 0+9 a 2+7 b 7+2 | m>a 0+7 | m>b 0+2 | a>b 7+0 | b>a 2+4"},
		/* Several outermost frames, and stacks of nobody. */
		{"a 1 b 2 - 4", "a 1+0 b 2+0 <outside any function> 4+0"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect(state, NULL, 0, cases[i].stacks, cases[i].expected);
}

static void
test_selection(void **state)
{
	const struct engine_symspec only_a[] = {{.filter = ENGINE_FILTER_TIME, .text = "a"}};
	const struct engine_symspec no_b[] = {
		{.filter = ENGINE_FILTER_TIME, .exclude = true, .text = "b"}};

	/* What counts is below a, wherever that is. */
	expect(state, only_a, 1, "m 1 mab 2 mb 4 ma 8",
	       "m 0+10 a 8+2 b 2+0 | m>a 8+2 | m>b 0+0 | a>b 2+0");
	/* The time of b itself does not. */
	expect(state, no_b, 1, "m 1 mab 2 mb 4 mbc 8",
	       "m 1+8 a 0+0 b 0+8 c 8+0 | m>a 0+0 | m>b 0+8 | a>b 0+0 | b>c 8+0");
}

/* The same by looking at each stack. */
static void
test_against_counting(void **state)
{
	enum { ROUNDS = 200, STACKS = 12, DEEP = 9, LETTERS = 5 };
	struct testrun *test = *state;
	unsigned seed = 7;

	for (int round = 0; round < ROUNDS; round++) {
		char frames[STACKS][DEEP + 1];
		double self[LETTERS] = {0}, whole[LETTERS] = {0};
		struct small_text text = {.length = 0};
		struct graph *graph;

		for (uint32_t i = 0; i < STACKS; i++) {
			uint32_t depth = 1 + (seed >> 16) % DEEP;
			bool is_in[LETTERS] = {false};

			for (uint32_t k = 0; k < depth; k++) {
				seed = seed * 1103515245 + 12345;
				frames[i][k] = (char)('a' + (seed >> 16) % LETTERS);
				is_in[frames[i][k] - 'a'] = true;
			}
			frames[i][depth] = '\0';
			small_add(&text, "%s %u ", frames[i], i + 1);
			self[frames[i][depth - 1] - 'a'] += i + 1;
			for (uint32_t k = 0; k < LETTERS; k++)
				whole[k] += is_in[k] ? i + 1 : 0;
		}
		graph = measure(test, text.bytes);
		for (uint32_t f = 0; f < graph->function_count; f++) {
			uint32_t letter = (uint32_t)(graph->symbols->name[f][0] - 'a');

			assert_true(graph->self[f] == self[letter]);
			assert_true(graph->self[f] + graph->below[f] == whole[letter]);
		}
		for (uint32_t a = 0; a < graph->arc_count; a++) {
			const struct graph_arc *arc = &graph->arcs[a];
			const char pair[] = {graph->symbols->name[arc->caller][0],
			                     graph->symbols->name[arc->callee][0], '\0'};
			double total = 0;

			for (uint32_t i = 0; i < STACKS; i++)
				total += strstr(frames[i], pair) ? i + 1 : 0;
			assert_true(arc->self + arc->below == total);
		}
		testrun_again(test);
	}
}

/* A frame that no function is at has a row though it is never innermost, and calls others. */
static void
test_outside(void **state)
{
	static const char *const names[] = {"a", "b"};
	static const uint64_t address[] = {0x1010, 0x10, 0x1004, 0x10};
	static const uint32_t first[] = {0, 2, 4};
	static const uint64_t weight[] = {3, 5};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 2);
	struct profile *profile = profile_new(&test->run);
	struct graph *graph;

	symbols->image.name = "program";
	profile_begin_file(&test->run, profile, "stacks", 0, false);
	stackrun_end_file(test, profile,
	                  (struct gprofx_raw_stacks){.count = 2,
	                                             .first = first,
	                                             .address = address,
	                                             .weight = weight});
	graph = stackrun_analyse(test, profile, symbols);
	assert_int_equal(graph->node_count, 3);
	assert_true(graph->has_outside);
	assert_true(graph->self[2] == 0 && graph->below[2] == 8 && graph->visible_below[2] == 8);
	assert_true(graph->self[0] == 5 && graph->self[1] == 3);
	assert_int_equal(graph->arc_count, 2);
	assert_true(graph->arcs[0].caller == 2 && graph->arcs[0].self + graph->arcs[1].self == 8);
}

/* A stack of 100,000 frames takes no more of the machine's own stack than a short one. */
static void
test_deep(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct graph *graph;

	stackrun_read_deep(test, profile, 100000, 3);
	graph = stackrun_analyse(test, profile, symbols_without_image(&test->run));
	assert_true(graph->self[0] == 3 && graph->below[0] == 0);
	assert_true(graph->self[1] == 0 && graph->below[1] == 3);
	assert_true(graph->total == 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_by_hand, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_selection, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_against_counting, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_outside, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_deep, testrun_begin, testrun_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
