/* SPDX-License-Identifier: Apache-2.0 */
/* What exporters share: names that are unique and printable, integers that add up, and walks. */
#include "output-folded.c"

/* After the plugin, since cmocka has a macro "fail". */
#include "testrun.h"

#include "emit/writer.h"
#include "report/model.h"

/* Function i; the last node is a cycle. */
static const char *const names[] = {"f",        "f",         "f",      "f",         "",
                                    "a\nb\xff", "\x01",      "x;y 12", "<cycle 1>", "g",
                                    "g",        "g [one.c]", "\\x01"};
static const char *const files[] = {"d/one.c", "e/one.c", "e/one.c", NULL, NULL, NULL, NULL,
                                    NULL,      NULL,      "one.c",   NULL, NULL, NULL};
static const uint64_t addresses[] = {1, 2, 0x30, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

enum { FUNCTIONS = sizeof names / sizeof names[0], NODES };

static struct gprofx_text
name_of(const struct gprofx_report *report, uint32_t node)
{
	const char *name = node < FUNCTIONS ? names[node] : "<cycle 1>";

	(void)report;
	return (struct gprofx_text){name, strlen(name)};
}

static const char *
source_of(const struct gprofx_report *report, uint32_t node, uint32_t *line)
{
	(void)report;
	assert_true(node < FUNCTIONS);
	*line = 0;
	return files[node];
}

static void
make_report(struct report_model *model, const char *image)
{
	static const struct gprofx_report_services services = {.size = sizeof services,
	                                                       .name = name_of,
	                                                       .source = source_of};

	memset(model, 0, sizeof *model);
	model->parts.origin.image = image;
	model->parts.origin.metric_count = 1;
	model->parts.origin.metrics = &model->metric;
	model->parts.functions.count = FUNCTIONS;
	model->parts.functions.address = addresses;
	model->metric = (struct gprofx_metric){.size = sizeof model->metric,
	                                       .unit = "seconds",
	                                       .ticks_per_unit = 100};
	report_link(model);
	model->public.services = &services;
}

static void
expect_name(const struct gprofx_text *name, const char *expected)
{
	assert_int_equal(name->length, strlen(expected));
	assert_memory_equal(name->bytes, expected, name->length);
}

/* Equal names get as much behind them as it takes, and new names can equal others. */
static void
unique_names(void **state)
{
	struct testrun *test = *state;
	static const char *const expected[] = {
		"f [d/one.c]",
		"f [e/one.c] [0x2]",
		"f [e/one.c] [0x30]",
		"f",
		"?",
		"a\\x0ab\\xff",
		"\\x01 [0x7]",
		"x,y_12",
		"<cycle 1> [0x9]",
		"g [one.c] [0xa]",
		"g",
		"g [one.c]",
		"\\x01 [0xd]",
		"<cycle 1>",
	};
	const struct gprofx_text *unique;
	struct report_model model;
	bool is_used[NODES] = {true};

	make_report(&model, "program");
	unique = export_names(&test->run.gx, &model.public, NODES, NULL, &form);
	for (uint32_t i = 0; i < NODES; i++)
		expect_name(&unique[i], expected[i]);
	/* Without addresses their numbers are left; without the form names are as they are. */
	make_report(&model, NULL);
	unique = export_names(&test->run.gx, &model.public, NODES, NULL, NULL);
	expect_name(&unique[0], "f [d/one.c]");
	expect_name(&unique[1], "f [e/one.c] [#1]");
	expect_name(&unique[7], "x;y 12");
	/* Those that are not needed are no reason for a suffix. */
	unique = export_names(&test->run.gx, &model.public, NODES, is_used, NULL);
	expect_name(&unique[0], "f");
	assert_int_equal(unique[1].length, 0);
	unique = export_names(&test->run.gx, &model.public, 0, NULL, NULL);
	assert_non_null(unique);
}

static void
equal_texts(void **state)
{
	struct testrun *test = *state;
	/* The same bytes again, at once and later, and the same place with another length. */
	static const char file[] = "file.c";
	static const struct gprofx_text texts[] = {{"b", 1},  {"a", 1},  {"bc", 1},  {"", 0},
	                                           {"a", 1},  {"ab", 2}, {"", 0},    {file, 6},
	                                           {file, 6}, {file, 6}, {file, 4},  {file, 4},
	                                           {"a", 1},  {file, 6}, {"file", 4}};
	static const uint32_t expected[] = {0, 1, 0, 2, 1, 3, 2, 4, 4, 4, 5, 5, 1, 4, 5};
	uint32_t distinct, count = sizeof texts / sizeof texts[0];
	const uint32_t *numbers = export_distinct(&test->run.gx, texts, count, &distinct);

	assert_memory_equal(numbers, expected, sizeof expected);
	assert_int_equal(distinct, 6);
	export_distinct(&test->run.gx, texts, 0, &distinct);
	assert_int_equal(distinct, 0);
}

static void
single_texts(void **state)
{
	struct testrun *test = *state;
	static const struct {
		const char *text, *fitted;
	} examples[] = {
		{"op 3", "op_3"},
		{"op 3.25", "op_3.25"},
		{"op 3.", "op_3."},
		{"op .5", "op .5"},
		{"op 3x", "op 3x"},
		{"op3", "op3"},
		{"3", "3"},
		{" 3", "_3"},
		{"3.5", "3.5"},
		{"a 1.2.3", "a 1.2.3"},
		{"a  3", "a _3"},
		{"[T; 4]", "[T, 4]"},
		{"#include", "_include"},
		{"", "?"},
		{"\t1", "\\x091"},
		{"a 1\n", "a 1\\x0a"},
		{"#;\xff 7", "_,\\xff_7"},
	};

	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
		struct gprofx_text text = {examples[i].text, strlen(examples[i].text)};

		text = export_text(&test->run.gx, text, &form);
		expect_name(&text, examples[i].fitted);
	}
}

/* After each value the integers are the rounded sum, whatever the values. */
static void
values_add_up(void **state)
{
	static const double values[] = {0.4, 0.4, 0.4, 1.5, 0, 1.0 / 3, 2.0 / 3, 1e6 + 0.5, 0.25};
	struct export_sum sum = {0};
	double exact = 0;
	uint64_t whole = 0;

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		double value = values[i % (sizeof values / sizeof values[0])];
		uint64_t part = export_round(&sum, value);

		assert_true(fabs((double)part - value) <= 1);
		exact += value;
		whole += part;
		assert_true(fabs((double)whole - exact) <= 0.5 + 1e-4);
	}
	/* What is left of a sum does not spoil large values, and there is none below 0. */
	sum = (struct export_sum){0.25};
	assert_true(export_round(&sum, 9007199254740994.0) == UINT64_C(9007199254740994));
	assert_true(export_round(&sum, 18446744073709549568.0) == UINT64_C(18446744073709549568));
	assert_true(export_round(&sum, 1e300) == UINT64_MAX);
	assert_true(export_round(&sum, -5) == 0 && export_round(&sum, (double)NAN) == 0);
	assert_true(sum.rest > 0.24 && sum.rest < 0.26);
}

static void
scales(void **state)
{
	struct gprofx_metric metric = {.unit = "seconds", .ticks_per_unit = 100};
	struct export_scale scale = export_time_scale(&metric, 1e8);

	(void)state;
	assert_true(export_scaled(&scale, 3) == 3e6);
	metric.ticks_per_unit = 0;
	scale = export_time_scale(&metric, 1e8);
	assert_true(export_scaled(&scale, 3) == 3 && !export_is_time(&metric));
	metric = (struct gprofx_metric){.unit = "samples", .ticks_per_unit = 10};
	scale = export_time_scale(&metric, 1e8);
	assert_true(export_scaled(&scale, 3) == 3 && !export_is_time(&metric));
}

/* Contexts for the emitter. */
static void
make_contexts(struct report_model *model, struct gprofx_report_contexts *contexts,
              struct gprofx_column *column, const double *self, const double *below)
{
	make_report(model, "program");
	*column = (struct gprofx_column){.size = sizeof *column,
	                                 .self = {self, sizeof *self},
	                                 .below = {below, sizeof *below}};
	contexts->size = sizeof *contexts;
	contexts->columns = column;
	model->public.contexts = contexts;
}

static enum gprofx_result
written(struct testrun *test, const struct report_model *model, uint32_t unit)
{
	struct writer *writer = writer_to_standard_output(&test->run);
	struct options options = {.unit = unit};
	const struct gprofx_emission emission = {.size = sizeof emission,
	                                         .report = &model->public,
	                                         .writer = &writer->public};
	enum gprofx_result result;

	test->output_length = 0;
	test->output[0] = '\0';
	result = emit(&test->run.gx, &emission, &options);
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	return result;
}

/* Children stand below their parents, whatever their numbers; what was cut has frames of its own.
 */
static void
cut_contexts(void **state)
{
	static const uint32_t parent[] = {GPROFX_NO_CONTEXT, GPROFX_NO_CONTEXT, 0, 1, 0};
	static const uint32_t node[] = {3, 9, 10, 11, 9};
	static const uint32_t flags[5];
	static const double self[] = {1, 0.25, 2, 0.25, 0.5}, below[] = {4, 0.5, 0, 0, 0.25};
	struct gprofx_report_contexts contexts = {.count = 5,
	                                          .parent = parent,
	                                          .node = node,
	                                          .flags = flags,
	                                          .is_estimated = true,
	                                          .bounds = GPROFX_BOUND_COUNT};
	struct gprofx_column column;
	struct report_model model;

	make_contexts(&model, &contexts, &column, self, below);
	column.graph_total = 8;
	assert_int_equal(written(*state, &model, UNIT_MS), GPROFX_OK);
	assert_string_equal(
		((struct testrun *)*state)->output,
		"program (gprof estimate, paths not measured);f 10\n"
		"program (gprof estimate, paths not measured);f;[paths too small to show] 13\n"
		"program (gprof estimate, paths not measured);f;g 20\n"
		"program (gprof estimate, paths not measured);f;g [one.c] [0xa] 5\n"
		"program (gprof estimate, paths not measured);f;g [one.c] [0xa];[paths too small to "
		"show] 2\n"
		"program (gprof estimate, paths not measured);g [one.c] [0xa] 3\n"
		"program (gprof estimate, paths not measured);g [one.c] [0xa];[paths too small to "
		"show] 2\n"
		"program (gprof estimate, paths not measured);g [one.c] [0xa];g [one.c] 3\n"
		"program (gprof estimate, paths not measured);[paths too small to show] 22\n");
}

/* Numbers of any size, exactly; beyond what readers have, none. */
static void
large_values(void **state)
{
	static const uint32_t parent[] = {GPROFX_NO_CONTEXT, 0}, node[] = {3, 5}, flags[2];
	static const double self[] = {9007199254740994.0, 4611686018427387904.0}, below[] = {0, 0};
	struct gprofx_report_contexts contexts = {.count = 2,
	                                          .parent = parent,
	                                          .node = node,
	                                          .flags = flags};
	struct gprofx_column column;
	struct report_model model;
	struct testrun *test = *state;

	make_contexts(&model, &contexts, &column, self, below);
	column.graph_total = self[0] + self[1];
	assert_int_equal(written(test, &model, UNIT_TICKS), GPROFX_OK);
	assert_string_equal(test->output,
	                    "f 9007199254740994\nf;a\\x0ab\\xff 4611686018427387904\n");
	assert_int_equal(written(test, &model, UNIT_US), GPROFX_FAILED);
	assert_string_equal(test->last_id, "report.values-too-large");
	assert_string_equal(test->output, "");
	model.metric.ticks_per_unit = 0;
	assert_int_equal(written(test, &model, UNIT_US), GPROFX_OK);
}

/* Each of so many contexts is below the other: the file would have gigabytes. */
static void
deep_contexts(void **state)
{
	enum { COUNT = 70000 };
	struct testrun *test = *state;
	uint32_t *parent = memory_alloc(&test->run, COUNT * sizeof *parent);
	uint32_t *node = memory_alloc(&test->run, COUNT * sizeof *node);
	uint32_t *flags = memory_alloc(&test->run, COUNT * sizeof *flags);
	double *self = memory_alloc(&test->run, COUNT * sizeof *self);
	double *below = memory_alloc(&test->run, COUNT * sizeof *below);
	struct gprofx_report_contexts contexts = {.count = COUNT,
	                                          .parent = parent,
	                                          .node = node,
	                                          .flags = flags};
	struct gprofx_column column;
	struct report_model model;

	for (uint32_t i = 0; i < COUNT; i++) {
		parent[i] = i - 1;
		node[i] = 3;
		self[i] = 1;
		below[i] = COUNT - 1 - i;
	}
	make_contexts(&model, &contexts, &column, self, below);
	column.graph_total = COUNT;
	assert_int_equal(written(test, &model, UNIT_TICKS), GPROFX_FAILED);
	assert_string_equal(test->last_id, "folded.too-large");
	assert_string_equal(test->output, "");
}

/* With floor(), which is slower. */
static uint64_t
round_down(double *rest, double value)
{
	double whole = floor(value), step;

	*rest += value - whole;
	step = floor(*rest + 0.5);
	*rest -= step;
	return (uint64_t)whole + (uint64_t)(int64_t)step;
}

/* Also where the rest is at a bound of its range, or next to it. */
static void
rounded_sums(void **state)
{
	static const double edges[] = {
		0.49999999999999994, 1,      0.5,   0.5, 2.5, 1e-300, 5e-324, 0.99999999999999989,
		4503599627370495.5,  0x1p53, 0x1p62};
	enum { EDGES = sizeof edges / sizeof edges[0] };
	uint64_t random = 88172645463325252u;
	struct export_sum sum = {0};
	double rest = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t bits = testrun_random(&random);
		double value = i < EDGES    ? edges[i]
		               : i % 3 == 0 ? edges[bits % EDGES]
		                            : ldexp((double)(bits >> 11), -(int)(bits % 70));

		assert_true(export_round(&sum, value) == round_down(&rest, value));
		assert_true(sum.rest >= rest && sum.rest <= rest);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounded_sums), TESTRUN(unique_names),  TESTRUN(equal_texts),
		TESTRUN(single_texts),          TESTRUN(values_add_up), TESTRUN(scales),
		TESTRUN(cut_contexts),          TESTRUN(large_values),  TESTRUN(deep_contexts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
