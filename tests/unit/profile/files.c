/* SPDX-License-Identifier: Apache-2.0 */
/* What a file adds to a profile: where, at which rate, and what of it is traced. */
#include "smallrun.h"

#include "profile/copies.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};

static enum gprofx_result
add(struct testrun *test, struct profile *profile, uint64_t low, uint64_t high, const uint8_t *bins,
    uint32_t count)
{
	struct gprofx_histogram record = testrun_record(low, high, bins, count);

	return profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &record);
}

/* A file of another object is moved to where the object lies here, with all that is of it. */
static void
test_objects(void **state)
{
	static const uint8_t bins[] = {1, 2};
	static const struct gprofx_raw_arc arc = {0x20, 0x30, 5};
	static const struct gprofx_raw_call call = {0x30, 6};
	static const struct gprofx_raw_block block = {0x28, 7};
	const struct symbol_image object = {.first = 0x9000, .past = 0xa000, .base = 0x9000};
	const struct symbols symbols = {.others_first = 0x8000, .others_bytes = 0x2000};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_profile_builder *builder = profile->public.builder;

	/* Nobody compares files of different objects. */
	copies_want(&test->run, profile, false, 0);
	for (uint64_t base = 0; base <= 0x9000; base += 0x9000) {
		profile_begin_file(&test->run, profile, "one", 0, base == 0);
		profile_place_file(profile, &symbols, base > 0 ? &object : NULL);
		/* Bins of an object have a width of their own: 16 bytes, not 8. */
		assert_int_equal(add(test, profile, 0x10, base > 0 ? 0x30 : 0x20, bins, 2),
		                 GPROFX_OK);
		builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
		builder->calls(&test->run.gx, &profile->public, NULL, &call, 1);
		builder->blocks(&test->run.gx, &profile->public, NULL, &block, 1);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	}
	profile_add_up(&test->run, profile);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t base = 0x9000 * (uint64_t)i;

		assert_true(profile->arcs[i].from == 0x20 + base &&
		            profile->arcs[i].self == 0x30 + base && profile->arcs[i].count == 5);
		assert_true(profile->calls[i].self == 0x30 + base);
		assert_true(profile->blocks[i].address == 0x28 + base);
		assert_true(profile->histograms[i].low == 0x10 + base);
		assert_true(profile->histograms[i].high == (i ? 0x30 : 0x20) + base);
		assert_true(profile->histograms[i].scale == (i ? 8 : 4));
		assert_true(profile->files[i].image == (i ? &object : NULL));
		assert_int_equal(profile->files[i].rows != NULL, i == 0);
		assert_int_equal(profile->files[i].calls, 11);
		assert_int_equal(profile->files[i].arc_count, 1);
		assert_int_equal(profile->files[i].call_count, 1);
		assert_int_equal(profile->files[i].samples, 3);
	}
	/* The program's files still have to be like the first. */
	profile_begin_file(&test->run, profile, "two", 0, false);
	assert_int_equal(add(test, profile, 0x100, 0x120, bins, 2), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.scale-changed");
}

/* What cannot be where an object or the program is, is in no image, and no time is moved there. */
static void
test_far_off(void **state)
{
	static const uint8_t bins[] = {1, 2};
	static const struct gprofx_raw_arc arc = {0x1000, 0x8800, 5};
	static const struct {
		uint64_t low, high;
		bool is_program, fits;
	} cases[] = {
		{0x10, 0x30, false, true},      {0xff0, 0x1010, false, false},
		{0x7ff0, 0x8000, true, true},   {0x7ff0, 0x8010, true, false},
		{0x7000, 0xb000, true, false},  {0xa000, 0xa010, true, true},
		{0x9000, 0x9010, false, false},
	};
	const struct symbol_image object = {.path = "lib.so",
	                                    .first = 0x9000,
	                                    .past = 0xa000,
	                                    .base = 0x9000};
	struct symbol_image program = {.path = "a.out"};
	const struct symbols symbols = {.images = &program,
	                                .others_first = 0x8000,
	                                .others_bytes = 0x2000};
	const uint64_t nowhere = symbols.others_first;
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct profile *profile = profile_new(&test->run);
		enum gprofx_result result = cases[i].fits ? GPROFX_OK : GPROFX_FAILED;

		test->last_id[0] = '\0';
		profile_begin_file(&test->run, profile, "one", 0, true);
		profile_place_file(profile, &symbols, cases[i].is_program ? NULL : &object);
		assert_int_equal(add(test, profile, cases[i].low, cases[i].high, bins, 2),
		                 GPROFX_OK);
		profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
		if (profile_commit_file(&test->run, profile, &file) != result)
			fail_msg("case %zu: not %d", i, (int)result);
		assert_string_equal(test->last_id, cases[i].fits ? "" : "profile.far-off");
		if (!cases[i].fits)
			continue;
		assert_true(profile->arcs[0].self == nowhere + arc.self);
		assert_true(profile->arcs[0].from ==
		            (cases[i].is_program ? 0 : nowhere) + arc.from);
	}
}

/* Ranges may touch, not overlap; what covers nothing is a range of its own. */
static void
test_ranges(void **state)
{
	static const uint8_t bins[16] = {1};
	static const struct {
		uint64_t low, high;
		uint32_t count;
		bool fits;
		uint32_t histograms; /* afterwards */
	} steps[] = {
		{0x1000, 0x1010, 2, true, 1},  {0x1010, 0x1020, 2, true, 2},
		{0xff0, 0x1000, 2, true, 3},   {0x1000, 0x1010, 2, true, 3},
		{0x1008, 0x1018, 2, false, 3}, {0xfe8, 0xff8, 2, false, 3},
		{0x1018, 0x1028, 2, false, 3}, {0xff0, 0x1020, 6, false, 3},
		{0x1000, 0x1008, 1, false, 3}, {0x1020, 0x1030, 4, false, 3},
		{0x1000, 0x1010, 3, false, 3}, {0x1020, 0x1028, 1, true, 4},
		{0x1004, 0x1004, 0, true, 5},  {0x1004, 0x1004, 0, true, 5},
		{0x1005, 0x1005, 0, true, 6},  {0x1005, 0x1003, 0, false, 6},
	};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		enum gprofx_result result = add(test, profile, steps[i].low, steps[i].high, bins,
		                                steps[i].count);

		if ((result == GPROFX_OK) != steps[i].fits ||
		    profile->histogram_count != steps[i].histograms)
			fail_msg("step %zu: %d, %u histograms", i, (int)result,
			         profile->histogram_count);
	}
	/* Ranges of an unsuccessful file are free again. */
	profile_begin_file(&test->run, profile, "bad", 0, false);
	assert_int_equal(add(test, profile, 0x2000, 0x2010, bins, 2), GPROFX_OK);
	profile_drop_file(&test->run, profile);
	assert_int_equal(add(test, profile, 0x2008, 0x2018, bins, 2), GPROFX_OK);
	assert_int_equal(profile->histogram_count, 7);
}

/* Whether there are samples between two addresses; a bin more on each side may count. */
static void
test_samples_between(void **state)
{
	enum { BINS = 300 };
	static uint8_t bins[BINS];
	static const struct {
		uint64_t low, past;
		bool has;
	} cases[] = {
		/* Bins have 4 bytes; 150 has samples: 0x1258 to 0x125c. */
		{0x1258, 0x125c, true},  {0x1259, 0x125a, true},  {0x1000, 0x1258, true},
		{0x1000, 0x1250, false}, {0x1264, 0x14b0, false}, {0x125c, 0x1260, true},
		{0x1000, 0x2000, true},  {0, UINT64_MAX, true},   {0, 0x1000, false},
		{0x14b0, 0x2000, false}, {0x1258, 0x1258, false}, {0x1260, 0x1250, false},
		{0x900, 0x1259, true},   {0x14ac, 0x9000, false}, {0x900, 0x1010, false},
	};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	bins[150] = 1;
	assert_int_equal(add(test, profile, 0x1000, 0x1000 + 4 * BINS, bins, BINS), GPROFX_OK);
	profile_add_up(&test->run, profile);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (profile_has_samples(profile, cases[i].low, cases[i].past) != cases[i].has)
			fail_msg("case %zu", i);
	profile_release_bins(&test->run, profile);
	assert_false(profile_has_samples(profile, 0, UINT64_MAX));
}

/* The user's rate takes the place of what files say, or do not say. */
static void
test_stated_rate(void **state)
{
	static const uint8_t bins[] = {1, 2};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct gprofx_histogram record = testrun_record(0x1000, 0x1010, bins, 2);

	test->settings.rate = 250;
	record.lacks_rate = true;
	record.rate = 0;
	profile_begin_file(&test->run, profile, "one", 0, false);
	assert_int_equal(profile->public.builder->check_histogram(&test->run.gx, &profile->public,
	                                                          &file, &record),
	                 GPROFX_OK);
	assert_int_equal(
		profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &record),
		GPROFX_OK);
	profile_add_up(&test->run, profile);
	assert_int_equal(profile->rate, 250);
	assert_int_equal(profile->files[0].rate, 250);
	record.abbreviation = 'm';
	assert_int_equal(profile->public.builder->check_histogram(&test->run.gx, &profile->public,
	                                                          &file, &record),
	                 GPROFX_FAILED);
	assert_int_equal(profile->histogram_count, 1);
}

/* Blocks are reported as left out, once, unless they have a place. */
static void
test_blocks(void **state)
{
	static const struct gprofx_raw_block blocks[] = {{0x1000, 1}, {0x1008, 2}};
	struct testrun *test = *state;

	for (int way = 0; way < 4; way++) {
		struct profile *profile = profile_new(&test->run);

		test->last_id[0] = '\0';
		test->settings.by_line = way == 1;
		test->settings.sum_file = way == 2 ? "sum" : NULL;
		profile->public.builder->blocks(&test->run.gx, &profile->public, NULL, blocks,
		                                way == 3 ? 0 : 1);
		assert_string_equal(test->last_id, way == 0 ? "profile.blocks-ignored" : "");
		assert_true(profile->has_blocks);
		if (way == 3)
			continue;
		test->last_id[0] = '\0';
		profile->public.builder->blocks(&test->run.gx, &profile->public, NULL, blocks, 2);
		assert_string_equal(test->last_id, "");
		assert_int_equal(profile->block_count, 3);
		assert_int_equal(profile->blocks[2].count, 2);
	}
}

static void
keep_line(void *opaque, const char *line)
{
	small_add(opaque, "%s\n", line);
}

static void
test_traces(void **state)
{
	static const uint8_t bins[] = {1, 2};
	static const struct gprofx_raw_arc arcs[] = {{0x20, 0x30, 5}, {0x21, 0x31, 6}};
	static const struct gprofx_raw_call call = {0x32, 7};
	static const struct gprofx_raw_block block = {0x28, 8};
	static const struct gprofx_raw_line lines[] = {{3, 9}, {4, 10}};
	const struct gprofx_raw_source source = {.size = sizeof source,
	                                         .path = "x.c",
	                                         .lines = lines,
	                                         .line_count = 2};
	static const struct {
		uint32_t topics;
		const char *expected;
	} cases[] = {
		{GPROFX_TRACE_SAMPLES, "histogram 0x10-0x20: 2 bins, rate 100, unit seconds (s)\n"
	                               "arc 0x20 -> 0x30: 5 calls\narc 0x21 -> 0x31: 6 calls\n"
	                               "arc ? -> 0x32: 7 calls\n"},
		{GPROFX_TRACE_BLOCKS, "basic block 0x28: 8 executions\n"
	                              "line x.c:3: 9 executions\nline x.c:4: 10 executions\n"},
		{0, ""},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text found = {.length = 0};
		struct profile *profile = profile_new(&test->run);
		const struct gprofx_profile_builder *builder = profile->public.builder;

		test->frontend.opaque = &found;
		test->frontend.trace = keep_line;
		test->settings.by_line = true;
		test->run.gx.trace_topics = cases[i].topics;
		add(test, profile, 0x10, 0x20, bins, 2);
		builder->arcs(&test->run.gx, &profile->public, NULL, arcs, 2);
		builder->calls(&test->run.gx, &profile->public, NULL, &call, 1);
		builder->blocks(&test->run.gx, &profile->public, NULL, &block, 1);
		builder->source(&test->run.gx, &profile->public, &source);
		test->frontend.opaque = test;
		small_expect("trace", cases[i].expected, &found);
		run_finish(&test->run);
		run_start(&test->run, &test->settings, &test->frontend);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_objects),         TESTRUN(test_far_off),     TESTRUN(test_ranges),
		TESTRUN(test_samples_between), TESTRUN(test_stated_rate), TESTRUN(test_blocks),
		TESTRUN(test_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
