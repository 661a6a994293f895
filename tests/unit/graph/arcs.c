/* SPDX-License-Identifier: Apache-2.0 */
/* Between which functions calls are, by clones and untyped symbols; lines that call; basic blocks.
 */
#include "smallrun.h"

#include "graph/arcs.h"

/* Who calls whom: the functions that stand for the symbols at two addresses. */
static void
expect_between(const struct arc_rules *rules, char caller, char callee, const char *expected)
{
	const struct symbols *symbols = rules->symbols;
	/* 0x10 lies in no symbol. */
	struct gprofx_raw_arc arc = {caller < 'a' ? 0x10 : symbols->address[caller - 'a'] + 4,
	                             callee < 'a' ? 0x10 : symbols->address[callee - 'a'] + 4, 1};
	struct small_text found = {.length = 0};
	uint32_t from, to;

	arcs_resolve(rules, &arc, caller != '?', &from, &to);
	small_add(&found, "%c>%c: ", caller, callee);
	if (to != NO_SYMBOL)
		small_add(&found, "%s>%s", symbols->name[from], symbols->name[to]);
	small_expect("arc", expected, &found);
}

static void
test_plain_arcs(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abcd");
	struct arc_rules rules = arcs_rules(&test->run, symbols);

	assert_null(rules.function_of);
	expect_between(&rules, 'a', 'b', "a>b: a>b");
	expect_between(&rules, 'd', 'a', "d>a: d>a");
	/* Who calls from below all functions is nobody; nobody is called there. */
	expect_between(&rules, '-', 'b', "->b: ");
	expect_between(&rules, 'a', '-', "a>-: ");
	expect_between(&rules, '?', 'b', "?>b: <outside>>b");
}

/* c is a clone of a and d a fragment of it: both stand for a; only a enters d. */
static void
test_clones(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abcde");
	uint32_t owner[5 + SYMBOL_MORE_ROWS] = {0, 1, 0, 0, 1, 5, 6};
	struct arc_rules rules = arcs_rules(&test->run, symbols);

	symbols->owner = owner;
	symbols->flags[2] |= SYMBOL_FOLDED;
	symbols->flags[3] |= SYMBOL_FOLDED | SYMBOL_FRAGMENT;
	expect_between(&rules, 'b', 'c', "b>c: b>a");
	expect_between(&rules, 'c', 'b', "c>b: a>b");
	/* A clone is called; where the function goes on in its fragment, there is no call. */
	expect_between(&rules, 'a', 'c', "a>c: a>a");
	expect_between(&rules, 'a', 'd', "a>d: ");
	expect_between(&rules, 'c', 'd', "c>d: ");
	/* From elsewhere, as from the fragment itself, it is one. */
	expect_between(&rules, 'b', 'd', "b>d: b>a");
	expect_between(&rules, 'd', 'd', "d>d: a>a");
	expect_between(&rules, '?', 'd', "?>d: <outside>>a");
	expect_between(&rules, '-', 'd', "->d: ");
}

/* gprof takes calls of symbols without a type for calls of the typed one before. */
static void
test_untyped_callees(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abcd");
	struct arc_rules rules;

	symbols->flags[0] = symbols->flags[2] = symbols->flags[3] = 0;
	rules = arcs_rules(&test->run, symbols);
	expect_between(&rules, 'a', 'b', "a>b: a>b");
	expect_between(&rules, 'b', 'c', "b>c: b>b");
	expect_between(&rules, 'b', 'd', "b>d: b>b");
	/* Before a there is none. */
	expect_between(&rules, 'b', 'a', "b>a: ");
	test->run.corrections = GPROFX_CORRECT_UNTYPED_CALLEES;
	rules = arcs_rules(&test->run, symbols);
	assert_null(rules.function_of);
	expect_between(&rules, 'b', 'c', "b>c: b>c");
	/* Lines are never called. */
	symbols->flags[2] = SYMBOL_LINE;
	rules = arcs_rules(&test->run, symbols);
	expect_between(&rules, 'a', 'c', "a>c: a>b");
	expect_between(&rules, 'a', 'd', "a>d: a>d");
	/* One symbol without a type is enough. */
	test->run.corrections = 0;
	symbols->flags[0] = 0;
	symbols->flags[2] = symbols->flags[3] = GPROFX_SYMBOL_FUNCTION;
	rules = arcs_rules(&test->run, symbols);
	expect_between(&rules, 'b', 'a', "b>a: ");
	expect_between(&rules, 'a', 'd', "a>d: a>d");
}

/* Where a has the lines b and c, and d the line e: each line's calls, for each arc. */
static void
add_sites(struct small_text *text, const struct graph *graph)
{
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		small_add(text, "%s%s>%s", i > 0 ? "; " : "",
		          graph->symbols->name[graph->arcs[i].caller],
		          graph->symbols->name[graph->arcs[i].callee]);
		for (uint32_t k = graph->site_first[i]; k < graph->site_first[i + 1]; k++)
			small_add(text, " %s %llu", graph->symbols->name[graph->sites[k].node],
			          (unsigned long long)graph->sites[k].calls);
	}
}

static void
test_lines_that_call(void **state)
{
	static const struct small_program program = {
		.functions = "abcdef",
		.calls = "c>f 2 b>d 1 e>f 3 b>f 4 c>f 5 a>f 6 d>e 7 ?>f 9"};
	uint32_t whole[6 + SYMBOL_MORE_ROWS] = {0, 0, 0, 3, 3, 5, 6, 7};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, program.functions);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	struct profile *profile = profile_new(&test->run);
	struct small_text found = {.length = 0}, all = {.length = 0};
	struct static_calls calls = {.count = 5};

	symbols->whole = whole;
	symbols->flags[1] = symbols->flags[2] = symbols->flags[4] = SYMBOL_LINE;
	small_add_calls(test, profile, symbols, &program);
	graph->wants_order = true;
	graph_add_arcs(&test->run, graph, profile);
	/* What is called in a line's code is called in its function: d>e is d by itself. */
	add_sites(&found, graph);
	small_expect("recorded", "a>f a 6 b 4 c 7; a>d b 1; d>f e 3; d>d d 7; <outside>>f", &found);
	assert_int_equal(graph->calls[5], 2 + 3 + 4 + 5 + 6 + 9);

	/* Calls in the code: a's lines call d, f and a itself, d's e calls f again, f calls f. */
	calls.items = memory_alloc(&test->run, 5 * sizeof *calls.items);
	calls.items[0] = (struct static_call){2, 3, 2, GPROFX_STATIC_CALL};
	calls.items[1] = (struct static_call){0, 5, 1, GPROFX_STATIC_CALL};
	calls.items[2] = (struct static_call){0, 0, 2, GPROFX_STATIC_CALL};
	calls.items[3] = (struct static_call){5, 5, 5, GPROFX_STATIC_TAIL};
	calls.items[4] = (struct static_call){0, 0, 1, GPROFX_STATIC_TAIL};
	graph_add_static_calls(&test->run, graph, &calls);
	add_sites(&all, graph);
	small_expect("with calls in the code",
	             "a>f a 6 b 4 c 7; a>d b 1; a>a b 0 c 0; d>f e 3; d>d d 7; f>f f 0; "
	             "<outside>>f",
	             &all);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct graph_arc *arc = &graph->arcs[i];
		bool is_new = arc->caller == arc->callee && arc->caller != 3;

		assert_int_equal(graph->found[i] != 0, is_new);
		if (is_new)
			assert_int_equal(graph->found[i],
			                 arc->caller == 0 ? GPROFX_STATIC_CALL | GPROFX_STATIC_TAIL
			                                  : GPROFX_STATIC_TAIL);
	}
}

/* Calls that nobody knows the caller of are in no line, also where a has lines. */
static void
test_lines_without_arcs(void **state)
{
	static const struct small_program program = {.functions = "abc",
	                                             .calls = "a>c 2 b>c 3 ?>c 4"};
	static const struct engine_symspec spec = {ENGINE_FILTER_ARCS, true, "a/c"};
	uint32_t whole[3 + SYMBOL_MORE_ROWS] = {0, 0, 2, 3, 4};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, program.functions);
	struct profile *profile = profile_new(&test->run);
	struct small_text found = {.length = 0};
	struct graph *graph;

	test->settings.symspecs = &spec;
	test->settings.symspec_count = 1;
	graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	symbols->whole = whole;
	symbols->flags[1] = SYMBOL_LINE;
	small_add_calls(test, profile, symbols, &program);
	graph_add_arcs(&test->run, graph, profile);
	small_arcs(&found, graph);
	small_expect("without a>c", "<outside>>c 4", &found);
}

/* A function has the time of its lines, which keep theirs; so does what is outside. */
static void
test_time_of_lines(void **state)
{
	static const double ticks[] = {1, 2, 4, 8, 16};
	uint32_t whole[4 + SYMBOL_MORE_ROWS] = {0, 0, 2, 2, 4, 5};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abcd");

	for (uint32_t has_lines = 0; has_lines < 2; has_lines++) {
		struct graph *graph = graph_new(&test->run, symbols,
		                                filters_resolve(&test->run, symbols));

		memcpy(graph->self, ticks, sizeof ticks);
		graph->function_count = graph->node_count = symbols->count + 1;
		graph->has_outside = true;
		symbols->whole = has_lines ? whole : NULL;
		graph_add_arcs(&test->run, graph, profile_new(&test->run));
		graph_analyse(&test->run, graph);
		assert_int_equal(graph->line_self != NULL, has_lines);
		assert_true(graph->self[0] == (has_lines ? 3 : 1));
		assert_true(graph->self[1] == (has_lines ? 0 : 2));
		assert_true(graph->self[2] == (has_lines ? 12 : 4));
		assert_true(graph->self[4] == 16);
		assert_true(!has_lines || memcmp(graph->line_self, ticks, sizeof ticks) == 0);
	}
}

/* The calls of letters by letters in the code, besides the recorded ones. */
static void
check_added(struct testrun *test, struct symbols *symbols, const char *recorded, const char *added,
            const char *expected)
{
	const struct small_program program = {.functions = "abcd", .calls = recorded};
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	struct profile *profile = profile_new(&test->run);
	struct static_calls calls = {.count = (uint32_t)strlen(added) / 2};
	struct small_text found = {.length = 0};

	small_add_calls(test, profile, symbols, &program);
	graph->wants_order = true;
	graph_add_arcs(&test->run, graph, profile);
	calls.items = memory_alloc(&test->run, calls.count * sizeof *calls.items);
	for (uint32_t i = 0; i < calls.count; i++) {
		uint32_t caller = small_letter(program.functions, added[2 * i]);

		calls.items[i] = (struct static_call){
			caller,
			added[2 * i + 1] == '*' ? symbols_indirect(symbols)
						: small_letter(program.functions, added[2 * i + 1]),
			caller, GPROFX_STATIC_CALL};
	}
	graph_add_static_calls(&test->run, graph, &calls);
	graph_analyse(&test->run, graph);
	graph_number_entries(&test->run, graph, NULL);
	small_arcs(&found, graph);
	/* What is called by pointers is a node without a number, and so is what is before it. */
	small_add(&found, " of %u, %u", graph->function_count, graph->numbered_count);
	small_expect(added, expected, &found);
}

static void
test_lines_that_are_called(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abcd");

	check_added(test, symbols, "d>a 1", "dbab", "a>b 0; d>a 1; d>b 0 of 4, 4");
	check_added(test, symbols, "d>a 1", "d*", "d>a 1; d><indirect> 0 of 6, 4");
	/* b is a line of a, whose calls are a's. */
	symbols->flags[1] = symbols->flags[2] = SYMBOL_LINE;
	symbols->end[0] = symbols->end[1];
	check_added(test, symbols, "d>a 1", "db", "d>a 1 of 4, 4");
	check_added(test, symbols, "d>d 1", "db", "d>d 1; d>b 0 of 4, 4");
	/* c lies behind the end of a. */
	check_added(test, symbols, "d>a 1", "dc", "d>a 1; d>c 0 of 4, 4");
	symbols->flags[0] = SYMBOL_LINE;
	check_added(test, symbols, "d>d 1", "dadb", "d>d 1; d>a 0; d>b 0 of 4, 4");
}

/* Arcs stay single where the table of them has to grow with the last. */
static void
test_many_arcs(void **state)
{
	enum { ARCS = 127 };
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abcdefghijklmnopqrstuvwxyz");
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	struct profile *profile = profile_new(&test->run);

	for (uint32_t i = 0; i <= ARCS; i++) {
		uint32_t caller = i % ARCS / 13, callee = i % ARCS % 13;
		struct gprofx_raw_arc arc = {symbols->address[caller] + 4, symbols->address[callee],
		                             i + 1};

		profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
	}
	graph_add_arcs(&test->run, graph, profile);
	assert_int_equal(graph->arc_count, ARCS);
	assert_null(profile->arcs);
	assert_int_equal(profile->arc_count, 0);
	/* The last is the first once more. */
	assert_int_equal(graph->arcs[0].calls, 1 + 128);
	for (uint32_t i = 1; i < ARCS; i++)
		assert_int_equal(graph->arcs[i].calls, i + 1);
}

/* Blocks by the function that they lie in, in order of first appearance; equal ones add up. */
struct block_case {
	const char *what;
	bool corrected;
	struct gprofx_raw_block blocks[16];
	const char *expected;
};

static void
test_blocks(void **state)
{
	static const struct block_case cases[] = {
		{"each in its function",
	         true,
	         {{0x1024, 3}, {0x1000, 1}, {0x100f, 2}, {0x1010, 5}},
	         "a 1000=1 100f=2; b 1010=5; c 1024=3"},
		{"in none", true, {{0x10, 3}, {0x1008, 1}}, "a 1008=1"},
		{"the same", true, {{0x1004, 3}, {0x1008, 1}, {0x1004, 4}}, "a 1004=7 1008=1"},
		{"the same, by gprof",
	         false,
	         {{0x1004, 3}, {0x1008, 1}, {0x1004, 4}},
	         "a 1004=7 1008=1"},
		{"in none, by gprof",
	         false,
	         {{0x10, 3}, {0x1008, 1}, {0x1018, 2}},
	         "a 1008=1; b 1018=2"},
		/* gprof has ten places for each function, and counts on where it has one. */
		{"eleven, by gprof",
	         false,
	         {{0x1000, 1},
	          {0x1001, 1},
	          {0x1002, 1},
	          {0x1003, 1},
	          {0x1004, 1},
	          {0x1005, 1},
	          {0x1006, 1},
	          {0x1007, 1},
	          {0x1008, 1},
	          {0x1009, 1},
	          {0x100a, 1},
	          {0x1009, 1},
	          {0x1018, 1}},
	         "a 1000=1 1001=1 1002=1 1003=1 1004=1 1005=1 1006=1 1007=1 1008=1 1009=2; b 1018=1"},
		{"eleven",
	         true,
	         {{0x1000, 1},
	          {0x1001, 1},
	          {0x1002, 1},
	          {0x1003, 1},
	          {0x1004, 1},
	          {0x1005, 1},
	          {0x1006, 1},
	          {0x1007, 1},
	          {0x1008, 1},
	          {0x1009, 1},
	          {0x100a, 1}},
	         "a 1000=1 1001=1 1002=1 1003=1 1004=1 1005=1 1006=1 1007=1 1008=1 1009=1 100a=1"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct symbols *symbols = small_letters(test, "abc");
		struct graph *graph = graph_new(&test->run, symbols,
		                                filters_resolve(&test->run, symbols));
		struct profile *profile = profile_new(&test->run);
		struct small_text found = {.length = 0};

		test->run.corrections = cases[i].corrected ? GPROFX_CORRECT_BLOCKS : 0;
		for (uint32_t k = 0; cases[i].blocks[k].count != 0; k++)
			profile->public.builder->blocks(&test->run.gx, &profile->public, NULL,
			                                &cases[i].blocks[k], 1);
		graph_add_blocks(&test->run, graph, profile);
		assert_int_equal(graph->block_first[0], 0);
		for (uint32_t f = 0; f < symbols->count; f++) {
			if (graph->block_first[f] == graph->block_first[f + 1])
				continue;
			small_add(&found, "%s%s", found.length > 0 ? "; " : "", symbols->name[f]);
			for (uint32_t k = graph->block_first[f]; k < graph->block_first[f + 1]; k++)
				small_add(&found, " %llx=%llu",
				          (unsigned long long)graph->blocks[k].address,
				          (unsigned long long)graph->blocks[k].count);
		}
		small_expect(cases[i].what, cases[i].expected, &found);
	}
}

/* What shared bins leave open goes to callers as times do. */
static void
test_doubt(void **state)
{
	static const struct {
		const char *what;
		struct small_program program;
		struct gprofx_doubt self[6];
		const char *expected;
	} cases[] = {
		/* c has 4 and 8 of its own, 2 and 1 of d: a has 3/4, b 1/4. */
		{"shares",
	         {.functions = "abcd", .ticks = {1, 2, 8, 4}, .calls = "a>c 3 b>c 1 c>d 5"},
	         {[2] = {.less = 4, .more = 8}, [3] = {.less = 2, .more = 1}},
	         "a 4.5 6.75; b 1.5 2.25; c 6 9; d 2 1"},
		{"selected",
	         {.functions = "abcd",
	          .ticks = {1, 2, 8, 4},
	          .calls = "a>c 3 b>c 1 c>d 5",
	          .specs = {{ENGINE_FILTER_TIME, true, "b"}}},
	         {[1] = {.less = 1, .more = 1},
	          [2] = {.less = 4, .more = 8},
	          [3] = {.less = 2, .more = 1}},
	         "a 4.5 6.75; b 0 0; c 4.5 6.75; d 1.5 0.75"},
		{"without the first",
	         {.functions = "abcd",
	          .ticks = {1, 2, 8, 4},
	          .calls = "a>c 3 b>c 1 c>d 5",
	          .specs = {{ENGINE_FILTER_TIME, true, "a"}}},
	         {[0] = {.less = 1, .more = 1},
	          [2] = {.less = 4, .more = 8},
	          [3] = {.less = 2, .more = 1}},
	         "a 0 0; b 1.5 2.25; c 1.5 2.25; d 0.5 0.25"},
		/* What a calls comes before it, and was called once. */
		{"in any order",
	         {.functions = "ab", .ticks = {4, 1}, .calls = "b>a 1"},
	         {[0] = {.less = 2, .more = 1}, [1] = {.less = 1, .more = 4}},
	         "a 2 1; b 3 5"},
		{"the first of all ranks",
	         {.functions = "abc", .ticks = {4, 1, 2}, .calls = "a>c 1 b>a 2"},
	         {[0] = {.less = 2, .more = 1}, [2] = {.less = 1, .more = 4}},
	         "a 3 5; b 3 5; c 1 4"},
		/* Both of a cycle that c calls call d, which is first in its rank. */
		{"a cycle first",
	         {.functions = "abcd", .ticks = {1, 1, 1, 2}, .calls = "a>b 1 b>a 1 c>a 1 b>d 1"},
	         {[3] = {.less = 1, .more = 4}},
	         "a 0 0; b 1 4; c 1 4; d 1 4; 1 1 4"},
		{"not called",
	         {.functions = "ab", .ticks = {1, 2}, .calls = "a>b 0"},
	         {[1] = {.less = 4, .more = 8}},
	         "a 0 0; b 4 8"},
		/* y has z's 8 and 16; the cycle all of 12 and 22, which m has a quarter of. */
		{"cycle",
	         {.functions = "mnxyz",
	          .ticks = {1, 2, 10, 20, 8},
	          .calls = "m>x 2 n>y 6 x>y 3 y>x 4 y>z 8 x>x 5"},
	         {[2] = {.less = 1, .more = 2},
	          [3] = {.less = 3, .more = 4},
	          [4] = {.less = 8, .more = 16}},
	         "m 3 5.5; n 9 16.5; x 1 2; y 11 20; z 8 16; 1 12 22"},
		{"cycle without a member",
	         {.functions = "mnxyz",
	          .ticks = {1, 2, 10, 20, 8},
	          .calls = "m>x 2 n>y 6 x>y 3 y>x 4 y>z 8 x>x 5",
	          .specs = {{ENGINE_FILTER_TIME, true, "x"}}},
	         {[2] = {.less = 1, .more = 2},
	          [3] = {.less = 3, .more = 4},
	          [4] = {.less = 8, .more = 16}},
	         "m 0 0; n 8.25 15; x 0 0; y 11 20; z 8 16; 1 11 20"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct graph *graph = small_graph(test, &cases[i].program);
		struct small_text found = {.length = 0};

		memory_array(&test->run, graph->self_doubt, graph->function_count);
		memcpy(graph->self_doubt, cases[i].self,
		       graph->function_count * sizeof *graph->self_doubt);
		graph_propagate_doubt(&test->run, graph);
		for (uint32_t n = 0; n < graph->node_count; n++) {
			small_add(&found, "%s%s", n > 0 ? "; " : "",
			          n < graph->function_count ? graph->symbols->name[n] : "1");
			small_add(&found, " %g %g", graph->total_doubt[n].less,
			          graph->total_doubt[n].more);
		}
		small_expect(cases[i].what, cases[i].expected, &found);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_plain_arcs),
		TESTRUN(test_clones),
		TESTRUN(test_untyped_callees),
		TESTRUN(test_lines_that_call),
		TESTRUN(test_blocks),
		TESTRUN(test_doubt),
		TESTRUN(test_lines_that_are_called),
		TESTRUN(test_many_arcs),
		TESTRUN(test_lines_without_arcs),
		TESTRUN(test_time_of_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
