/* SPDX-License-Identifier: Apache-2.0 */
/* The view of a report whose texts are printable, the account of samples, and what is left out. */
#include "smallrun.h"

#include "report/model.h"
#include "report/printable.h"
#include "symbols/needed.h"

static void
expect_printable(struct testrun *test, const char *text, size_t length, const char *expected)
{
	struct gprofx_text made = report_printable_text(&test->run,
	                                                (struct gprofx_text){text, length});

	if (made.length != strlen(expected) || memcmp(made.bytes, expected, made.length) != 0)
		fail_msg("expected %s, found %.*s", expected, (int)made.length, made.bytes);
}

static void
test_texts(void **state)
{
	static const char plain[] = "plain \xc3\xa4";
	struct testrun *test = *state;

	assert_ptr_equal(report_printable_text(&test->run, (struct gprofx_text){plain, 8}).bytes,
	                 plain);
	expect_printable(test, "", 0, "");
	expect_printable(test, "\x1b[1m", 4, "\\x1b[1m");
	expect_printable(test, "a\nb\rc", 5, "a\\x0ab\\x0dc");
	expect_printable(test, "end\x7f", 4, "end\\x7f");
	expect_printable(test, "\xff\xfe", 2, "\\xff\\xfe");
	expect_printable(test, "two\x01\x02.", 6, "two\\x01\\x02.");
	/* It ends with a 0 that does not count, for those who need one. */
	assert_int_equal(
		report_printable_text(&test->run, (struct gprofx_text){"\x01", 1}).bytes[4], 0);
}

/* A view has other texts and the same numbers; the report keeps what it had. */
static void
test_view(void **state)
{
	static const struct small_function functions[] = {{"m\x01n", 0x1000, 16},
	                                                  {"ok", 0x1010, 16},
	                                                  {"l\x02", 0x1020, 16},
	                                                  {"l\x02", 0x1030, 16},
	                                                  {0}};
	static struct source_file files[] = {{0}, {"/s\x03.c", "s\x03.c", 0}, {"/t.c", "t.c", 0}};
	const char *profiles[] = {"p\x04", "q"}, *libraries[] = {"lib\x05.so"},
		   *executed[] = {"e", "e", "f\x06", "f\x06"}, *source[] = {"g\x07"};
	uint32_t file[4] = {1, 2, 2, 2}, line[4] = {1, 2, 3, 4};
	struct gprofx_file_range range = {.dimension = "se\x08", .abbreviation = '\x09'};
	struct gprofx_profile_file profile_file = {.name = "n\x0a",
	                                           .format = "f\x0b",
	                                           .variant = "v\x0c",
	                                           .ranges = &range,
	                                           .range_count = 1};
	struct gprofx_labelled_file labelled = {.name = "n\x0d", .label = "l\x0e"};
	struct gprofx_finding finding = {.file = "f\x0f",
	                                 .summary = "s\x10",
	                                 .evidence = "e\x11",
	                                 .advice = "a\x12"};
	struct gprofx_left_out left_out = {.name = "o\x13"};
	struct gprofx_account account = {.libraries = libraries, .library_count = 1, .samples = 9};
	struct gprofx_executed_function function = {.name = "x\x14", .count = 5};
	const char *map_functions[] = {"mf\x15"}, *map_files[] = {"ok"};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, functions);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	struct profile *profile = profile_new(&test->run);
	struct report_model *model, *view;
	struct report_parts *parts;
	const struct gprofx_report *seen;
	uint32_t at;

	symbols->is_located = true;
	symbols->files = files;
	symbols->file_count = 3;
	symbols->file = file;
	symbols->line = line;
	test->settings.image = "i\x16";
	test->settings.profiles = profiles;
	test->settings.profile_count = 2;
	memcpy(profile->dimension, "sec\x17nds", 8);
	profile->abbreviation = '\x18';
	model = report_build(&test->run, symbols, profile, graph, 0);
	parts = &model->parts;
	report_name(&model->public, 0);
	parts->files.file = &profile_file;
	parts->files.count = 1;
	parts->files.labelled = &labelled;
	parts->files.labelled_count = 1;
	parts->findings.finding = &finding;
	parts->findings.count = 1;
	parts->functions.left_out = &left_out;
	parts->functions.left_out_count = 1;
	parts->findings.account = &account;
	parts->source.executed_function = &function;
	parts->source.executed_function_count = 1;
	parts->source.executed_file = executed;
	parts->source.executed_file_count = 4;
	parts->source.file = source;
	parts->source.file_count = 1;
	parts->functions.map_function = map_functions;
	parts->functions.map_file = map_files;
	parts->functions.map_count = 1;

	view = report_printable(&test->run, model);
	seen = &view->public;
	assert_string_equal(seen->origin->image, "i\\x16");
	assert_string_equal(seen->origin->profiles[0], "p\\x04");
	assert_string_equal(seen->origin->profiles[1], "q");
	/* There is no room for more than there was. */
	assert_string_equal(seen->origin->metrics->unit, "sec?nds");
	assert_int_equal(seen->origin->metrics->abbreviation, '?');
	assert_string_equal(seen->functions->raw_name[0], "m\\x01n");
	assert_ptr_equal(seen->functions->raw_name[1], parts->functions.raw_name[1]);
	assert_string_equal(seen->functions->raw_name[3], "l\\x02");
	assert_string_equal(seen->files->file[0].name, "n\\x0a");
	assert_string_equal(seen->files->file[0].format, "f\\x0b");
	assert_string_equal(seen->files->file[0].variant, "v\\x0c");
	assert_string_equal(seen->files->file[0].ranges[0].dimension, "se?");
	assert_int_equal(seen->files->file[0].ranges[0].abbreviation, '?');
	assert_string_equal(seen->files->labelled[0].name, "n\\x0d");
	assert_string_equal(seen->files->labelled[0].label, "l\\x0e");
	assert_string_equal(seen->findings->finding[0].file, "f\\x0f");
	assert_string_equal(seen->findings->finding[0].summary, "s\\x10");
	assert_string_equal(seen->findings->finding[0].evidence, "e\\x11");
	assert_string_equal(seen->findings->finding[0].advice, "a\\x12");
	assert_string_equal(seen->functions->left_out[0].name, "o\\x13");
	assert_string_equal(seen->findings->account->libraries[0], "lib\\x05.so");
	assert_int_equal(seen->findings->account->samples, 9);
	assert_string_equal(seen->source->executed_function[0].name, "x\\x14");
	assert_int_equal(seen->source->executed_function[0].count, 5);
	assert_string_equal(seen->source->executed_file[0], "e");
	assert_string_equal(seen->source->executed_file[1], "e");
	assert_string_equal(seen->source->executed_file[2], "f\\x06");
	assert_string_equal(seen->source->executed_file[3], "f\\x06");
	assert_string_equal(seen->source->file[0], "g\\x07");
	assert_string_equal(seen->functions->map_function[0], "mf\\x15");
	/* What needs no change is the same array. */
	assert_ptr_equal(seen->functions->map_file, parts->functions.map_file);
	assert_string_equal(report_source(seen, 0, &at), "/s\\x03.c");
	assert_string_equal(report_source(seen, 1, &at), "/t.c");
	/* Names that were made before, and those that are made now. */
	assert_memory_equal(report_name(seen, 0).bytes, "m\\x01n", 6);
	assert_memory_equal(report_name(seen, 1).bytes, "ok", 2);
	assert_memory_equal(report_name(seen, 2).bytes, "l\\x02", 5);
	/* The report has not changed; it has the plain name, too. */
	assert_memory_equal(report_name(&model->public, 0).bytes, "m\x01n", 3);
	assert_memory_equal(report_name(&model->public, 2).bytes, "l\x02", 2);
	assert_int_equal(report_name(&model->public, 2).length, 2);
	assert_string_equal(parts->origin.image, "i\x16");
	assert_string_equal(profile_file.name, "n\x0a");
	assert_string_equal(report_source(&model->public, 0, &at), "/s\x03.c");
}

/* A report without any of all that has a view, too. */
static void
test_empty_view(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "ab");
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	struct report_model *model = report_build(&test->run, symbols, profile_new(&test->run),
	                                          graph, 0);
	const struct gprofx_report *seen = &report_printable(&test->run, model)->public;

	assert_null(seen->files->file);
	assert_null(seen->findings->finding);
	assert_null(seen->findings->account);
	assert_null(seen->origin->image);
	assert_int_equal(seen->functions->count, 2);
	assert_ptr_equal(seen->functions->raw_name, model->public.functions->raw_name);
	assert_ptr_equal(report_name(seen, 1).bytes, report_name(&model->public, 1).bytes);
}

/* What is printable stays, and what has no rows has no list. */
static void
test_plain_view(void **state)
{
	static const struct gprofx_finding finding = {.file = "f"};
	static const struct gprofx_left_out left_out = {.name = "n"};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "ab");
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	struct report_model *model = report_build(&test->run, symbols, profile_new(&test->run),
	                                          graph, 0);
	const struct gprofx_report *seen;

	model->metric.unit = "seconds";
	model->metric.abbreviation = 's';
	model->parts.findings.finding = &finding;
	model->parts.functions.left_out = &left_out;
	model->parts.functions.left_out_count = 0;
	seen = &report_printable(&test->run, model)->public;
	assert_string_equal(seen->origin->metrics->unit, "seconds");
	assert_int_equal(seen->origin->metrics->abbreviation, 's');
	assert_null(seen->findings->finding);
	assert_null(seen->functions->left_out);
	/* A report of profile files alone has no symbols at all. */
	model = report_build_files(&test->run, NULL, profile_new(&test->run));
	model->parts.origin.image = "i\x16";
	seen = &report_printable(&test->run, model)->public;
	assert_string_equal(seen->origin->image, "i\\x16");
	assert_null(seen->functions->raw_name);
}

struct accounting {
	const char *what;
	uint64_t corrections;
	double cpu_time;
	uint32_t rate;
	const char *names[3], *libraries[3], *strings;
	uint32_t strings_bytes;
	bool lacks_histogram;
	const char *expected;
};

static void
test_account(void **state)
{
	/* Two files: 30 samples and 7 calls, 4 and 2 of them another file's; 12 and 5. */
	struct profile_file profile_files[] = {{.samples = 30,
	                                        .calls = 7,
	                                        .copied_samples = 4,
	                                        .copied_calls = 2,
	                                        .copied_from = "x"},
	                                       {.samples = 12, .calls = 5}};
	static const struct accounting cases[] = {
		{.what = "parts",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main", "f"},
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1"},
		/* 2 seconds of 20 are 15 ticks of 10 a second less: 0.5. */
		{.what = "time",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .cpu_time = 2,
	         .names = {"main"},
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; 2 s, unsampled 0.5"},
		/* Of half a second, which is less than the ticks are. */
		{.what = "little time",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .cpu_time = 0.5,
	         .names = {"main"},
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; 0.5 s, unsampled -1"},
		{.what = "no rate",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .cpu_time = 2,
	         .names = {"main"},
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; 2 s"},
		/* The image mentions nothing that counts calls, or loads more. */
		{.what = "libraries",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main"},
	         .libraries = {"libc.so", "libm.so"},
	         .strings = "\0x\0",
	         .strings_bytes = 3,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; libc.so libm.so"},
		/* One of them has a profile of its own, by either name. */
		{.what = "libraries with profiles",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main"},
	         .libraries = {"libz.so", "libc.so", "liby.so"},
	         .strings = "\0x\0",
	         .strings_bytes = 3,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; libc.so"},
		/* The image mentions mcount, which a library has: 7 - 2 + 5 calls. */
		{.what = "calls",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main"},
	         .libraries = {"libc.so"},
	         .strings = "\0mcount\0",
	         .strings_bytes = 8,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; libc.so; 10 calls"},
		{.what = "calls, but no library",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main"},
	         .strings = "\0mcount\0",
	         .strings_bytes = 8,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1"},
		{.what = "calls counted by the image",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main", "_mcount"},
	         .libraries = {"libc.so"},
	         .strings = "\0mcount\0",
	         .strings_bytes = 8,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; libc.so"},
		{.what = "calls counted by the first function",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"mcount", "main"},
	         .libraries = {"libc.so"},
	         .strings = "\0mcount\0",
	         .strings_bytes = 8,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; libc.so"},
		/* The way to it is not the code itself. */
		{.what = "a stub",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main", "mcount@plt"},
	         .libraries = {"libc.so"},
	         .strings = "\0mcount\0",
	         .strings_bytes = 8,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; libc.so; 10 calls"},
		{.what = "dlopen",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main"},
	         .libraries = {"libc.so"},
	         .strings = "\0dlopen@v\0",
	         .strings_bytes = 10,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; libc.so, others"},
		{.what = "dlmopen",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main"},
	         .libraries = {"libc.so"},
	         .strings = "\0dlmopen\0",
	         .strings_bytes = 9,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1; libc.so, others"},
		{.what = "dlopen of a static program",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main"},
	         .strings = "\0dlopen\0",
	         .strings_bytes = 8,
	         .expected = "38 of 15: 1 2 3 4 5; copied 4/1"},
		{.what = "not divided exactly", .rate = 10, .names = {"main"}, .expected = ""},
		{.what = "no histogram",
	         .corrections = GPROFX_CORRECT_EXACT_BINS,
	         .rate = 10,
	         .names = {"main"},
	         .lacks_histogram = true,
	         .expected = ""},
	};
	struct symbol_image images[] = {{.name = "libx.so"},
	                                {.name = "libz.so"},
	                                {.name = "y", .library_name = "liby.so"}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct small_function functions[4] = {{0}};
		struct small_text found = {.length = 0};
		struct profile *profile = profile_new(&test->run);
		const struct gprofx_account *account;
		struct symbols *symbols;
		struct graph *graph;

		for (uint32_t k = 0; k < 3 && cases[i].names[k]; k++)
			functions[k] = (struct small_function){cases[i].names[k], 0x1000 + 16 * k,
			                                       16};
		symbols = small_symbols(test, functions);
		testrun_objects(test, symbols, images, 3);
		symbols->table.libraries = cases[i].libraries;
		while (symbols->table.library_count < 3 &&
		       cases[i].libraries[symbols->table.library_count])
			symbols->table.library_count++;
		symbols->table.strings = cases[i].strings;
		symbols->table.strings_bytes = cases[i].strings_bytes;
		test->run.corrections = cases[i].corrections;
		test->settings.cpu_time = cases[i].cpu_time;
		graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
		for (int kind = 0; kind < ACCOUNT_KINDS; kind++)
			graph->account[kind].ticks = 1 + kind;
		profile->has_histogram = !cases[i].lacks_histogram;
		profile->rate = cases[i].rate;
		memcpy(profile->dimension, "seconds", sizeof "seconds");
		profile->files = profile_files;
		profile->file_count = 2;
		symbols_find_needed(&test->run, symbols);
		account = report_account(&test->run, symbols, profile, graph);
		if (account) {
			small_add(&found, "%llu of %g: %g %g %g %g %g; copied %llu/%u",
			          (unsigned long long)account->samples, account->ticks,
			          account->shown.ticks, account->profiling.ticks,
			          account->outside.ticks, account->excluded.ticks,
			          account->beyond.ticks,
			          (unsigned long long)account->copied_samples,
			          account->copied_files);
			for (uint32_t k = 0; k < account->library_count; k++)
				small_add(&found, "%s%s", k > 0 ? " " : "; ",
				          account->libraries[k]);
			if (account->loads_libraries)
				small_add(&found, ", others");
			if (account->counted_calls > 0)
				small_add(&found, "; %llu calls",
				          (unsigned long long)account->counted_calls);
			if (account->cpu_time > 0)
				small_add(&found, "; %g s", account->cpu_time);
			if (account->unsampled != 0)
				small_add(&found, ", unsampled %g", account->unsampled);
		}
		small_expect(cases[i].what, cases[i].expected, &found);
	}
}

/* Symbols that are no functions are listed with the reason. */
static void
test_left_out(void **state)
{
	static const char *names[] = {"kept", "local", "data", "label", "$x", "clone"};
	uint8_t fates[] = {FATE_KEPT, FATE_STATIC, FATE_DATA, FATE_LABEL, FATE_MAPPING, FATE_CLONE};
	uint64_t address[] = {1, 2, 3, 4, 5, 6}, bytes[] = {10, 20, 30, 40, 50, 60};
	struct testrun *test = *state;
	struct symbols *symbols = small_letters(test, "ab");
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_report *report;

	assert_null(report_build_files(&test->run, symbols, profile)->public.functions->left_out);
	symbols->fate = fates;
	symbols->table.rows.name = names;
	symbols->table.rows.address = address;
	symbols->table.rows.bytes = bytes;
	symbols->table.count = 1;
	assert_null(report_build_files(&test->run, symbols, profile)->public.functions->left_out);
	symbols->table.count = 6;
	assert_null(report_build_files(&test->run, NULL, profile)->public.functions->left_out);
	report = &report_build_files(&test->run, symbols, profile)->public;
	assert_int_equal(report->functions->left_out_count, 4);
	assert_string_equal(report->functions->left_out[0].name, "local");
	assert_string_equal(report->functions->left_out[0].reason, "static");
	assert_int_equal(report->functions->left_out[0].size,
	                 sizeof report->functions->left_out[0]);
	assert_string_equal(report->functions->left_out[1].reason, "outside of code");
	assert_true(report->functions->left_out[1].address == 3 &&
	            report->functions->left_out[1].bytes == 30);
	assert_string_equal(report->functions->left_out[2].reason, "label");
	assert_string_equal(report->functions->left_out[3].reason, "clone");
	/* The first one of the table, too. */
	fates[0] = FATE_UNCALLED;
	report = &report_build_files(&test->run, symbols, profile)->public;
	assert_int_equal(report->functions->left_out_count, 5);
	assert_string_equal(report->functions->left_out[0].name, "kept");
	assert_string_equal(report->functions->left_out[4].name, "clone");
}

/* What the report says of its profile, its nodes and its map. */
static void
test_facts(void **state)
{
	static const struct small_program program = {.functions = "abcd",
	                                             .ticks = {1, 1},
	                                             .calls = "a>b 1 ?>b 1",
	                                             .specs = {{ENGINE_FILTER_GRAPH, true, "a"}}};
	struct map_entry entries[] = {{"x.c", "f", false}, {"y.c", "g", true}};
	struct file_map map = {.count = 2, .entries = entries};
	struct testrun *test = *state;
	struct graph *graph = small_graph(test, &program);
	struct symbols *symbols = (struct symbols *)graph->symbols;
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_report *report;

	profile->has_histogram = profile->has_graph = true;
	profile->scale = 2;
	memcpy(profile->dimension, "seconds", sizeof "seconds");
	profile->abbreviation = 's';
	symbols->flags[0] = GPROFX_SYMBOL_LOCAL;
	symbols->flags[2] = SYMBOL_IS_FILE;
	symbols->flags[3] = SYMBOL_LINE;
	report = &report_build(&test->run, symbols, profile, graph, GPROFX_PART_ORDER)->public;
	assert_int_equal(report->origin->metrics->ticks_per_unit, 0);
	assert_string_equal(report->origin->metrics->unit, "seconds");
	assert_true(report->compatibility->bin_width == 2);
	assert_false(report->functions->has_map);
	assert_int_equal(report->graph->flags[0], GPROFX_NODE_STATIC);
	assert_int_equal(report->graph->flags[1], GPROFX_NODE_FUNCTION | GPROFX_NODE_SHOWN);
	assert_int_equal(report->graph->flags[2], GPROFX_NODE_FILE | GPROFX_NODE_SHOWN);
	assert_int_equal(report->graph->flags[3], GPROFX_NODE_LINE | GPROFX_NODE_SHOWN);
	assert_int_equal(report->graph->flags[4], GPROFX_NODE_OUTSIDE | GPROFX_NODE_SHOWN);
	/* Without a rate times are numbers of samples; or there are none. */
	test->run.corrections = GPROFX_CORRECT_ZERO_RATE;
	symbols->map = &map;
	report = &report_build(&test->run, symbols, profile, graph, GPROFX_PART_ORDER)->public;
	assert_int_equal(report->origin->metrics->ticks_per_unit, 1);
	assert_string_equal(report->origin->metrics->unit, "samples");
	assert_int_equal(report->origin->metrics->abbreviation, 0);
	assert_true(report->functions->has_map && report->functions->map_count == 2);
	assert_string_equal(report->functions->map_function[1], "g");
	assert_string_equal(report->functions->map_file[0], "x.c");
	profile->has_histogram = false;
	report = &report_build(&test->run, symbols, profile, graph, 0)->public;
	assert_int_equal(report->origin->metrics->ticks_per_unit, 1);
	assert_string_equal(report->origin->metrics->unit, "seconds");
	assert_int_equal(report->origin->metrics->abbreviation, 's');
	profile->rate = 50;
	report = &report_build(&test->run, symbols, profile, graph, 0)->public;
	assert_int_equal(report->origin->metrics->ticks_per_unit, 50);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_texts),      TESTRUN(test_view),    TESTRUN(test_empty_view),
		TESTRUN(test_plain_view), TESTRUN(test_account), TESTRUN(test_left_out),
		TESTRUN(test_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
