/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined subroutines as contexts: of samples by their proportions, of stacks by their addresses.
 */
#include "../stackrun.h"

#include "../chainrun.h"
#include "../contextrun.h"

#include "graph/graph.h"

/* f from 0x1000 and g from 0x1010; s1 and s2 are inlined into f up to 0x1008, s2 into s1. */
static struct symbols *
symbols_of(struct testrun *test, bool is_nameless)
{
	static const char *const names[] = {"f", "g"};
	static const struct chain chain = {.depth = 2}, nameless = {.depth = 2, .odd_name = 77};
	struct symbols *symbols;

	testrun_again(test);
	symbols = testrun_symbols(test, names, 2);
	symbols->table.target.pointer_bytes = 8;
	chainrun_set(test, symbols, is_nameless ? &nameless : &chain);
	return symbols;
}

/* "f f.c:1; 0>s1 i.h:2": names and places of contexts. */
static void
expect_places(const struct graph *graph, const struct gprofx_report_contexts *contexts,
              const char *expected)
{
	struct small_text text = {.length = 0};

	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t place = contexts->place[i];
		bool is_known = place != GPROFX_NO_PLACE;
		const char *name = is_known ? contexts->place_name[place] : NULL;

		assert_true(!is_known || place < contexts->place_count);
		assert_true(!name == !(contexts->flags[i] & GPROFX_CONTEXT_INLINED));
		small_add(&text, "%s", i > 0 ? "; " : "");
		if (contexts->parent[i] != GPROFX_NO_CONTEXT)
			small_add(&text, "%u>", contexts->parent[i]);
		small_add(&text, "%s", name ? name : graph->symbols->name[contexts->node[i]]);
		if (is_known && contexts->place_file[place])
			small_add(&text, " %s:%u", contexts->place_file[place],
			          contexts->place_line[place]);
		if (is_known && contexts->place_address[place] != 0)
			small_add(&text, " %llx",
			          (unsigned long long)contexts->place_address[place]);
	}
	small_expect("places", expected, &text);
}

/* "f.c:1; -": where most samples of contexts are. */
static void
expect_hottest(const struct gprofx_report_contexts *contexts, const char *expected)
{
	struct small_text text = {.length = 0};

	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t place = contexts->hottest[i];

		small_add(&text, "%s", i > 0 ? "; " : "");
		if (place == GPROFX_NO_PLACE) {
			small_add(&text, "-");
			continue;
		}
		assert_true(place < contexts->place_count && !contexts->place_name[place]);
		small_add(&text, "%s:%u", contexts->place_file[place], contexts->place_line[place]);
	}
	small_expect("hottest", expected, &text);
}

static void
test_samples(void **state)
{
	static const uint8_t bins[16] = {[1] = 3, [2] = 2, [5] = 4, [10] = 6};
	static const struct gprofx_file file = {.size = sizeof file, .name = "samples"};
	const struct gprofx_histogram record = testrun_record(0x1000, 0x1020, bins, 16);
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, false);
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_report_contexts *contexts;
	struct graph *graph;

	test->run.corrections = GPROFX_CORRECT_EXACT_BINS | GPROFX_CORRECT_LAST_SYMBOL;
	assert_int_equal(
		profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &record),
		GPROFX_OK);
	profile_add_up(&test->run, profile);
	graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	graph_credit_samples(&test->run, graph, profile);
	assert_true(graph->self[0] == 9 && graph->self[1] == 6);
	contexts = contextrun_make_with(test, graph, profile, 1, GPROFX_CONTEXTS_INLINED, 100);
	contextrun_expect(graph, contexts, 0, "f 4+5; g 6+0; 0>f inlined 0+5; 2>f inlined 5+0");
	expect_places(graph, contexts, "f; g; 0>s1; 2>s2");
	assert_null(contexts->hottest);
	contexts = contextrun_make_with(test, graph, profile, 1,
	                                GPROFX_CONTEXTS_INLINED | GPROFX_CONTEXTS_HOTTEST, 100);
	contextrun_expect(graph, contexts, 0, "f 4+5; g 6+0; 0>f inlined 0+5; 2>f inlined 5+0");
	expect_hottest(contexts, "f.c:7; f.c:7; -; i.h:99");
	/* Lines are known of what is looked into. */
	contexts = contextrun_make_with(test, graph, profile, 1,
	                                GPROFX_CONTEXTS | GPROFX_CONTEXTS_HOTTEST, 100);
	assert_null(contexts->hottest);
	/* Who does not ask for that has functions alone. */
	contexts = contextrun_make_with(test, graph, profile, 1, GPROFX_CONTEXTS, 100);
	contextrun_expect(graph, contexts, 0, "f 9+0; g 6+0");
	assert_null(contexts->place);
	/* The proportions are those of the samples, whatever is selected of the time. */
	graph->self[0] = 90;
	contexts = contextrun_make_with(test, graph, profile, 1, GPROFX_CONTEXTS_INLINED, 100);
	contextrun_expect(graph, contexts, 0, "f 40+50; 0>f inlined 0+50; 1>f inlined 50+0; g 6+0");
}

static void
test_stacks(void **state)
{
	/* g below s2, and below f itself; s2 by itself, from two addresses; and nothing known. */
	static const uint64_t address[] = {0x1014, 0x1002, 0x1014, 0x100c, 0x1002, 0x1004, 0x10};
	static const uint32_t first[] = {0, 2, 4, 5, 6, 7};
	static const uint64_t weight[] = {1, 2, 4, 8, 16};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, false);
	struct profile *profile = profile_new(&test->run);
	struct graph *graph;
	const struct gprofx_report_contexts *contexts;

	profile_begin_file(&test->run, profile, "stacks", 0, false);
	stackrun_end_file(test, profile,
	                  (struct gprofx_raw_stacks){.count = 5,
	                                             .first = first,
	                                             .address = address,
	                                             .weight = weight});
	graph = stackrun_analyse(test, profile, symbols);
	contexts = contextrun_make_with(test, graph, profile, 1, GPROFX_CONTEXTS_INLINED, 100);
	contextrun_expect(graph, contexts, 0,
	                  "f 0+15; 0>f inlined 0+13; 1>f inlined 12+1; 2>g 1+0; 0>g 2+0; "
	                  "<outside> 16+0");
	expect_places(graph, contexts, "f; 0>s1; 1>s2; 2>g; 0>g; <outside>");
	contexts = contextrun_make_with(test, graph, profile, 1,
	                                GPROFX_CONTEXTS_INLINED | GPROFX_CONTEXTS_HOTTEST, 100);
	expect_hottest(contexts, "-; -; i.h:99; f.c:7; f.c:7; -");
	contexts = contextrun_make_with(test, graph, profile, 1, GPROFX_CONTEXTS_BY_PLACE, 100);
	expect_places(graph, contexts,
	              "f f.c:1 1002; 0>g f.c:7 1014; f f.c:7 100c; 2>g f.c:7 1014; "
	              "f f.c:1 1004; <outside> 10");
	contexts = contextrun_make_with(test, graph, profile, 1,
	                                GPROFX_CONTEXTS_BY_PLACE | GPROFX_CONTEXTS_INLINED, 100);
	expect_places(graph, contexts,
	              "f f.c:1 1002; 0>s1 i.h:2 1002; 1>s2 i.h:99 1002; 2>g f.c:7 1014; "
	              "f f.c:7 100c; 4>g f.c:7 1014; f f.c:1 1004; 6>s1 i.h:2 1004; "
	              "7>s2 i.h:99 1004; <outside> 10");
}

/* Debug information may have no name for a subroutine. */
static void
test_nameless(void **state)
{
	static const uint64_t address[] = {0x1002}, weight[] = {3};
	static const uint32_t first[] = {0, 1};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, true);
	struct profile *profile = profile_new(&test->run);
	struct graph *graph;

	profile_begin_file(&test->run, profile, "stacks", 0, false);
	stackrun_end_file(test, profile,
	                  (struct gprofx_raw_stacks){.count = 1,
	                                             .first = first,
	                                             .address = address,
	                                             .weight = weight});
	graph = stackrun_analyse(test, profile, symbols);
	expect_places(graph,
	              contextrun_make_with(test, graph, profile, 1, GPROFX_CONTEXTS_INLINED, 1),
	              "f; 0>s1; 1>?");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_samples), TESTRUN(test_stacks),
	                                   TESTRUN(test_nameless)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
