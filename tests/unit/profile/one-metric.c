/* SPDX-License-Identifier: Apache-2.0 */
/* Where there can be but one metric, as in GNU mode, another one is refused, even in the same unit.
 */
#include "smallrun.h"

#include "profile/metrics.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "events"};

static struct profile *
begin(struct testrun *test)
{
	struct profile *profile = profile_new(&test->run);

	test->settings.one_metric = true;
	profile_begin_file(&test->run, profile, "events", 0, false);
	return profile;
}

static uint32_t
declare(struct testrun *test, struct profile *profile, const char *name, uint32_t kind)
{
	const struct gprofx_raw_metric metric = {.size = sizeof metric,
	                                         .name = name,
	                                         .unit = "seconds",
	                                         .abbreviation = 's',
	                                         .ticks_per_unit = 100,
	                                         .kind = kind};

	return profile->public.builder->metric(&test->run.gx, &profile->public, &file, &metric);
}

static enum gprofx_result
add_histogram(struct testrun *test, struct profile *profile, uint32_t metric)
{
	static const uint8_t bins[] = {1, 2};
	struct gprofx_histogram record = testrun_record(0x10, 0x18, bins, 2);

	record.metric = metric;
	record.abbreviation = 's';
	memcpy(record.dimension, "seconds", sizeof "seconds");
	return profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &record);
}

static void
add_sample(struct testrun *test, struct profile *profile, uint32_t metric)
{
	const struct gprofx_from from = {.size = sizeof from, .metric = metric};
	const struct gprofx_raw_sample row = {0x10, 1};

	profile->public.builder->samples(&test->run.gx, &profile->public, &file, &from, &row, 1);
}

static enum gprofx_result
add_stacks(struct testrun *test, struct profile *profile, const uint32_t *metrics, uint32_t count)
{
	static const uint32_t first[] = {0, 1};
	static const uint64_t address[] = {0x10}, weight[] = {1, 1};
	const struct gprofx_raw_stacks rows = {.size = sizeof rows,
	                                       .count = 1,
	                                       .first = first,
	                                       .address = address,
	                                       .weight = weight,
	                                       .metrics = metrics,
	                                       .metric_count = count};

	return profile->public.builder->stacks(&test->run.gx, &profile->public, &file, NULL, &rows);
}

/* Time without a name of its own is "time", as in GNU gprof's format. */
static void
test_histograms(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	uint32_t cpu = declare(test, profile, "cpu", GPROFX_SAMPLED);
	uint32_t time = declare(test, profile, "time", GPROFX_SAMPLED);
	uint32_t counted = declare(test, profile, "time", GPROFX_COUNTED);

	assert_int_equal(add_histogram(test, profile, 0), GPROFX_OK);
	assert_int_equal(add_histogram(test, profile, time), GPROFX_OK);
	assert_int_equal(add_histogram(test, profile, cpu), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.dimension-changed");
	assert_int_equal(add_histogram(test, profile, counted), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.metric-changed");
	profile_add_up(&test->run, profile);
	assert_int_equal(histogram_bin(&profile->histograms[0], 1), 4);
}

/* Formats with one histogram in a file have a rule of their own, which says nothing of names. */
static void
test_only_histograms(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	static const uint8_t bins[] = {1, 2};
	struct gprofx_histogram record = testrun_record(0x10, 0x18, bins, 2);

	test->settings.only_histograms_match = true;
	assert_int_equal(
		add_histogram(test, profile, declare(test, profile, "cpu", GPROFX_SAMPLED)),
		GPROFX_OK);
	record.is_only = true;
	assert_int_equal(
		profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &record),
		GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.dimension-changed");
	profile_add_up(&test->run, profile);
}

static void
test_samples(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);

	add_sample(test, profile, declare(test, profile, "cpu", GPROFX_SAMPLED));
	add_sample(test, profile, declare(test, profile, "wait", GPROFX_SAMPLED));
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.dimension-changed");
	assert_false(profile->has_sparse);
	/* Of the file nothing is left; so another one can begin with what it had second. */
	profile_begin_file(&test->run, profile, "events", 0, false);
	add_sample(test, profile, declare(test, profile, "wait", GPROFX_SAMPLED));
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	assert_string_equal(profile->metric_name, "wait");
}

static void
test_stacks(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	const uint32_t metrics[] = {declare(test, profile, "cpu", GPROFX_SAMPLED),
	                            declare(test, profile, "wait", GPROFX_SAMPLED)};

	assert_int_equal(add_stacks(test, profile, metrics, 2), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.stacks-differ");
	profile_drop_file(&test->run, profile);
	profile_begin_file(&test->run, profile, "events", 0, false);
	declare(test, profile, "cpu", GPROFX_SAMPLED);
	declare(test, profile, "wait", GPROFX_SAMPLED);
	assert_int_equal(add_stacks(test, profile, metrics + 1, 1), GPROFX_OK);
	assert_int_equal(add_stacks(test, profile, metrics, 1), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.stacks-differ");
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	assert_string_equal(profile->stacks.metric_name, "wait");
	assert_int_equal(profile->stacks.total, 1);
}

/* Samples beside stacks of another metric would be in no row, and nothing would report them. */
static void
test_samples_beside_stacks(void **state)
{
	struct testrun *test = *state;

	for (int is_same = 0; is_same < 2; is_same++) {
		struct profile *profile = begin(test);
		const uint32_t metrics[] = {declare(test, profile, "cpu", GPROFX_SAMPLED),
		                            declare(test, profile, "wait", GPROFX_SAMPLED)};

		assert_int_equal(add_stacks(test, profile, metrics, 1), GPROFX_OK);
		add_sample(test, profile, metrics[is_same ? 0 : 1]);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
		profile_finish(&test->run, profile);
		assert_int_equal(metrics_expect_chosen(&test->run, profile),
		                 is_same ? GPROFX_OK : GPROFX_FAILED);
		assert_string_equal(test->last_id, "profile.dimension-changed");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_histograms),
		TESTRUN(test_only_histograms),
		TESTRUN(test_samples),
		TESTRUN(test_stacks),
		TESTRUN(test_samples_beside_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
