/* SPDX-License-Identifier: Apache-2.0 */
/* What later stages get of call-site attribution: lines, marks, calls of others; and where it is
 * off. */
#include "attribution-scene.h"

/* Lines share what their function has of the calls. */
static void
test_lines(void **state)
{
	/* b is of two lines from here on: 0x1014 and 0x1018; a is one. */
	static const struct small_function by_line[] = {{"a", A, 0x14},   {"b", B, 0x1c},
	                                                {"b", 0x1018, 0}, {"c", C, 0x18},
	                                                {"d", D, 0x10},   {0}};
	static const struct scene scene = {
		"lines",
		{{0x1010, D, 11}},
		{{0x100c, D, CALL}, {0x1014, D, CALL}, {0x1019, D, CALL}},
		/* a has 6 of 11, b 5: 3 of them the first line. */
		"16: doubtful 1/11 split 1/11; a>d 6, b>d 3, b>d 2"};
	uint32_t whole[5 + SYMBOL_MORE_ROWS] = {0, 1, 1, 3, 4, 5, 6};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, MACHINE), *lines = small_symbols(test, by_line);

	lines->image = symbols->image;
	lines->table = symbols->table;
	lines->flags[2] = SYMBOL_LINE;
	lines->whole = whole;
	test->settings.quantum = 16;
	play_all(test, lines, &scene, 1);
}

/* Of arcs that were divided the report says so. */
static void
test_marks(void **state)
{
	static const struct scene scene = {
		"marks",
		{{0x1010, D, 11}, {0x1010, E, 2}, {0x1020, F, 1}, {0x1040, D, 9}},
		{{0x100c, D, CALL}, {0x1015, D, CALL}, {0x101a, E, CALL}},
		""};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, MACHINE);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	struct small_text shown = {.length = 0};
	struct attribution *callers;
	struct profile *profile;

	test->settings.quantum = 16;
	callers = play(test, symbols, &scene, &profile, &shown);
	assert_string_equal(shown.bytes, "16: doubtful 2/13 moved 1/2 split 1/11; "
	                                 "a>d 6, b>e 2, b>f 1, c>d 9, b>d 5");
	graph_add_arcs(&test->run, graph, profile);
	attribution_mark(&test->run, NULL, graph);
	assert_null(graph->divided);
	attribution_mark(&test->run, callers, graph);
	assert_int_equal(graph->arc_count, 5);
	/* Those of a and b to d. */
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(graph->divided[i],
		                 graph->arcs[i].callee == 3 && graph->arcs[i].caller < 2);
}

/* What of an arc as recorded is not a call of a function by itself. */
static void
test_calls_of_others(void **state)
{
	static const struct scene scene = {
		"others",
		{{0x1010, A, 11},
	         {0x1010, B, 8},
	         {0x1010, D, 6},
	         {0x1020, B, 4},
	         {0x1030, A, 7},
	         {0x1030, B, 5}},
		{{0x100c, A, CALL}, {0x1015, A, CALL}, {0x101a, B, CALL}, {0x1035, B, CALL}},
		""};
	static const struct {
		struct gprofx_raw_arc arc;
		uint64_t others, without;
	} cases[] = {
		/* Of 11 calls of a, a made 6 itself and b 5. */
		{{0x1010, A, 11}, 5, 0},
		/* The parts of another file's are in the same proportion: 4 and 3 of 7. */
		{{0x1010, A, 7}, 3, 0},
		/* b calls itself, though it was booked on a. */
		{{0x1010, B, 8}, 0, 8},
		{{0x1010, D, 6}, 6, 6},
		{{0x1020, B, 4}, 0, 0},
		{{0x1030, B, 5}, 5, 5},
		/* In c's code nobody calls a, and so the arc stays c's. */
		{{0x1030, A, 7}, 7, 7},
		{{0x1040, B, 4}, 4, 4},
		/* Nobody is called. */
		{{0x1010, 0x10, 3}, 0, 0},
	};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, MACHINE);
	struct arc_rules rules = arcs_rules(&test->run, symbols);
	struct small_text shown;
	struct attribution *callers;
	struct profile *profile;

	test->settings.quantum = 16;
	callers = play(test, symbols, &scene, &profile, &shown);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t others = attribution_others(callers, &rules, &cases[i].arc);

		if (others != cases[i].others)
			fail_msg("case %zu: %llu", i, (unsigned long long)others);
		assert_int_equal(attribution_others(NULL, &rules, &cases[i].arc), cases[i].without);
	}
}

/* Parts without calls are left out; what has all of them is marked as one of several. */
static void
test_marks_of_one_call(void **state)
{
	static const struct scene scene = {"one call",
	                                   {{0x1010, D, 1}},
	                                   {{0x100c, D, CALL}, {0x1015, D, CALL}},
	                                   ""};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, MACHINE);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	struct small_text shown;
	struct attribution *callers;
	struct profile *profile;

	test->settings.quantum = 16;
	callers = play(test, symbols, &scene, &profile, &shown);
	graph_add_arcs(&test->run, graph, profile);
	attribution_mark(&test->run, callers, graph);
	assert_int_equal(graph->arc_count, 1);
	assert_true(graph->divided[0]);
}

/* Who does not correct call sites has the arcs as they are. */
static void
test_not_corrected(void **state)
{
	static const struct scene scene = {"not corrected",
	                                   {{0x1010, D, 10}},
	                                   {{0x1015, D, CALL}},
	                                   "a>d 10"};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, MACHINE);

	test->settings.quantum = 16;
	test->run.corrections = 0;
	play_all(test, symbols, &scene, 1);
}

/* The image is asked for slots if some call goes through a pointer of which it is known where it
 * is. */
static void
test_slots_are_looked_for(void **state)
{
	static const struct {
		struct in_code code[3];
		bool expected;
	} cases[] = {
		{{{0x1015, D, CALL}}, false},
		{{{0x1015, 0, BY_POINTER}}, false},
		{{{0x1015, POINTER, BY_POINTER}}, true},
		{{{0x100c, D, CALL}, {0x1015, POINTER, BY_POINTER}}, true},
	};
	struct testrun *test = *state;

	test->settings.quantum = 16;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene scene = {.recorded = {{0x1010, D, 10}}};
		struct symbols *symbols = symbols_of(test, MACHINE);
		struct small_text shown;
		struct profile *profile;

		memcpy(scene.code, cases[i].code, sizeof cases[i].code);
		symbols->table.wants_slots = false;
		play(test, symbols, &scene, &profile, &shown);
		assert_int_equal(symbols->table.wants_slots, cases[i].expected);
	}
}

static void
test_quantum_at_most(void **state)
{
	struct testrun *test = *state;

	test->run.corrections = GPROFX_CORRECT_CALL_SITES;
	assert_int_equal(attribution_quantum_most(&test->run), 16);
	test->settings.quantum = 8;
	assert_int_equal(attribution_quantum_most(&test->run), 8);
	/* Sums of ours have arcs as they were recorded, after this; GNU gprof's are of its graph.
	 */
	test->settings.sum_file = "sum";
	assert_int_equal(attribution_quantum_most(&test->run), 8);
	test->settings.sum_as_gprof = true;
	assert_int_equal(attribution_quantum_most(&test->run), 1);
	test->settings.sum_file = NULL;
	assert_int_equal(attribution_quantum_most(&test->run), 8);
	test->run.corrections = 0;
	assert_int_equal(attribution_quantum_most(&test->run), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_lines),           TESTRUN(test_marks),
		TESTRUN(test_calls_of_others), TESTRUN(test_marks_of_one_call),
		TESTRUN(test_not_corrected),   TESTRUN(test_slots_are_looked_for),
		TESTRUN(test_quantum_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
