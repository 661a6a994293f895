/* SPDX-License-Identifier: Apache-2.0 */
/* What is noted about the counters of each file, and rows of several files that say the same. */
#include "smallrun.h"

#include "profile/facts.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out", .length = 99};

enum { BINS = 6 };

/* A file of one or two records of counters of one byte, of which 255 is the largest. */
struct counting {
	const char *what;
	uint8_t bins[2][BINS];
	uint32_t records;
	bool is_signed;
	/* Counters that are full, nearly full, that dip; the address of the first of these. */
	uint32_t full, near, dips, first;
};

static void
test_full_counters(void **state)
{
	static const struct counting cases[] = {
		{"few samples", {{1, 2, 3, 200, 5, 6}}, 1, false, 0, 0, 0, 0},
		{"full", {{1, 255, 3, 255, 5, 6}}, 1, false, 2, 0, 0, 0x1004},
		/* Nearly full from 224 on: 255 - 255 / 8. */
		{"nearly full", {{1, 223, 224, 254, 5, 6}}, 1, false, 0, 2, 0, 0x1008},
		/* A dip is above 255 / 64 and below 255 / 4, between two of 192 and more. */
		{"dip", {{192, 10, 192, 0, 0, 0}}, 1, false, 0, 0, 1, 0x1004},
		{"shallow", {{0, 192, 63, 192, 0, 0}}, 1, false, 0, 0, 0, 0},
		{"as deep as it counts", {{0, 192, 62, 192, 4, 192}}, 1, false, 0, 0, 2, 0x1008},
		{"too deep", {{0, 192, 3, 192, 0, 192}}, 1, false, 0, 0, 0, 0},
		{"on one side", {{0, 192, 10, 191, 10, 192}}, 1, false, 0, 0, 0, 0},
		{"at the ends", {{10, 192, 0, 0, 192, 10}}, 1, false, 0, 0, 0, 0},
		{"full on one side", {{255, 10, 240, 0, 0, 0}}, 1, false, 1, 1, 1, 0x1000},
		/* Of counters with a sign 127 is the largest. */
		{"with a sign", {{127, 126, 112, 111, 5, 6}}, 1, true, 1, 2, 0, 0x1000},
		/* A sum goes on in another record where counters saturate: only the last one
	           counts. */
		{"a sum",
	         {{255, 7, 230, 255, 0, 0}, {9, 0, 0, 255, 0, 0}},
	         2,
	         false,
	         1,
	         0,
	         0,
	         0x100c},
		{"no sum", {{255, 7, 230, 1, 0, 0}, {9, 1, 0, 0, 0, 0}}, 2, false, 1, 1, 1, 0x1000},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct profile *profile = profile_new(&test->run);
		const struct profile_file *found;

		profile_begin_file(&test->run, profile, "one", 0, false);
		for (uint32_t k = 0; k < cases[i].records; k++) {
			struct gprofx_histogram record = testrun_record(0x1000, 0x1000 + 4 * BINS,
			                                                cases[i].bins[k], BINS);

			record.bins_signed = cases[i].is_signed;
			assert_int_equal(profile->public.builder->histogram(
						 &test->run.gx, &profile->public, &file, &record),
			                 GPROFX_OK);
		}
		profile_add_up(&test->run, profile);
		found = &profile->files[0];
		if (found->full != cases[i].full || found->nearly_full != cases[i].near ||
		    found->dips != cases[i].dips || found->full_low != cases[i].first)
			fail_msg("%s: %u full, %u nearly, %u dip, from %llx", cases[i].what,
			         found->full, found->nearly_full, found->dips,
			         (unsigned long long)found->full_low);
		assert_int_equal(found->counter_bytes,
		                 found->full + found->nearly_full + found->dips > 0);
		run_finish(&test->run);
		run_start(&test->run, &test->settings, &test->frontend);
	}
}

/* The rate of a file is that of its first histogram; the first other one is noted. */
static void
test_rates(void **state)
{
	static const uint8_t bins[] = {1, 2};
	static const struct {
		uint32_t rate, other;
		bool differs;
	} expected[] = {{100, 0, false}, {50, 50, true}, {100, 25, true}};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	static const uint32_t rates[3][3] = {{100, 100, 100}, {50, 25, 100}, {100, 25, 50}};

	for (uint32_t f = 0; f < 3; f++) {
		profile_begin_file(&test->run, profile, "one", 0, false);
		for (uint32_t k = 0; k < 3; k++) {
			struct gprofx_histogram record = testrun_record(0x1000 + 16 * k,
			                                                0x1010 + 16 * k, bins, 2);

			record.rate = rates[f][k];
			profile->public.builder->histogram(&test->run.gx, &profile->public, &file,
			                                   &record);
		}
	}
	profile_add_up(&test->run, profile);
	for (uint32_t f = 0; f < 3; f++) {
		assert_int_equal(profile->files[f].rate, expected[f].rate);
		assert_int_equal(profile->files[f].rate_differs, expected[f].differs);
		assert_int_equal(profile->files[f].other_rate, expected[f].other);
		assert_int_equal(profile->files[f].samples, 9);
		assert_true(profile->files[f].has_histogram);
	}
}

/* Equal rows add up where the first of them stands; sums end at the largest number, or wrap. */
static void
test_repeated_rows(void **state)
{
	static const struct gprofx_raw_arc arcs[] = {{1, 2, 3},          {2, 1, 4}, {1, 2, 5},
	                                             {1, 3, UINT64_MAX}, {2, 1, 6}, {1, 3, 2}};
	static const struct gprofx_raw_call calls[] = {{1, 3}, {2, 4}, {1, 5}};
	static const struct gprofx_raw_block blocks[] = {{7, 3}, {7, 4}, {8, 5}};
	struct testrun *test = *state;

	for (int wraps = 0; wraps < 2; wraps++) {
		struct profile *profile = profile_new(&test->run);
		const struct gprofx_profile_builder *builder = profile->public.builder;

		test->settings.sums_wrap = wraps;
		builder->arcs(&test->run.gx, &profile->public, NULL, arcs, 6);
		builder->calls(&test->run.gx, &profile->public, NULL, calls, 3);
		builder->blocks(&test->run.gx, &profile->public, NULL, blocks, 3);
		profile_merge_repeats(&test->run, profile);
		assert_int_equal(profile->arc_count, 3);
		assert_true(profile->arcs[0].from == 1 && profile->arcs[0].self == 2 &&
		            profile->arcs[0].count == 8);
		assert_true(profile->arcs[1].from == 2 && profile->arcs[1].self == 1 &&
		            profile->arcs[1].count == 10);
		assert_true(profile->arcs[2].self == 3 &&
		            profile->arcs[2].count == (wraps ? 1 : UINT64_MAX));
		assert_int_equal(profile->call_count, 2);
		assert_true(profile->calls[0].self == 1 && profile->calls[0].count == 8);
		assert_true(profile->calls[1].self == 2 && profile->calls[1].count == 4);
		assert_int_equal(profile->block_count, 2);
		assert_true(profile->blocks[0].address == 7 && profile->blocks[0].count == 7);
		/* What is merged already stays; one more is merged with it. */
		builder->arcs(&test->run.gx, &profile->public, NULL, arcs, 1);
		profile_merge_repeats(&test->run, profile);
		assert_int_equal(profile->arc_count, 3);
		assert_true(profile->arcs[0].count == 11 && profile->arcs[1].count == 10);
		assert_int_equal(profile->call_count, 2);
	}
}

/* Ranges of a file are listed by all that tells them apart. */
static void
test_ranges(void **state)
{
	static const uint8_t bins[] = {1, 0, 0, 0, 2, 0, 0, 0};
	static const struct {
		uint64_t low, high;
		uint32_t count, rate, bytes;
		char abbreviation;
		bool assumes;
	} given[] = {
		/* In the order in which they are to be. */
		{0x1000, 0x1010, 2, 100, 1, 's', false}, {0x1010, 0x1020, 2, 50, 1, 's', false},
		{0x1010, 0x1020, 2, 100, 1, 's', false}, {0x1010, 0x1020, 2, 100, 2, 's', false},
		{0x1010, 0x1020, 2, 100, 4, 's', false}, {0x1020, 0x1030, 2, 100, 1, 's', false},
	};
	enum { COUNT = 6 };

	for (uint32_t shift = 0; shift < COUNT; shift++) {
		struct testrun *test = *state;
		struct profile *profile = profile_new(&test->run);
		const struct gprofx_profile_file *list;
		uint32_t count;

		facts_want(&test->run, profile, small_letters(test, "ab"));
		profile_begin_file(&test->run, profile, "one", 0, false);
		for (uint32_t k = 0; k < 2 * COUNT; k++) {
			uint32_t i = (k * 5 + shift) % COUNT;
			struct gprofx_histogram record = testrun_record(given[i].low, given[i].high,
			                                                bins, given[i].count);

			record.rate = given[i].rate;
			record.bin_bytes = (uint8_t)given[i].bytes;
			record.abbreviation = given[i].abbreviation;
			assert_int_equal(profile->public.builder->histogram(
						 &test->run.gx, &profile->public, &file, &record),
			                 GPROFX_OK);
		}
		profile->public.builder->calls(
			&test->run.gx, &profile->public, NULL,
			(const struct gprofx_raw_call[]){{0x1004, 3}, {0x10, 4}}, 2);
		facts_finish_file(profile, &file, "form", "input-form");
		profile_add_up(&test->run, profile);
		list = facts_list(&test->run, profile, &count);
		assert_int_equal(count, 1);
		assert_int_equal(list->range_count, COUNT);
		assert_int_equal(list->histogram_records, 2 * COUNT);
		for (uint32_t i = 0; i < COUNT; i++) {
			const struct gprofx_file_range *range = gprofx_range_at(list, i);

			assert_true(range->low == given[i].low && range->high == given[i].high);
			assert_int_equal(range->rate, given[i].rate);
			assert_int_equal(range->bin_bytes, given[i].bytes);
			assert_int_equal(range->records, 2);
			assert_int_equal(range->largest, given[i].bytes == 4 ? 2 : 1);
			/* 1, and 2 where the second counter begins there. */
			assert_int_equal(range->samples, given[i].bytes == 4 ? 6 : 2);
			assert_string_equal(range->dimension, "seconds");
		}
		assert_int_equal(list->calls_without_caller, 7);
		assert_int_equal(list->known_calls_without_caller, 3);
		run_finish(&test->run);
		run_start(&test->run, &test->settings, &test->frontend);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_full_counters), TESTRUN(test_rates),
	                                   TESTRUN(test_repeated_rows), TESTRUN(test_ranges)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
