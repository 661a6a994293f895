/* SPDX-License-Identifier: Apache-2.0 */
/* Both tables byte by byte, with fields of every awkward kind. */
#include "compared.c"
#include "field.c"
#include "members.c"
#include "output-csv.c"

/* After the plugin, since cmocka has a macro "fail". */
#include "testrun.h"

#include "emit/writer.h"
#include "report/model.h"

/* Functions 0 to 6 and one cycle of 5 and 6. */
static const char *const names[] = {
	"plain", "a,\"b\"\r\nc",     "=1+1", "-[Class method]", "caf\xc3\xa9\xff\x1b\xc2\x9b",
	"left",  "\xef\xbc\x9dwide",
};

enum { FUNCTIONS = sizeof names / sizeof names[0], NODES };

static struct gprofx_text
name_of(const struct gprofx_report *report, uint32_t node)
{
	(void)report;
	return (struct gprofx_text){names[node], strlen(names[node])};
}

static const char *
source_of(const struct gprofx_report *report, uint32_t node, uint32_t *line)
{
	(void)report;
	*line = node == 0 ? 12 : 0;
	return node == 0 ? "/src/a \"b\".c" : NULL;
}

static void
make_report(struct report_model *model)
{
	static const struct gprofx_report_services services = {.size = sizeof services,
	                                                       .name = name_of,
	                                                       .source = source_of};
	static const uint64_t address[FUNCTIONS] = {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, UINT64_MAX};
	static const uint32_t flags[NODES] = {0, GPROFX_NODE_STATIC};
	static const double self[NODES] = {1.0 / 3, 25, 10, 0, 3, 1, 1, 2};
	static const double below[NODES] = {0, 7, 0, 0, 0, 0.5, 0, 0.5};
	static const uint64_t calls[NODES] = {3, 0, UINT64_MAX, 0, 0, 7, 1, 2};
	static const uint64_t recursive[NODES] = {4};
	static const uint32_t cycle[NODES] = {0, 0, 0, 0, 0, 1, 1, 1};
	static const uint32_t index[NODES] = {3, 1, 2, 4, 5, 6, 7, 8};
	static const uint32_t flat[] = {1, 2, 0, 3, 4, 6};
	static const struct graph_arc arcs[] = {
		{1, 0, 3, 0.25, 0},
		{0, 0, 4, 0, 0},
		{5, 6, 1, 0, 0},
		{1, 5, 2, 2, 0.5},
		{1, 2, UINT64_MAX, NAN, INFINITY},
	};

	static const uint8_t found[] = {0, GPROFX_STATIC_TAIL, 0, GPROFX_STATIC_CALL, 0};

	memset(model, 0, sizeof *model);
	model->parts.origin.has_histogram = true;
	model->parts = (struct report_parts){
		.origin.image = "a.out",
		.origin.has_histogram = true,
		.origin.has_arcs = true,
		.origin.metric_count = 1,
		.origin.metrics = &model->metric,
		.functions.count = FUNCTIONS,
		.functions.address = address,
		.functions.end = address,
		.functions.raw_name = names,
		.graph.node_count = NODES,
		.graph.flags = flags,
		.graph.cycle = cycle,
		.graph.index = index,
		.graph.columns = &model->node_column,
		.graph.calls = &model->node_calls,
		.graph.arcs = report_arcs(model, arcs, sizeof arcs / sizeof arcs[0],
	                                  &model->arc_column, &model->arc_calls),
		.graph.arc_static = found,
		.graph.flat_count = sizeof flat / sizeof flat[0],
		.graph.flat = flat,
	};
	model->metric = (struct gprofx_metric){.size = sizeof model->metric,
	                                       .unit = "seconds",
	                                       .ticks_per_unit = 100};
	model->node_column = (struct gprofx_column){
		.size = sizeof model->node_column,
		.self_origin = GPROFX_MEASURED,
		.total_origin = GPROFX_ESTIMATED,
		.self = {self, sizeof *self},
		.below = {below, sizeof *below},
		.selected_self = {self, sizeof *self},
		.selected_below = {below, sizeof *below},
		.flat_total = 50,
	};
	model->node_calls = (struct gprofx_call_column){
		.size = sizeof model->node_calls,
		.calls = {calls, sizeof *calls},
		.recursive = {recursive, sizeof *recursive},
	};
	report_link(model);
	model->public.services = &services;
}

static const char *
written(struct testrun *test, const struct gprofx_report *report, struct options options)
{
	struct writer *writer = writer_to_standard_output(&test->run);
	const struct gprofx_emission emission = {
		.size = sizeof emission,
		.report = report,
		.writer = &writer->public,
	};

	test->output_length = 0;
	test->output[0] = '\0';
	assert_int_equal(emit(&test->run.gx, &emission, &options), GPROFX_OK);
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	return test->output;
}

#define FLAT_COLUMNS                                                                        \
	"name,percent,cumulative_seconds,self_seconds,total_seconds,calls,recursive_calls," \
	"self_seconds_per_call,total_seconds_per_call,self_ticks,total_ticks,cycle,index,"  \
	"raw_name,address,source_file,source_line,static\r\n"

#define ARC_COLUMNS                                                                       \
	"caller,callee,kind,calls,callee_calls,self_seconds,below_seconds,total_seconds," \
	"self_ticks,below_ticks,caller_cycle,callee_cycle,caller_index,callee_index,"     \
	"caller_raw_name,callee_raw_name,static\r\n"

static void
flat_table(void **state)
{
	struct report_model model;

	make_report(&model);
	assert_string_equal(
		written(*state, &model.public, (struct options){TABLE_FLAT, FORMULAS_DEFUSE}),
		FLAT_COLUMNS
		"\"a,\"\"b\"\"\r\nc\",50,0.25,0.25,0.32,0,0,,,25,32,,1,\"a,\"\"b\"\"\r\nc\",0x20,,,true\r\n"
		"\"'=1+1\",20,0.35,0.1,0.1,18446744073709551615,0,5.4210108624275225e-21,"
		"5.4210108624275225e-21,10,10,,2,\"'=1+1\",0x30,,,false\r\n"
		"\"plain\",0.6666666666666665,0.35333333333333333,0.003333333333333333,"
		"0.003333333333333333,3,4,0.0011111111111111111,0.0011111111111111111,"
		"0.3333333333333333,0.3333333333333333,,3,\"plain\",0x10,\"/src/a \"\"b\"\".c\",12,"
		"false\r\n"
		"\"'-[Class method]\",0,0.35333333333333333,0,0,0,0,,,0,0,,4,"
		"\"'-[Class method]\",0x40,,,false\r\n"
		"\"caf\xc3\xa9\\xff\\x1b\\xc2\\x9b\",6,0.38333333333333336,0.03,0.03,0,0,,,3,3,,5,"
		"\"caf\xc3\xa9\\xff\\x1b\\xc2\\x9b\",0x50,,,false\r\n"
		"\"'\xef\xbc\x9dwide\",2,0.39333333333333337,0.01,0.01,1,0,0.01,0.01,1,1,1,7,"
		"\"'\xef\xbc\x9dwide\",0xffffffffffffffff,,,false\r\n");
}

static void
arcs_table(void **state)
{
	struct report_model model;

	make_report(&model);
	assert_string_equal(
		written(*state, &model.public, (struct options){TABLE_ARCS, FORMULAS_KEEP}),
		ARC_COLUMNS
		"\"a,\"\"b\"\"\r\nc\",\"plain\",call,3,3,0.0025,0,0.0025,0.25,0,,,1,3,"
		"\"a,\"\"b\"\"\r\nc\",\"plain\",\r\n"
		"\"plain\",\"plain\",recursive,4,,0,0,0,0,0,,,3,3,\"plain\",\"plain\",\"tail\"\r\n"
		"\"left\",\"\xef\xbc\x9dwide\",cycle,1,,0,0,0,0,0,1,1,6,7,\"left\",\"\xef\xbc\x9dwide\",\r\n"
		"\"a,\"\"b\"\"\r\nc\",\"left\",call,2,2,0.02,0.005,0.025,2,0.5,,1,1,6,"
		"\"a,\"\"b\"\"\r\nc\",\"left\",\"call\"\r\n"
		"\"a,\"\"b\"\"\r\nc\",\"=1+1\",call,18446744073709551615,18446744073709551615,,,,,,,,1,2,"
		"\"a,\"\"b\"\"\r\nc\",\"=1+1\",\r\n");
}

/* What is not known is not there: no seconds without a rate, nothing below without arcs. */
static void
unknown_figures(void **state)
{
	static const uint32_t flat[] = {2};
	struct report_model model;

	make_report(&model);
	model.parts.origin.has_arcs = false;
	model.metric.ticks_per_unit = 0;
	model.parts.graph.flat = flat;
	model.parts.graph.flat_count = 1;
	model.node_column.flat_total = 0;
	assert_string_equal(
		written(*state, &model.public, (struct options){TABLE_FLAT, FORMULAS_KEEP}),
		FLAT_COLUMNS
		"\"=1+1\",,,,,18446744073709551615,0,,,10,,,2,\"=1+1\",0x30,,,false\r\n");
	model.node_column.self_origin = GPROFX_UNKNOWN;
	assert_string_equal(
		written(*state, &model.public, (struct options){TABLE_FLAT, FORMULAS_KEEP}),
		FLAT_COLUMNS
		"\"=1+1\",,,,,18446744073709551615,0,,,,,,2,\"=1+1\",0x30,,,false\r\n");
	model.arc_column.self_origin = model.arc_column.total_origin = GPROFX_UNKNOWN;
	model.parts.graph.arcs.count = 1;
	assert_string_equal(
		written(*state, &model.public, (struct options){TABLE_ARCS, FORMULAS_KEEP}),
		ARC_COLUMNS "\"a,\"\"b\"\"\r\nc\",\"plain\",call,3,3,,,,,,,,1,3,"
			    "\"a,\"\"b\"\"\r\nc\",\"plain\",\r\n");
	model.parts.graph.flat_count = model.parts.graph.arcs.count = 0;
	assert_string_equal(
		written(*state, &model.public, (struct options){TABLE_ARCS, FORMULAS_DEFUSE}),
		ARC_COLUMNS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(flat_table),
		TESTRUN(arcs_table),
		TESTRUN(unknown_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
