/* SPDX-License-Identifier: Apache-2.0 */
/* Details of files: order and sums of ranges, samples and calls in known functions, their source.
 */
#include "smallrun.h"

#include "profile/facts.h"
#include "profile/parts.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out", .length = 99};

/* Of a program with functions of 16 bytes from 0x1000; samples of the last one are not shown. */
static struct profile *
begin(struct testrun *test, const char *functions)
{
	struct profile *profile = profile_new(&test->run);

	facts_want(&test->run, profile, small_letters(test, functions));
	profile_begin_file(&test->run, profile, "one", 0, false);
	return profile;
}

static const struct gprofx_profile_file *
finish(struct testrun *test, struct profile *profile)
{
	const struct gprofx_profile_file *list;
	uint32_t count;

	facts_finish_file(profile, &file, "form", "input-form");
	profile_add_up(&test->run, profile);
	list = facts_list(&test->run, profile, &count);
	assert_true(count > 0);
	return &list[count - 1];
}

/* Ranges go by all that tells them apart, one after the other; equal ones are one. */
static void
test_order_of_ranges(void **state)
{
	static const struct {
		uint64_t low, high;
		uint32_t count, rate, bytes;
		bool lacks_rate;
		char abbreviation;
		const char *dimension;
	} rows[] = {
		{0x10, 0x90, 9, 99, 8, true, 'z', "z"},  {0x20, 0x30, 9, 99, 8, true, 'z', "z"},
		{0x20, 0x40, 1, 99, 8, true, 'z', "z"},  {0x20, 0x40, 2, 50, 8, false, 'z', "z"},
		{0x20, 0x40, 2, 60, 8, false, 'z', "z"}, {0x20, 0x40, 2, 60, 1, true, 'z', "z"},
		{0x20, 0x40, 2, 60, 2, true, 'a', "z"},  {0x20, 0x40, 2, 60, 2, true, 'b', "a"},
		{0x20, 0x40, 2, 60, 2, true, 'b', "b"},
	};
	enum { ROWS = sizeof rows / sizeof rows[0] };

	for (uint32_t k = 0; k < ROWS * ROWS; k++) {
		struct testrun *test = *state;
		struct profile *profile = begin(test, "ab");
		const uint32_t which[] = {k / ROWS, k % ROWS};
		const uint32_t least = which[0] < which[1] ? which[0] : which[1];
		const struct gprofx_profile_file *found;

		/* That of files that do not say it. */
		profile->rate = 60;
		for (uint32_t i = 0; i < 2; i++) {
			struct gprofx_histogram record = testrun_record(rows[which[i]].low,
			                                                rows[which[i]].high, NULL,
			                                                rows[which[i]].count);

			record.rate = rows[which[i]].lacks_rate ? 0 : rows[which[i]].rate;
			record.lacks_rate = rows[which[i]].lacks_rate;
			record.bin_bytes = (uint8_t)rows[which[i]].bytes;
			record.abbreviation = rows[which[i]].abbreviation;
			snprintf(record.dimension, sizeof record.dimension, "%s",
			         rows[which[i]].dimension);
			facts_note_record(profile, &profile->files[0],
			                  &(struct counted_record){.record = &record}, 0);
		}
		found = finish(test, profile);
		assert_int_equal(found->range_count, which[0] == which[1] ? 1 : 2);
		for (uint32_t i = 0; i < found->range_count; i++) {
			const struct gprofx_file_range *range = gprofx_range_at(found, i);
			uint32_t row = i == 0 ? least : which[0] + which[1] - least;

			if (range->low != rows[row].low || range->high != rows[row].high ||
			    range->bin_count != rows[row].count ||
			    range->assumes_rate != rows[row].lacks_rate ||
			    range->rate != (rows[row].lacks_rate ? 60 : rows[row].rate) ||
			    range->bin_bytes != rows[row].bytes ||
			    range->abbreviation != rows[row].abbreviation ||
			    strcmp(range->dimension, rows[row].dimension) != 0)
				fail_msg("%u and %u: range %u", which[0], which[1], i);
			assert_int_equal(range->records, 3 - found->range_count);
		}
	}
}

/* Records of one range: their samples, and the largest counter of all. */
static void
test_sums_of_ranges(void **state)
{
	/* Per range three records of one counter; the largest stands first, last, in the middle. */
	static const uint8_t values[3][3] = {{9, 5, 7}, {1, 2, 8}, {3, 6, 4}};
	static const uint8_t largest[] = {9, 8, 6};
	struct testrun *test = *state;
	struct profile *profile = begin(test, "abcd");
	const struct gprofx_profile_file *found;

	for (uint32_t k = 0; k < 3; k++)
		for (uint32_t r = 0; r < 3; r++) {
			struct gprofx_histogram record = testrun_record(
				0x1000 + 16 * r, 0x1010 + 16 * r, &values[r][k], 1);

			assert_int_equal(profile->public.builder->histogram(
						 &test->run.gx, &profile->public, &file, &record),
			                 GPROFX_OK);
			profile_add_up(&test->run, profile);
		}
	found = finish(test, profile);
	assert_int_equal(found->range_count, 3);
	assert_int_equal(found->known_samples, 45);
	for (uint32_t r = 0; r < 3; r++) {
		const struct gprofx_file_range *range = gprofx_range_at(found, r);

		assert_int_equal(range->largest, largest[r]);
		assert_int_equal(range->samples, values[r][0] + values[r][1] + values[r][2]);
		assert_int_equal(range->records, 3);
	}
}

/*
 * Four bins over seven bytes have the bytes 0 to 1, 1 to 3, 3 to 5, 5 to 6 of them, and those that
 * a function has a byte of are known.  Functions are from 0x1000 to below 0x1020.
 */
static void
test_bins_that_share_bytes(void **state)
{
	static const uint8_t bins[] = {1, 2, 4, 8};
	static const struct {
		uint64_t low, known;
		bool is_only;
	} cases[] = {
		{0x1000, 15, false}, {0xfff, 15, false},  {0xffe, 14, false}, {0xffd, 14, false},
		{0xffc, 12, false},  {0xffb, 12, false},  {0xffa, 8, false},  {0xff9, 0, false},
		{0x101f, 1, false},  {0x101e, 3, false},  {0x101d, 3, false}, {0x101c, 7, false},
		{0x101b, 7, false},  {0x101a, 15, false}, {0x1020, 0, false}, {0x1000, 15, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct profile *profile;
		struct gprofx_histogram record = testrun_record(cases[i].low, cases[i].low + 7,
		                                                bins, 4);
		const struct gprofx_profile_file *found;

		testrun_again(test);
		profile = begin(test, "abc");
		record.is_only = cases[i].is_only;
		assert_int_equal(profile->public.builder->histogram(&test->run.gx, &profile->public,
		                                                    &file, &record),
		                 GPROFX_OK);
		found = finish(test, profile);
		if (found->known_samples != cases[i].known || found->histogram_records != 1)
			fail_msg("case %zu: %u", i, (uint32_t)found->known_samples);
	}
}

/* A file counts what it has, not what was there before or what another one left behind. */
static void
test_rows_of_files(void **state)
{
	static const struct gprofx_raw_arc arcs[] = {{0x1000, 0x1010, 1},
	                                             {0x1001, 0x1010, 2},
	                                             {0x1000, 0x10, 4},
	                                             {0x10, 0x1000, 8}};
	static const struct gprofx_raw_call calls[] = {{0x1000, 16},
	                                               {0x10, 32},
	                                               {0x1010, 64},
	                                               {0x1010, 128}};
	static const struct gprofx_raw_block blocks[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}};
	static const struct gprofx_raw_line lines[] = {{7, 0}, {5, 1}, {7, 2},
	                                               {5, 0}, {9, 0}, {9, 0}};
	static const struct gprofx_raw_function functions[] = {{"f", 1, 2, 3}, {"g", 4, 5, 6}};
	/* How many arcs, calls, blocks, lines, functions the file has; what is known of it. */
	static const struct {
		uint32_t arcs, calls, blocks, lines, functions;
		uint32_t known_arcs, known_calls, without_caller, known_without, called, different,
			run;
	} cases[] = {
		{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},      {1, 1, 1, 1, 1, 1, 1, 16, 16, 1, 1, 0},
		{2, 2, 2, 2, 2, 2, 3, 48, 16, 3, 2, 1},    {3, 3, 3, 3, 2, 2, 3, 112, 80, 7, 2, 2},
		{4, 4, 4, 4, 1, 2, 3, 240, 208, 15, 2, 2}, {0, 1, 0, 6, 0, 0, 0, 16, 16, 0, 3, 2},
		{1, 0, 1, 5, 0, 1, 1, 0, 0, 1, 3, 2},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct profile *profile = begin(test, "abc");
		const struct gprofx_profile_builder *builder = profile->public.builder;
		const struct gprofx_profile_file *found;

		for (uint32_t f = 0; f < 3; f++) {
			bool is_it = f == 2;
			struct gprofx_raw_source source = {
				.size = sizeof source,
				.path = "x.c",
				.lines = lines,
				.functions = functions,
				.line_count = is_it ? cases[i].lines : 6,
				.function_count = is_it ? cases[i].functions : 2};

			if (f > 0)
				profile_begin_file(&test->run, profile, "next", 0, false);
			builder->arcs(&test->run.gx, &profile->public, NULL, arcs,
			              is_it ? cases[i].arcs : 4);
			builder->calls(&test->run.gx, &profile->public, NULL, calls,
			               is_it ? cases[i].calls : 4);
			builder->blocks(&test->run.gx, &profile->public, NULL, blocks,
			                is_it ? cases[i].blocks : 4);
			builder->source(&test->run.gx, &profile->public, &source);
			if (f == 1)
				profile_drop_file(&test->run, profile);
		}
		found = finish(test, profile);
		assert_int_equal(found->arc_records, cases[i].arcs);
		assert_int_equal(found->arc_count, cases[i].arcs);
		assert_int_equal(found->known_arc_count, cases[i].known_arcs);
		assert_int_equal(found->known_calls, cases[i].known_calls);
		assert_int_equal(found->calls_without_caller, cases[i].without_caller);
		assert_int_equal(found->known_calls_without_caller, cases[i].known_without);
		assert_int_equal(found->calls, cases[i].called);
		assert_int_equal(found->block_count, cases[i].blocks);
		assert_int_equal(found->block_records, cases[i].blocks > 0);
		assert_int_equal(found->source_files, cases[i].lines > 0);
		assert_int_equal(found->source_lines, cases[i].different);
		assert_int_equal(found->source_lines_run, cases[i].run);
		assert_int_equal(found->source_functions, cases[i].functions);
	}
}

/* The same line of two files, and lines of files in any order. */
static void
test_source_of_files(void **state)
{
	static const struct gprofx_raw_line lines[][2] = {{{1, 1}, {2, 0}},
	                                                  {{1, 0}, {2, 5}},
	                                                  {{2, 5}, {1, 5}}};
	static const char *const paths[] = {"b.c", "a.c", "b.c"};
	struct testrun *test = *state;
	struct profile *profile = begin(test, "a");
	const struct gprofx_profile_file *found;

	for (uint32_t i = 0; i < 3; i++) {
		const struct gprofx_raw_source source = {.size = sizeof source,
		                                         .path = paths[i],
		                                         .lines = lines[i],
		                                         .line_count = 2};

		profile->public.builder->source(&test->run.gx, &profile->public, &source);
	}
	found = finish(test, profile);
	assert_int_equal(found->source_files, 2);
	assert_int_equal(found->source_lines, 4);
	assert_int_equal(found->source_lines_run, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_order_of_ranges),       TESTRUN(test_sums_of_ranges),
		TESTRUN(test_bins_that_share_bytes), TESTRUN(test_rows_of_files),
		TESTRUN(test_source_of_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
