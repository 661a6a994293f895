/* SPDX-License-Identifier: Apache-2.0 */
/* Lines with most samples: sums by row, file and line, in whatever order they come. */
#include "../testrun.h"

#include <stdio.h>

#include "base/memory.h"
#include "contexts/parts.h"
#include "report/model.h"
#include "symbols/inlined.h"
#include "symbols/symbols.h"

static const struct {
	uint32_t row, file, line;
	double ticks;
} samples[] = {
	{2, 1, 30, 4}, {0, 1, 10, 3}, {0, 2, 10, 2}, {0, 1, 11, 2}, {2, 1, 20, 1}, {0, 2, 10, 2},
	{2, 1, 20, 3}, {4, 0, 10, 9}, {4, 1, 0, 9},  {5, 1, 40, 0}, {2, 2, 1, 4},
};

static void
test_sums(void **state)
{
	/* Of three lines with as many samples, row 2 has the first one. */
	static const char *const expected[] = {"b.c:10", NULL, "a.c:20", NULL, NULL, NULL, NULL};
	struct testrun *test = *state;
	struct report_model *model;
	struct context_lines lines = {.count = 0};
	struct context_source source = {.place_count = 0};
	struct source_file files[3] = {{.path = NULL}, {.path = "a.c"}, {.path = "b.c"}};
	uint32_t *hottest;

	testrun_again(test);
	model = memory_alloc(&test->run, sizeof *model);
	model->symbols = memory_alloc(&test->run, sizeof *model->symbols);
	model->symbols->files = files;
	model->symbols->file_count = 3;
	source.model = model;
	for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
		contexts_add_line(&test->run, &lines, samples[i].row,
		                  &(struct code_frame){0, samples[i].file, samples[i].line},
		                  samples[i].ticks);
	hottest = contexts_hottest(&test->run, &source, &lines, 7);
	for (uint32_t row = 0; row < 7; row++) {
		char text[32];

		if (!expected[row]) {
			assert_int_equal(hottest[row], GPROFX_NO_PLACE);
			continue;
		}
		assert_true(hottest[row] < source.place_count);
		snprintf(text, sizeof text, "%s:%u", source.place_file[hottest[row]],
		         source.place_line[hottest[row]]);
		assert_string_equal(text, expected[row]);
		assert_null(source.place_name[hottest[row]]);
	}
	assert_int_equal(source.place_count, 2);
}

static void
test_nothing(void **state)
{
	struct testrun *test = *state;
	struct context_lines lines = {.count = 0};
	struct context_source source = {.place_count = 0};
	uint32_t *hottest;

	testrun_again(test);
	hottest = contexts_hottest(&test->run, &source, &lines, 2);
	assert_int_equal(hottest[0], GPROFX_NO_PLACE);
	assert_int_equal(hottest[1], GPROFX_NO_PLACE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_sums), TESTRUN(test_nothing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
