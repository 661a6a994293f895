/* SPDX-License-Identifier: Apache-2.0 */
/* Members that JSON cannot hold as they are, and what happens when there is no memory for a row. */
#include "document.c"
#include "output-json.c"
#include "profile.c"
#include "row.c"

/* After the plugin, since cmocka has a macro "fail". */
#include "testrun.h"

#include <locale.h>

#include "emit/writer.h"
#include "report/model.h"

/* What the row is in the file; its memory is the run's. */
static const char *
written(struct testrun *test, struct row *row)
{
	struct writer *writer = writer_to_standard_output(&test->run);

	test->output_length = 0;
	test->output[0] = '\0';
	row_write(row, &writer->public);
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	assert_false(row->failed);
	return test->output;
}

static void
numbers(void **state)
{
	static const struct {
		double value;
		const char *json;
	} reals[] = {
		{0, "0.0"},
		{-0.0, "0.0"},
		{25, "25.0"},
		{0.1, "0.1"},
		{0.3, "0.3"},
		{0.1 + 0.2, "0.30000000000000004"},
		{1.0 / 3, "0.3333333333333333"},
		{2147483648.0, "2147483648.0"},
		{-2147483649.5, "-2147483649.5"},
		{0x1p53, "9007199254740992.0"},
		{0x1.fffffffffffffp1023, "1.7976931348623157e308"},
		{0x1p-1074, "4.94065645841247e-324"},
		{INFINITY, "null"},
		{-INFINITY, "null"},
		{NAN, "null"},
	};
	static const struct {
		uint64_t value;
		const char *json;
	} counts[] = {
		{0, "0"},
		{((uint64_t)1 << 53) - 1, "9007199254740991"},
		{(uint64_t)1 << 53, "\"9007199254740992\""},
		{(uint64_t)1 << 63, "\"9223372036854775808\""},
		{UINT64_MAX, "\"18446744073709551615\""},
	};
	struct row row;
	char expected[64];

	row_init(&row);
	for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
		row_begin(&row);
		row_real(&row, "x", reals[i].value);
		snprintf(expected, sizeof expected, "\"x\":%s", reals[i].json);
		assert_string_equal(written(*state, &row), expected);
	}
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		row_begin(&row);
		row_count(&row, "x", counts[i].value);
		snprintf(expected, sizeof expected, "\"x\":%s", counts[i].json);
		assert_string_equal(written(*state, &row), expected);
	}
	row_begin(&row);
	row_address(&row, "low", 0);
	row_address(&row, "high", UINT64_MAX);
	row_number_or_null(&row, "none", 0);
	row_number_or_null(&row, "most", UINT32_MAX);
	assert_string_equal(written(*state, &row),
	                    "\"low\":\"0x0\",\"high\":\"0xffffffffffffffff\","
	                    "\"none\":null,\"most\":4294967295");
	row_free(&row);
}

static void
texts(void **state)
{
	struct row row;

	row_init(&row);
	row_begin(&row);
	row_text(&row, "a", "\0\"\\\n\x1f", 5);
	row_text(&row, "b", "\x7f\xc2\x80\xc2\x9f\xc2\xa0\xc3\x82", 9);
	row_string(&row, "c", NULL);
	row_string(&row, "d", "");
	assert_string_equal(
		written(*state, &row),
		"\"a\":\"\\u0000\\\"\\\\\\n\\u001F\",\"b\":\"\\u007f\\u0080\\u009f\xc2\xa0"
		"\xc3\x82\",\"c\":null,\"d\":\"\"");
	row_begin(&row);
	row_text(&row, "a", "x\xff", 2);
	assert_string_equal(written(*state, &row), "\"a\":\"x\\\\xff\",\"a_bytes\":\"eP8=\"");
	row_free(&row);
}

static void
expect_base64(const char *bytes, size_t length, const char *expected)
{
	char *encoded = row_base64(bytes, length);

	assert_non_null(encoded);
	assert_string_equal(encoded, expected);
	free(encoded);
}

/* The vectors of RFC 4648, and the ends of the alphabet. */
static void
base64(void **state)
{
	(void)state;
	expect_base64("", 0, "");
	expect_base64("f", 1, "Zg==");
	expect_base64("fo", 2, "Zm8=");
	expect_base64("foo", 3, "Zm9v");
	expect_base64("foob", 4, "Zm9vYg==");
	expect_base64("fooba", 5, "Zm9vYmE=");
	expect_base64("foobar", 6, "Zm9vYmFy");
	expect_base64("\xff\xff\xfe\xfb\x00\x10", 6, "///++wAQ");
}

static void
expect_escape(const char *bytes, const char *expected)
{
	size_t length;
	char *escaped = row_escape(bytes, strlen(bytes), &length);

	assert_non_null(escaped);
	assert_string_equal(escaped, expected);
	assert_int_equal(length, strlen(expected));
	free(escaped);
}

static void
escapes(void **state)
{
	(void)state;
	expect_escape("a\xe2\x82\xac", "a\xe2\x82\xac");
	expect_escape("\xe2\x82", "\\xe2\\x82");
	expect_escape("\xe2\x82z", "\\xe2\\x82z");
	expect_escape("\xc0\x80\x80", "\\xc0\\x80\\x80");
	expect_escape("\xe0\x9f\xbf", "\\xe0\\x9f\\xbf");
	expect_escape("\xed\xa0\x80\xed\x9f\xbf", "\\xed\\xa0\\x80\xed\x9f\xbf");
	expect_escape("\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf");
	expect_escape("\xf4\x8f\xbf\xbf\xf4\x90\x80\x80", "\xf4\x8f\xbf\xbf\\xf4\\x90\\x80\\x80");
	expect_escape("\xf5\xff", "\\xf5\\xff");
}

static struct gprofx_text
name_of(const struct gprofx_report *report, uint32_t node)
{
	return (struct gprofx_text){report->functions->raw_name[node],
	                            strlen(report->functions->raw_name[node])};
}

static const char *
source_of(const struct gprofx_report *report, uint32_t node, uint32_t *line)
{
	(void)report;
	(void)node;
	*line = 0;
	return NULL;
}

/* Every figure of this report is one that JSON has no number for. */
static const struct gprofx_report_services odd_services = {.size = sizeof odd_services,
                                                           .name = name_of,
                                                           .source = source_of};

/* As a later host would have it. */
struct later_finding {
	struct gprofx_finding finding;
	const char *more;
};

static void
odd_report(struct report_model *model)
{
	static const uint64_t address[] = {UINT64_MAX};
	static const char *const name[] = {"f\xff"};
	static const uint32_t flags[] = {0};
	static const double infinite[] = {INFINITY}, nan[] = {NAN};
	static const uint64_t calls[] = {UINT64_MAX};
	static const uint32_t none[] = {0};
	static const char *const corrections[] = {"last-symbol", "gaps"};
	static const struct later_finding findings[] = {
		{{sizeof findings[0], "a.b", "f\xfe", "One.", "1 is \"1\".", "Do.", 0}, "more"},
		{{sizeof findings[0], "c.d", NULL, "Two.", "2.", "Do not.", 0}, "more"},
	};

	memset(model, 0, sizeof *model);
	model->parts = (struct report_parts){
		.origin.has_histogram = true,
		.origin.has_arcs = true,
		.origin.metric_count = 1,
		.origin.metrics = &model->metric,
		.compatibility.bin_width = NAN,
		.functions.count = 1,
		.functions.address = address,
		.functions.end = address,
		.functions.raw_name = name,
		.graph.node_count = 1,
		.graph.flags = flags,
		.graph.columns = &model->node_column,
		.graph.calls = &model->node_calls,
		.graph.arcs.columns = &model->arc_column,
		.graph.cycle = none,
		.graph.index = none,
		.findings.correction_count = 2,
		.findings.correction_names = corrections,
		.findings.count = 2,
		.findings.finding = &findings[0].finding,
	};
	model->metric = (struct gprofx_metric){.size = sizeof model->metric,
	                                       .name = "t\xff",
	                                       .unit = "seconds",
	                                       .ticks_per_unit = UINT32_MAX,
	                                       .kind = GPROFX_COUNTED};
	model->arc_column = (struct gprofx_column){.size = sizeof model->arc_column,
	                                           .self_origin = GPROFX_ESTIMATED,
	                                           .total_origin = UINT32_MAX};
	model->node_column = (struct gprofx_column){
		.size = sizeof model->node_column,
		.self_origin = GPROFX_MEASURED,
		.self = {infinite, sizeof *infinite},
		.below = {nan, sizeof *nan},
		.selected_self = {nan, sizeof *nan},
		.selected_below = {nan, sizeof *nan},
		.flat_total = -INFINITY,
		.graph_total = (double)NAN,
	};
	model->node_calls = (struct gprofx_call_column){
		.size = sizeof model->node_calls,
		.calls = {calls, sizeof *calls},
		.recursive = {calls, sizeof *calls},
	};
	report_link(model);
	model->public.services = &odd_services;
}

static enum gprofx_result
emit_odd(struct testrun *test)
{
	struct writer *writer = writer_to_standard_output(&test->run);
	struct report_model model;
	const struct gprofx_emission emission = {
		.size = sizeof emission,
		.report = &model.public,
		.writer = &writer->public,
	};
	enum gprofx_result result;

	odd_report(&model);
	test->output_length = 0;
	test->output[0] = '\0';
	result = emit(&test->run.gx, &emission, NULL);
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	return result;
}

static void
odd_figures(void **state)
{
	struct testrun *test = *state;

	assert_int_equal(emit_odd(test), GPROFX_OK);
	assert_null(strstr(test->output, "nan"));
	assert_null(strstr(test->output, "inf"));
	assert_non_null(strstr(test->output, "\"self_ticks\":null,\"self_seconds\":null"));
	assert_non_null(strstr(test->output, "\"calls\":\"18446744073709551615\""));
	assert_non_null(strstr(test->output, "\"image\":{\"file\":null}"));
	/* What is no origin that is known says nothing. */
	assert_non_null(strstr(test->output, "\"metrics\":[\n{\"id\":0,\"name\":\"t\\\\xff\","
	                                     "\"name_bytes\":\"dP8=\",\"unit\":\"seconds\","
	                                     "\"abbreviation\":\"\",\"ticks_per_unit\":4294967295,"
	                                     "\"kind\":\"counted\",\"self_origin\":\"measured\","
	                                     "\"total_origin\":\"unknown\","
	                                     "\"arc_self_origin\":\"estimated\","
	                                     "\"arc_total_origin\":\"unknown\"}\n],"));
	assert_non_null(strstr(test->output,
	                       "\"corrections\":[\n\"last-symbol\",\n\"gaps\"\n],\n"
	                       "\"findings\":[\n{\"id\":\"a.b\",\"file\":\"f\\\\xfe\","
	                       "\"file_bytes\":\"Zv4=\",\"summary\":\"One.\","
	                       "\"evidence\":\"1 is \\\"1\\\".\",\"advice\":\"Do.\"},\n"
	                       "{\"id\":\"c.d\",\"file\":null,\"summary\":\"Two.\","
	                       "\"evidence\":\"2.\",\"advice\":\"Do not.\"}\n],"));
}

/* Memory that ends after so many blocks. */
static size_t blocks_left;

static void *
limited_malloc(size_t bytes)
{
	if (blocks_left == 0)
		return NULL;
	blocks_left--;
	return malloc(bytes);
}

/* Wherever the library's memory ends, that is reported, and nothing is left behind. */
static void
no_memory(void **state)
{
	struct testrun *test = *state;
	size_t blocks = 0;

	json_set_alloc_funcs(limited_malloc, free);
	for (;; blocks++) {
		blocks_left = blocks;
		test->last_id[0] = '\0';
		if (emit_odd(test) == GPROFX_OK)
			break;
		assert_string_equal(test->last_id, "memory.exhausted");
		assert_true(blocks < 10000);
	}
	json_set_alloc_funcs(malloc, free);
	assert_string_equal(test->last_id, "");
	assert_true(blocks > 20);
}

/* A comma for the point changes nothing, where there is a locale that has one. */
static void
locale_with_comma(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
	const char *set = NULL;

	for (size_t i = 0; i < sizeof names / sizeof names[0] && !set; i++)
		set = setlocale(LC_ALL, names[i]);
	if (!set)
		skip();
	numbers(state);
	setlocale(LC_ALL, "C");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(numbers),           TESTRUN(texts),       TESTRUN(base64),
		TESTRUN(escapes),           TESTRUN(odd_figures), TESTRUN(no_memory),
		TESTRUN(locale_with_comma),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
