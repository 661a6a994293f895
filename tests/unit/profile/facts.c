/* SPDX-License-Identifier: Apache-2.0 */
/* What is noted about each file, and that nothing is where nobody wants it. */
#include "testrun.h"

#include "profile/facts.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "test.gmon", .length = 99};

/* Of a program with three functions of 16 bytes from 0x1000; samples of the last are not shown. */
static struct profile *
begin(struct testrun *test)
{
	static const char *const names[] = {"one", "two", "three"};
	struct profile *profile = profile_new(&test->run);

	facts_want(&test->run, profile, testrun_symbols(test, names, 3));
	profile_begin_file(&test->run, profile, "one", 7, false);
	return profile;
}

static void
add(struct testrun *test, struct profile *profile, const struct gprofx_histogram *histogram)
{
	assert_int_equal(profile->public.builder->histogram(&test->run.gx, &profile->public, &file,
	                                                    histogram),
	                 GPROFX_OK);
	profile_add_up(&test->run, profile);
}

static void
add_arcs(struct testrun *test, struct profile *profile, const struct gprofx_raw_arc *arcs,
         uint32_t count)
{
	profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, arcs, count);
}

/* The facts of the first file that is whole. */
static const struct gprofx_profile_file *
finish(struct testrun *test, struct profile *profile)
{
	const struct gprofx_profile_file *list;
	uint32_t count;

	facts_finish_file(profile, &file, "form", "input-form");
	profile_add_up(&test->run, profile);
	list = facts_list(&test->run, profile, &count);
	assert_int_equal(count, 1);
	return list;
}

static void
test_nobody_wants_facts(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const uint8_t bins[] = {1};
	const struct gprofx_histogram histogram = testrun_record(0x1000, 0x1010, bins, 1);
	const struct gprofx_layout layout = {.size = sizeof layout};
	uint32_t count = 5;

	profile_begin_file(&test->run, profile, "one", 7, false);
	add(test, profile, &histogram);
	profile->public.builder->describe(&test->run.gx, &profile->public, &layout);
	facts_finish_file(profile, &file, "form", "input-form");
	assert_null(facts_list(&test->run, profile, &count));
	assert_int_equal(count, 0);
	assert_null(profile->files[0].facts);
}

static void
test_only_whole_files_are_listed(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	const struct gprofx_profile_file *one;

	profile_begin_file(&test->run, profile, "two", 8, false);
	one = finish(test, profile);
	assert_string_equal(one->name, "two");
	assert_string_equal(one->format, "form");
	assert_string_equal(one->reader, "input-form");
	assert_int_equal(one->bytes, 99);
	assert_int_equal(one->modified, 8);
}

static void
test_ranges_of_one_form_are_one(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	const uint8_t bins[] = {1, 2, 200, 4};
	struct gprofx_histogram high = testrun_record(0x1010, 0x1020, bins, 2);
	struct gprofx_histogram low = testrun_record(0x1000, 0x1010, bins + 2, 2);
	const struct gprofx_file_range *range;
	const struct gprofx_profile_file *one;

	add(test, profile, &high);
	add(test, profile, &low);
	high.bins = bins + 2;
	add(test, profile, &high);
	low.rate = 50;
	add(test, profile, &low);
	one = finish(test, profile);
	assert_int_equal(one->histogram_records, 4);
	assert_int_equal(one->range_count, 3);
	range = gprofx_range_at(one, 0);
	assert_int_equal(range->low, 0x1000);
	assert_int_equal(range->rate, 50);
	assert_int_equal(range->records, 1);
	range = gprofx_range_at(one, 2);
	assert_int_equal(range->low, 0x1010);
	assert_int_equal(range->high, 0x1020);
	assert_int_equal(range->records, 2);
	assert_int_equal(range->samples, 207);
	assert_int_equal(range->largest, 200);
	assert_int_equal(one->samples, 3 + 3 * 204);
}

/* The last function has no samples unless that is corrected; here it is not. */
static void
test_samples_that_overlap_functions_are_known(void **state)
{
	static const uint8_t bins[] = {1, 2, 4, 8};
	static const struct {
		uint64_t low, high, known;
	} rows[] = {
		{0x1000, 0x1020, 15},
		{0x0ff0, 0x1030, 2 + 4},     /* 16 bytes each */
		{0x0ff2, 0x1032, 1 + 2 + 4}, /* the first begins before and reaches in */
		{0x101f, 0x102f, 1},         /* only the start of the first */
		{0x2000, 0x2010, 0},         /* behind all */
		{0x10, 0x20, 0},             /* before all */
		{0, UINT64_MAX, 1},          /* the first has all functions */
		{0x101e, 0x1021, 1 + 2 + 4}, /* three bytes for four bins */
		{0x1000, 0x1000, 0},         /* no bytes: nothing overlaps */
		{0x1010, 0x1000, 0},         /* descending */
		{UINT64_MAX - 3, UINT64_MAX, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct gprofx_histogram histogram = testrun_record(rows[i].low, rows[i].high,
		                                                         bins, 4);
		struct profile *profile;

		/* Ranges are known to the run. */
		testrun_end(state);
		testrun_begin(state);
		profile = begin(*state);
		add(*state, profile, &histogram);
		assert_int_equal(finish(*state, profile)->known_samples, rows[i].known);
	}
}

static void
test_arcs_are_counted_once(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	const struct gprofx_raw_arc arcs[] = {
		{0x1004, 0x1010, 3}, {0x1004, 0x1011, 1}, {0x1004, 0x1010, 4}, {0x1005, 0x1010, 2},
		{0x10, 0x1010, 7},   {0x1004, 0x2000, 8}, {0x10, 0x1010, 1},
	};
	const struct gprofx_profile_file *one;

	/* What was there before is of another file. */
	add_arcs(test, profile, arcs, 7);
	profile_begin_file(&test->run, profile, "two", 0, false);
	add_arcs(test, profile, arcs, 4);
	add_arcs(test, profile, arcs + 4, 3);
	one = finish(test, profile);
	assert_int_equal(one->arc_records, 7);
	assert_int_equal(one->arc_count, 5);
	assert_int_equal(one->known_arc_count, 3);
	assert_int_equal(one->calls, 26);
	assert_int_equal(one->known_calls, 10);
}

static void
test_layouts_of_older_readers_are_shorter(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	struct gprofx_layout layout = {
		.size = offsetof(struct gprofx_layout, variant),
		.pointer_bytes = 4,
		.byte_order = GPROFX_ORDER_BIG,
		.has_version = true,
		.version = 9,
		.variant = "beyond its size",
	};
	const struct gprofx_raw_block block = {0x1000, 1};
	const struct gprofx_profile_file *one;

	profile->public.builder->describe(&test->run.gx, &profile->public, &layout);
	profile->public.builder->blocks(&test->run.gx, &profile->public, NULL, &block, 1);
	one = finish(test, profile);
	assert_int_equal(one->pointer_bytes, 4);
	assert_int_equal(one->byte_order, 2);
	assert_true(one->has_version);
	assert_int_equal(one->version, 9);
	assert_null(one->variant);
	assert_int_equal(one->block_count, 1);
	/* It did not say, but where there is a block there is a list. */
	assert_int_equal(one->block_records, 1);
}

static void
test_no_histogram_of_a_format_with_one(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	struct gprofx_histogram histogram = testrun_record(0x1000, 0x1010, NULL, 0);

	histogram.is_only = histogram.lacks_rate = true;
	histogram.rate = 0;
	histogram.usual_rate = 60;
	add(test, profile, &histogram);
	assert_int_equal(finish(test, profile)->histogram_records, 0);
	assert_int_equal(profile->rate, 60);
}

/* Metrics are distinguished by name, and sums stay at the largest number there is. */
static void
test_samples_of_several_metrics(void **state)
{
	static const char *const names[] = {"loads", "stores", "lines"};
	static const struct gprofx_raw_sample rows[] = {{0x1000, INT64_MAX},
	                                                {0x1001, INT64_MAX},
	                                                {0x1002, 9}};
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	const struct gprofx_profile_builder *b = profile->public.builder;
	const struct gprofx_profile_file *one;

	for (uint32_t i = 0; i < 3; i++) {
		const struct gprofx_raw_metric metric = {.size = sizeof metric,
		                                         .name = names[i],
		                                         .unit = "lines",
		                                         .ticks_per_unit = 1,
		                                         .kind = GPROFX_COUNTED};
		const struct gprofx_from from = {
			.size = sizeof from,
			.metric = b->metric(&test->run.gx, &profile->public, &file, &metric)};

		b->samples(&test->run.gx, &profile->public, &file, &from, rows, 3 - i);
	}
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	one = finish(test, profile);
	assert_int_equal(one->range_count, 3);
	assert_int_equal(one->samples, UINT64_MAX);
	assert_int_equal(one->known_samples, UINT64_MAX);
	for (uint32_t i = 0; i < 3; i++) {
		const struct gprofx_file_range *range = gprofx_range_at(one, i);
		uint32_t metric = range->high == 0x1003 ? 0 : range->high == 0x1002 ? 1 : 2;

		/* That is the name of the unit, so there is nothing to add. */
		if (metric == 2)
			assert_null(range->metric);
		else
			assert_string_equal(range->metric, names[metric]);
		assert_int_equal(range->records, 3 - metric);
		assert_true(range->samples == (metric == 0   ? UINT64_MAX
		                               : metric == 1 ? UINT64_MAX - 1
		                                             : INT64_MAX));
	}
}

/* The same of counters of 8 bytes, in several records of several metrics. */
static void
test_histograms_of_several_metrics(void **state)
{
	static const uint8_t bins[] = {255, 255, 255, 255, 255, 255, 255, 255,
	                               1,   0,   0,   0,   0,   0,   0,   0};
	struct testrun *test = *state;
	struct profile *profile = begin(test);
	const struct gprofx_profile_builder *b = profile->public.builder;
	struct gprofx_histogram record = testrun_record(0x1000, 0x1008, bins, 2);
	struct gprofx_raw_metric metric = {.size = sizeof metric,
	                                   .unit = "seconds",
	                                   .abbreviation = 's',
	                                   .ticks_per_unit = 100,
	                                   .kind = GPROFX_SAMPLED};
	const struct gprofx_profile_file *one;

	record.bin_bytes = 8;
	for (uint32_t i = 0; i < 4; i++) {
		metric.name = i % 2 == 0 ? "time" : "wait";
		record.metric = b->metric(&test->run.gx, &profile->public, &file, &metric);
		assert_int_equal(b->histogram(&test->run.gx, &profile->public, &file, &record),
		                 GPROFX_OK);
	}
	one = finish(test, profile);
	assert_int_equal(one->range_count, 2);
	assert_int_equal(one->samples, UINT64_MAX);
	assert_int_equal(one->known_samples, UINT64_MAX);
	for (uint32_t i = 0; i < 2; i++) {
		const struct gprofx_file_range *range = gprofx_range_at(one, i);

		assert_int_equal(range->samples, UINT64_MAX);
		assert_int_equal(range->records, 2);
	}
	assert_null(gprofx_range_at(one, 0)->metric);
	assert_string_equal(gprofx_range_at(one, 1)->metric, "wait");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_nobody_wants_facts),
		TESTRUN(test_only_whole_files_are_listed),
		TESTRUN(test_ranges_of_one_form_are_one),
		TESTRUN(test_samples_that_overlap_functions_are_known),
		TESTRUN(test_arcs_are_counted_once),
		TESTRUN(test_layouts_of_older_readers_are_shorter),
		TESTRUN(test_no_histogram_of_a_format_with_one),
		TESTRUN(test_samples_of_several_metrics),
		TESTRUN(test_histograms_of_several_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
