/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows the listings have, and in which order. */
#include "smallrun.h"

#include "report/model.h"

/* The report of a small program, of these parts (GPROFX_PART_…). */
static struct report_model *
report_of(struct testrun *test, const struct small_program *program, uint32_t parts)
{
	struct graph *graph = small_graph(test, program);
	struct profile *profile = profile_new(&test->run);

	profile->has_histogram = profile->has_arcs = profile->has_graph = true;
	profile->rate = 100;
	memcpy(profile->dimension, "seconds", sizeof "seconds");
	profile->abbreviation = 's';
	graph->flat_total = graph->total;
	return report_build(&test->run, (struct symbols *)graph->symbols, profile, graph, parts);
}

/* The name of a node as it is shown; lives until the next call but seven. */
static const char *
name_of(const struct gprofx_report *report, uint32_t node)
{
	static char names[8][128];
	static uint32_t next;
	struct gprofx_text name = report->services->name(report, node);
	char *copy = names[next++ % 8];

	snprintf(copy, sizeof names[0], "%.*s", (int)name.length, name.bytes);
	return copy;
}

static void
add_nodes(struct small_text *text, const struct gprofx_report *report, const uint32_t *nodes,
          uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		small_add(text, "%s%s", i > 0 ? " " : "", name_of(report, nodes[i]));
}

/* The flat profile goes by time, calls and name; what neither ran nor was called is unused. */
static void
test_flat_profile(void **state)
{
	static const struct {
		const char *what;
		struct small_program program;
		bool show_unused;
		const char *flat;
	} cases[] = {
		{"time, calls, names",
	         {.functions = "abcdef", .ticks = {1, 3, 3, 3}, .calls = "a>b 2 a>c 5 a>d 2 a>f 0"},
	         false,
	         "c b d a"},
		{"called, without time",
	         {.functions = "abc", .ticks = {1}, .calls = "a>c 1"},
	         false,
	         "a c"},
		{"with unused ones",
	         {.functions = "abc", .ticks = {0, 1}, .calls = "b>b 1"},
	         true,
	         "b a c"},
		/* Recursion alone is no call, so nothing happened in b. */
		{"called by itself alone",
	         {.functions = "abc", .ticks = {1}, .calls = "b>b 1 a>c 1"},
	         false,
	         "a c"},
		{"selected",
	         {.functions = "abc",
	          .ticks = {1, 2, 3},
	          .calls = "a>c 1",
	          .specs = {{ENGINE_FILTER_FLAT, true, "c"}}},
	         false,
	         "b a"},
		{"names begin differently",
	         {.functions = "zbya", .ticks = {1, 1, 1, 1}, .calls = "a>a 1"},
	         false,
	         "a b y z"},
		{"parts of a tick",
	         {.functions = "abc", .ticks = {0.25, 0.5, 0.125}, .calls = "a>a 1"},
	         false,
	         "b a c"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text found = {.length = 0};
		struct report_model *model;

		test->settings.show_unused = cases[i].show_unused;
		model = report_of(test, &cases[i].program, GPROFX_PART_FLAT);
		add_nodes(&found, &model->public, model->public.graph->flat,
		          model->public.graph->flat_count);
		small_expect(cases[i].what, cases[i].flat, &found);
	}
}

#define EIGHT "abcdefgh"
#define SIXTY_FOUR EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT

/* Names are compared byte by byte, as far as they go; equal ones stay in the order of addresses. */
static void
test_names_decide(void **state)
{
	static const struct small_function functions[] = {{SIXTY_FOUR "b", 0x1000, 16},
	                                                  {SIXTY_FOUR "a", 0x1010, 16},
	                                                  {EIGHT "i", 0x1020, 16},
	                                                  {EIGHT, 0x1030, 16},
	                                                  {SIXTY_FOUR, 0x1040, 16},
	                                                  {"abc", 0x1050, 16},
	                                                  {"abd", 0x1060, 16},
	                                                  {"\xc3\xa4", 0x1070, 16},
	                                                  {"abc", 0x1080, 16},
	                                                  {"Z", 0x1090, 16},
	                                                  {EIGHT "I", 0x10a0, 16},
	                                                  {"", 0x10b0, 16},
	                                                  {0}};
	/* As strcmp() has it: "", Z, abc twice, then the eight letters and what goes on. */
	static const uint32_t expected[] = {11, 9, 5, 8, 3, 10, 4, 1, 0, 2, 6, 7};

	for (int corrected = 0; corrected < 2; corrected++) {
		struct testrun *test = *state;
		struct symbols *symbols = small_symbols(test, functions);
		struct graph *graph = graph_new(&test->run, symbols,
		                                filters_resolve(&test->run, symbols));
		struct profile *profile = profile_new(&test->run);
		const struct gprofx_report *report;

		test->run.corrections = corrected ? GPROFX_CORRECT_SHOWN_ORDER : 0;
		for (uint32_t i = 0; i < symbols->count; i++)
			graph->self[i] = 1;
		report = &report_build(&test->run, symbols, profile, graph,
		                       GPROFX_PART_FLAT | GPROFX_PART_INDEX)
		                  ->public;
		assert_int_equal(report->graph->flat_count, 12);
		assert_int_equal(report->graph->index_count, 12);
		for (uint32_t i = 0; i < 12; i++) {
			assert_int_equal(report->graph->flat[i], expected[i]);
			assert_int_equal(report->graph->index_node[i], expected[i]);
		}
	}
}

/* Entries as "CALLERS [NAME] CALLEES", with the members of a cycle in the place of callees. */
static void
add_entries(struct small_text *text, const struct gprofx_report *report)
{
	for (uint32_t i = 0; i < report->graph->entry_count; i++) {
		uint32_t node = report->graph->entry[i];
		const struct gprofx_lists *lists[] = {&report->graph->callers,
		                                      &report->graph->callees};
		bool is_cycle = node >= report->functions->count;
		uint32_t cycle = node - report->functions->count;

		small_add(text, "%s", i > 0 ? "; " : "");
		for (uint32_t k = is_cycle ? 0 : lists[0]->first[node];
		     !is_cycle && k < lists[0]->first[node + 1]; k++)
			small_add(text, "%s ",
			          name_of(report, gprofx_id(&report->graph->arcs.caller,
			                                    lists[0]->item[k])));
		small_add(text, "[%s]", name_of(report, node));
		for (uint32_t k = is_cycle ? 0 : lists[1]->first[node];
		     !is_cycle && k < lists[1]->first[node + 1]; k++)
			small_add(text, " %s",
			          name_of(report, gprofx_id(&report->graph->arcs.callee,
			                                    lists[1]->item[k])));
		for (uint32_t k = is_cycle ? report->graph->members.first[cycle] : 0;
		     is_cycle && k < report->graph->members.first[cycle + 1]; k++)
			small_add(text, " %s", name_of(report, report->graph->members.item[k]));
	}
}

/* Entries go by total time; callers with the smallest time first, callees with the largest. */
static void
test_entries(void **state)
{
	static const struct {
		const char *what;
		struct small_program program;
		bool show_unused;
		const char *entries;
	} cases[] = {
		/* z's 6 ticks: 1 a's, 3 b's, 2 c's; of itself it has none. */
		{"callers by time",
	         {.functions = "abcz", .ticks = {[3] = 6}, .calls = "a>z 1 b>z 3 c>z 2 z>z 4"},
	         false,
	         "z a c b [z] z; [b] z; [c] z; [a] z"},
		/* q has 9; r and s one each, and s was called more often. */
		{"callees by time",
	         {.functions = "pqrs", .ticks = {0, 9, 1, 1}, .calls = "p>r 1 p>q 1 p>s 2"},
	         false,
	         "[p] q s r; p [q]; p [s]; p [r]"},
		/* One tick for each arc: calls decide, then what appeared first. */
		{"ties",
	         {.functions = "abxy", .ticks = {0, 0, 2, 2}, .calls = "b>x 1 a>x 1 a>y 2 b>y 2"},
	         false,
	         "a b [y]; b a [x]; [a] y x; [b] y x"},
		{"ties of callees",
	         {.functions = "pqrs", .ticks = {0, 1, 1, 1}, .calls = "p>s 1 p>q 1 p>r 1"},
	         false,
	         "[p] s q r; p [q]; p [r]; p [s]"},
		{"unused ones",
	         {.functions = "abc", .ticks = {1}, .calls = "a>b 0"},
	         false,
	         "[a] b"},
		{"unused ones shown",
	         {.functions = "abc", .ticks = {1}, .calls = "a>b 0"},
	         true,
	         "[a] b; a [b]; [c]"},
		{"recursion alone",
	         {.functions = "ab", .ticks = {1}, .calls = "b>b 3"},
	         false,
	         "[a]; b [b] b"},
		{"time below alone",
	         {.functions = "ab", .ticks = {0, 2}, .calls = "a>b 3"},
	         false,
	         "a [b]; [a] b"},
		{"hidden",
	         {.functions = "abc",
	          .ticks = {1, 2, 3},
	          .calls = "a>b 1 b>c 1",
	          .specs = {{ENGINE_FILTER_GRAPH, true, "b"}}},
	         false,
	         "[a] b; b [c]"},
		/*
	         * 14 ticks, half of them m's by each of two calls.  Within the cycle times are not
	         * known: calls decide, ascending for callers, and come before all with time.
	         */
		{"cycle",
	         {.functions = "mxyz",
	          .ticks = {1, 2, 4, 8},
	          .calls = "m>x 1 x>y 5 y>x 3 z>x 2 x>z 2 m>y 1"},
	         false,
	         "[m] x y; [<cycle 1>] z y x; x [z] x; x m [y] x; z y m [x] y z"},
		/* Members without time go by their calls: c has 1 and 5 of its own, a 2, b 1. */
		{"members",
	         {.functions = "mabc", .ticks = {1}, .calls = "a>b 1 b>c 1 c>a 1 c>c 5 m>a 1"},
	         false,
	         "[m] a; [<cycle 1>] c a b; c m [a] b; a [b] c; c b [c] a c"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text found = {.length = 0};
		struct report_model *model;

		test->settings.show_unused = cases[i].show_unused;
		model = report_of(test, &cases[i].program, GPROFX_PART_GRAPH);
		add_entries(&found, &model->public);
		small_expect(cases[i].what, cases[i].entries, &found);
	}
}

/* Long lists are in the order that a simple sort gives, and equal rows keep theirs. */
static void
test_long_lists(void **state)
{
	enum { CALLEES = 25 };
	struct testrun *test = *state;

	for (uint32_t factor = 1; factor < 40; factor++) {
		struct small_program program = {.functions = "abcdefghijklmnopqrstuvwxyz"};
		struct small_text down = {.length = 0}, up = {.length = 0};
		const struct gprofx_report *report;
		uint32_t order[CALLEES], weight[CALLEES];

		for (uint32_t i = 0; i < CALLEES; i++) {
			uint32_t k = i;

			weight[i] = 1 + i * factor % 11;
			for (; k > 0 && weight[order[k - 1]] < weight[i]; k--)
				order[k] = order[k - 1];
			order[k] = i;
			/* a calls all, each once; and all call a, by their weight. */
			small_add(&down, "a>%c 1 ", (char)('b' + i));
			small_add(&up, "%c>a %u ", (char)('b' + i), weight[i]);
			program.ticks[1 + i] = weight[i];
		}
		program.calls = down.bytes;
		report = &report_of(test, &program, GPROFX_PART_GRAPH)->public;
		for (uint32_t i = 0; i < CALLEES; i++)
			assert_int_equal(gprofx_id(&report->graph->arcs.callee,
			                           report->graph->callees.item[i]),
			                 order[i] + 1);
		memset(program.ticks, 0, sizeof program.ticks);
		program.ticks[0] = 64;
		program.calls = up.bytes;
		report = &report_of(test, &program, GPROFX_PART_GRAPH)->public;
		/* Ascending, but equal ones as they came: the other order, by runs of equal ones.
		 */
		for (uint32_t i = 0; i + 1 < CALLEES; i++) {
			uint32_t left = gprofx_id(&report->graph->arcs.caller,
			                          report->graph->callers.item[i]) -
			                1;
			uint32_t right = gprofx_id(&report->graph->arcs.caller,
			                           report->graph->callers.item[i + 1]) -
			                 1;

			assert_true(weight[left] < weight[right] ||
			            (weight[left] == weight[right] && left < right));
		}
		run_finish(&test->run);
		run_start(&test->run, &test->settings, &test->frontend);
	}
}

/* The index goes by name; cycles come last. */
static void
test_index(void **state)
{
	static const struct {
		const char *what;
		struct small_program program;
		bool show_unused;
		const char *index;
	} cases[] = {
		{"used ones",
	         {.functions = "cba", .ticks = {1, 1, 1}, .calls = "c>b 1"},
	         false,
	         "a b c"},
		/* GNU gprof leaves out what has only time below, or only calls itself. */
		{"by gprof",
	         {.functions = "abcd", .ticks = {0, 2}, .calls = "a>b 1 c>c 1"},
	         false,
	         "b"},
		{"full",
	         {.functions = "abcd",
	          .ticks = {0, 2},
	          .calls = "a>b 1 c>c 1",
	          .corrections = GPROFX_CORRECT_FULL_INDEX},
	         false,
	         "a b c"},
		{"unused ones",
	         {.functions = "abcd", .ticks = {0, 2}, .calls = "a>b 1"},
	         true,
	         "a b c d"},
		{"cycles",
	         {.functions = "abcd", .calls = "a>b 1 b>a 1 d>c 1 c>d 1 a>c 1"},
	         false,
	         "a b c d <cycle 1> <cycle 2>"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text found = {.length = 0};
		struct report_model *model;

		test->settings.show_unused = cases[i].show_unused;
		model = report_of(test, &cases[i].program, GPROFX_PART_INDEX);
		add_nodes(&found, &model->public, model->public.graph->index_node,
		          model->public.graph->index_count);
		small_expect(cases[i].what, cases[i].index, &found);
	}
}

/* The callers of a cycle, with what all their calls of its members pass on. */
static void
test_callers_of_cycles(void **state)
{
	static const struct {
		const char *what;
		struct small_program program;
		const char *callers;
	} cases[] = {
		/* 10 ticks for 5 calls: 2 of m, 3 of n. */
		{"two members",
	         {.functions = "mnxy",
	          .ticks = {0, 0, 4, 6},
	          .calls = "m>x 1 n>y 3 m>y 1 x>y 7 y>x 7",
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS},
	         "m>1 2 4+0; n>1 3 6+0"},
		/* The smallest time first, then the fewest calls; equal ones by address. */
		{"order",
	         {.functions = "lmnxy",
	          .ticks = {[3] = 4, [4] = 6},
	          .calls = "l>x 3 n>y 1 m>x 1 x>y 7 y>x 7",
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS},
	         "m>1 1 2+0; n>1 1 2+0; l>1 3 6+0"},
		{"without time",
	         {.functions = "lmxy",
	          .calls = "l>x 3 m>x 1 x>y 7 y>x 7",
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS},
	         "m>1 1 0+0; l>1 3 0+0"},
		/* 2 calls of x, y pass on 6 and the 8 that they get of p and q, 2 of m. */
		{"two cycles",
	         {.functions = "mxypq",
	          .ticks = {0, 2, 4, 3, 5},
	          .calls = "m>x 2 x>y 1 y>x 1 y>p 3 m>q 1 p>q 1 q>p 1",
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS},
	         "m>1 2 6+6; m>2 1 2+0; y>2 3 6+0"},
		/* 8 ticks for 4 calls: 1 of y, 3 of m, which comes first by its address. */
		{"order in the second",
	         {.functions = "mxypq",
	          .ticks = {0, 2, 4, 3, 5},
	          .calls = "m>x 2 x>y 1 y>x 1 y>p 1 m>q 3 p>q 1 q>p 1",
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS},
	         "m>1 2 6+2; y>2 1 2+0; m>2 3 6+0"},
		{"not called",
	         {.functions = "xy",
	          .ticks = {1, 1},
	          .calls = "x>y 1 y>x 1",
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS},
	         ""},
		{"none",
	         {.functions = "xy",
	          .ticks = {1, 1},
	          .calls = "x>y 1",
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS},
	         ""},
		{"by gprof",
	         {.functions = "mxy", .ticks = {1, 1}, .calls = "m>x 1 x>y 1 y>x 1"},
	         ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text found = {.length = 0};
		const struct gprofx_report
			*report = &report_of(*state, &cases[i].program, GPROFX_PART_GRAPH)->public;
		const struct gprofx_lists *lists = &report->graph->cycle_callers;
		uint32_t cycles = report->graph->node_count - report->functions->count;

		for (uint32_t c = 0; c < cycles && lists->first; c++)
			for (uint32_t k = lists->first[c]; k < lists->first[c + 1]; k++) {
				const struct gprofx_arc row = gprofx_arc_at(
					&report->graph->cycle_arcs, lists->item[k]);

				assert_int_equal(row.callee, report->functions->count + c);
				small_add(&found, "%s%s>%u %llu %g+%g",
				          found.length > 0 ? "; " : "", name_of(report, row.caller),
				          c + 1, (unsigned long long)row.calls, row.self,
				          row.below);
			}
		small_expect(cases[i].what, cases[i].callers, &found);
	}
}

/* Names that listings show are made beforehand; others when they are asked for. */
static void
test_names_made(void **state)
{
	static const struct {
		uint32_t parts;
		const char *made;
	} cases[] = {
		{GPROFX_PART_FLAT, "bxy"},
		/* h is hidden and shown as the caller of b; u is nothing's. */
		{GPROFX_PART_GRAPH, "ahbxy"},
		{GPROFX_PART_INDEX, "abxyh"},
		{GPROFX_PART_NAMES, "ahbxyu"},
		{GPROFX_PART_COUNTS, ""},
	};
	static const struct small_program program = {.functions = "ahbxyu",
	                                             .ticks = {0, 0, 1, 2, 3},
	                                             .calls = "a>b 1 h>b 1 b>x 1 x>y 1 y>x 1",
	                                             .specs = {{ENGINE_FILTER_GRAPH, true, "h"}},
	                                             .corrections = GPROFX_CORRECT_FULL_INDEX |
	                                                            GPROFX_CORRECT_CYCLE_CALLERS};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct report_model *model = report_of(*state, &program, cases[i].parts);

		for (uint32_t f = 0; f < 6; f++)
			if ((model->names[f].bytes != NULL) !=
			    (strchr(cases[i].made, program.functions[f]) != NULL))
				fail_msg("case %zu: %c", i, program.functions[f]);
	}
}

/* To number entries all nodes are sorted: only where somebody looks at the numbers. */
static void
test_numbers_made(void **state)
{
	static const struct {
		uint32_t parts;
		bool traditional, numbered;
	} cases[] = {
		{GPROFX_PART_FLAT | GPROFX_PART_COUNTS, false, false},
		{GPROFX_PART_FILES, false, false},
		{GPROFX_PART_SOURCE | GPROFX_PART_SOURCE_TIMES, false, false},
		{GPROFX_PART_FLAT, true, true},
		{GPROFX_PART_GRAPH, false, true},
		{GPROFX_PART_FLAT | GPROFX_PART_INDEX, false, true},
		{GPROFX_PART_ORDER, false, true},
	};
	static const struct small_program program = {.functions = "ab",
	                                             .ticks = {1, 2},
	                                             .calls = "a>b 1"};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct gprofx_report *report;

		test->settings.traditional = cases[i].traditional;
		report = &report_of(test, &program, cases[i].parts)->public;
		if ((report->graph->index[0] == 1) != cases[i].numbered ||
		    (report->graph->index[1] == 2) != cases[i].numbered)
			fail_msg("case %zu: %u %u", i, report->graph->index[0],
			         report->graph->index[1]);
	}
}

/* In reports by line, lines have no entries; nor, to gprof, untyped functions and cycles. */
static void
test_entries_by_line(void **state)
{
	struct small_program program = {.functions = "abcd",
	                                .ticks = {4, 3, 2, 1},
	                                .calls = "a>b 1 b>a 1 c>d 1"};
	static const char *const expected[] = {"a c d", "<cycle 1> a c d"};

	for (uint32_t corrected = 0; corrected < 2; corrected++) {
		struct testrun *test = *state;
		struct profile *profile = profile_new(&test->run);
		struct small_text found = {.length = 0};
		struct report_model *model;
		struct symbols *symbols;
		struct graph *graph;

		program.corrections = corrected ? GPROFX_CORRECT_CYCLE_ENTRIES : 0;
		graph = small_graph(test, &program);
		symbols = (struct symbols *)graph->symbols;
		test->settings.by_line = true;
		symbols->flags[1] = SYMBOL_LINE;
		graph->shown[4] = true;
		model = report_build(&test->run, symbols, profile, graph, GPROFX_PART_GRAPH);
		add_nodes(&found, &model->public, model->public.graph->entry,
		          model->public.graph->entry_count);
		small_expect("by line", expected[corrected], &found);
	}
}

/* Orders of lines are traced, for those who want to know. */
static void
keep_line(void *opaque, const char *line)
{
	small_add(opaque, "%s\n", line);
}

static void
test_traces(void **state)
{
	static const struct small_program program = {.functions = "abc",
	                                             .ticks = {1, 2, 3},
	                                             .calls = "a>b 1 b>c 1 a>c 2"};
	struct small_text lines = {.length = 0};
	struct testrun *test = *state;

	test->frontend.opaque = &lines;
	test->frontend.trace = keep_line;
	test->run.gx.trace_topics = GPROFX_TRACE_ARC_ORDER;
	report_of(test, &program, GPROFX_PART_GRAPH);
	/* b has one tick of c, besides its own two: 3; c passes 2 on to a. */
	small_expect("trace",
	             "line 1 of callees of a: b\nline 2 of callees of a: c\n"
	             "line 1 of callers of b: a\nline 1 of callees of b: c\n"
	             "line 1 of callers of c: b\nline 2 of callers of c: a\n",
	             &lines);
	test->frontend.opaque = test;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_flat_profile),    TESTRUN(test_names_decide),
		TESTRUN(test_entries),         TESTRUN(test_long_lists),
		TESTRUN(test_index),           TESTRUN(test_callers_of_cycles),
		TESTRUN(test_names_made),      TESTRUN(test_numbers_made),
		TESTRUN(test_entries_by_line), TESTRUN(test_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
