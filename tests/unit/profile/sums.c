/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of counters and rows: by blocks, by threads, over records that go on in others. */
#include "testrun.h"

#include "profile/profile.h"
#include "profile/source-counts.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};

static void
add(struct testrun *test, struct profile *profile, const struct gprofx_histogram *record)
{
	assert_int_equal(
		profile->public.builder->histogram(&test->run.gx, &profile->public, &file, record),
		GPROFX_OK);
}

/* Whole blocks of two bytes are added at once; what is noted of them is the same at any place. */
static void
test_blocks(void **state)
{
	enum { BINS = 130 };
	static const uint32_t places[] = {0, 1, 2, 3, 4, 5, 62, 63, 64, 66, 127, 128, 129};
	/* Nearly full from 57344 on; the third has such a low byte alone. */
	static const uint32_t values[] = {0xe000, 0xffff, 0x00e0, 0xdfff};
	static uint8_t bytes[2 * BINS];
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		for (uint32_t way = 0; way < 8; way++) {
			struct profile *profile = profile_new(&test->run);
			struct gprofx_histogram record = testrun_record(0x1000, 0x1000 + 4 * BINS,
			                                                bytes, BINS);
			uint32_t value = values[way / 2], low = way % 2;
			const struct profile_file *found;
			const struct histogram *sums;

			memset(bytes, 0, sizeof bytes);
			bytes[2 * places[i] + low] = (uint8_t)value;
			bytes[2 * places[i] + 1 - low] = (uint8_t)(value >> 8);
			record.bin_bytes = 2;
			record.bins_big_endian = low == 1;
			for (uint32_t f = 0; f < 2; f++) {
				profile_begin_file(&test->run, profile, "one", 0, false);
				add(test, profile, &record);
				profile_add_up(&test->run, profile);
			}
			sums = &profile->histograms[0];
			assert_int_equal(histogram_bin(sums, places[i]), 2 * value);
			assert_int_equal(histogram_next(sums, 0), places[i]);
			assert_int_equal(histogram_next(sums, places[i] + 1), BINS);
			for (uint32_t block = 0; block < 3; block++)
				assert_int_equal(sums->is_used[block],
				                 block == places[i] / HISTOGRAM_BLOCK);
			assert_int_equal(sums->most, 2 * value);
			found = &profile->files[1];
			assert_int_equal(found->samples, value);
			assert_int_equal(found->nearly_full, way / 2 == 0);
			assert_int_equal(found->full, way / 2 == 1);
		}
}

/* Large histograms are divided among threads, small ones are one thread's each. */
static void
test_large_and_small(void **state)
{
	static const uint32_t counts[] = {300000, 4, 16384, 1, 16383, 100, 65, 64, 63, 128, 16448};
	enum { RANGES = sizeof counts / sizeof counts[0] };
	static uint8_t bytes[RANGES][300000];
	struct testrun *test = *state;

	for (uint32_t r = 0; r < RANGES; r++)
		for (uint32_t i = 0; i < counts[r]; i++)
			bytes[r][i] = i % 1000 < 700 ? 0 : (uint8_t)(i * (r + 3) % 251);
	for (uint32_t threads = 1; threads <= 4; threads++) {
		struct profile *profile;
		uint64_t low = 0x1000, samples = 0;

		testrun_again(test);
		test->run.threads = threads;
		profile = profile_new(&test->run);
		for (uint32_t r = 0; r < RANGES; r++) {
			uint64_t high = low + 4 * (uint64_t)counts[r];
			struct gprofx_histogram record = testrun_record(low, high, bytes[r],
			                                                counts[r]);

			profile_begin_file(&test->run, profile, "one", 0, false);
			add(test, profile, &record);
			add(test, profile, &record);
			low = high;
		}
		profile_add_up(&test->run, profile);
		for (uint32_t r = 0; r < RANGES; r++) {
			const struct histogram *sums = &profile->histograms[r];

			samples = 0;
			for (uint32_t i = 0; i < counts[r]; i++) {
				if (histogram_bin(sums, i) != 2 * bytes[r][i])
					fail_msg("%u threads: %u of %u", threads, i, counts[r]);
				samples += 2 * bytes[r][i];
			}
			assert_int_equal(profile->files[r].samples, samples);
		}
	}
}

/* Sums of 64 bits end at the largest number. */
static void
test_largest_sums(void **state)
{
	static const struct {
		uint64_t first, second, sum;
	} cases[] = {
		{UINT64_MAX - 5, 4, UINT64_MAX - 1},
		{UINT64_MAX - 5, 5, UINT64_MAX},
		{UINT64_MAX - 5, 6, UINT64_MAX},
		{UINT64_MAX, UINT64_MAX, UINT64_MAX},
		{UINT32_MAX - 5, 5, UINT32_MAX},
		{UINT32_MAX - 5, 6, (uint64_t)1 << 32},
		{UINT32_MAX, 0, UINT32_MAX},
		{(uint64_t)1 << 32, 0, (uint64_t)1 << 32},
		{0, (uint64_t)1 << 63, (uint64_t)1 << 63},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct profile *profile = profile_new(&test->run);
		uint8_t bytes[2][8];

		for (uint32_t k = 0; k < 2; k++) {
			struct gprofx_histogram record = testrun_record(0x1000, 0x1008, bytes[k],
			                                                1);
			uint64_t value = k == 0 ? cases[i].first : cases[i].second;

			for (uint32_t b = 0; b < 8; b++)
				bytes[k][b] = (uint8_t)(value >> 8 * b);
			record.bin_bytes = 8;
			add(test, profile, &record);
		}
		profile_add_up(&test->run, profile);
		assert_true(histogram_bin(&profile->histograms[0], 0) == cases[i].sum);
		assert_true(profile->histograms[0].most >= cases[i].sum);
		assert_int_equal(profile->histograms[0].bins64 != NULL, cases[i].sum > UINT32_MAX);
	}
}

/* A counter that is full is no lost sample if the next record of its file goes on there. */
static void
test_what_goes_on(void **state)
{
	enum { MOST = 3 };
	static const struct {
		const char *what;
		struct {
			uint8_t bins[4];
			uint32_t number; /* of its file */
			bool is_wide, is_elsewhere;
		} records[MOST];
		uint32_t count, full, nearly; /* of the first file */
	} cases[] = {
		{"alone", {{{255, 230, 3}, 0, 0, 0}}, 1, 1, 1},
		{"a sum", {{{255, 230, 3}, 0, 0, 0}, {{9}, 0, 0, 0}}, 2, 0, 0},
		{"one that is full goes on, one does not",
	         {{{255, 255, 3}, 0, 0, 0}, {{9}, 0, 0, 0}},
	         2,
	         1,
	         0},
		{"a record of nothing", {{{255, 230, 3}, 0, 0, 0}, {{0}, 0, 0, 0}}, 2, 1, 1},
		{"what was not full", {{{255, 230, 3}, 0, 0, 0}, {{0, 9}, 0, 0, 0}}, 2, 1, 1},
		{"both", {{{255, 230, 3}, 0, 0, 0}, {{9, 9}, 0, 0, 0}}, 2, 1, 1},
		{"of another file", {{{255, 230, 3}, 0, 0, 0}, {{9}, 1, 0, 0}}, 2, 1, 1},
		{"of other counters", {{{255, 230, 3}, 0, 0, 0}, {{9}, 0, 1, 0}}, 2, 1, 1},
		{"of another range", {{{255, 230, 3}, 0, 0, 0}, {{9}, 0, 0, 1}}, 2, 1, 1},
		{"twice", {{{255, 230, 3}, 0, 0, 0}, {{255}, 0, 0, 0}, {{9}, 0, 0, 0}}, 3, 0, 0},
		{"twice, and full",
	         {{{255, 230, 3}, 0, 0, 0}, {{255}, 0, 0, 0}, {{255}, 0, 0, 0}},
	         3,
	         1,
	         0},
		/* Where a sum ends nothing but what is full counts. */
		{"nearly full at the end", {{{255, 230, 3}, 0, 0, 0}, {{230}, 0, 0, 0}}, 2, 0, 0},
		{"another sum",
	         {{{255, 230, 3}, 0, 0, 0}, {{9}, 0, 0, 0}, {{230, 9}, 0, 0, 0}},
	         3,
	         0,
	         1},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct profile *profile = profile_new(&test->run);

		profile_begin_file(&test->run, profile, "one", 0, false);
		for (uint32_t k = 0; k < cases[i].count; k++) {
			bool is_wide = cases[i].records[k].is_wide;
			uint64_t low = cases[i].records[k].is_elsewhere ? 0x2000 : 0x1000;
			uint8_t wide[8] = {cases[i].records[k].bins[0]};
			struct gprofx_histogram record = testrun_record(
				low, low + 16, is_wide ? wide : cases[i].records[k].bins, 4);

			record.bin_bytes = is_wide ? 2 : 1;
			if (cases[i].records[k].number == 1 && profile->file_count == 1)
				profile_begin_file(&test->run, profile, "two", 0, false);
			add(test, profile, &record);
		}
		profile_add_up(&test->run, profile);
		if (profile->files[0].full != cases[i].full ||
		    profile->files[0].nearly_full != cases[i].nearly)
			fail_msg("%s: %u full, %u nearly", cases[i].what, profile->files[0].full,
			         profile->files[0].nearly_full);
	}
}

enum row_kind { ARCS, CALLS, BLOCKS, LINES, FUNCTIONS, ROW_KINDS };

/* Adds rows of one kind, of so many different ones, and adds up; returns how many there are. */
static uint32_t
add_rows(struct testrun *test, struct profile *profile, enum row_kind kind, uint32_t count,
         uint32_t different)
{
	const struct gprofx_profile_builder *builder = profile->public.builder;
	struct gprofx_raw_source source = {.size = sizeof source, .path = "a.c"};
	struct gprofx_raw_arc *arcs;
	struct gprofx_raw_call *calls;
	struct gprofx_raw_block *blocks;
	struct gprofx_raw_line *lines;
	struct gprofx_raw_function *functions;

	memory_array(&test->run, arcs, count);
	memory_array(&test->run, calls, count);
	memory_array(&test->run, blocks, count);
	memory_array(&test->run, lines, count);
	memory_array(&test->run, functions, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t k = i % different;
		static char names[1000][4];

		arcs[i] = (struct gprofx_raw_arc){k, 1, 1};
		calls[i] = (struct gprofx_raw_call){k, 1};
		blocks[i] = (struct gprofx_raw_block){k, 1};
		lines[i] = (struct gprofx_raw_line){1 + k, 1};
		snprintf(names[k % 1000], sizeof names[0], "%u", k % 1000);
		functions[i] = (struct gprofx_raw_function){names[k % 1000], 1, 2, 1};
	}
	if (kind == ARCS)
		builder->arcs(&test->run.gx, &profile->public, NULL, arcs, count);
	if (kind == CALLS)
		builder->calls(&test->run.gx, &profile->public, NULL, calls, count);
	if (kind == BLOCKS)
		builder->blocks(&test->run.gx, &profile->public, NULL, blocks, count);
	source.lines = lines;
	source.line_count = kind == LINES ? count : 0;
	source.functions = functions;
	source.function_count = kind == FUNCTIONS ? count : 0;
	if (kind >= LINES)
		builder->source(&test->run.gx, &profile->public, &source);
	profile_add_up(&test->run, profile);
	return kind == ARCS     ? profile->arc_count
	       : kind == CALLS  ? profile->call_count
	       : kind == BLOCKS ? profile->block_count
	       : kind == LINES  ? profile->source_count_count
	                        : profile->source_function_count;
}

/*
 * Rows of several files wait to be merged: 65536, and as many as differ; so the room for them does
 * not grow with the number of files.
 */
static void
test_when_rows_are_merged(void **state)
{
	enum { WAITING = 65536, MANY = 70000 };
	struct testrun *test = *state;

	for (int i = 0; i < ROW_KINDS; i++) {
		enum row_kind kind = (enum row_kind)i;
		struct profile *profile = profile_new(&test->run);
		bool is_source = kind >= LINES;

		profile_begin_file(&test->run, profile, "one", 0, false);
		assert_int_equal(add_rows(test, profile, kind, WAITING, 3), WAITING);
		/* Rows of one file differ; lines can be those of headers. */
		assert_int_equal(add_rows(test, profile, kind, 1, 3), is_source ? 3 : WAITING + 1);
		profile_begin_file(&test->run, profile, "two", 0, false);
		assert_int_equal(add_rows(test, profile, kind, 1, 3), is_source ? 4 : 3);
		assert_int_equal(add_rows(test, profile, kind, WAITING - 1, 3),
		                 is_source ? WAITING + 3 : WAITING + 2);
		if (kind == FUNCTIONS)
			continue;
		/* More that differ: 70000 of them may wait as well. */
		profile = profile_new(&test->run);
		profile_begin_file(&test->run, profile, "one", 0, false);
		profile_begin_file(&test->run, profile, "two", 0, false);
		assert_int_equal(add_rows(test, profile, kind, MANY, MANY), MANY);
		assert_int_equal(add_rows(test, profile, kind, MANY, MANY), 2 * MANY);
		assert_int_equal(add_rows(test, profile, kind, 1, 1), MANY);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_blocks),
		TESTRUN(test_large_and_small),
		TESTRUN(test_largest_sums),
		TESTRUN(test_what_goes_on),
		TESTRUN(test_when_rows_are_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
