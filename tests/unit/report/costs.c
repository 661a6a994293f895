/* SPDX-License-Identifier: Apache-2.0 */
/* What names cost together: for any number of threads, for lines that share them, at the bound. */
#include "smallrun.h"

#include "report/model.h"

enum {
	BOUND = 1 << 25, /* bytes of all names that are made, without any of files */
	FUNCTIONS = 4000,
	PATH = 0x20000
};

/* Functions "f0000" and so on, which all stand in line 1 of a file with a long path. */
static struct symbols *
long_symbols(struct testrun *test, uint32_t count, uint32_t path_bytes)
{
	char *path = memory_alloc(&test->run, path_bytes + 1), *raw;
	const char **names = memory_alloc(&test->run, count * sizeof *names);
	struct symbols *symbols;

	memset(path, 'p', path_bytes);
	raw = memory_alloc(&test->run, (size_t)count * 12);
	for (uint32_t i = 0; i < count; i++) {
		names[i] = raw + 12 * (size_t)i;
		snprintf(raw + 12 * (size_t)i, 12, "f%04u", i);
	}
	symbols = testrun_symbols(test, names, count);
	symbols->is_located = true;
	symbols->file_count = 2;
	memory_array(&test->run, symbols->files, 2);
	symbols->files[1].path = symbols->files[1].base = path;
	memory_array(&test->run, symbols->file, count);
	memory_array(&test->run, symbols->line, count);
	for (uint32_t i = 0; i < count; i++)
		symbols->file[i] = symbols->line[i] = 1;
	test->settings.inline_file_names = true;
	return symbols;
}

static struct report_model *
report_of(struct testrun *test, struct symbols *symbols, uint32_t parts)
{
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));

	graph_add_arcs(&test->run, graph, profile_new(&test->run));
	test->settings.show_unused = true;
	return report_build(&test->run, symbols, profile_new(&test->run), graph, parts);
}

/*
 * 100 names are made first, of PATH + 10 bytes each; then those with odd numbers, until the bound
 * is met: 155 more.  What was made stays, what is not asked for is not made.
 */
static void
test_threads(void **state)
{
	enum { FIRST = 100, MORE = 155, LONG = PATH + 10 };
	struct testrun *test = *state;
	uint8_t *marked = calloc(FUNCTIONS, 1);

	assert_non_null(marked);
	for (uint32_t threads = 1; threads <= 3; threads += 2) {
		const char *made[FIRST];
		struct report_model *model;
		uint32_t count = 0;

		testrun_again(test);
		test->run.threads = threads;
		test->said[0] = '\0';
		model = report_of(test, long_symbols(test, FUNCTIONS, PATH), 0);
		for (uint32_t i = 0; i < FUNCTIONS; i++)
			marked[i] = i < FIRST;
		report_prepare_names(&test->run, model, marked);
		assert_int_equal(model->name_cost, FIRST * LONG);
		for (uint32_t i = 0; i < FUNCTIONS; i++) {
			assert_int_equal(model->names[i].bytes != NULL, i < FIRST);
			if (i < FIRST)
				made[i] = model->names[i].bytes;
		}
		assert_string_equal(test->said, "");
		for (uint32_t i = 0; i < FUNCTIONS; i++)
			marked[i] = i % 2 != 0;
		report_prepare_names(&test->run, model, marked);
		assert_string_equal(
			test->said,
			"W -: the names have more than 33554432 bytes together; some are shown "
			"as they are in the symbol table");
		for (uint32_t i = 0; i < FUNCTIONS; i++) {
			struct gprofx_text name = model->names[i];

			if (i < FIRST) {
				assert_ptr_equal(name.bytes, made[i]);
				assert_int_equal(name.length, LONG);
			} else if (i % 2 == 0) {
				assert_null(name.bytes);
			} else if (count < MORE) {
				assert_int_equal(name.length, LONG);
				assert_memory_equal(name.bytes, model->symbols->name[i], 5);
				count++;
			} else {
				assert_int_equal(name.length, 5);
				assert_ptr_equal(name.bytes, model->symbols->name[i]);
			}
		}
		assert_int_equal(count, MORE);
		/* That was said; nothing is left for others. */
		test->said[0] = '\0';
		assert_int_equal(report_name(&model->public, FIRST).length, 5);
		assert_string_equal(test->said, "");
	}
	free(marked);
}

/* 256 names of 2^17 bytes are as many as all may have, which is one too much. */
static void
test_bound(void **state)
{
	enum { EACH = BOUND / 256 };
	struct testrun *test = *state;

	for (uint32_t way = 0; way < 4; way++) {
		uint32_t count = way % 2 ? 256 : 255;
		struct report_model *model;

		testrun_again(test);
		test->said[0] = '\0';
		model = report_of(test, long_symbols(test, count, EACH - 10),
		                  way < 2 ? GPROFX_PART_NAMES : 0);
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(report_name(&model->public, i).length, i < 255 ? EACH : 5);
		assert_int_equal(model->name_cost, (uint64_t)count * EACH);
		assert_int_equal(test->said[0], count == 255 ? '\0' : 'W');
	}
}

/*
 * Names of Ada take memory while they are made, which counts.  Lines of a function have its name
 * from the first of them; they cost what they would without that, in any test.
 */
static void
test_shared_names(void **state)
{
	enum { LINES = 4 };
	static char raw[LINES][8];
	static struct source_file files[] = {{0}, {"x", "x", 0}};
	struct testrun *test = *state;
	uint64_t single = 0;

	test->settings.demangling = ENGINE_DEMANGLE_GNAT;
	test->settings.inline_file_names = true;
	for (uint32_t way = 0; way < 4; way++) {
		uint32_t count = way == 0 ? 1 : LINES, file[LINES] = {1, 1, 1, 1},
			 line[LINES] = {1, 2, 3, 4};
		const char *names[LINES];
		struct report_model *model;
		struct symbols *symbols;

		for (uint32_t i = 0; i < LINES; i++) {
			strcpy(raw[i], "p__q");
			/* Each its own; all the same; by twos. */
			names[i] = raw[way == 2 ? 0 : way == 3 ? i / 2 : i];
		}
		symbols = testrun_symbols(test, names, count);
		symbols->is_located = true;
		symbols->files = files;
		symbols->file_count = 2;
		symbols->file = file;
		symbols->line = line;
		model = report_of(test, symbols, GPROFX_PART_NAMES);
		for (uint32_t i = 0; i < count; i++) {
			struct gprofx_text name = report_name(&model->public, i);
			char expected[16];

			snprintf(expected, sizeof expected, "p.q (x:%u)", i + 1);
			assert_int_equal(name.length, strlen(expected));
			assert_memory_equal(name.bytes, expected, name.length);
		}
		if (way == 0)
			single = model->name_cost;
		assert_true(single > strlen("p.q (x:1)"));
		assert_int_equal(model->name_cost, count * single);
		/* One by one they cost the same. */
		model = report_of(test, symbols, 0);
		for (uint32_t i = 0; i < count; i++)
			report_name(&model->public, i);
		assert_int_equal(model->name_cost, count * single);
	}
}

/* What is sorted by shown names has these made for that, and shows the same ones. */
static void
test_names_of_sorted_rows(void **state)
{
	struct symbol_image images[] = {{.name = "a.out"}, {.name = "o", .first = 0x1000}};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "abc");
	struct report_model *model;

	testrun_objects(test, symbols, images, 2);
	test->run.corrections = GPROFX_CORRECT_SHOWN_ORDER;
	model = report_of(test, symbols, GPROFX_PART_FLAT);
	assert_int_equal(model->public.graph->flat_count, 3);
	assert_int_equal(model->name_cost, 3 * strlen("a (o)"));
}

/* What code was inlined into has no more than 16384 bytes and one link. */
static void
test_long_chains(void **state)
{
	enum { NAME = 1000, LINKS = 17 };
	static const char begins[2][20] = {"a (x:7 @ 1000)", "b (x:7 @ 1010)"};
	char *into = memory_alloc(&((struct testrun *)*state)->run, NAME + 1);
	struct inlined_instance instances[] = {{0}, {into, 0, 0, 1}};
	struct source_file files[] = {{0}, {"x", "x", 0}};
	uint32_t file[] = {1, 1}, line[] = {7, 7}, inlined[] = {1, 1};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "ab");
	struct report_model *model;

	memset(into, 'i', NAME);
	symbols->is_located = true;
	symbols->files = files;
	symbols->file_count = 2;
	symbols->file = file;
	symbols->line = line;
	symbols->inlined = inlined;
	symbols->instances = instances;
	symbols->instance_count = 2;
	test->settings.by_line = true;
	model = report_of(test, symbols, GPROFX_PART_NAMES);
	for (uint32_t i = 0; i < 2; i++) {
		struct gprofx_text name = report_name(&model->public, i);

		assert_int_equal(name.length, strlen(begins[i]) +
		                                      LINKS * (strlen(" inlined into ") + NAME) +
		                                      strlen(" ..."));
		assert_memory_equal(name.bytes, begins[i], strlen(begins[i]));
		assert_memory_equal(name.bytes + name.length - 5, "i ...", 5);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_threads),      TESTRUN(test_bound),
		TESTRUN(test_shared_names), TESTRUN(test_names_of_sorted_rows),
		TESTRUN(test_long_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
