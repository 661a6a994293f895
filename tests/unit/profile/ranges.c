/* SPDX-License-Identifier: Apache-2.0 */
/* Which records belong together: what is said where they do not, and what the first ones set. */
#include "testrun.h"

#include "profile/profile.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};

static enum gprofx_result
add(struct testrun *test, struct profile *profile, const struct gprofx_histogram *record)
{
	return profile->public.builder->histogram(&test->run.gx, &profile->public, &file, record);
}

/* A record of a range; the fields of a case that are 0 are as in the first record. */
struct changed {
	uint64_t low, high;
	uint32_t count, rate;
	char abbreviation;
	const char *dimension;
	bool is_only, lacks_rate;
	const char *said; /* "": it is taken */
};

static void
test_what_is_said(void **state)
{
	static const uint8_t bins[16];
	static const struct changed cases[] = {
		{.said = ""},
		{.dimension = "minutes",
	         .said = "E gmon.out@77: expected a histogram in \"seconds\" like those before it, "
	                 "found one in \"minutes\" [seconds] [minutes]"},
		{.abbreviation = 'm',
	         .said = "E gmon.out@77: expected a histogram with the unit 's' like those before "
	                 "it, found 'm' [s] [m]"},
		{.low = 0x1008,
	         .high = 0x1018,
	         .said = "E gmon.out@77: expected a histogram range apart from 0x1000-0x1010, found "
	                 "0x1008-0x1018 <1008 1018 0>"},
		{.low = 0x2000,
	         .high = 0x2010,
	         .count = 4,
	         .said = "E gmon.out@77: expected histogram bins of 8 bytes like those before, "
	                 "found 4 bins of 4 bytes"},
		/* GNU gprof's rule, which is for formats with one histogram alone. */
		{.rate = 60, .said = ""},
		{.rate = 60,
	         .is_only = true,
	         .said = "E gmon.out@77: expected a rate of 100, found 60"},
		{.rate = 60, .is_only = true, .lacks_rate = true, .said = ""},
		{.is_only = true, .dimension = "minutes", .said = ""},
		{.is_only = true,
	         .low = 0x1001,
	         .said = "E gmon.out@77: expected 2 bins over 0x1000-0x1010 as in the first file, "
	                 "found 2 over 0x1001-0x1010"},
		{.is_only = true,
	         .high = 0x1011,
	         .said = "E gmon.out@77: expected 2 bins over 0x1000-0x1010 as in the first file, "
	                 "found 2 over 0x1000-0x1011"},
		{.is_only = true,
	         .count = 3,
	         .said = "E gmon.out@77: expected 2 bins over 0x1000-0x1010 as in the first file, "
	                 "found 3 over 0x1000-0x1010"},
	};
	struct testrun *test = *state;

	test->settings.only_histograms_match = true;
	test->settings.one_metric = true;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct changed *c = &cases[i];
		struct gprofx_histogram first = testrun_record(0x1000, 0x1010, bins, 2),
					record = first;
		struct profile *profile = profile_new(&test->run);

		record.offset = 77;
		record.low = c->low ? c->low : first.low;
		record.high = c->high ? c->high : first.high;
		record.bin_count = c->count ? c->count : first.bin_count;
		record.rate = c->rate ? c->rate : first.rate;
		record.abbreviation = c->abbreviation ? c->abbreviation : first.abbreviation;
		if (c->dimension)
			strcpy(record.dimension, c->dimension);
		record.is_only = c->is_only;
		record.lacks_rate = c->lacks_rate;
		test->said[0] = '\0';
		assert_int_equal(add(test, profile, &first), GPROFX_OK);
		assert_int_equal(add(test, profile, &record),
		                 c->said[0] == '\0' ? GPROFX_OK : GPROFX_FAILED);
		assert_string_equal(test->said, c->said);
		assert_int_equal(profile->pending_count, c->said[0] == '\0' ? 2 : 1);
	}
}

/* Counters of a width that there is not, and negative ones: each with its place in the file. */
static void
test_counters_are_checked(void **state)
{
	static const uint8_t bytes[40] = {[16 + 7] = 0x80, [32] = 0x7f, [33] = 0x80, [35] = 0x80};
	static const struct gprofx_file whole = {.size = sizeof whole,
	                                         .name = "gmon.out",
	                                         .bytes = bytes,
	                                         .length = sizeof bytes};
	static const struct {
		uint32_t at, bin_bytes, count;
		bool is_signed, big_endian;
		const char *said;
	} cases[] = {
		{0, 3, 1, false, false,
	         "E gmon.out@77: expected bins of 1, 2, 4 or 8 bytes, found 3"},
		{0, 0, 1, false, false,
	         "E gmon.out@77: expected bins of 1, 2, 4 or 8 bytes, found 0"},
		{0, 16, 1, false, false,
	         "E gmon.out@77: expected bins of 1, 2, 4 or 8 bytes, found 16"},
		{0, 8, 3, false, false, ""},
		/* The third of eight bytes is the first that has its highest bit, at 16. */
		{0, 8, 3, true, false,
	         "E gmon.out@16: expected a count of samples, found a negative one"},
		{0, 8, 4, true, true, ""},
		{32, 1, 4, true, false,
	         "E gmon.out@33: expected a count of samples, found a negative one"},
		{32, 1, 1, true, false, ""},
		{32, 1, 4, false, false, ""},
		{32, 2, 2, true, true, ""},
		{32, 2, 2, true, false,
	         "E gmon.out@32: expected a count of samples, found a negative one"},
		{32, 4, 1, true, true, ""},
		{32, 4, 1, true, false,
	         "E gmon.out@32: expected a count of samples, found a negative one"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct profile *profile = profile_new(&test->run);
		struct gprofx_histogram record = testrun_record(
			0x1000, 0x1000 + 8 * cases[i].count, bytes + cases[i].at, cases[i].count);
		enum gprofx_result result;

		record.offset = 77;
		record.bin_bytes = (uint8_t)cases[i].bin_bytes;
		record.bins_signed = cases[i].is_signed;
		record.bins_big_endian = cases[i].big_endian;
		test->said[0] = '\0';
		result = profile->public.builder->histogram(&test->run.gx, &profile->public, &whole,
		                                            &record);
		assert_string_equal(test->said, cases[i].said);
		assert_int_equal(result, cases[i].said[0] == '\0' ? GPROFX_OK : GPROFX_FAILED);
	}
}

/* Widths of bins may differ by what rounding makes of them; units in their first 15 letters. */
static void
test_what_is_near_enough(void **state)
{
	enum { BINS = 2000000 };
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	uint8_t *bins = memory_alloc(&test->run, BINS + 1);
	struct gprofx_histogram record = testrun_record(0, 2 * BINS, bins, BINS);

	test->settings.one_metric = true;
	memcpy(record.dimension, "0123456789abcdef", 16);
	assert_int_equal(add(test, profile, &record), GPROFX_OK);
	assert_string_equal(profile->dimension, "0123456789abcde");
	/* 2000000 of 2000001 is 5e-7 less than 1. */
	record = testrun_record(4 * BINS, 6 * BINS, bins, BINS + 1);
	memcpy(record.dimension, "0123456789abcde.", 16);
	assert_int_equal(add(test, profile, &record), GPROFX_OK);
	memcpy(record.dimension, "0123456789abcd.f", 16);
	assert_int_equal(add(test, profile, &record), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.dimension-changed");
	/* 2000000 of 2000004 is 2e-6 less. */
	record = testrun_record(8 * BINS, 10 * BINS, bins, BINS - 4);
	memcpy(record.dimension, "0123456789abcde", 16);
	assert_int_equal(add(test, profile, &record), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.scale-changed");
}

/* Ranges that hold nothing are distinguished by both of their ends, whatever came first. */
static void
test_empty_ranges(void **state)
{
	enum { ENDS = 5 };
	struct testrun *test = *state;
	const uint8_t bins[1] = {1};

	for (uint32_t step = 1; step < ENDS * ENDS; step++) {
		struct profile *profile = profile_new(&test->run);

		if (step % 5 == 0)
			continue;
		for (uint32_t round = 0; round < 2; round++)
			for (uint32_t k = 0; k < ENDS * ENDS; k++) {
				uint32_t i = k * step % (ENDS * ENDS);
				uint64_t high = i % ENDS, low = ENDS + i / ENDS;
				/* 2^63 units less a few are the same number for all. */
				struct gprofx_histogram record = testrun_record(low, high, bins, 1);
				uint32_t before = profile->histogram_count;

				assert_int_equal(add(test, profile, &record), GPROFX_OK);
				assert_int_equal(profile->histogram_count, before + (round == 0));
				if (k % 3 != 1 || round > 0)
					continue;
				/* One that is dropped can come again. */
				profile_begin_file(&test->run, profile, "bad", 0, false);
				record.low += 100;
				assert_int_equal(add(test, profile, &record), GPROFX_OK);
				assert_int_equal(profile->histogram_count, before + 2);
				profile_drop_file(&test->run, profile);
				assert_int_equal(profile->histogram_count, before + 1);
			}
		assert_int_equal(profile->histogram_count, ENDS * ENDS);
		for (uint32_t k = 0; k < ENDS * ENDS; k++) {
			uint32_t i = k * step % (ENDS * ENDS);

			assert_int_equal(profile->histograms[k].high, i % ENDS);
			assert_int_equal(profile->histograms[k].low, ENDS + i / ENDS);
		}
	}
}

/* The rate is that of the first record that has one; formats without one have a usual rate. */
static void
test_whose_rate(void **state)
{
	static const struct {
		bool corrected;
		uint32_t rates[2][2]; /* of each record, and the usual one of its format */
		uint32_t rate, histograms;
	} cases[] = {{false, {{100, 0}, {50, 0}}, 100, 1},  {true, {{100, 0}, {50, 0}}, 100, 2},
	             {false, {{0, 0}, {50, 0}}, 0, 1},      {true, {{0, 0}, {50, 0}}, 50, 2},
	             {false, {{0, 60}, {50, 0}}, 60, 1},    {true, {{0, 60}, {50, 0}}, 60, 2},
	             {false, {{0, 0}, {50, 60}}, 50, 1},    {false, {{0, 0}, {0, 60}}, 60, 1},
	             {true, {{0, 60}, {60, 0}}, 60, 1},     {true, {{0, 0}, {0, 0}}, 0, 1},
	             {false, {{100, 60}, {50, 60}}, 100, 1}};
	static const uint8_t bins[2] = {1, 2};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct profile *profile = profile_new(&test->run);

		test->run.corrections = cases[i].corrected ? GPROFX_CORRECT_RATES : 0;
		for (uint32_t k = 0; k < 2; k++) {
			struct gprofx_histogram record = testrun_record(0x1000, 0x1010, bins, 2);

			record.rate = cases[i].rates[k][0];
			record.usual_rate = cases[i].rates[k][1];
			assert_int_equal(add(test, profile, &record), GPROFX_OK);
		}
		if (profile->rate != cases[i].rate ||
		    profile->histogram_count != cases[i].histograms)
			fail_msg("case %zu: rate %u, %u histograms", i, profile->rate,
			         profile->histogram_count);
	}
}

/* Of four rates of a range three may go again; the ones that stay are found by their rates. */
static void
test_rates_that_are_dropped(void **state)
{
	static const uint32_t rates[] = {100, 200, 300, 400};
	static const uint8_t bins[2] = {1, 2};
	struct testrun *test = *state;

	test->run.corrections = GPROFX_CORRECT_RATES;
	for (uint32_t kept = 0; kept <= 4; kept++) {
		struct profile *profile = profile_new(&test->run);
		struct gprofx_histogram record = testrun_record(0x1000, 0x1010, bins, 2);

		for (uint32_t k = 0; k < kept; k++) {
			record.rate = rates[k];
			assert_int_equal(add(test, profile, &record), GPROFX_OK);
		}
		profile_begin_file(&test->run, profile, "bad", 0, false);
		for (uint32_t k = 0; k < 4; k++) {
			record.rate = rates[k];
			assert_int_equal(add(test, profile, &record), GPROFX_OK);
			assert_int_equal(profile->pending[profile->pending_count - 1].histogram, k);
		}
		assert_int_equal(profile->histogram_count, 4);
		profile_drop_file(&test->run, profile);
		assert_int_equal(profile->histogram_count, kept);
		/* In the other order: those that went are new, the others what they were. */
		for (uint32_t k = 4; k-- > 0;) {
			record.rate = rates[k];
			assert_int_equal(add(test, profile, &record), GPROFX_OK);
			assert_int_equal(profile->pending[profile->pending_count - 1].histogram,
			                 k < kept ? k : kept + 3 - k);
		}
		assert_int_equal(profile->histogram_count, 4);
	}
}

/* Where one bin alone has samples, at all places around the ends of blocks of bins. */
static void
test_single_bins(void **state)
{
	enum { BINS = 200 };
	static const uint32_t places[] = {0, 1, 62, 63, 64, 65, 127, 128, 190, 191, 192, 199};
	static uint8_t bins[BINS];
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		struct profile *profile = profile_new(&test->run);
		struct gprofx_histogram record = testrun_record(0x1000, 0x1000 + 4 * BINS, bins,
		                                                BINS);
		uint32_t place = places[i];
		uint64_t low = 0x1000 + 4 * (uint64_t)place;

		memset(bins, 0, sizeof bins);
		bins[place] = 7;
		assert_int_equal(add(test, profile, &record), GPROFX_OK);
		profile_add_up(&test->run, profile);
		for (uint32_t block = 0; block <= BINS / HISTOGRAM_BLOCK; block++)
			assert_int_equal(profile->histograms[0].is_used[block],
			                 block == place / HISTOGRAM_BLOCK);
		assert_true(profile_has_samples(profile, low, low + 4));
		assert_true(profile_has_samples(profile, low + 3, low + 4));
		assert_true(profile_has_samples(profile, 0, low + 1));
		assert_true(profile_has_samples(profile, low, UINT64_MAX));
		assert_true(profile_has_samples(profile, 0x1000, 0x1000 + 4 * BINS));
		/* A bin more on each side may count, but no more. */
		if (place >= 2)
			assert_false(profile_has_samples(profile, 0, low - 4));
		assert_false(profile_has_samples(profile, low + 8, UINT64_MAX));
	}
}

/* Between addresses that floating-point numbers do not distinguish the last bin is meant. */
static void
test_last_bin(void **state)
{
	static const uint8_t bins[3] = {0, 0, 1};
	const uint64_t high = (uint64_t)3 << 60;
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct gprofx_histogram record = testrun_record(0, high, bins, 3);

	assert_int_equal(add(test, profile, &record), GPROFX_OK);
	profile_add_up(&test->run, profile);
	assert_true(profile_has_samples(profile, high - 2, high - 1));
	assert_false(profile_has_samples(profile, high, high + 1));
	assert_false(profile_has_samples(profile, high - 1, high - 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_what_is_said),        TESTRUN(test_counters_are_checked),
		TESTRUN(test_what_is_near_enough), TESTRUN(test_empty_ranges),
		TESTRUN(test_whose_rate),          TESTRUN(test_rates_that_are_dropped),
		TESTRUN(test_single_bins),         TESTRUN(test_last_bin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
