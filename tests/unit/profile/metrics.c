/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of several metrics: each by itself, whichever is chosen, and whatever files are
 * dropped. */
#include "smallrun.h"

#include "profile/copies.h"
#include "profile/metrics.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};

static enum gprofx_result
add(struct testrun *test, struct profile *profile, const char *unit, uint64_t low,
    const uint8_t *bins)
{
	struct gprofx_histogram record = testrun_record(low, low + 8, bins, 2);

	snprintf(record.dimension, sizeof record.dimension, "%s", unit);
	return profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &record);
}

static void
expect_bins(const struct profile *profile, const char *name, uint64_t first, uint64_t second)
{
	assert_string_equal(profile->metric_name, name);
	assert_int_equal(profile->histogram_count, 1);
	assert_int_equal(histogram_bin(&profile->histograms[0], 0), first);
	assert_int_equal(histogram_bin(&profile->histograms[0], 1), second);
}

static void
test_kept_apart(void **state)
{
	static const uint8_t bins[] = {1, 2}, others[] = {0, 9};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	for (int i = 0; i < 2; i++) {
		profile_begin_file(&test->run, profile, "both", 0, i > 0);
		assert_int_equal(add(test, profile, "seconds", 0x10, bins), GPROFX_OK);
		/* Across the end of the other one's range. */
		assert_int_equal(add(test, profile, "cycles", 0x14, others), GPROFX_OK);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	}
	profile_add_up(&test->run, profile);
	assert_int_equal(profile->other_count, 1);
	expect_bins(profile, "time", 2, 4);
	expect_bins(profile->others[0], "cycles", 0, 18);
	assert_int_equal(profile->others[0]->metric_kind, GPROFX_SAMPLED);
	assert_int_equal(profile->files[0].samples, 3);
	assert_true(profile->files[0].has_histogram && profile->files[0].has_other_metric);
	assert_true(profile_has_samples(profile, 0x18, 0x1c));
	assert_false(profile_has_samples(profile, 0x1c, 0x20));
	profile_release_bins(&test->run, profile);
	assert_int_equal(profile->others[0]->histograms[0].bin_count, 0);
}

/* The metric that is named is the profile's own, whenever it appears. */
static void
test_chosen(void **state)
{
	static const uint8_t bins[] = {1, 2};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	test->settings.metric = "cycles";
	assert_int_equal(metrics_expect_chosen(&test->run, profile), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.unknown-metric");
	profile_begin_file(&test->run, profile, "one", 0, false);
	assert_int_equal(add(test, profile, "seconds", 0x10, bins), GPROFX_OK);
	assert_false(profile->has_histogram);
	assert_int_equal(metrics_expect_chosen(&test->run, profile), GPROFX_FAILED);
	assert_int_equal(add(test, profile, "cycles", 0x10, bins), GPROFX_OK);
	assert_int_equal(metrics_expect_chosen(&test->run, profile), GPROFX_OK);
	profile_add_up(&test->run, profile);
	expect_bins(profile, "cycles", 1, 2);
	expect_bins(profile->others[0], "time", 1, 2);
	/* No name is none. */
	test->settings.metric = "";
	profile = profile_new(&test->run);
	assert_int_equal(metrics_expect_chosen(&test->run, profile), GPROFX_OK);
	assert_int_equal(add(test, profile, "seconds", 0x10, bins), GPROFX_OK);
	assert_int_equal(add(test, profile, "cycles", 0x10, bins), GPROFX_OK);
	assert_string_equal(profile->metric_name, "time");
}

/* Of a file that is dropped nothing is left, in no metric. */
static void
test_dropped(void **state)
{
	static const uint8_t bins[] = {1, 2};
	static const char *const units[] = {"seconds", "cycles", "misses"};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	for (uint32_t kept = 0; kept < 3; kept++) {
		/* All three come, and go. */
		profile_begin_file(&test->run, profile, "bad", 0, true);
		for (uint32_t i = 0; i < 3; i++) {
			assert_int_equal(add(test, profile, units[i], 0x10, bins), GPROFX_OK);
			assert_int_equal(add(test, profile, units[i], 0x40, bins), GPROFX_OK);
		}
		assert_int_equal(add(test, profile, "cycles", 0x44, bins), GPROFX_OK);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_FAILED);
		assert_string_equal(test->last_id, "profile.overlap");
		assert_int_equal(profile->has_histogram, kept > 0);
		assert_int_equal(profile->other_count, kept > 0 ? kept - 1 : 0);
		profile_begin_file(&test->run, profile, "good", 0, true);
		assert_int_equal(add(test, profile, units[kept], 0x44, bins), GPROFX_OK);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	}
	profile_add_up(&test->run, profile);
	assert_int_equal(profile->other_count, 2);
	expect_bins(profile, "time", 1, 2);
	expect_bins(profile->others[0], "cycles", 1, 2);
	expect_bins(profile->others[1], "misses", 1, 2);
	assert_int_equal(profile->file_count, 3);
}

/* Of a file that has another metric as well, one of them alone does not show that it is a copy. */
static void
test_not_compared(void **state)
{
	static const uint8_t bins[] = {1, 2};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	copies_want(&test->run, profile, false, 0);
	for (int i = 0; i < 3; i++) {
		profile_begin_file(&test->run, profile, "one", 0, true);
		assert_int_equal(add(test, profile, "seconds", 0x10, bins), GPROFX_OK);
		if (i == 1)
			assert_int_equal(add(test, profile, "cycles", 0x10, bins), GPROFX_OK);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	}
	copies_compare(&test->run, profile, true);
	for (int i = 0; i < 3; i++)
		assert_int_equal(profile->files[i].rows->is_whole, i != 1);
	profile_add_up(&test->run, profile);
}

/* A record can be checked before its counters are there; a metric that is new agrees with all. */
static void
test_checked(void **state)
{
	static const uint8_t bins[] = {1, 2};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_profile_builder *builder = profile->public.builder;
	struct gprofx_histogram record = testrun_record(0x14, 0x1c, bins, 2);

	assert_int_equal(add(test, profile, "seconds", 0x10, bins), GPROFX_OK);
	memcpy(record.dimension, "cycles", sizeof "cycles");
	assert_int_equal(builder->check_histogram(&test->run.gx, &profile->public, &file, &record),
	                 GPROFX_OK);
	assert_int_equal(profile->other_count, 0);
	memcpy(record.dimension, "seconds", sizeof "seconds");
	assert_int_equal(builder->check_histogram(&test->run.gx, &profile->public, &file, &record),
	                 GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.overlap");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_kept_apart),   TESTRUN(test_chosen),  TESTRUN(test_dropped),
		TESTRUN(test_not_compared), TESTRUN(test_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
