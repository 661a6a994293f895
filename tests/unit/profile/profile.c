/* SPDX-License-Identifier: Apache-2.0 */
/* Merging of histogram records. */
#include "testrun.h"

#include "profile/profile.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "test.gmon"};

static struct gprofx_histogram
record(uint64_t low, uint64_t high, const uint8_t *bins, uint32_t count)
{
	return (struct gprofx_histogram){
		.size = sizeof(struct gprofx_histogram),
		.low = low,
		.high = high,
		.bin_count = count,
		.rate = 100,
		.dimension = "seconds",
		.abbreviation = 's',
		.bins = bins,
		.bin_bytes = 2,
	};
}

static enum gprofx_result
add(struct testrun *test, struct profile *profile, const struct gprofx_histogram *histogram)
{
	return profile->public.builder->histogram(&test->run.gx, &profile->public, &file,
	                                          histogram);
}

static void
test_equal_ranges_add_up(void **state)
{
	struct testrun *test = *state;
	const uint8_t bins[] = {1, 0, 0xff, 0xff};
	struct gprofx_histogram histogram = record(0x1000, 0x1010, bins, 2), other;
	struct profile *profile = profile_new(&test->run);

	assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
	assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
	other = record(0x1010, 0x1020, bins, 2);
	other.rate = 7;
	assert_int_equal(add(test, profile, &other), GPROFX_OK);
	assert_int_equal(profile->histogram_count, 2);
	assert_int_equal(histogram_bin(&profile->histograms[0], 0), 2);
	assert_int_equal(histogram_bin(&profile->histograms[0], 1), 131070);
	assert_int_equal(histogram_bin(&profile->histograms[1], 0), 1);
	assert_int_equal(profile->rate, 100);
	assert_true(profile->scale == 4);
}

static void
test_what_does_not_agree_is_refused(void **state)
{
	struct testrun *test = *state;
	const uint8_t bins[8] = {0};
	struct gprofx_histogram first = record(0x1000, 0x1010, bins, 2), other;
	struct profile *profile = profile_new(&test->run);

	assert_int_equal(add(test, profile, &first), GPROFX_OK);
	other = record(0x1008, 0x1018, bins, 2);
	assert_int_equal(add(test, profile, &other), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.overlap");
	other = record(0x2000, 0x2010, bins, 4);
	assert_int_equal(add(test, profile, &other), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.scale-changed");
	other = first;
	memcpy(other.dimension, "minutes", 8);
	assert_int_equal(add(test, profile, &other), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.dimension-changed");
	other = first;
	other.abbreviation = 'm';
	assert_int_equal(add(test, profile, &other), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.abbreviation-changed");
	other = first;
	other.bins_signed = true;
	other.bins = (const uint8_t[]){0, 0x80, 0, 0};
	assert_int_equal(add(test, profile, &other), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.negative-bin");
	assert_int_equal(profile->histogram_count, 1);
}

/* A file of one histogram: in GNU mode it is held against the very first record. */
static void
test_only_histograms(void **state)
{
	struct testrun *test = *state;
	const uint8_t bins[] = {1, 0, 2, 0};
	struct gprofx_histogram only = record(0x1000, 0x1010, bins, 2), old;
	struct profile *profile = profile_new(&test->run);

	only.is_only = true;
	only.usual_rate = 60;
	old = only;
	old.lacks_rate = true;
	old.rate = 0;
	/* Without a rate anywhere the usual one is taken; a known one is kept. */
	assert_int_equal(add(test, profile, &old), GPROFX_OK);
	assert_int_equal(profile->rate, 60);
	assert_int_equal(add(test, profile, &only), GPROFX_OK);
	assert_int_equal(profile->rate, 60);
	/* Only GNU gprof asks for the same range. */
	only.low += 0x1000;
	only.high += 0x1000;
	assert_int_equal(add(test, profile, &only), GPROFX_OK);

	test->settings.only_histograms_match = true;
	assert_int_equal(add(test, profile, &only), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.rate-differs");
	only.rate = 60;
	assert_int_equal(add(test, profile, &only), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.first-differs");
	assert_int_equal(add(test, profile, &old), GPROFX_OK);
	memcpy(old.dimension, "minutes", 8);
	assert_int_equal(add(test, profile, &old), GPROFX_OK);
	old.bin_count = 1;
	assert_int_equal(add(test, profile, &old), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.first-differs");
	/* Records of other formats are not concerned. */
	only.is_only = false;
	assert_int_equal(add(test, profile, &only), GPROFX_OK);
	/* A reader of the first version of the interface knows nothing of all this. */
	only.is_only = true;
	only.size = offsetof(struct gprofx_histogram, is_only);
	assert_int_equal(add(test, profile, &only), GPROFX_OK);
	assert_int_equal(histogram_bin(&profile->histograms[0], 0), 4);
}

/* Over a million bins the widths differ by less than is looked at. */
static void
test_number_of_bins_must_agree(void **state)
{
	struct testrun *test = *state;
	enum { BINS = 2000000 };
	uint8_t *bins = calloc(BINS + 1, 2);
	struct gprofx_histogram first = record(0, BINS * 2, bins, BINS), other;
	struct profile *profile = profile_new(&test->run);

	assert_non_null(bins);
	assert_int_equal(add(test, profile, &first), GPROFX_OK);
	other = record(0, BINS * 2, bins, BINS + 1);
	assert_int_equal(add(test, profile, &other), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.scale-changed");
	free(bins);
}

static void
test_wide_counters_and_sums(void **state)
{
	struct testrun *test = *state;
	const uint8_t bins[] = {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
	struct gprofx_histogram histogram = record(0x1000, 0x1010, bins, 1);
	struct profile *profile = profile_new(&test->run);

	histogram.bin_bytes = 8;
	histogram.bins_big_endian = true;
	assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
	assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
	assert_true(histogram_bin(&profile->histograms[0], 0) == 2 * (uint64_t)UINT32_MAX);

	test->settings.bin_sums_wrap = true;
	run_finish(&test->run);
	run_start(&test->run, &test->settings, &test->frontend);
	profile = profile_new(&test->run);
	assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
	assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
	assert_true(histogram_bin(&profile->histograms[0], 0) == UINT32_MAX - 1);
}

static void
test_many_ranges(void **state)
{
	struct testrun *test = *state;
	const uint8_t bins[] = {1, 0};
	struct profile *profile = profile_new(&test->run);

	/* Descending, and each twice; quadratic work would show. */
	for (uint32_t i = 60000; i-- > 0;) {
		struct gprofx_histogram histogram = record(0x1000 + 16 * (uint64_t)i,
		                                           0x1010 + 16 * (uint64_t)i, bins, 1);

		assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
		assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
	}
	assert_int_equal(profile->histogram_count, 60000);
	assert_int_equal(histogram_bin(&profile->histograms[59999], 0), 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_equal_ranges_add_up),    TESTRUN(test_what_does_not_agree_is_refused),
		TESTRUN(test_only_histograms),        TESTRUN(test_number_of_bins_must_agree),
		TESTRUN(test_wide_counters_and_sums), TESTRUN(test_many_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
