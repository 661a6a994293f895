/* SPDX-License-Identifier: Apache-2.0 */
/* Values of each file: by function and file, and what is left out where there are too many. */
#include "smallrun.h"

#include "draws.h"
#include "statistics/file-values.h"

enum { SYMBOLS = 6, FILES = 10 };

struct scene {
	struct series_table self, calls;
	struct file_values *values;
};

static void
begin(struct testrun *test, struct scene *scene, size_t most, size_t most_bytes)
{
	scene->self = series_table_new(&test->run, SYMBOLS);
	scene->calls = series_table_new(&test->run, SYMBOLS);
	scene->values = file_values_new(&test->run, most, most_bytes, SYMBOLS, scene->self.rows,
	                                scene->calls.rows);
}

static void
add_self(struct scene *scene, uint32_t file, uint32_t symbol, double ticks)
{
	series_table_add(&scene->self, symbol, file, ticks);
	file_values_add_self(scene->values, file, symbol, ticks);
}

static void
add_calls(struct scene *scene, uint32_t file, uint32_t symbol, uint64_t calls)
{
	series_table_add(&scene->calls, symbol, file, (double)calls);
	file_values_add_calls(scene->values, file, symbol, calls);
}

/* Writes "SYMBOL: FILE=SELF/CALLS ..." for each function that has anything. */
static void
report(struct testrun *test, struct scene *scene, struct small_text *text)
{
	struct gprofx_function_spread rows[SYMBOLS];
	struct gprofx_report_files files = {.spread = rows};

	for (uint32_t i = 0; i < SYMBOLS; i++)
		if (scene->self.rows[i].count > 0 || scene->calls.rows[i].count > 0)
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

	begin(test, &scene, 100, 1000);
	add_self(&scene, 0, 1, 2);
	add_self(&scene, 0, 4, 0.5);
	add_calls(&scene, 0, 5, 7);
	file_values_bound(&test->run, scene.values);
	add_self(&scene, 2, 1, 3);
	add_calls(&scene, 1, 1, 4);
	add_calls(&scene, 2, 1, 5);
	/* What is counted no further is not taken for what is not known. */
	add_calls(&scene, 3, 5, UINT64_MAX);
	/* What waited comes later, in the same batch or in another one. */
	add_self(&scene, 1, 0, 1e300);
	add_self(&scene, 1, 5, 0x1p62);
	file_values_bound(&test->run, scene.values);
	add_self(&scene, 0, 0, 1e-300);
	add_calls(&scene, 1, 4, 128);
	report(test, &scene, &text);
	assert_string_equal(text.bytes, "0: 0=5.42101e-20/0 1=1.84467e+19/0\n"
	                                "1: 0=2/0 1=0/4 2=3/5\n"
	                                "4: 0=0.5/0 1=0/128\n"
	                                "5: 0=0/7 1=4.61169e+18/0 3=0/18446744073709551614\n"
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
	begin(test, &scene, 100, 1000);
	report(test, &scene, &text);
	assert_string_equal(text.bytes, "0 left out\n");
}

/* Symbol s has ticks in s + 1 files, but a single large value makes one stay, whenever it comes. */
static void
test_too_many_ticks(void **state)
{
	struct testrun *test = *state;

	for (uint32_t large = 0; large < FILES; large += FILES - 1) {
		struct small_text text = {.length = 0};
		struct scene scene;

		begin(test, &scene, 8, 1000);
		for (uint32_t file = 0; file < FILES; file++) {
			if (file == large)
				add_self(&scene, file, 0, 90);
			add_self(&scene, file, 2, 1);
			if (file < 2)
				add_self(&scene, file, 3, 5);
			if (file < 5)
				add_self(&scene, file, 4, 4);
			if (file == 5)
				add_self(&scene, file, 5, 0.5);
			if (file % 3 == 0)
				file_values_bound(&test->run, scene.values);
		}
		/* One that has no room leaves none to those behind it. */
		add_calls(&scene, FILES, 2, 6);
		report(test, &scene, &text);
		assert_string_equal(text.bytes, large == 0 ? "0: 0=90/0\n"
		                                             "2:\n"
		                                             "3: 0=5/0 1=5/0\n"
		                                             "4: 0=4/0 1=4/0 2=4/0 3=4/0 4=4/0\n"
		                                             "5:\n"
		                                             "2 left out\n"
		                                           : "0: 9=90/0\n"
		                                             "2:\n"
		                                             "3: 0=5/0 1=5/0\n"
		                                             "4: 0=4/0 1=4/0 2=4/0 3=4/0 4=4/0\n"
		                                             "5:\n"
		                                             "2 left out\n");
	}
}

/* Calls go first where no file has ticks, and then by their number; the ticks stay. */
static void
test_too_many_calls(void **state)
{
	struct testrun *test = *state;
	struct small_text text = {.length = 0};
	struct scene scene;

	begin(test, &scene, 5, 1000);
	add_self(&scene, 0, 1, 3);
	add_self(&scene, 0, 4, 2);
	add_calls(&scene, 0, 0, 9);
	for (uint32_t file = 0; file < 3; file++) {
		add_calls(&scene, file, 1, 1);
		add_calls(&scene, file, 2, 10);
		add_calls(&scene, file, 4, 1);
	}
	report(test, &scene, &text);
	assert_string_equal(text.bytes, "0:\n"
	                                "1: 0=3/1 1=0/1 2=0/1\n"
	                                "2:\n"
	                                "4: 0=2/?\n"
	                                "2 left out\n");
}

/* Values of three bytes each: the last one that is too many takes all others along. */
static void
test_too_many_bytes(void **state)
{
	struct testrun *test = *state;

	for (uint32_t past = 0; past < 2; past++) {
		struct small_text text = {.length = 0};
		struct scene scene;

		begin(test, &scene, 100, 12 - past);
		for (uint32_t file = 0; file < 4; file++) {
			if (file == 2)
				add_calls(&scene, file, 5, 200);
			else
				add_self(&scene, file, 3, 100 + file);
			file_values_bound(&test->run, scene.values);
		}
		assert_int_equal(scene.values->bytes, 12);
		report(test, &scene, &text);
		assert_string_equal(text.bytes, past ? "3:\n5:\n2 left out\n"
		                                     : "3: 0=100/0 1=101/0 3=103/0\n"
		                                       "5: 2=0/200\n0 left out\n");
	}
}

/* Adds random values, always the same ones of the same number. */
static void
add_random(struct scene *scene, uint32_t number, uint32_t file)
{
	uint64_t state = number;

	for (uint32_t symbol = 0; symbol < SYMBOLS; symbol++) {
		if (draw(&state) % 3 == 0)
			add_self(scene, file, symbol, (double)(draw(&state) % 100) / 7 + 0.1);
		if (draw(&state) % 3 == 0)
			add_calls(scene, file, symbol, 1 + draw(&state) % 1000);
	}
}

/* Files "first" to below "past", numbered from 0 on, as bytes. */
static struct bytes_out
write_group(struct testrun *test, struct scene *scene, uint32_t first, uint32_t past, size_t bytes)
{
	struct bytes_out out = {.run = &test->run};

	begin(test, scene, 100, bytes);
	for (uint32_t file = first; file < past; file++)
		add_random(scene, file, file - first);
	file_values_bound(&test->run, scene->values);
	file_values_write(scene->values, &out);
	return out;
}

/* Reads bytes of a group whose series are known. */
static bool
read_group(struct testrun *test, struct scene *scene, const struct scene *group, uint32_t first,
           uint32_t count, const uint8_t *bytes, size_t length)
{
	uint32_t self[SYMBOLS], calls[SYMBOLS];
	struct bytes_in in = {.at = bytes, .end = bytes + length};
	const struct file_values_group files = {first, count, self, calls};

	for (uint32_t i = 0; i < SYMBOLS; i++) {
		const struct series ticks = series_at(&group->self, i);
		const struct series called = series_at(&group->calls, i);

		self[i] = ticks.row.count;
		calls[i] = called.row.count;
		series_table_merge(&scene->self, i, &ticks, first);
		series_table_merge(&scene->calls, i, &called, first);
	}
	return file_values_read(&test->run, scene->values, &in, &files) && in.at == in.end;
}

/* Wherever the files are divided, and whatever is too much. */
static void
test_groups(void **state)
{
	static const size_t limits[] = {1000, 300, 60};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		struct small_text expected = {.length = 0};
		struct scene scene;

		begin(test, &scene, 20, limits[i]);
		for (uint32_t file = 0; file < FILES; file++)
			add_random(&scene, file, file);
		report(test, &scene, &expected);
		for (uint32_t past = 0; past <= FILES; past++) {
			struct small_text text = {.length = 0};
			struct scene group;
			struct bytes_out out = write_group(test, &group, past, FILES, limits[i]);

			begin(test, &scene, 20, limits[i]);
			for (uint32_t file = 0; file < past; file++)
				add_random(&scene, file, file);
			assert_true(read_group(test, &scene, &group, past, FILES - past, out.items,
			                       out.count));
			report(test, &scene, &text);
			assert_string_equal(text.bytes, expected.bytes);
		}
	}
}

/* Values that are not wanted on both sides, or on one. */
static void
test_unwanted(void **state)
{
	struct testrun *test = *state;
	const struct file_values_group files = {.count = 0};
	struct bytes_out none = {.run = &test->run};
	struct bytes_in in;
	struct scene scene;

	begin(test, &scene, 100, 1000);
	file_values_write(NULL, &none);
	in = (struct bytes_in){.at = none.items, .end = none.items + none.count};
	assert_true(file_values_read(&test->run, NULL, &in, &files));
	in = (struct bytes_in){.at = none.items, .end = none.items + none.count};
	assert_false(file_values_read(&test->run, scene.values, &in, &files));
	in = (struct bytes_in){.at = none.items, .end = none.items};
	assert_false(file_values_read(&test->run, NULL, &in, &files));
}

/* Bytes that cannot be right: refused, or as good as right ones. */
static void
test_hostile(void **state)
{
	static const struct {
		const char *what;
		uint8_t bytes[16];
		size_t count;
		bool is_right;
	} cases[] = {
		{"right", {2, 1, 1, 4, 3, 8, 2, 6, 1, 0, 2, 3, 7}, 13, true},
		{"unknown state", {3, 0, 0}, 3, false},
		{"file past the last one", {2, 1, 2, 4, 3, 8, 2, 6, 1, 0, 2, 3, 7}, 13, false},
		{"file twice", {2, 2, 1, 2, 3, 8, 1, 2, 5, 6, 1, 0, 2, 3, 7}, 15, false},
		{"symbol twice", {2, 1, 1, 4, 3, 8, 0, 6, 1, 0, 2, 3, 7}, 13, false},
		{"symbol past the last one", {2, 1, 1, 4, 3, 8, 3, 6, 1, 0, 2, 3, 7}, 13, false},
		{"symbol without a count", {2, 1, 1, 4, 2, 8, 3, 6, 1, 0, 2, 3, 7}, 13, false},
		{"no ticks", {2, 1, 1, 4, 3, 0, 2, 6, 1, 0, 2, 3, 7}, 13, false},
		{"no calls", {2, 1, 1, 4, 3, 8, 2, 6, 1, 0, 2, 3, 0}, 13, false},
		{"bad amount", {2, 1, 1, 4, 3, 8, 2, 3, 1, 0, 2, 3, 7}, 13, false},
		{"value too few", {2, 1, 1, 2, 3, 8, 1, 0, 2, 3, 7}, 11, false},
		{"no calls at all", {2, 1, 1, 4, 3, 8, 2, 6, 0}, 9, false},
		{"half a value", {2, 1, 1, 3, 3, 8, 2, 1, 0, 2, 3, 7}, 12, false},
	};
	struct testrun *test = *state;
	struct scene group, scene;

	begin(test, &group, 100, 1000);
	series_table_add(&group.self, 3, 1, 4);
	series_table_add(&group.self, 5, 1, 3);
	series_table_add(&group.calls, 3, 0, 7);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		begin(test, &scene, 100, 1000);
		if (read_group(test, &scene, &group, 0, 2, cases[i].bytes, cases[i].count) !=
		    cases[i].is_right)
			fail_msg("%s", cases[i].what);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_merged),         TESTRUN(test_none),
		TESTRUN(test_too_many_ticks), TESTRUN(test_too_many_calls),
		TESTRUN(test_too_many_bytes), TESTRUN(test_groups),
		TESTRUN(test_unwanted),       TESTRUN(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
