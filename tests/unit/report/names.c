/* SPDX-License-Identifier: Apache-2.0 */
/* Names as they are shown: with positions, objects, what was inlined where; and what they may cost.
 */
#include "smallrun.h"

#include "report/model.h"

static struct source_file files[] = {{0}, {"/src/x.c", "x.c", 0}, {"/src/lib/y.h", "y.h", 0}};

/* The report of functions without any time; positions and objects are those of the symbols. */
static struct report_model *
report_of(struct testrun *test, struct symbols *symbols, uint32_t parts)
{
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));

	graph_add_arcs(&test->run, graph, profile_new(&test->run));
	test->settings.show_unused = true;
	return report_build(&test->run, symbols, profile_new(&test->run), graph, parts);
}

/* Gives functions positions: file and line of each. */
static void
set_positions(struct testrun *test, struct symbols *symbols, const uint32_t (*positions)[2],
              uint32_t count)
{
	symbols->is_located = true;
	symbols->files = files;
	symbols->file_count = 3;
	assert_int_equal(symbols->count, count);
	memory_array(&test->run, symbols->file, count);
	memory_array(&test->run, symbols->line, count);
	for (uint32_t i = 0; i < count; i++) {
		symbols->file[i] = positions[i][0];
		symbols->line[i] = positions[i][1];
	}
}

static void
expect_name(const struct report_model *model, uint32_t node, const char *expected)
{
	struct gprofx_text name = model->public.services->name(&model->public, node);

	if (name.length != strlen(expected) || memcmp(name.bytes, expected, name.length) != 0)
		fail_msg("node %u: expected %s\nfound %.*s", node, expected, (int)name.length,
		         name.bytes);
}

static void
test_positions(void **state)
{
	static const uint32_t positions[][2] = {{1, 7}, {2, 1203}, {0, 0}};
	static const struct {
		bool named, full, by_line;
		const char *names[3];
	} cases[] = {
		{false, false, false, {"a", "b", "c"}},
		{true, false, false, {"a (x.c:7)", "b (y.h:1203)", "c"}},
		{true, true, false, {"a (/src/x.c:7)", "b (/src/lib/y.h:1203)", "c"}},
		{false, false, true, {"a (x.c:7 @ 1000)", "b (y.h:1203 @ 1010)", "c"}},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (uint32_t early = 0; early < 2; early++) {
			struct symbols *symbols = small_letters(test, "abc");
			struct report_model *model;
			uint32_t line = 99;

			test->settings.inline_file_names = cases[i].named;
			test->settings.full_paths = cases[i].full;
			test->settings.by_line = cases[i].by_line;
			set_positions(test, symbols, positions, 3);
			model = report_of(test, symbols, early ? GPROFX_PART_NAMES : 0);
			/* The same whether they were made beforehand or when asked for. */
			for (uint32_t f = 0; f < 3; f++) {
				assert_int_equal(model->names[f].bytes != NULL, early);
				expect_name(model, f, cases[i].names[f]);
				assert_non_null(model->names[f].bytes);
			}
			assert_string_equal(report_source(&model->public, 1, &line),
			                    "/src/lib/y.h");
			assert_int_equal(line, 1203);
			assert_null(report_source(&model->public, 2, &line));
			assert_int_equal(line, 0);
			assert_null(report_source(&model->public, 3, &line));
			symbols->is_located = false;
			assert_null(report_source(&model->public, 0, &line));
		}
}

/* Rows are sorted by names without positions, and shown with them. */
static void
test_sorted_without_positions(void **state)
{
	static const struct small_function functions[] = {{"f", 0x1000, 16},
	                                                  {"f1", 0x1010, 16},
	                                                  {"e", 0x1020, 16},
	                                                  {0}};
	static const uint32_t positions[][2] = {{1, 7}, {2, 8}, {1, 9}};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, functions);
	struct report_model *model;

	test->settings.inline_file_names = true;
	test->run.corrections = GPROFX_CORRECT_SHOWN_ORDER;
	set_positions(test, symbols, positions, 3);
	model = report_of(test, symbols, GPROFX_PART_FLAT);
	assert_int_equal(model->public.graph->flat_count, 3);
	expect_name(model, model->public.graph->flat[0], "e (x.c:9)");
	expect_name(model, model->public.graph->flat[1], "f (x.c:7)");
	expect_name(model, model->public.graph->flat[2], "f1 (y.h:8)");
}

/* Functions of another object have its name behind theirs, and their addresses in it. */
static void
test_objects(void **state)
{
	static const uint32_t positions[][2] = {{1, 7}, {0, 0}, {2, 3}};
	struct symbol_image images[] = {
		{.name = "a.out"},
		{.path = "/lib/libz.so", .name = "libz.so", .first = 0x1010},
		{.path = "/lib/liby.so", .name = "liby.so", .first = 0x1020}};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abc");
	const struct gprofx_report *report;
	struct report_model *model;

	set_positions(test, symbols, positions, 3);
	testrun_objects(test, symbols, images, 3);
	model = report_of(test, symbols, 0);
	report = &model->public;
	expect_name(model, 0, "a");
	expect_name(model, 1, "b (libz.so)");
	expect_name(model, 2, "c (liby.so)");
	assert_null(report->functions->object_name[0]);
	assert_string_equal(report->functions->object_name[1], "libz.so");
	assert_true(report->functions->address[0] == 0x1000 && report->functions->end[0] == 0x100f);
	assert_true(report->functions->address[1] == 0 && report->functions->end[1] == 15);
	assert_true(report->functions->address[2] == 0 && report->functions->end[2] == 15);
	test->settings.inline_file_names = true;
	model = report_of(test, symbols, GPROFX_PART_NAMES);
	expect_name(model, 0, "a (x.c:7)");
	expect_name(model, 1, "b (libz.so)");
	expect_name(model, 2, "c (y.h:3) (liby.so)");
}

/* Names are demangled if that is wanted, though not where tables are like those of BSD. */
static void
test_demangled(void **state)
{
	static const struct small_function functions[] = {{"_ZN1a1bEv", 0x1000, 16},
	                                                  {"main", 0x1010, 16},
	                                                  {"_Z1fi", 0x1020, 16},
	                                                  {0}};
	static const uint32_t positions[][2] = {{0, 0}, {1, 7}, {1, 8}};
	static const struct {
		enum engine_demangling demangling;
		bool traditional;
		const char *names[3];
	} cases[] = {
		{ENGINE_DEMANGLE_AUTO, false, {"a::b()", "main (x.c:7)", "f(int) (x.c:8)"}},
		{ENGINE_DEMANGLE_NONE, false, {"_ZN1a1bEv", "main (x.c:7)", "_Z1fi (x.c:8)"}},
		{ENGINE_DEMANGLE_AUTO, true, {"_ZN1a1bEv", "main (x.c:7)", "_Z1fi (x.c:8)"}},
	};
	struct testrun *test = *state;

	test->settings.inline_file_names = true;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct symbols *symbols = small_symbols(test, functions);
		struct report_model *model;

		set_positions(test, symbols, positions, 3);
		test->settings.demangling = cases[i].demangling;
		test->settings.traditional = cases[i].traditional;
		model = report_of(test, symbols, i == 0 ? GPROFX_PART_NAMES : 0);
		for (uint32_t f = 0; f < 3; f++)
			expect_name(model, f, cases[i].names[f]);
	}
}

/*
 * Lines of inlined subroutines say what they were inlined into, one after the other, but not for
 * ever.
 */
static void
test_inlined(void **state)
{
	static const uint32_t positions[][2] = {{1, 7}, {1, 8}, {1, 9}};
	struct inlined_instance instances[] = {{0},
	                                       {"f", 1, 30, 2},
	                                       {NULL, 0, 0, 3},
	                                       {"main", 2, 5, 0},
	                                       {"x", 0, 0, 4}};
	uint32_t inlined[3] = {1, 0, 4};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abc");
	struct small_text chain = {.length = 0};
	struct report_model *model;

	set_positions(test, symbols, positions, 3);
	symbols->inlined = inlined;
	symbols->instances = instances;
	symbols->instance_count = 5;
	test->settings.by_line = true;
	model = report_of(test, symbols, 0);
	expect_name(
		model, 0,
		"a (x.c:7 @ 1000) inlined into f (x.c:30) inlined into ? inlined into main (y.h:5)");
	expect_name(model, 1, "b (x.c:8 @ 1010)");
	/* A damaged file can have a circle: 64 of it are enough. */
	small_add(&chain, "c (x.c:9 @ 1020)");
	for (int i = 0; i < 64; i++)
		small_add(&chain, " inlined into x");
	small_add(&chain, " ...");
	expect_name(model, 2, chain.bytes);
}

/* Many names are made by several threads, each with a text of its own; all are as made alone. */
static void
test_many_names(void **state)
{
	enum { COUNT = 5000 };
	static char raw[COUNT][8];
	static const char *names[COUNT];
	struct testrun *test = *state;
	uint32_t(*positions)[2] = memory_alloc(&test->run, COUNT * sizeof *positions);

	for (uint32_t i = 0; i < COUNT; i++) {
		snprintf(raw[i], sizeof raw[i], "f%u", i / 2);
		/* Lines of a function share its name. */
		names[i] = i % 2 ? names[i - 1] : raw[i];
		positions[i][0] = i % 5 != 0;
		positions[i][1] = i + 1;
	}
	test->settings.inline_file_names = true;
	for (uint32_t threads = 1; threads <= 3; threads++) {
		struct symbols *symbols = testrun_symbols(test, names, COUNT);
		struct report_model *model;
		uint64_t cost = 0;

		set_positions(test, symbols, (const uint32_t(*)[2])positions, COUNT);
		test->run.threads = threads;
		model = report_of(test, symbols, GPROFX_PART_NAMES);
		for (uint32_t i = 0; i < COUNT; i++) {
			char expected[64];

			snprintf(expected, sizeof expected, i % 5 != 0 ? "f%u (x.c:%u)" : "f%u",
			         i / 2, i + 1);
			assert_non_null(model->names[i].bytes);
			expect_name(model, i, expected);
			cost += i % 5 != 0 ? strlen(expected) : 0;
		}
		assert_int_equal(model->name_cost, cost);
		assert_string_equal(test->last_id, "");
	}
}

/*
 * All names together may take 32 MiB, and 32 bytes for each byte of the files.  With paths of
 * 0x20000 bytes that is less than 256 of them: what comes then has its name of the symbol table.
 */
static void
test_long_names(void **state)
{
	enum { COUNT = 300, LONG = 0x20000 };
	static char raw[COUNT][8], path[LONG + 1];
	static const char *names[COUNT];
	static const struct {
		uint64_t list_bytes, object_bytes;
		uint32_t made;
	} cases[] = {
		/* Each has LONG bytes and "fNNN (:1)": 255 are less than 256 * LONG. */
		{0, 0, 255},
		/* 32 more bytes for each byte: 10 * LONG. */
		{5 * LONG / 32, 5 * LONG / 32, 265},
		{UINT64_MAX / 2, 0, COUNT},
		{UINT64_MAX, UINT64_MAX, COUNT},
	};
	uint32_t positions[COUNT][2];
	struct testrun *test = *state;

	memset(path, 'p', LONG);
	for (uint32_t i = 0; i < COUNT; i++) {
		snprintf(raw[i], sizeof raw[i], "f%03u", i);
		names[i] = raw[i];
		positions[i][0] = positions[i][1] = 1;
	}
	test->settings.inline_file_names = true;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct source_file long_files[] = {{0}, {path, path, 0}};
		struct symbol_image images[] = {
			{.name = "a.out"},
			{.name = "o", .bytes = cases[i].object_bytes, .first = UINT64_MAX}};
		struct symbols *symbols = testrun_symbols(test, names, COUNT);
		struct report_model *model;
		uint32_t rows[COUNT] = {0}, made = 0;

		set_positions(test, symbols, (const uint32_t(*)[2])positions, COUNT);
		symbols->files = long_files;
		testrun_objects(test, symbols, images, 2);
		symbols->row = rows;
		symbols->list.length = cases[i].list_bytes;
		test->run.threads = 1 + (uint32_t)i % 2;
		test->last_id[0] = '\0';
		/* Beforehand, or one by one. */
		model = report_of(test, symbols, i % 2 ? 0 : GPROFX_PART_NAMES);
		for (uint32_t f = 0; f < COUNT; f++) {
			struct gprofx_text name = report_name(&model->public, f);

			assert_true(memcmp(name.bytes, names[f], 4) == 0);
			assert_true(name.length == 4 || name.length == LONG + 9);
			made += name.length > 4;
		}
		assert_int_equal(made, cases[i].made);
		assert_string_equal(test->last_id, made < COUNT ? "report.long-names" : "");
		run_finish(&test->run);
		run_start(&test->run, &test->settings, &test->frontend);
	}
}

/* Names of subroutines that are no rows: demangled, as they are, too long, and without bytes. */
static void
test_single_names(void **state)
{
	static const char *const names[] = {"f"};
	struct testrun *test = *state;
	struct report_model *model;

	test->settings.demangling = ENGINE_DEMANGLE_AUTO;
	model = report_of(test, testrun_symbols(test, names, 1), 0);
	assert_string_equal(report_readable(model, "_ZN2ns1gEi"), "ns::g(int)");
	assert_string_equal(report_readable(model, "plain"), "plain");
	assert_string_equal(report_readable(model, ""), "");
	test->settings.demangling = ENGINE_DEMANGLE_NONE;
	assert_string_equal(report_readable(model, "_ZN2ns1gEi"), "_ZN2ns1gEi");
	test->settings.demangling = ENGINE_DEMANGLE_AUTO;
	model->name_cost = UINT64_MAX;
	assert_string_equal(report_readable(model, "_ZN2ns1gEi"), "_ZN2ns1gEi");
	assert_string_equal(test->last_id, "report.long-names");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_positions),
		TESTRUN(test_objects),
		TESTRUN(test_demangled),
		TESTRUN(test_inlined),
		TESTRUN(test_sorted_without_positions),
		TESTRUN(test_single_names),
		TESTRUN(test_many_names),
		TESTRUN(test_long_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
