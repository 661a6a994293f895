/* SPDX-License-Identifier: Apache-2.0 */
/* What no reader could take is refused before anything is written. */
#include "../../shared/export-bounds.c"

/* After the plugin, since cmocka has a macro "fail". */
#include "testrun.h"

/* Each of so many contexts is below the other. */
static void
deep_contexts(void **state)
{
	enum { COUNT = 24000 };
	struct testrun *test = *state;
	uint32_t *parent = memory_alloc(&test->run, COUNT * sizeof *parent);
	double *self = memory_alloc(&test->run, COUNT * sizeof *self);
	struct gprofx_column column = {.size = sizeof column, .self = {self, sizeof *self}};
	struct gprofx_report_contexts contexts = {.size = sizeof contexts,
	                                          .parent = parent,
	                                          .columns = &column};

	uint32_t deepest = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		parent[i] = i - 1;
		self[i] = 1;
	}
	contexts.count = COUNT / 2;
	assert_int_equal(export_check_frames(&test->run.gx, &contexts, "pprof.too-large", &deepest),
	                 GPROFX_OK);
	assert_int_equal(deepest, COUNT / 2);
	contexts.count = COUNT;
	assert_int_equal(export_check_frames(&test->run.gx, &contexts, "pprof.too-large", NULL),
	                 GPROFX_FAILED);
	assert_string_equal(test->last_id, "pprof.too-large");
	assert_int_equal(
		export_check_frames(&test->run.gx, &contexts, "speedscope.too-large", NULL),
		GPROFX_FAILED);
	assert_string_equal(test->last_id, "speedscope.too-large");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(deep_contexts, testrun_begin, testrun_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
