/* SPDX-License-Identifier: Apache-2.0 */
/* Values of each file: by function and file, and what is left out where there are too many. */
#include "smallrun.h"

#include "statistics/file-values.h"

enum { SYMBOLS = 6, FILES = 10 };

struct scene {
	struct series self[SYMBOLS], calls[SYMBOLS];
	bool has_late_ticks[SYMBOLS];
	struct file_values *values;
};

static void
begin(struct testrun *test, struct scene *scene, size_t most)
{
	*scene = (struct scene){.values = NULL};
	scene->values = file_values_new(&test->run, most, SYMBOLS, scene->self, scene->calls,
	                                scene->has_late_ticks);
}

static void
add_self(struct scene *scene, uint32_t file, uint32_t symbol, double ticks)
{
	series_add(&scene->self[symbol], file, ticks);
	file_values_add_self(scene->values, file, symbol, ticks);
}

static void
add_calls(struct scene *scene, uint32_t file, uint32_t symbol, uint64_t calls)
{
	series_add(&scene->calls[symbol], file, (double)calls);
	file_values_add_calls(scene->values, file, symbol, calls);
}

/* Writes "SYMBOL: FILE=SELF/CALLS ..." for each function that has anything. */
static void
report(struct testrun *test, struct scene *scene, struct small_text *text)
{
	struct gprofx_function_spread rows[SYMBOLS];
	struct gprofx_report_files files = {.spread = rows};

	for (uint32_t i = 0; i < SYMBOLS; i++)
		if (scene->self[i].count > 0 || scene->calls[i].count > 0)
			rows[files.spread_count++] = (struct gprofx_function_spread){.function = i};
	file_values_report(&test->run, scene->values, &files);
	for (uint32_t i = 0; i < files.spread_count; i++) {
		small_add(text, "%u:", rows[i].function);
		for (uint32_t k = files.value_first[i]; k < files.value_first[i + 1]; k++) {
			const struct gprofx_file_value *value = &files.value[k];

			small_add(text, " %u=%g", value->file, value->self);
			if (value->calls == GPROFX_CALLS_UNKNOWN)
				small_add(text, "/?");
			else
				small_add(text, "/%llu", (unsigned long long)value->calls);
		}
		small_add(text, "\n");
	}
	small_add(text, "%u left out\n", files.values_left_out);
}

static void
test_merged(void **state)
{
	struct testrun *test = *state;
	struct small_text text = {.length = 0};
	struct scene scene;

	begin(test, &scene, 100);
	add_self(&scene, 0, 4, 0.5);
	add_self(&scene, 0, 1, 2);
	add_calls(&scene, 0, 5, 7);
	file_values_bound(&test->run, scene.values);
	add_self(&scene, 2, 1, 3);
	add_calls(&scene, 1, 1, 4);
	add_calls(&scene, 2, 1, 5);
	/* What is counted no further is not taken for what is not known. */
	add_calls(&scene, 3, 5, UINT64_MAX);
	report(test, &scene, &text);
	assert_string_equal(text.bytes, "1: 0=2/0 1=0/4 2=3/5\n"
	                                "4: 0=0.5/0\n"
	                                "5: 0=0/7 3=0/18446744073709551614\n"
	                                "0 left out\n");
}

/* Nothing wanted, nothing kept; nothing there, nothing reported. */
static void
test_none(void **state)
{
	struct testrun *test = *state;
	struct small_text text = {.length = 0};
	struct scene scene;

	file_values_add_self(NULL, 0, 0, 1);
	file_values_add_calls(NULL, 0, 0, 1);
	file_values_bound(&test->run, NULL);
	begin(test, &scene, 100);
	report(test, &scene, &text);
	assert_string_equal(text.bytes, "0 left out\n");
}

/* Symbol s has ticks in s + 1 files, but a single large value makes one stay. */
static void
test_too_many_ticks(void **state)
{
	struct testrun *test = *state;
	struct small_text text = {.length = 0};
	struct scene scene;

	begin(test, &scene, 8);
	for (uint32_t file = 0; file < FILES; file++) {
		add_self(&scene, file, 2, 1);
		if (file < 2)
			add_self(&scene, file, 3, 5);
		if (file == 2)
			add_self(&scene, file, 0, 90);
		file_values_bound(&test->run, scene.values);
	}
	/* Its first values are gone, so the later ones do not count for it either. */
	add_self(&scene, FILES, 2, 1000);
	add_calls(&scene, FILES, 2, 6);
	report(test, &scene, &text);
	assert_string_equal(text.bytes, "0: 2=90/0\n"
	                                "2:\n"
	                                "3: 0=5/0 1=5/0\n"
	                                "1 left out\n");
}

/* Calls go first where no file has ticks, and then by their number; the ticks stay. */
static void
test_too_many_calls(void **state)
{
	struct testrun *test = *state;
	struct small_text text = {.length = 0};
	struct scene scene;

	begin(test, &scene, 8);
	add_self(&scene, 0, 1, 3);
	add_self(&scene, 0, 4, 2);
	add_calls(&scene, 0, 0, 1000);
	for (uint32_t file = 0; file < 3; file++) {
		add_calls(&scene, file, 1, 1);
		add_calls(&scene, file, 2, 10);
		add_calls(&scene, file, 4, 1);
	}
	scene.has_late_ticks[2] = true;
	report(test, &scene, &text);
	assert_string_equal(text.bytes, "0:\n"
	                                "1: 0=3/?\n"
	                                "2: 0=0/10 1=0/10 2=0/10\n"
	                                "4: 0=2/?\n"
	                                "1 left out\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_merged),
		TESTRUN(test_none),
		TESTRUN(test_too_many_ticks),
		TESTRUN(test_too_many_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
