/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of lists: of any length, by all of what they go by, by names that begin alike. */
#include "smallrun.h"

#include "report/model.h"

static struct report_model *
report_of(struct testrun *test, struct graph *graph, uint32_t parts)
{
	struct profile *profile = profile_new(&test->run);

	profile->has_histogram = profile->has_arcs = profile->has_graph = true;
	profile->rate = 100;
	memcpy(profile->dimension, "seconds", sizeof "seconds");
	profile->abbreviation = 's';
	return report_build(&test->run, (struct symbols *)graph->symbols, profile, graph, parts);
}

/* Callees of a list of any length are in the order of a simple sort, equal ones as they came. */
static void
test_lengths(void **state)
{
	struct testrun *test = *state;

	for (uint32_t count = 1; count <= 25; count++)
		for (uint32_t factor = 1; factor < 30; factor += 4) {
			struct small_program program = {.functions = "abcdefghijklmnopqrstuvwxyz"};
			struct small_text calls = {.length = 0};
			uint32_t order[25], weight[25];
			const struct gprofx_report *report;
			const uint32_t *first;

			testrun_again(test);
			for (uint32_t i = 0; i < count; i++) {
				uint32_t k = i;

				weight[i] = 1 + (i + 1) * factor % 13;
				for (; k > 0 && weight[order[k - 1]] < weight[i]; k--)
					order[k] = order[k - 1];
				order[k] = i;
				small_add(&calls, "a>%c 1 ", (char)('b' + i));
				program.ticks[1 + i] = weight[i];
			}
			program.calls = calls.bytes;
			report = &report_of(test, small_graph(test, &program), GPROFX_PART_GRAPH)
			                  ->public;
			first = report->graph->callees.first;
			assert_int_equal(first[1] - first[0], count);
			for (uint32_t i = 0; i < count; i++) {
				uint32_t arc = report->graph->callees.item[first[0] + i];

				assert_int_equal(gprofx_id(&report->graph->arcs.callee, arc),
				                 order[i] + 1);
			}
		}
}

static const char *
letters_of(const struct gprofx_report *report, const uint32_t *nodes, uint32_t count)
{
	static char text[64];

	text[0] = '\0';
	for (uint32_t i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? " " : "",
		         nodes[i] < report->functions->count ? report->functions->raw_name[nodes[i]]
		                                             : "cycle");
	return text;
}

/* Members of a cycle go by all of their time, and then by all of their calls. */
static void
test_members(void **state)
{
	static const struct {
		const char *what;
		struct small_program program;
		const char *members;
	} cases[] = {
		/* 1 and 10, 2 and 20, 3 and 30 below. */
		{"below, ascending",
	         {.functions = "xyzpqr",
	          .ticks = {1, 2, 3, 10, 20, 30},
	          .calls = "x>y 1 y>z 1 z>x 1 x>p 1 y>q 1 z>r 1"},
	         "z y x"},
		{"below, descending",
	         {.functions = "xyzpqr",
	          .ticks = {3, 2, 1, 30, 20, 10},
	          .calls = "x>y 1 y>z 1 z>x 1 x>p 1 y>q 1 z>r 1"},
	         "x y z"},
		{"below against self",
	         {.functions = "xyzpqr",
	          .ticks = {3, 2, 1, 10, 20, 30},
	          .calls = "x>y 1 y>z 1 z>x 1 x>p 1 y>q 1 z>r 1"},
	         "z y x"},
		{"calls of others and of itself",
	         {.functions = "xyz", .calls = "x>y 4 y>z 3 z>x 2 x>x 1 y>y 1 z>z 9"},
	         "z y x"},
		/* Those of one cycle, then of the other. */
		{"two cycles",
	         {.functions = "abxyz",
	          .ticks = {1, 2, 3, 4, 5},
	          .calls = "a>b 1 b>a 1 x>y 1 y>z 1 z>x 1"},
	         "b a z y x"},
		/* x has 3 calls and 1 of itself, the others have 3. */
		{"calls of the first by itself",
	         {.functions = "xyz", .calls = "x>y 3 y>z 3 z>x 3 x>x 1"},
	         "x y z"},
		{"calls of itself, ascending",
	         {.functions = "xyz", .calls = "x>y 1 y>z 1 z>x 1 x>x 9 y>y 8 z>z 7"},
	         "x y z"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct gprofx_report *report;
		const char *found;

		struct small_program program = cases[i].program;

		testrun_again(test);
		/* Nobody calls the cycle: to gprof it has no entry. */
		program.corrections = GPROFX_CORRECT_CYCLE_ENTRIES;
		report = &report_of(test, small_graph(test, &program), GPROFX_PART_GRAPH)->public;
		found = letters_of(report, report->graph->members.item,
		                   report->graph->members.first[report->graph->node_count -
		                                                report->functions->count]);
		if (strcmp(found, cases[i].members) != 0)
			fail_msg("%s: %s", cases[i].what, found);
	}
}

/* Callers of a cycle go by all the time that they get: 10 for each call, 9 of it below. */
static void
test_callers_of_a_cycle(void **state)
{
	static const char *const orders[] = {"l>x 3 m>x 1 n>x 2", "l>x 1 m>x 2 n>x 3",
	                                     "l>x 3 m>x 2 n>x 1", "l>x 2 m>x 1 n>x 3"};
	static const char *const expected[] = {"mnl", "lmn", "nml", "mln"};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
		struct small_text calls = {.length = 0}, found = {.length = 0};
		struct small_program program = {.functions = "lmnxyp",
		                                .ticks = {[3] = 6, [5] = 54},
		                                .corrections = GPROFX_CORRECT_CYCLE_CALLERS};
		const struct gprofx_report *report;

		testrun_again(test);
		small_add(&calls, "%s x>y 7 y>x 7 x>p 1", orders[i]);
		program.calls = calls.bytes;
		report = &report_of(test, small_graph(test, &program), GPROFX_PART_GRAPH)->public;
		for (uint32_t k = 0; k < report->graph->cycle_callers.first[1]; k++) {
			const struct gprofx_arc row = gprofx_arc_at(
				&report->graph->cycle_arcs, report->graph->cycle_callers.item[k]);

			assert_true(row.self == (double)row.calls &&
			            row.below == 9 * (double)row.calls);
			small_add(&found, "%s", report->functions->raw_name[row.caller]);
		}
		small_expect(orders[i], expected[i], &found);
	}
}

/* A shown name ends where the next one begins in memory: what is behind it does not count. */
static void
test_names_that_begin_others(void **state)
{
	/* f(), z(), f()::x, f()::xxxxxxxx, whose part of eight bytes is full. */
	static const struct small_function functions[] = {{"_Z1fv", 0x1000, 16},
	                                                  {"_Z1zv", 0x1010, 16},
	                                                  {"_ZZ1fvE1x", 0x1020, 16},
	                                                  {"_ZZ1fvE8xxxxxxxx", 0x1030, 16},
	                                                  {"_ZZ1fvE3xxx", 0x1040, 16},
	                                                  {"_Z1zi", 0x1050, 16},
	                                                  {0}};
	static const uint32_t expected[] = {0, 2, 4, 3, 1, 5};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, functions);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	const struct gprofx_report *report;

	test->settings.demangling = ENGINE_DEMANGLE_AUTO;
	test->run.corrections = GPROFX_CORRECT_SHOWN_ORDER;
	for (uint32_t f = 0; f < 6; f++)
		graph->self[f] = 1;
	report = &report_of(test, graph, GPROFX_PART_FLAT)->public;
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(report->graph->flat[i], expected[i]);
}

/* Every byte of a name decides, the last ones of each part of eight as well. */
static void
test_each_byte(void **state)
{
	enum { BYTES = 70 };
	struct testrun *test = *state;

	for (uint32_t place = 0; place < BYTES; place++) {
		char raw[2][BYTES + 1];
		const struct small_function functions[] = {{raw[0], 0x1000, 16},
		                                           {raw[1], 0x1010, 16},
		                                           {0}};
		const struct gprofx_report *report;
		struct symbols *symbols;
		struct graph *graph;

		for (uint32_t f = 0; f < 2; f++) {
			memset(raw[f], 'x', BYTES);
			raw[f][BYTES] = '\0';
			raw[f][place] = f == 0 ? 'b' : 'a';
		}
		testrun_again(test);
		symbols = small_symbols(test, functions);
		graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
		graph->self[0] = graph->self[1] = 1;
		report = &report_of(test, graph, GPROFX_PART_FLAT)->public;
		assert_int_equal(report->graph->flat_count, 2);
		assert_int_equal(report->graph->flat[0], 1);
	}
}

/* What lies in no function has its row, unused ones shown or not, and where there is none no row.
 */
static void
test_outside(void **state)
{
	static const struct small_program programs[] = {
		{.functions = "ab", .ticks = {1}, .calls = "a>a 1"},
		{.functions = "ab", .ticks = {1}, .calls = "a>a 1 ?>a 1"}};
	static const char *const expected[] = {"a", "a b", "<outside> a", "<outside> a b"};
	struct testrun *test = *state;

	for (uint32_t way = 0; way < 4; way++) {
		const struct gprofx_report *report;
		struct graph *graph;

		testrun_again(test);
		test->settings.show_unused = way % 2 != 0;
		graph = small_graph(test, &programs[way / 2]);
		if (way >= 2)
			graph->self[2] = 3;
		report = &report_of(test, graph, GPROFX_PART_FLAT)->public;
		assert_string_equal(
			letters_of(report, report->graph->flat, report->graph->flat_count),
			expected[way]);
	}
}

/* Where no order is needed, the flat profile has the same functions, and entries no numbers. */
static void
test_unordered(void **state)
{
	static const struct small_program program = {.functions = "abc",
	                                             .ticks = {1, 0, 3},
	                                             .calls = "a>c 1"};
	struct testrun *test = *state;

	for (uint32_t way = 0; way < 2; way++) {
		const struct gprofx_report *report;

		testrun_again(test);
		test->settings.report_is_unordered = way != 0;
		report = &report_of(test, small_graph(test, &program),
		                    GPROFX_PART_FLAT | GPROFX_PART_NODES | GPROFX_PART_SOURCES)
		                  ->public;
		assert_string_equal(
			letters_of(report, report->graph->flat, report->graph->flat_count),
			way ? "a c" : "c a");
		assert_int_equal(report->graph->index[0] != 0, !way);
	}
}

/*
 * In reports by line, functions are known by the time of all of their lines, and lines that are
 * parts of functions are not in the index.
 */
static void
test_index_by_line(void **state)
{
	static const struct small_program program = {.functions = "abcde", .ticks = {1, 5}};
	uint32_t whole[] = {0, 1, 1, 3, NO_SYMBOL};
	double line_self[6] = {0, 2, 3, 0, 0, 0};
	struct testrun *test = *state;
	struct graph *graph = small_graph(test, &program);
	struct symbols *symbols = (struct symbols *)graph->symbols;
	const struct gprofx_report *report;

	graph->line_self = line_self;
	symbols->whole = whole;
	test->run.corrections = GPROFX_CORRECT_FULL_INDEX;
	report = &report_of(test, graph, GPROFX_PART_INDEX | GPROFX_PART_FLAT)->public;
	/* a has 1 tick in other lines; c is a line of b. */
	assert_string_equal(
		letters_of(report, report->graph->index_node, report->graph->index_count), "a b");
	assert_string_equal(letters_of(report, report->graph->flat, report->graph->flat_count),
	                    "c b");
	assert_true(gprofx_self_of(report, 1) == 2 &&
	            gprofx_real(&report->graph->columns->whole_self, 1) == 5);
}

static void
keep_line(void *opaque, const char *line)
{
	small_add(opaque, "%s\n", line);
}

/* Only lines of entries are put in order, as the trace tells. */
static void
test_lines_of_entries(void **state)
{
	static const struct small_program program = {
		.functions = "abcd",
		.ticks = {1, 2, 3, 4},
		.calls = "a>b 1 b>c 1 d>b 1",
		.specs = {{ENGINE_FILTER_GRAPH, true, "b"}, {ENGINE_FILTER_GRAPH, true, "d"}}};
	struct small_text lines = {.length = 0};
	struct testrun *test = *state;

	test->frontend.opaque = &lines;
	test->frontend.trace = keep_line;
	test->run.gx.trace_topics = GPROFX_TRACE_ARC_ORDER;
	report_of(test, small_graph(test, &program), GPROFX_PART_GRAPH);
	small_expect("trace", "line 1 of callees of a: b\nline 1 of callers of c: b\n", &lines);
	test->frontend.opaque = test;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_lengths),
		TESTRUN(test_members),
		TESTRUN(test_callers_of_a_cycle),
		TESTRUN(test_names_that_begin_others),
		TESTRUN(test_each_byte),
		TESTRUN(test_outside),
		TESTRUN(test_unordered),
		TESTRUN(test_index_by_line),
		TESTRUN(test_lines_of_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
