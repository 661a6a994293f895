/* SPDX-License-Identifier: Apache-2.0 */
/* What is found in profiles that differ in one thing from a sound one. */
#include "testrun.h"

#include "findings/findings.h"
#include "findings/parts.h"

enum { FUNCTIONS = 12, RECORDED = 5, STEP = 0x100, BINS = FUNCTIONS * STEP / 4 };

static const char *const names[FUNCTIONS] = {"main", "a", "b", "c", "d", "e",
                                             "f",    "g", "h", "i", "j", "k"};

/* A program and its profile, to be changed by the test before it is looked at. */
struct input {
	struct symbols *symbols;
	struct scan *scan;
	struct gprofx_code_range code;
	struct gprofx_raw_arc arcs[3 * FUNCTIONS];
	uint32_t arc_count;
	uint16_t bins[BINS];
	struct gprofx_histogram histogram;
	bool has_histogram;
	int64_t modified;
};

static struct input *
sound_input(struct testrun *test)
{
	struct input *input = memory_alloc(&test->run, sizeof *input);

	input->symbols = testrun_symbols(test, names, FUNCTIONS);
	input->scan = scan_new(&test->run, input->symbols);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		input->symbols->address[i] = 0x1000 + STEP * i;
		input->symbols->end[i] = 0x1000 + STEP * (i + 1) - 1;
		input->symbols->bytes[i] = STEP;
		input->bins[i * STEP / 4 + 9] = 20;
	}
	symbols_index(&test->run, input->symbols);
	input->code = (struct gprofx_code_range){0x1000, FUNCTIONS * STEP, 0, ".text"};
	input->symbols->table.code = &input->code;
	input->symbols->table.code_count = 1;
	input->symbols->image.name = "program";
	input->symbols->image_modified = 1000;
	for (uint32_t i = 1; i < FUNCTIONS; i++)
		input->arcs[input->arc_count++] = (struct gprofx_raw_arc){
			0x1010, input->symbols->address[i] + RECORDED, 3};
	input->histogram = (struct gprofx_histogram){
		.size = sizeof(struct gprofx_histogram),
		.low = 0x1000,
		.high = 0x1000 + FUNCTIONS * STEP,
		.bin_count = BINS,
		.rate = 100,
		.dimension = "seconds",
		.abbreviation = 's',
		.bins = (const uint8_t *)input->bins,
		.bin_bytes = 2,
	};
	input->has_histogram = true;
	input->modified = 2000;
	return input;
}

static void
read_input(struct testrun *test, const struct input *input, struct profile *profile)
{
	const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};

	profile_begin_file(&test->run, profile, "gmon.out", input->modified, false);
	if (input->has_histogram)
		assert_int_equal(profile->public.builder->histogram(&test->run.gx, &profile->public,
		                                                    &file, &input->histogram),
		                 GPROFX_OK);
	profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, input->arcs,
	                              input->arc_count);
	profile_add_up(&test->run, profile);
}

/* Nothing is known about how the calls agree with the code. */
static const struct fit no_fit;

/* The ids of all findings with blanks between them. */
static const char *
found(struct testrun *test, const struct input *input)
{
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_finding *list;
	struct findings *findings;
	const char *ids = "";
	uint32_t count;

	test->settings.findings = true;
	test->settings.image = "image";
	read_input(test, input, profile);
	findings = findings_inspect(&test->run, input->scan, profile, &no_fit);
	findings_inspect_account(findings, NULL, NULL);
	list = findings_list(findings, &count);
	for (uint32_t i = 0; i < count; i++) {
		assert_non_null(list[i].summary);
		assert_non_null(list[i].evidence);
		assert_non_null(list[i].advice);
		ids = text_format(&test->run, "%s%s%s", ids, i > 0 ? " " : "", list[i].id);
	}
	return ids;
}

static void
test_sound(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	assert_string_equal(found(test, input), "");
	/* Written by a profiling runtime that gets function entries. */
	for (uint32_t i = 0; i < input->arc_count; i++)
		input->arcs[i].self -= RECORDED;
	assert_string_equal(found(test, input), "");
}

static void
test_switched_off(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);
	struct profile *profile = profile_new(&test->run);
	uint32_t count = 7;

	input->histogram.rate = 0;
	read_input(test, input, profile);
	test->settings.findings = false;
	assert_null(findings_inspect(&test->run, input->scan, profile, &no_fit));
	assert_null(findings_list(NULL, &count));
	assert_int_equal(count, 0);
	findings_tell(NULL, NULL, 0);
}

/* From how far behind its entry a callee is nobody's: 64 bytes are near, 65 are not. */
static void
test_distance_from_entries(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	for (uint32_t i = 0; i < input->arc_count; i++)
		input->arcs[i].self = input->symbols->address[i + 1] + 64;
	assert_string_equal(found(test, input), "");
	for (uint32_t i = 0; i < input->arc_count; i++)
		input->arcs[i].self++;
	assert_string_equal(found(test, input), "image.other-program");
	/* A function that the report has no name for is an entry, too. */
	input->symbols->table.count = 1;
	memory_array(&test->run, input->symbols->table.rows.address, 1);
	memory_array(&test->run, input->symbols->table.rows.bytes, 1);
	memory_array(&test->run, input->symbols->table.rows.flags, 1);
	input->symbols->table.rows.address[0] = 0x1100 + 60;
	for (uint32_t i = 0; i < input->arc_count; i++)
		input->arcs[i].self = 0x1100 + 65 + i;
	assert_string_equal(found(test, input), "");
}

static void
test_too_few_calls_for_a_verdict(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	input->arc_count = 3;
	for (uint32_t i = 0; i < input->arc_count; i++)
		input->arcs[i].self += 100;
	assert_string_equal(found(test, input), "");
	input->arc_count = 4;
	input->arcs[3].self += 100;
	assert_string_equal(found(test, input), "image.other-program");
}

static void
test_addresses_elsewhere(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	input->histogram.low += 0x100000;
	input->histogram.high += 0x100000;
	assert_string_equal(found(test, input), "image.no-sample-fits");
	for (uint32_t i = 0; i < input->arc_count; i++)
		input->arcs[i].self += 0x100000;
	assert_string_equal(found(test, input), "image.no-sample-fits");
	input->histogram.low -= 0x100000;
	input->histogram.high -= 0x100000;
	/* From the program to elsewhere: a library that is profiled as well. */
	assert_string_equal(found(test, input), "");
	for (uint32_t i = 0; i < input->arc_count; i++)
		input->arcs[i].from += 0x100000;
	assert_string_equal(found(test, input), "image.no-call-fits");
}

static void
test_dates(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	/* The date alone, then two calls alone, then both. */
	input->modified = 500;
	assert_string_equal(found(test, input), "");
	input->arcs[3].self += 120;
	input->arcs[4].self += 120;
	assert_string_equal(found(test, input), "image.stale");
	input->modified = 999;
	assert_string_equal(found(test, input), "");
	input->modified = 2000;
	assert_string_equal(found(test, input), "");
	/* The end of the code instead. */
	input = sound_input(test);
	input->modified = 500;
	input->code.bytes += 32;
	assert_string_equal(found(test, input), "image.stale");
	/* A date that is not known says nothing. */
	input->modified = 0;
	assert_string_equal(found(test, input), "");
}

static void
test_rates(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	input->histogram.rate = 0;
	assert_string_equal(found(test, input), "rate.zero");
	input->histogram.rate = 10000000;
	assert_string_equal(found(test, input), "");
	input->histogram.rate++;
	assert_string_equal(found(test, input), "rate.absurd");
	memcpy(input->histogram.dimension, "cycles", 7);
	assert_string_equal(found(test, input), "");
}

static void
test_counters(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	input->bins[9] = 57343;
	assert_string_equal(found(test, input), "");
	input->bins[9] = 57344;
	assert_string_equal(found(test, input), "histogram.wrapped");
	input->bins[9] = 65535;
	assert_string_equal(found(test, input), "histogram.saturated");
	/* Between two that are high; without a sample, a processor may have skidded. */
	input->bins[9] = input->bins[11] = 50000;
	input->bins[10] = 1500;
	assert_string_equal(found(test, input), "histogram.wrapped");
	input->bins[10] = 0;
	assert_string_equal(found(test, input), "");
}

static void
test_amounts(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	memset(input->bins, 0, sizeof input->bins);
	assert_string_equal(found(test, input), "samples.none");
	input->bins[9] = 9;
	assert_string_equal(found(test, input), "samples.few");
	input->bins[9] = 10;
	assert_string_equal(found(test, input), "");
	input->has_histogram = false;
	assert_string_equal(found(test, input), "histogram.missing");
	input->arc_count = 0;
	assert_string_equal(found(test, input), "profile.empty");
	input->has_histogram = true;
	assert_string_equal(found(test, input), "calls.none");
	input->bins[9] = 0;
	assert_string_equal(found(test, input), "histogram.all-zero");
}

static void
test_table_of_calls(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);
	/* 2 in a hundred of 0xc00 bytes are 61; 3 are 92. */
	const struct {
		uint32_t arcs;
		const char *ids;
	} cases[] = {{59, ""}, {60, "calls.table-full"}, {61, "calls.table-full"},
	             {62, ""}, {91, "calls.table-full"}, {93, ""}};

	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		struct profile *profile = profile_new(&test->run);
		const struct gprofx_finding *list;
		struct findings *findings;
		uint32_t count;

		input->arc_count = 0;
		test->settings.findings = true;
		read_input(test, input, profile);
		for (uint32_t i = 0; i < cases[k].arcs; i++) {
			const struct gprofx_raw_arc arc = {0x1010, 0x1100 + RECORDED, 1};

			profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc,
			                              1);
		}
		findings = findings_inspect(&test->run, input->scan, profile, &no_fit);
		findings_inspect_account(findings, NULL, NULL);
		list = findings_list(findings, &count);
		assert_string_equal(count > 0 ? list[0].id : "", cases[k].ids);
	}
}

/* The function by which the image can start threads. */
static const char *
starter(struct testrun *test, const struct input *input)
{
	struct profile *profile = profile_new(&test->run);

	test->settings.findings = true;
	read_input(test, input, profile);
	return findings_inspect(&test->run, input->scan, profile, &no_fit)->starter;
}

static void
test_names_of_threads(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);
	struct gprofx_symtab *table = &input->symbols->table;
	static const char needed[] = "\0main\0pthread_create@GLIBC_2.34",
			  part[] = "\0main\0my_pthread_create\0pthread_created";
	const char *end_of_name = part + sizeof "\0main\0my_" - 1;

	table->strings = needed;
	table->strings_bytes = sizeof needed;
	assert_string_equal(starter(test, input), "pthread_create");
	assert_string_equal(found(test, input), "");
	table->strings = part;
	table->strings_bytes = sizeof part;
	assert_null(starter(test, input));
	/* The end of a name is a name if a symbol has it. */
	table->count = 1;
	memory_array(&test->run, table->rows.address, 1);
	memory_array(&test->run, table->rows.bytes, 1);
	memory_array(&test->run, table->rows.name, 1);
	table->rows.name[0] = end_of_name;
	table->rows.address[0] = 0x1000;
	assert_string_equal(starter(test, input), "pthread_create");
}

static void
test_code_without_a_name(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	/* The last 32 bytes of each function are no longer its own. */
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		input->symbols->bytes[i] = STEP - 32;
	for (uint32_t i = 0; i < 3; i++)
		input->bins[(i + 1) * STEP / 4 - 2] = 26;
	assert_string_equal(found(test, input), "");
	input->bins[(3 + 1) * STEP / 4 - 2] = 26;
	assert_string_equal(found(test, input), "samples.outside-symbols");
	/* Without a size a symbol goes on to the next. */
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		input->symbols->bytes[i] = 0;
	assert_string_equal(found(test, input), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_sound),
		TESTRUN(test_switched_off),
		TESTRUN(test_distance_from_entries),
		TESTRUN(test_too_few_calls_for_a_verdict),
		TESTRUN(test_addresses_elsewhere),
		TESTRUN(test_dates),
		TESTRUN(test_rates),
		TESTRUN(test_counters),
		TESTRUN(test_amounts),
		TESTRUN(test_table_of_calls),
		TESTRUN(test_names_of_threads),
		TESTRUN(test_code_without_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
