/* SPDX-License-Identifier: Apache-2.0 */
/* Merging of histogram records. */
#include "testrun.h"

#include "profile/profile.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "test.gmon"};

static struct gprofx_histogram
record(uint64_t low, uint64_t high, const uint8_t *bins, uint32_t count)
{
	struct gprofx_histogram histogram = testrun_record(low, high, bins, count);

	histogram.bin_bytes = 2;
	return histogram;
}

static enum gprofx_result
add(struct testrun *test, struct profile *profile, const struct gprofx_histogram *histogram)
{
	enum gprofx_result result = profile->public.builder->histogram(
		&test->run.gx, &profile->public, &file, histogram);

	profile_add_up(&test->run, profile);
	return result;
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
	test->settings.one_metric = true;
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

/* A file of one histogram: in GNU mode it is checked against the very first record. */
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
	test->settings.one_metric = true;
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

	test->settings.sums_wrap = true;
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

/* What a file adds before the record that does not agree goes with it. */
static void
test_files_count_as_a_whole(void **state)
{
	struct testrun *test = *state;
	const uint8_t bins[] = {1, 0, 2, 0};
	struct gprofx_histogram first = record(0x1000, 0x1010, bins, 2), other, last;
	const struct gprofx_raw_arc arcs[] = {{0x1000, 0x1008, 3}, {0x1004, 0x1008, 4}};
	const struct gprofx_raw_block block = {0x1000, 5};
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_profile_builder *builder = profile->public.builder;

	profile_begin_file(&test->run, profile, "good", 0, true);
	assert_int_equal(add(test, profile, &first), GPROFX_OK);
	assert_int_equal(profile->histogram_count, 0);
	builder->arcs(&test->run.gx, &profile->public, NULL, arcs, 1);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);

	other = record(0x2000, 0x2010, bins, 2);
	last = record(0x2008, 0x2018, bins, 2);
	for (int way = 0; way < 3; way++) {
		profile_begin_file(&test->run, profile, "bad", 0, true);
		assert_int_equal(add(test, profile, &first), GPROFX_OK);
		assert_int_equal(add(test, profile, &other), GPROFX_OK);
		if (way < 2)
			assert_int_equal(add(test, profile, &last), GPROFX_OK);
		builder->arcs(&test->run.gx, &profile->public, NULL, arcs, 2);
		builder->blocks(&test->run.gx, &profile->public, NULL, &block, 1);
		if (way == 0)
			profile_drop_file(&test->run, profile);
		else
			assert_int_equal(profile_commit_file(&test->run, profile, &file),
			                 way == 1 ? GPROFX_FAILED : GPROFX_OK);
		profile_add_up(&test->run, profile);
		assert_int_equal(profile->histogram_count, way < 2 ? 1 : 2);
		assert_int_equal(profile->arc_count, way < 2 ? 1 : 3);
		assert_int_equal(profile->block_count, way < 2 ? 0 : 1);
		assert_int_equal(profile->file_count, way < 2 ? 1 : 2);
		assert_int_equal(histogram_bin(&profile->histograms[0], 1), way < 2 ? 2 : 4);
	}
	assert_int_equal(histogram_bin(&profile->histograms[1], 1), 2);
	assert_int_equal(profile->files[0].samples, 3);
	assert_int_equal(profile->files[1].samples, 6);
}

/* A histogram has records of one rate, if rates are corrected. */
static void
test_rates(void **state)
{
	struct testrun *test = *state;
	const uint8_t bins[] = {1, 0, 2, 0};
	struct gprofx_histogram slow = record(0x1000, 0x1010, bins, 2), fast = slow, none = slow;
	struct profile *profile = profile_new(&test->run);

	fast.rate = 1000;
	none.rate = 0;
	test->run.corrections = GPROFX_CORRECT_RATES;
	assert_int_equal(add(test, profile, &none), GPROFX_OK);
	assert_int_equal(profile->rate, 0);
	assert_int_equal(add(test, profile, &slow), GPROFX_OK);
	assert_int_equal(add(test, profile, &fast), GPROFX_OK);
	assert_int_equal(add(test, profile, &slow), GPROFX_OK);
	assert_int_equal(add(test, profile, &fast), GPROFX_OK);
	assert_int_equal(profile->rate, 100);
	assert_int_equal(profile->histogram_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(profile->histograms[i].rate, i == 0 ? 0 : i == 1 ? 100 : 1000);
		assert_int_equal(histogram_bin(&profile->histograms[i], 1), i == 0 ? 2 : 4);
	}
	/* Taken back, all are found as before. */
	profile_begin_file(&test->run, profile, "bad", 0, false);
	fast.rate = 50;
	assert_int_equal(add(test, profile, &fast), GPROFX_OK);
	assert_int_equal(profile->histogram_count, 4);
	profile_drop_file(&test->run, profile);
	assert_int_equal(profile->histogram_count, 3);
	fast.rate = 1000;
	assert_int_equal(add(test, profile, &fast), GPROFX_OK);
	assert_int_equal(add(test, profile, &none), GPROFX_OK);
	assert_int_equal(profile->histogram_count, 3);
	assert_int_equal(histogram_bin(&profile->histograms[0], 0), 2);
	assert_int_equal(histogram_bin(&profile->histograms[2], 0), 3);
}

static void
fill(uint8_t *bytes, uint32_t count, uint32_t seed)
{
	for (uint32_t i = 0; i < count; i++) {
		seed = seed * 1664525 + 1013904223;
		bytes[i] = (seed >> 28) == 0 ? (uint8_t)(seed >> 16) : 0;
	}
}

/* Neither the number of threads nor how many files wait for one another makes a difference. */
static void
test_adding_up_in_parallel(void **state)
{
	struct testrun *test = *state;
	enum { BINS = 300001, FILES = 5 };
	static uint8_t bytes[FILES][2 * BINS];
	static uint64_t expected[BINS];
	const struct {
		uint32_t threads;
		bool at_once;
	} ways[] = {{1, true}, {2, false}, {2, true}, {7, true}};

	memset(expected, 0, sizeof expected);
	for (uint32_t f = 0; f < FILES; f++) {
		fill(bytes[f], sizeof bytes[f], f);
		for (uint32_t i = 0; i < BINS; i++)
			expected[i] += f % 2 ? (uint32_t)(bytes[f][2 * i] << 8 |
			                                  bytes[f][2 * i + 1])
			                     : (uint32_t)(bytes[f][2 * i + 1] << 8 |
			                                  bytes[f][2 * i]);
	}
	for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
		struct profile *profile;
		uint64_t samples = 0;

		run_finish(&test->run);
		run_start(&test->run, &test->settings, &test->frontend);
		test->run.threads = ways[way].threads;
		profile = profile_new(&test->run);
		for (uint32_t f = 0; f < FILES; f++) {
			struct gprofx_histogram histogram = record(
				0x1000, 0x1000 + 4 * (uint64_t)BINS, bytes[f], BINS);

			histogram.bins_big_endian = f % 2;
			profile_begin_file(&test->run, profile, "file", 0, true);
			assert_int_equal(profile->public.builder->histogram(&test->run.gx,
			                                                    &profile->public, &file,
			                                                    &histogram),
			                 GPROFX_OK);
			assert_int_equal(profile_commit_file(&test->run, profile, &file),
			                 GPROFX_OK);
			if (!ways[way].at_once)
				profile_add_up(&test->run, profile);
		}
		profile_add_up(&test->run, profile);
		for (uint32_t i = 0; i < BINS; i++) {
			assert_int_equal(histogram_bin(&profile->histograms[0], i), expected[i]);
			samples += expected[i];
			if (expected[i] > 0)
				assert_true(profile->histograms[0].is_used[i / HISTOGRAM_BLOCK]);
		}
		for (uint32_t f = 0; f < FILES; f++)
			samples -= profile->files[f].samples;
		assert_int_equal(samples, 0);
	}
}

/* 70,000 files with full counters need more than 32 bits, and nothing before that. */
static void
test_sums_widen_when_they_have_to(void **state)
{
	struct testrun *test = *state;
	const uint8_t bins[] = {0xff, 0xff, 1, 0};
	struct gprofx_histogram histogram = record(0x1000, 0x1010, bins, 2);
	struct profile *profile = profile_new(&test->run);

	for (uint32_t i = 1; i <= 70000; i++) {
		assert_int_equal(add(test, profile, &histogram), GPROFX_OK);
		if (i == 65536)
			assert_non_null(profile->histograms[0].bins);
	}
	assert_non_null(profile->histograms[0].bins64);
	assert_true(histogram_bin(&profile->histograms[0], 0) == UINT64_C(70000) * 65535);
	assert_int_equal(histogram_bin(&profile->histograms[0], 1), 70000);
}

/* Arcs, calls and blocks of several files are merged; the first ones keep their places. */
static void
test_repeats_are_merged(void **state)
{
	struct testrun *test = *state;
	enum { ARCS = 40000 };
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_profile_builder *builder = profile->public.builder;
	struct gprofx_raw_arc *arcs;
	struct gprofx_raw_block *blocks;
	struct gprofx_raw_call *calls;

	memory_array(&test->run, arcs, ARCS);
	memory_array(&test->run, calls, ARCS);
	memory_array(&test->run, blocks, ARCS);
	for (uint32_t f = 0; f < 20; f++) {
		for (uint32_t i = 0; i < ARCS; i++) {
			uint32_t k = f % 2 ? ARCS - 1 - i : i;

			arcs[i] = (struct gprofx_raw_arc){k / 3, k, f};
			blocks[i] = (struct gprofx_raw_block){k, 1};
			calls[i] = (struct gprofx_raw_call){k, 2};
		}
		profile_begin_file(&test->run, profile, "file", 0, true);
		builder->arcs(&test->run.gx, &profile->public, NULL, arcs, ARCS);
		builder->blocks(&test->run.gx, &profile->public, NULL, blocks, ARCS);
		builder->calls(&test->run.gx, &profile->public, NULL, calls, ARCS);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
		profile_add_up(&test->run, profile);
		assert_true(profile->arc_count <= 4 * ARCS + 65536);
		assert_true(profile->block_count <= 4 * ARCS + 65536);
		assert_true(profile->call_count <= 4 * ARCS + 65536);
	}
	/* What a file adds that is taken back is gone. */
	profile_begin_file(&test->run, profile, "bad", 0, true);
	builder->calls(&test->run.gx, &profile->public, NULL, calls, ARCS);
	profile_drop_file(&test->run, profile);
	profile_merge_repeats(&test->run, profile);
	assert_int_equal(profile->arc_count, ARCS);
	assert_int_equal(profile->block_count, ARCS);
	assert_int_equal(profile->call_count, ARCS);
	for (uint32_t i = 0; i < ARCS; i++) {
		assert_int_equal(profile->arcs[i].from, i / 3);
		assert_int_equal(profile->arcs[i].self, i);
		assert_int_equal(profile->arcs[i].count, 190);
		assert_int_equal(profile->blocks[i].address, i);
		assert_int_equal(profile->blocks[i].count, 20);
		assert_int_equal(profile->calls[i].self, i);
		assert_int_equal(profile->calls[i].count, 40);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_equal_ranges_add_up),    TESTRUN(test_what_does_not_agree_is_refused),
		TESTRUN(test_only_histograms),        TESTRUN(test_number_of_bins_must_agree),
		TESTRUN(test_wide_counters_and_sums), TESTRUN(test_many_ranges),
		TESTRUN(test_files_count_as_a_whole), TESTRUN(test_rates),
		TESTRUN(test_adding_up_in_parallel),  TESTRUN(test_sums_widen_when_they_have_to),
		TESTRUN(test_repeats_are_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
