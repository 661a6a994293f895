/* SPDX-License-Identifier: Apache-2.0 */
/* The phase that the user chose: rows of all kinds that are of it stay, and all others go. */
#include "smallrun.h"

#include "profile/sparse.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "phased"};

struct slices_of_file {
	uint32_t chosen, other, none;
};

static uint32_t
declare(struct testrun *test, struct profile *profile, uint64_t number, const char *name)
{
	const struct gprofx_profile_builder *b = profile->public.builder;
	const struct gprofx_raw_phase phase = {.size = sizeof phase,
	                                       .number = number,
	                                       .name = name};

	return b->slice(&test->run.gx, &profile->public, &file, 0,
	                b->phase(&test->run.gx, &profile->public, &file, &phase));
}

static struct slices_of_file
begin(struct testrun *test, struct profile *profile, const char *chosen)
{
	struct slices_of_file slices;

	profile_begin_file(&test->run, profile, "phased", 0, false);
	slices.other = declare(test, profile, 1, "other");
	slices.chosen = declare(test, profile, 2, chosen);
	slices.none = profile->public.builder->slice(&test->run.gx, &profile->public, &file, 0, 0);
	return slices;
}

/* A row of each kind, with a number that says of which slice it is. */
static void
add(struct testrun *test, struct profile *profile, uint32_t slice, uint64_t number)
{
	const struct gprofx_profile_builder *b = profile->public.builder;
	const struct gprofx_from from = {.size = sizeof from, .slice = slice};
	const struct gprofx_raw_arc arc = {1, 2, number};
	const struct gprofx_raw_call call = {2, number};
	const struct gprofx_raw_block block = {3, number};
	const struct gprofx_raw_sample sample = {4, (int64_t)number};
	const uint8_t bins[2] = {(uint8_t)number, 0};
	struct gprofx_histogram record = testrun_record(0x10, 0x18, bins, 2);

	record.slice = slice;
	b->arcs(&test->run.gx, &profile->public, &from, &arc, 1);
	b->calls(&test->run.gx, &profile->public, &from, &call, 1);
	b->blocks(&test->run.gx, &profile->public, &from, &block, 1);
	b->samples(&test->run.gx, &profile->public, &file, &from, &sample, 1);
	assert_int_equal(b->check_histogram(&test->run.gx, &profile->public, &file, &record),
	                 GPROFX_OK);
	assert_int_equal(b->histogram(&test->run.gx, &profile->public, &file, &record), GPROFX_OK);
}

static void
add_source(struct testrun *test, struct profile *profile)
{
	const struct gprofx_raw_line line = {7, 8};
	const struct gprofx_raw_source source = {.size = sizeof source,
	                                         .path = "a.c",
	                                         .lines = &line,
	                                         .line_count = 1};

	profile->public.builder->source(&test->run.gx, &profile->public, &source);
}

static void
test_rows(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	test->settings.phase = "load";
	for (int i = 0; i < 2; i++) {
		const struct slices_of_file slices = begin(test, profile, "load");

		add(test, profile, 0, 100);
		add(test, profile, slices.other, 50);
		add(test, profile, slices.chosen, 7);
		add(test, profile, slices.none, 30);
		add_source(test, profile);
		if (i == 1)
			profile_drop_file(&test->run, profile);
		else
			assert_int_equal(profile_commit_file(&test->run, profile, &file),
			                 GPROFX_OK);
	}
	assert_int_equal(phases_expect_chosen(&test->run, profile), GPROFX_OK);
	profile_add_up(&test->run, profile);
	profile_finish(&test->run, profile);
	assert_true(profile->has_arcs && profile->has_blocks && profile->has_histogram);
	assert_false(profile->has_source);
	assert_int_equal(profile->arc_count, 1);
	assert_int_equal(profile->arcs[0].count, 7);
	assert_int_equal(profile->call_count, 1);
	assert_int_equal(profile->calls[0].count, 7);
	assert_int_equal(profile->block_count, 1);
	assert_int_equal(profile->blocks[0].count, 7);
	assert_int_equal(histogram_bin(&profile->histograms[0], 0), 7);
	assert_int_equal(profile->files[0].calls, 14);
}

/* With "slice", each stack has its own; without, all have that of the call. */
static void
add_stacks(struct testrun *test, struct profile *profile, uint32_t common, const uint32_t *slice)
{
	static const uint64_t address[] = {0x20, 0x10, 0x30, 0x10, 0x40};
	static const uint32_t first[] = {0, 2, 4, 5};
	static const uint64_t weight[] = {1, 20, 300};
	const struct gprofx_from from = {.size = sizeof from, .slice = common};
	const struct gprofx_raw_stacks stacks = {.size = sizeof stacks,
	                                         .count = 3,
	                                         .first = first,
	                                         .address = address,
	                                         .weight = weight,
	                                         .squares = weight,
	                                         .rate = 100,
	                                         .dimension = "seconds",
	                                         .abbreviation = 's',
	                                         .slice = slice};

	assert_int_equal(profile->public.builder->stacks(&test->run.gx, &profile->public, &file,
	                                                 &from, &stacks),
	                 GPROFX_OK);
}

static void
test_stacks(void **state)
{
	struct testrun *test = *state;

	for (int i = 0; i < 3; i++) {
		struct profile *profile = profile_new(&test->run);
		struct slices_of_file slices;

		test->settings.phase = i == 0 ? NULL : "load";
		slices = begin(test, profile, "load");
		profile_set_length(profile, 1000);
		if (i < 2) {
			const uint32_t each[] = {slices.chosen, 0, slices.chosen};

			add_stacks(test, profile, slices.other, each);
		} else {
			add_stacks(test, profile, slices.other, NULL);
			add_stacks(test, profile, slices.chosen, NULL);
			add_stacks(test, profile, 0, NULL);
		}
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
		assert_int_equal(profile->files[0].stack_ticks, i == 1 ? 301 : 321);
		assert_int_equal(profile->files[0].left_out_ticks, i == 0 ? 0 : i == 1 ? 20 : 642);
		assert_int_equal(profile->files[0].stack_count, i == 1 ? 2 : 3);
		assert_true(profile->stacks.is_there);
	}
}

static void
test_unknown(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	char name[24];

	assert_int_equal(phases_expect_chosen(&test->run, profile), GPROFX_OK);
	test->settings.phase = "";
	assert_int_equal(phases_expect_chosen(&test->run, profile), GPROFX_OK);
	test->settings.phase = "load";
	assert_int_equal(phases_expect_chosen(&test->run, profile), GPROFX_FAILED);
	assert_string_equal(test->last_id, "profile.unknown-phase");
	assert_non_null(strstr(test->said, "they have no phases"));
	(void)begin(test, profile, NULL);
	assert_int_equal(phases_expect_chosen(&test->run, profile), GPROFX_FAILED);
	assert_non_null(strstr(test->said, "only: other, 2"));
	(void)begin(test, profile, "other");
	for (int i = 3; i <= 20; i++) {
		snprintf(name, sizeof name, "%d", i);
		(void)declare(test, profile, 0, name);
	}
	assert_int_equal(phases_expect_chosen(&test->run, profile), GPROFX_FAILED);
	assert_non_null(strstr(test->said, ", 19, 20"));
	assert_null(strstr(test->said, "..."));
	(void)declare(test, profile, 21, NULL);
	assert_int_equal(phases_expect_chosen(&test->run, profile), GPROFX_FAILED);
	assert_non_null(strstr(test->said, ", 20, ..."));
	(void)declare(test, profile, 0, "load");
	assert_int_equal(phases_expect_chosen(&test->run, profile), GPROFX_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_rows),
		TESTRUN(test_stacks),
		TESTRUN(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
