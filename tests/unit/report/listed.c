/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a report need: which positions are asked for, which names and lists made. */
#include "smallrun.h"

#include "report/model.h"

/* Functions whose positions were asked for, as letters; function i is in line 10 + i of x.c. */
static char asked[64];

static enum gprofx_result
locate(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_positions *positions,
       const void *options)
{
	(void)image;
	(void)options;
	for (uint32_t i = 0; i < positions->count; i++) {
		uint32_t function = (uint32_t)(positions->address[i] - 0x1000) / 16;

		positions->file[i] = positions->builder->file(gx, positions, "/s/x.c");
		positions->line[i] = 10 + function;
		snprintf(asked + strlen(asked), 2, "%c", (char)('a' + function));
	}
	return GPROFX_OK;
}

static const struct gprofx_symbols provider = {.size = sizeof provider, .locate = locate};
static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "symbols-dwarf", .version = "1",
                                            .summary = "s", .symbols = &provider};
static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};

static struct profile *
profile_of(struct testrun *test)
{
	struct profile *profile = profile_new(&test->run);

	profile->has_histogram = profile->has_arcs = profile->has_graph = true;
	profile->rate = 100;
	memcpy(profile->dimension, "seconds", sizeof "seconds");
	profile->abbreviation = 's';
	return profile;
}

static struct report_model *
report_of(struct testrun *test, struct graph *graph, uint32_t parts)
{
	return report_build(&test->run, (struct symbols *)graph->symbols, profile_of(test), graph,
	                    parts);
}

/* Debug information is read for what is shown with its position alone, and not at all for none. */
static void
test_positions(void **state)
{
	static const struct {
		uint32_t parts;
		bool positioned, traditional, show_unused;
		const char *asked; /* NULL: nobody looks for a provider */
	} cases[] = {
		{GPROFX_PART_FLAT, false, false, false, NULL},
		{GPROFX_PART_FLAT, true, false, false, "ab"},
		{GPROFX_PART_FLAT, true, false, true, "abcd"},
		{GPROFX_PART_FLAT, true, true, false, "ab"},
		{GPROFX_PART_GRAPH, false, false, false, NULL},
		{GPROFX_PART_GRAPH, true, false, false, "ab"},
		{GPROFX_PART_NAMES, true, false, false, "abcd"},
		{GPROFX_PART_NAMES, false, false, false, NULL},
		{GPROFX_PART_ORDER, true, false, true, NULL},
		/* The index names the files of static functions: of b, and of c if it is shown. */
		{GPROFX_PART_INDEX, false, false, false, "b"},
		{GPROFX_PART_INDEX, false, false, true, "bc"},
		{GPROFX_PART_INDEX, true, false, false, "ab"},
		{GPROFX_PART_INDEX, false, true, false, NULL},
		{GPROFX_PART_INDEX, false, true, true, NULL},
		{GPROFX_PART_INDEX | GPROFX_PART_FLAT, false, false, false, "b"},
		{GPROFX_PART_SOURCES, false, false, false, "abcd"},
		{GPROFX_PART_SOURCES | GPROFX_PART_INDEX, true, false, true, "abcd"},
		{GPROFX_PART_COUNTS, false, false, false, "abcd"},
		{0, true, false, true, NULL},
	};
	/* Of a static function that is called by nothing and has no time, c, nothing is shown. */
	static const struct small_program program = {.functions = "abcd", .ticks = {1, 2}};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct report_model *model;
		struct symbols *symbols;
		struct graph *graph;
		uint32_t line;

		testrun_again(test);
		asked[0] = '\0';
		test->settings.builtin = builtin;
		test->settings.inline_file_names = cases[i].positioned;
		test->settings.traditional = cases[i].traditional;
		test->settings.show_unused = cases[i].show_unused;
		graph = small_graph(test, &program);
		symbols = (struct symbols *)graph->symbols;
		symbols->flags[1] |= GPROFX_SYMBOL_LOCAL;
		symbols->flags[2] |= GPROFX_SYMBOL_LOCAL;
		symbols->table.has_source = true;
		symbols->image.name = "image";
		symbols->located = &symbols->image;
		model = report_of(test, graph, cases[i].parts);
		if (strcmp(asked, cases[i].asked ? cases[i].asked : "") != 0)
			fail_msg("case %zu: asked for %s", i, asked);
		if (symbols->is_located != (cases[i].asked != NULL))
			fail_msg("case %zu: %d", i, symbols->is_located);
		for (const char *at = asked; *at; at++) {
			uint32_t function = (uint32_t)(*at - 'a');

			assert_string_equal(report_source(&model->public, function, &line),
			                    "/s/x.c");
			assert_int_equal(line, 10 + function);
		}
	}
}

/*
 * Names are made beforehand for all rows of entries: of cycles, these are members and callers of
 * members that have no entry of their own.
 */
static void
test_names_in_entries(void **state)
{
	static const struct {
		const char *what;
		struct small_program program;
		const char *made;
	} cases[] = {
		/* p has an entry, and its cycle: q and s are beside p, r and h beside no entry. */
		{"members and callers of the cycle",
	         {.functions = "hpqrsu",
	          .ticks = {1, 1, 1, 1, 1, 1},
	          .calls = "p>q 1 q>r 1 r>s 1 s>p 1 h>r 1 u>h 1",
	          .specs = {{ENGINE_FILTER_GRAPH, false, "p"}},
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS | GPROFX_CORRECT_CYCLE_ENTRIES},
	         "hpqrs"},
		{"without callers",
	         {.functions = "hpqrsu",
	          .ticks = {1, 1, 1, 1, 1, 1},
	          .calls = "p>q 1 q>r 1 r>s 1 s>p 1 h>r 1 u>h 1",
	          .specs = {{ENGINE_FILTER_GRAPH, false, "p"}},
	          .corrections = GPROFX_CORRECT_CYCLE_ENTRIES},
	         "pqrs"},
		/* Neither cycle is shown; a calls p, so p stands in its entry, and b in no one's.
	         */
		{"selected with the caller",
	         {.functions = "abpqrs",
	          .ticks = {1, 1, 1, 1, 1, 1},
	          .calls = "p>q 1 q>p 1 r>s 1 s>r 1 a>p 1 b>r 1",
	          .specs = {{ENGINE_FILTER_GRAPH, false, "a"}},
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS | GPROFX_CORRECT_CYCLE_ENTRIES},
	         "apq"},
		{"two cycles, the second hidden",
	         {.functions = "abpqrstu",
	          .ticks = {1, 1, 1, 1, 1, 1, 1, 1},
	          .calls = "p>q 1 q>p 1 a>q 1 r>s 1 s>t 1 t>u 1 u>r 1 b>s 1",
	          .specs = {{ENGINE_FILTER_GRAPH, false, "p"}},
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS | GPROFX_CORRECT_CYCLE_ENTRIES},
	         "apq"},
		{"two cycles, the first hidden",
	         {.functions = "abpqrstu",
	          .ticks = {1, 1, 1, 1, 1, 1, 1, 1},
	          .calls = "p>q 1 q>p 1 a>q 1 r>s 1 s>t 1 t>u 1 u>r 1 b>t 1",
	          .specs = {{ENGINE_FILTER_GRAPH, false, "r"}},
	          .corrections = GPROFX_CORRECT_CYCLE_CALLERS | GPROFX_CORRECT_CYCLE_ENTRIES},
	         "brstu"},
		{"a hidden caller",
	         {.functions = "abcd",
	          .ticks = {1, 1, 1, 1},
	          .calls = "a>b 1 b>c 1 c>d 1",
	          .specs = {{ENGINE_FILTER_GRAPH, false, "b"}}},
	         "abcd"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text found = {.length = 0};
		struct report_model *model;

		testrun_again(test);
		model = report_of(test, small_graph(test, &cases[i].program), GPROFX_PART_GRAPH);
		for (uint32_t f = 0; cases[i].program.functions[f] != '\0'; f++)
			if (model->names[f].bytes)
				small_add(&found, "%c", cases[i].program.functions[f]);
		small_expect(cases[i].what, cases[i].made, &found);
	}
}

/* Lines that make a call stand in entries as well. */
static void
test_names_of_sites(void **state)
{
	static const struct small_program program = {.functions = "abcdef",
	                                             .ticks = {1, 1, 1, 1, 1, 1},
	                                             .calls = "a>b 1 c>d 1",
	                                             .specs = {{ENGINE_FILTER_GRAPH, false, "b"}}};
	struct gprofx_site sites[] = {{.node = 4, .calls = 1}, {.node = 5, .calls = 1}};
	uint32_t first[] = {0, 1, 2};
	struct testrun *test = *state;
	struct graph *graph = small_graph(test, &program);
	struct report_model *model;
	char made[8] = "";

	graph->sites = sites;
	graph->site_first = first;
	model = report_of(test, graph, GPROFX_PART_GRAPH);
	for (uint32_t f = 0; f < 6; f++)
		if (model->names[f].bytes)
			snprintf(made + strlen(made), 2, "%c", program.functions[f]);
	/* e makes the call of b, f that of d, which has no entry. */
	assert_string_equal(made, "abe");
}

/* Lists are there for the parts that are asked for, and no others. */
static void
test_parts(void **state)
{
	static const uint32_t parts[] = {0,
	                                 GPROFX_PART_FLAT,
	                                 GPROFX_PART_GRAPH,
	                                 GPROFX_PART_INDEX,
	                                 GPROFX_PART_COUNTS,
	                                 GPROFX_PART_FILES,
	                                 GPROFX_PART_ORDER,
	                                 GPROFX_PART_NAMES};
	static const struct small_program program = {.functions = "ab",
	                                             .ticks = {1, 1},
	                                             .calls = "a>b 1",
	                                             .corrections = GPROFX_CORRECT_SHOWN_ORDER};
	static const char *names[] = {"left", "kept"};
	uint8_t fates[] = {FATE_STATIC, FATE_KEPT};
	uint64_t numbers[] = {7, 8};
	struct file_map map = {.count = 0};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		struct graph *graph = small_graph(test, &program);
		struct symbols *symbols = (struct symbols *)graph->symbols;
		const struct gprofx_report *report;
		struct report_model *model;

		symbols->fate = fates;
		symbols->table.rows.name = names;
		symbols->table.rows.address = symbols->table.rows.bytes = numbers;
		symbols->table.count = 2;
		symbols->map = &map;
		model = report_of(test, graph, parts[i]);
		report = &model->public;
		assert_int_equal(report->graph->flat_count, parts[i] == GPROFX_PART_FLAT ? 2 : 0);
		assert_int_equal(report->graph->entry_count, parts[i] == GPROFX_PART_GRAPH ? 2 : 0);
		assert_int_equal(report->graph->index_count, parts[i] == GPROFX_PART_INDEX ? 2 : 0);
		assert_int_equal(report->source->counted_count,
		                 parts[i] == GPROFX_PART_COUNTS ? 1 : 0);
		assert_int_equal(report->source->counted_row_count,
		                 parts[i] == GPROFX_PART_COUNTS ? 1 : 0);
		assert_int_equal(report->functions->has_map, parts[i] == GPROFX_PART_ORDER);
		assert_int_equal(report->functions->left_out_count,
		                 parts[i] == GPROFX_PART_FILES ? 1 : 0);
		if (parts[i] == GPROFX_PART_FILES)
			assert_string_equal(report->functions->left_out[0].name, "left");
		/* Names are made for what lists them. */
		for (uint32_t f = 0; f < 2; f++)
			assert_int_equal(model->names[f].bytes != NULL,
			                 (parts[i] & (GPROFX_PART_FLAT | GPROFX_PART_GRAPH |
			                              GPROFX_PART_INDEX | GPROFX_PART_NAMES)) != 0);
		assert_ptr_equal(report->functions->raw_name, symbols->name);
		assert_ptr_equal(report->functions->address, symbols->address);
		assert_null(report->functions->object_name);
		assert_true(gprofx_self_of(report, 0) == 1 &&
		            !report->graph->columns->whole_self.first);
	}
}

/* A report that nobody analysed has no entries, and zeros for what analysis finds. */
static void
test_not_analysed(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "ab");
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	const struct gprofx_report *report;

	graph->self[1] = 3;
	report = &report_of(test, graph, GPROFX_PART_GRAPH | GPROFX_PART_FLAT)->public;
	assert_int_equal(report->graph->entry_count, 0);
	assert_int_equal(report->graph->flat_count, 1);
	for (uint32_t f = 0; f < report->functions->count; f++) {
		assert_true(gprofx_below_of(report, f) == 0 &&
		            gprofx_real(&report->graph->columns->selected_self, f) == 0);
		assert_int_equal(gprofx_recursive_of(report, f), 0);
		assert_int_equal(report->graph->cycle[f], 0);
		assert_int_equal(report->graph->index[f], 0);
	}
}

/* Of one object, too, functions have the addresses that they have in it. */
static void
test_one_object(void **state)
{
	struct symbol_image images[] = {{.name = "a.out"}, {.name = "o", .first = 0x1010}};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "ab");
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	const struct gprofx_report *report;

	testrun_objects(test, symbols, images, 2);
	report = &report_of(test, graph, 0)->public;
	assert_true(report->functions->address[0] == 0x1000 && report->functions->end[0] == 0x100f);
	assert_true(report->functions->address[1] == 0 && report->functions->end[1] == 15);
	assert_null(report->functions->object_name[0]);
	assert_string_equal(report->functions->object_name[1], "o");
}

/* Entries of equal time are numbered by the names that are shown, if lists go by these. */
static void
test_numbers(void **state)
{
	static const struct small_function functions[] = {{"_Z1bv", 0x1000, 16},
	                                                  {"a", 0x1010, 16},
	                                                  {"_ZN1Z1zEv", 0x1020, 16},
	                                                  {0}};
	/* a, then _Z1bv and _ZN1Z1zEv, whose underscores put them last; or Z::z(), a, b(). */
	static const struct {
		uint32_t parts;
		bool corrected;
		uint32_t index[3];
	} cases[] = {
		{GPROFX_PART_GRAPH, false, {2, 1, 3}},
		{GPROFX_PART_GRAPH, true, {3, 2, 1}},
		{GPROFX_PART_INDEX, true, {3, 2, 1}},
		{GPROFX_PART_INDEX | GPROFX_PART_GRAPH, true, {3, 2, 1}},
		/* Where no numbers are shown, names are not made for them. */
		{GPROFX_PART_ORDER, true, {2, 1, 3}},
		{GPROFX_PART_FLAT, true, {0, 0, 0}},
	};
	struct testrun *test = *state;

	test->settings.demangling = ENGINE_DEMANGLE_AUTO;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct symbols *symbols = small_symbols(test, functions);
		struct graph *graph;
		const struct gprofx_report *report;

		test->run.corrections = cases[i].corrected ? GPROFX_CORRECT_SHOWN_ORDER : 0;
		graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
		for (uint32_t f = 0; f < 3; f++)
			graph->self[f] = 1;
		graph_add_arcs(&test->run, graph, profile_new(&test->run));
		graph_analyse(&test->run, graph);
		report = &report_of(test, graph, cases[i].parts)->public;
		for (uint32_t f = 0; f < 3; f++)
			if (report->graph->index[f] != cases[i].index[f])
				fail_msg("case %zu: function %u has %u", i, f,
				         report->graph->index[f]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_positions),      TESTRUN(test_names_in_entries),
		TESTRUN(test_names_of_sites), TESTRUN(test_parts),
		TESTRUN(test_not_analysed),   TESTRUN(test_one_object),
		TESTRUN(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
