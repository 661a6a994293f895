/* SPDX-License-Identifier: Apache-2.0 */
/* Execution counts: which functions, and lines and functions of the source, and in which order. */
#include "smallrun.h"

#include "profile/executions.h"
#include "profile/source-counts.h"
#include "report/model.h"

static struct source_file files[] = {{0}, {"/s/x.c", "x.c", 0}, {"/s/y.c", "y.c", 0}};

struct counting {
	const char *what;
	struct small_program program;
	uint32_t positions[6][2]; /* file and line of each function */
	bool show_unused, by_line;
	struct gprofx_raw_block block;
	struct gprofx_raw_line lines[6]; /* of /s/x.c */
	struct gprofx_raw_function functions[6];
	struct gprofx_raw_line y_lines[3]; /* of /s/y.c, as many as functions of it */
	struct gprofx_raw_function y_functions[3];
	const char *rows;
};

static const struct gprofx_report *
report_of(struct testrun *test, const struct counting *counting)
{
	struct graph *graph = small_graph(test, &counting->program);
	struct symbols *symbols = (struct symbols *)graph->symbols;
	struct profile *profile = profile_new(&test->run);
	struct gprofx_raw_source source = {.size = sizeof source,
	                                   .path = "/s/x.c",
	                                   .lines = counting->lines,
	                                   .functions = counting->functions};

	symbols->is_located = true;
	symbols->files = files;
	symbols->file_count = 3;
	memory_array(&test->run, symbols->file, symbols->count);
	memory_array(&test->run, symbols->line, symbols->count);
	for (uint32_t i = 0; i < symbols->count; i++) {
		symbols->file[i] = counting->positions[i][0];
		symbols->line[i] = counting->positions[i][1];
	}
	symbols->table.rows.name = symbols->name;
	symbols->table.rows.address = symbols->address;
	symbols->table.rows.flags = symbols->flags;
	symbols->table.count = symbols->count;
	while (source.line_count < 6 && counting->lines[source.line_count].line != 0)
		source.line_count++;
	while (source.function_count < 6 && counting->functions[source.function_count].name)
		source.function_count++;
	profile_begin_file(&test->run, profile, "counts", 0, true);
	if (source.line_count + source.function_count > 0)
		profile->public.builder->source(&test->run.gx, &profile->public, &source);
	source = (struct gprofx_raw_source){.size = sizeof source,
	                                    .path = "/s/y.c",
	                                    .lines = counting->y_lines,
	                                    .functions = counting->y_functions};
	while (source.line_count < 3 && counting->y_lines[source.line_count].line != 0)
		source.function_count = ++source.line_count;
	if (source.line_count > 0)
		profile->public.builder->source(&test->run.gx, &profile->public, &source);
	source_counts_finish(&test->run, profile);
	executions_match(&test->run, symbols, profile);
	if (counting->block.address != 0) {
		profile->public.builder->blocks(&test->run.gx, &profile->public, NULL,
		                                &counting->block, 1);
		graph_add_blocks(&test->run, graph, profile);
	}
	test->settings.show_unused = counting->show_unused;
	test->settings.by_line = counting->by_line;
	return &report_build(&test->run, symbols, profile, graph, GPROFX_PART_COUNTS)->public;
}

/* Rows: the function, "#" and the number of one of the source, "@" and that of a line; the count.
 */
static void
add_rows(struct small_text *text, const struct gprofx_report *report)
{
	for (uint32_t i = 0; i < report->source->counted_row_count; i++) {
		const struct gprofx_counted_row *row = &report->source->counted_row[i];

		small_add(text, "%s", i > 0 ? "; " : "");
		if (row->function != UINT32_MAX)
			small_add(text, "%s", report->functions->raw_name[row->function]);
		if (row->executed_function != UINT32_MAX)
			small_add(text, "#%u", row->executed_function);
		if (row->executed_line != UINT32_MAX)
			small_add(text, "@%u", row->executed_line);
		small_add(text, " %llu", (unsigned long long)row->count);
	}
}

#define CALLS .program = {.functions = "abcd", .calls = "d>a 9 a>b 2 a>c 1 b>d 4"}
/* a and b are of x.c, at lines 5 and 15, c is of y.c, and of d nothing is known. */
#define PLACES .positions = {{1, 5}, {1, 15}, {2, 1}}
/* a, an inlined function, and one that did not run. */
#define SOURCE                                                \
	.lines = {{5, 3}, {6, 4}, {12, 7}, {20, 2}, {30, 0}}, \
	.functions = {{"a", 5, 9, 3}, {"inl", 11, 13, 7}, {"zero", 17, 18, 0}}
/* The first of them stands at the line of c, the other one behind it. */
#define SOURCE_OF_Y \
	.y_lines = {{1, 6}, {5, 8}}, .y_functions = {{"yin", 1, 1, 8}, {"ylate", 5, 6, 9}}

static void
test_rows(void **state)
{
	static const struct counting cases[] = {
		{"calls alone", CALLS, PLACES, .rows = "a 9; b 2; c 1; d 4"},
		{"in order of places", CALLS, .positions = {{2, 3}, {1, 9}, {1, 2}, {1, 2}},
	         .rows = "c 1; d 4; b 2; a 9"},
		{"uncalled ones", .program = {.functions = "abc", .calls = "a>c 1 c>c 3"},
	         .rows = "c 1"},
		{"uncalled ones shown", .program = {.functions = "abc", .calls = "a>c 1"},
	         .show_unused = true, .rows = "a 0; b 0; c 1"},
		{"selected",
	         .program = {.functions = "abcd",
	                     .calls = "d>a 9 a>b 2 a>c 1 b>d 4",
	                     .specs = {{ENGINE_FILTER_COUNTS, true, "b"}}},
	         PLACES, .rows = "a 9; c 1; d 4"},
		/* A block that ran is a reason to be listed; one that did not is none. */
		{"with a block", .program = {.functions = "abc", .calls = "a>c 1"},
	         .block = {0x1014, 5}, .rows = "b 0; c 1"},
		/* The source knows a better: 3, and what stands before b is ahead of it. */
		{"source", CALLS, PLACES, SOURCE, .rows = "a#0 3; #1 7; b 2; c 1; d 4"},
		{"source, all", CALLS, PLACES, SOURCE, .show_unused = true,
	         .rows = "a#0 3; #1 7; b 2; c 1; d 4; #2 0"},
		{"source, called never", .program = {.functions = "abcd", .calls = "d>b 2"}, PLACES,
	         SOURCE, .rows = "a#0 3; #1 7; b 2"},
		{"source, without a",
	         .program = {.functions = "abcd",
	                     .calls = "d>a 9 a>b 2 a>c 1 b>d 4",
	                     .specs = {{ENGINE_FILTER_COUNTS, true, "a"}}},
	         PLACES, SOURCE, .rows = "#1 7; b 2; c 1; d 4"},
		{"source, a alone",
	         .program = {.functions = "abcd",
	                     .calls = "d>a 9 a>b 2 a>c 1 b>d 4",
	                     .specs = {{ENGINE_FILTER_COUNTS, false, "a"}}},
	         PLACES, SOURCE, .rows = "a#0 3"},
		/* By line, lines take the place of functions of the source. */
		{"lines", CALLS, PLACES, SOURCE, .by_line = true,
	         .rows = "@0 3; @1 4; @2 7; b 2; c 1; d 4; @3 2"},
		{"lines, all", CALLS, PLACES, SOURCE, .by_line = true, .show_unused = true,
	         .rows = "@0 3; @1 4; @2 7; b 2; c 1; d 4; @3 2; @4 0"},
		{"lines, without a",
	         .program = {.functions = "abcd",
	                     .calls = "d>a 9 a>b 2 a>c 1 b>d 4",
	                     .specs = {{ENGINE_FILTER_COUNTS, true, "a"}}},
	         PLACES, SOURCE, .by_line = true, .rows = "@2 7; b 2; c 1; d 4"},
		{"lines, a alone",
	         .program = {.functions = "abcd",
	                     .calls = "d>a 9 a>b 2 a>c 1 b>d 4",
	                     .specs = {{ENGINE_FILTER_COUNTS, false, "a"}}},
	         PLACES, SOURCE, .by_line = true, .rows = "@0 3; @1 4"},
		/* A function with blocks has its row for them, behind its line. */
		{"lines and blocks", CALLS, PLACES, SOURCE, .by_line = true, .block = {0x1004, 5},
	         .rows = "@0 3; a 9; @1 4; @2 7; b 2; c 1; d 4; @3 2"},
		/* What is left of x.c comes before what is of y.c. */
		{"two files", CALLS, PLACES, SOURCE, SOURCE_OF_Y,
	         .rows = "a#0 3; #1 7; b 2; #3 8; c 1; d 4; #4 9"},
		{"two files, all", CALLS, PLACES, SOURCE, SOURCE_OF_Y, .show_unused = true,
	         .rows = "a#0 3; #1 7; b 2; #2 0; #3 8; c 1; d 4; #4 9"},
		{"lines of two files", CALLS, PLACES, SOURCE, SOURCE_OF_Y, .by_line = true,
	         .rows = "@0 3; @1 4; @2 7; b 2; @3 2; @5 6; c 1; d 4; @6 8"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text found = {.length = 0};

		add_rows(&found, report_of(*state, &cases[i]));
		small_expect(cases[i].what, cases[i].rows, &found);
	}
}

/* What the report has of the source itself. */
static void
test_executions(void **state)
{
	static const struct counting counting = {CALLS, PLACES, SOURCE};
	const struct gprofx_report *report = report_of(*state, &counting);

	assert_int_equal(report->source->executed_file_count, 1);
	assert_string_equal(report->source->executed_file[0], "/s/x.c");
	assert_int_equal(report->source->executed_line_count, 5);
	assert_int_equal(report->source->executed_line[2].line, 12);
	assert_int_equal(report->source->executed_line[2].count, 7);
	assert_int_equal(report->source->executed_function_count, 3);
	assert_string_equal(report->source->executed_function[1].name, "inl");
	assert_int_equal(report->source->executed_function[1].first_line, 11);
	assert_int_equal(report->source->executed_function[1].last_line, 13);
	assert_int_equal(report->source->executed_function[0].function, 0);
	assert_int_equal(report->source->executed_function[1].function, UINT32_MAX);
	assert_int_equal(report->source->counted_as[0], 1);
	assert_int_equal(report->source->counted_as[1], 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_rows), TESTRUN(test_executions)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
