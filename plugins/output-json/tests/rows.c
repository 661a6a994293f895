/* SPDX-License-Identifier: Apache-2.0 */
/* Members that JSON cannot hold as they are, and rows of any length. */
#include "comparison.c"
#include "document.c"
#include "output-json.c"
#include "profile.c"
#include "quoted.c"
#include "row.c"
#include "slices.c"

/* After the plugin, since cmocka has a macro "fail". */
#include "testrun.h"

#include <locale.h>

#include "emit/writer.h"
#include "report/model.h"

/* A row whose output is kept; its memory is the run's. */
static void
begin(struct testrun *test, struct row *row)
{
	test->output_length = 0;
	test->output[0] = '\0';
	row_init(row, &writer_to_standard_output(&test->run)->public);
}

/* What the row is in the file. */
static const char *
written(struct testrun *test, struct row *row)
{
	row_write(row);
	assert_int_equal(writer_close(&test->run, (struct writer *)row->writer, true), GPROFX_OK);
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

	for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
		begin(*state, &row);
		row_real(&row, "x", reals[i].value);
		snprintf(expected, sizeof expected, "\"x\":%s", reals[i].json);
		assert_string_equal(written(*state, &row), expected);
	}
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		begin(*state, &row);
		row_count(&row, "x", counts[i].value);
		snprintf(expected, sizeof expected, "\"x\":%s", counts[i].json);
		assert_string_equal(written(*state, &row), expected);
	}
	begin(*state, &row);
	row_address(&row, "low", 0);
	row_address(&row, "high", UINT64_MAX);
	row_number_or_null(&row, "none", 0);
	row_number_or_null(&row, "most", UINT32_MAX);
	assert_string_equal(written(*state, &row),
	                    "\"low\":\"0x0\",\"high\":\"0xffffffffffffffff\","
	                    "\"none\":null,\"most\":4294967295");
}

static void
texts(void **state)
{
	struct row row;

	begin(*state, &row);
	row_text(&row, "a", "\0\"\\\n\x1f", 5);
	row_text(&row, "b", "\x7f\xc2\x80\xc2\x9f\xc2\xa0\xc3\x82", 9);
	row_string(&row, "c", NULL);
	row_string(&row, "d", "");
	assert_string_equal(
		written(*state, &row),
		"\"a\":\"\\u0000\\\"\\\\\\n\\u001F\",\"b\":\"\\u007f\\u0080\\u009f\xc2\xa0"
		"\xc3\x82\",\"c\":null,\"d\":\"\"");
	begin(*state, &row);
	row_text(&row, "a", "x\xff", 2);
	assert_string_equal(written(*state, &row), "\"a\":\"x\\\\xff\",\"a_bytes\":\"eP8=\"");
}

/* What a writer of texts puts between quotes. */
static const char *
quoted(struct testrun *test, void (*put)(struct gprofx_writer *writer, struct gprofx_text text),
       const char *bytes, size_t length)
{
	struct writer *writer = writer_to_standard_output(&test->run);
	char *exact = malloc(length > 0 ? length : 1);

	assert_non_null(exact);
	memcpy(exact, bytes, length);
	test->output_length = 0;
	test->output[0] = '\0';
	put(&writer->public, (struct gprofx_text){exact, length});
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	free(exact);
	return test->output;
}

static void
expect_base64(struct testrun *test, const char *bytes, size_t length, const char *expected)
{
	char json[32];

	snprintf(json, sizeof json, "\"%s\"", expected);
	assert_string_equal(quoted(test, quoted_put_base64, bytes, length), json);
}

/* The vectors of RFC 4648, and the ends of the alphabet. */
static void
base64(void **state)
{
	expect_base64(*state, "", 0, "");
	expect_base64(*state, "f", 1, "Zg==");
	expect_base64(*state, "fo", 2, "Zm8=");
	expect_base64(*state, "foo", 3, "Zm9v");
	expect_base64(*state, "foob", 4, "Zm9vYg==");
	expect_base64(*state, "fooba", 5, "Zm9vYmE=");
	expect_base64(*state, "foobar", 6, "Zm9vYmFy");
	expect_base64(*state, "\xff\xff\xfe\xfb\x00\x10", 6, "///++wAQ");
}

static void
expect_escape(struct testrun *test, const char *bytes, const char *expected)
{
	char json[64];

	snprintf(json, sizeof json, "\"%s\"", expected);
	assert_string_equal(quoted(test, quoted_put_escaped, bytes, strlen(bytes)), json);
}

static void
escapes(void **state)
{
	expect_escape(*state, "a\xe2\x82\xac", "a\xe2\x82\xac");
	expect_escape(*state, "\xe2\x82", "\\\\xe2\\\\x82");
	expect_escape(*state, "\xe2\x82z", "\\\\xe2\\\\x82z");
	expect_escape(*state, "\xc0\x80\x80", "\\\\xc0\\\\x80\\\\x80");
	expect_escape(*state, "\xe0\x9f\xbf", "\\\\xe0\\\\x9f\\\\xbf");
	expect_escape(*state, "\xed\xa0\x80\xed\x9f\xbf", "\\\\xed\\\\xa0\\\\x80\xed\x9f\xbf");
	expect_escape(*state, "\xf0\x8f\xbf\xbf", "\\\\xf0\\\\x8f\\\\xbf\\\\xbf");
	expect_escape(*state, "\xf4\x8f\xbf\xbf\xf4\x90\x80\x80",
	              "\xf4\x8f\xbf\xbf\\\\xf4\\\\x90\\\\x80\\\\x80");
	expect_escape(*state, "\xf5\xff", "\\\\xf5\\\\xff");
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
	assert_non_null(strstr(test->output, "\"image\":{\"file\":null,\"symbols_file\":null}"));
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

/* A row of more members than there is room for is one object all the same. */
static void
long_row(void **state)
{
	enum { MEMBERS = 5 * ROW_MEMBERS / 2 };
	char expected[16 * MEMBERS] = "";
	size_t length = 0;
	struct row row;

	begin(*state, &row);
	for (uint32_t i = 0; i < MEMBERS; i++) {
		row_count(&row, "x", i);
		length += (size_t)snprintf(expected + length, sizeof expected - length,
		                           "%s\"x\":%u", i > 0 ? "," : "", (unsigned)i);
	}
	assert_string_equal(written(*state, &row), expected);
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
		TESTRUN(escapes),           TESTRUN(odd_figures), TESTRUN(long_row),
		TESTRUN(locale_with_comma),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
