/* SPDX-License-Identifier: Apache-2.0 */
/* Samples at single addresses, and what is of which thread: merged, moved, taken back. */
#include "smallrun.h"

#include "profile/sparse.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "samples"};

static struct gprofx *
gx_of(struct testrun *test)
{
	return &test->run.gx;
}

/* A slice of a thread with this number, in a process of the same number. */
static uint32_t
slice_of(struct testrun *test, struct profile *profile, uint64_t number, const char *name)
{
	const struct gprofx_profile_builder *b = profile->public.builder;
	const struct gprofx_raw_process process = {.size = sizeof process, .number = number};
	struct gprofx_raw_thread thread = {.size = sizeof thread, .number = 9, .name = name};

	thread.process = b->process(gx_of(test), &profile->public, &file, &process);
	return b->slice(gx_of(test), &profile->public, &file,
	                b->thread(gx_of(test), &profile->public, &file, &thread), 0);
}

static void
add(struct testrun *test, struct profile *profile, uint32_t slice, uint64_t address, int64_t weight)
{
	const struct gprofx_from from = {.size = sizeof from, .slice = slice};
	const struct gprofx_raw_sample row = {address, weight};

	profile->public.builder->samples(gx_of(test), &profile->public, &file, &from, &row, 1);
}

static void
test_merged(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct sparse_sample *rows;

	for (int i = 0; i < 3; i++) {
		profile_begin_file(&test->run, profile, "samples", 0, false);
		add(test, profile, 0, 0x30, 5);
		add(test, profile, 0, 0x10, 0);
		add(test, profile, 0, 0x20, i == 1 ? -1 : 7);
		if (i == 1)
			profile_drop_file(&test->run, profile);
		else
			assert_int_equal(profile_commit_file(&test->run, profile, &file),
			                 GPROFX_OK);
		profile_add_up(&test->run, profile);
	}
	/* What was left out was said of a file that counts. */
	assert_null(test->last_id[0] ? test->last_id : NULL);
	profile_finish(&test->run, profile);
	rows = sparse_rows(&profile->sparse);
	assert_true(profile->has_sparse && !profile->has_histogram);
	assert_int_equal(profile->sparse.count, 2);
	assert_int_equal(rows[0].address, 0x20);
	assert_int_equal(rows[0].weight, 14);
	assert_int_equal(rows[1].address, 0x30);
	assert_int_equal(rows[1].weight, 10);
	assert_int_equal(profile->sparse_total, 24);
	assert_int_equal(profile->files[0].samples, 12);
	assert_int_equal(profile->files[1].sparse_count, 2);
	assert_string_equal(profile->metric_name, "samples");
	assert_true(sparse_is_within(profile, 0x20, 0x21));
	assert_true(sparse_is_within(profile, 0x21, 0x31));
	assert_false(sparse_is_within(profile, 0x21, 0x30));
	assert_false(sparse_is_within(profile, 0x31, 0x40));
	assert_true(profile_has_samples(profile, 0x18, 0x28));
}

/* Without anybody who asks, readers get numbers, and nothing is kept by them. */
static void
test_unwanted(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	profile_begin_file(&test->run, profile, "samples", 0, false);
	assert_int_equal(slice_of(test, profile, 1, "a"), 1);
	assert_int_equal(slice_of(test, profile, 1, "a"), 2);
	add(test, profile, 1, 0x10, 1);
	add(test, profile, 2, 0x10, 2);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	profile_finish(&test->run, profile);
	assert_int_equal(profile->slices.count, 0);
	assert_int_equal(profile->sparse.count, 1);
	assert_int_equal(profile->slices.found,
	                 GPROFX_SLICE_PROCESS | GPROFX_SLICE_THREAD | UINT32_C(1) << SLICE_SLICE);
}

/* Threads are the same in all files if all that is known of them is. */
static void
test_kept(void **state)
{
	static const uint8_t bins[] = {0, 3};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_raw_arc arcs[] = {{1, 2, 3}, {1, 2, 3}, {4, 2, 1}};
	const struct gprofx_raw_call call = {2, 8};
	const struct slice_call *calls;
	const struct slice_bin *bin;

	slices_want(profile, GPROFX_SLICE_THREAD, false);
	for (int i = 0; i < 3; i++) {
		struct gprofx_from from = {.size = sizeof from};
		struct gprofx_histogram record = testrun_record(0x10, 0x20, bins, 2);
		const struct gprofx_profile_builder *b = profile->public.builder;

		profile_begin_file(&test->run, profile, "samples", 0, false);
		/* The second file, which is dropped, has threads that nobody else has. */
		slice_of(test, profile, i == 1 ? 7 : 1, NULL);
		from.slice = slice_of(test, profile, i == 1 ? 8 : 1, i == 1 ? "b" : "a");
		assert_int_equal(from.slice, 2);
		b->arcs(gx_of(test), &profile->public, NULL, arcs, 1);
		b->arcs(gx_of(test), &profile->public, &from, arcs + 1, 2);
		b->calls(gx_of(test), &profile->public, &from, &call, 1);
		record.slice = from.slice;
		assert_int_equal(b->histogram(gx_of(test), &profile->public, &file, &record),
		                 GPROFX_OK);
		if (i == 1)
			profile_drop_file(&test->run, profile);
		else
			assert_int_equal(profile_commit_file(&test->run, profile, &file),
			                 GPROFX_OK);
	}
	profile_add_up(&test->run, profile);
	/* One process, two threads, two slices. */
	assert_int_equal(profile->slices.count, 5);
	assert_null(profile->slices.rows[1].name);
	assert_int_equal(profile->slices.rows[1].of, 1);
	assert_string_equal(profile->slices.rows[3].name, "a");
	calls = profile->slices.calls.items;
	assert_int_equal(profile->slices.calls.count, 8);
	assert_int_equal(calls[0].slice, 0);
	assert_int_equal(calls[1].slice, 5);
	assert_int_equal(calls[2].from, 4);
	assert_false(calls[3].has_caller);
	assert_int_equal(calls[3].count, 8);
	assert_int_equal(calls[4].slice, 0);
	assert_int_equal(calls[7].slice, 5);
	bin = profile->slices.bins.items;
	assert_int_equal(profile->slices.bins.count, 2);
	assert_int_equal(bin[1].slice, 5);
	assert_int_equal(bin[1].bin, 1);
	assert_int_equal(bin[1].samples, 3);
	kept_rows_merge(&test->run, &profile->slices.bins, sizeof *bin, true);
	assert_int_equal(profile->slices.bins.count, 1);
	assert_int_equal(((const struct slice_bin *)profile->slices.bins.items)->samples, 6);
	kept_rows_merge(&test->run, &profile->slices.calls, sizeof *calls, true);
	assert_int_equal(profile->slices.calls.count, 4);
}

/* By file, all that has no other slice is of that of its file; nothing else changes. */
static void
test_by_file(void **state)
{
	static const uint64_t address = 0x18, weight = 2;
	static const uint32_t first[] = {0, 1};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_profile_builder *b = profile->public.builder;
	const struct gprofx_raw_arc arc = {1, 2, 3};
	const struct slice_call *calls;
	const struct stack_slice *stacks;
	const struct slices *slices = &profile->slices;

	slices_want_files(profile);
	slices_want(profile, 0, false);
	for (int i = 0; i < 4; i++) {
		struct gprofx_from from = {.size = sizeof from};
		struct gprofx_raw_stacks rows = {.size = sizeof rows,
		                                 .count = 1,
		                                 .first = first,
		                                 .address = &address,
		                                 .weight = &weight,
		                                 .rate = 1,
		                                 .dimension = "samples",
		                                 .abbreviation = 's'};

		profile_begin_file(&test->run, profile, "samples", 0, false);
		b->arcs(gx_of(test), &profile->public, NULL, &arc, 1);
		/* The first file has no stacks, the third is dropped. */
		if (i > 0) {
			from.slice = slice_of(test, profile, 1, "a");
			b->arcs(gx_of(test), &profile->public, &from, &arc, 1);
			b->stacks(gx_of(test), &profile->public, &file, NULL, &rows);
		}
		if (i == 2)
			profile_drop_file(&test->run, profile);
		else
			assert_int_equal(profile_commit_file(&test->run, profile, &file),
			                 GPROFX_OK);
		assert_true(slices_are_by_file(profile) == (i > 0));
	}
	profile_add_up(&test->run, profile);
	/* The first file; the second, its process, thread and slice; the last, and its slice. */
	assert_int_equal(slices->count, 7);
	assert_int_equal(slices->rows[0].file, 1);
	assert_int_equal(slices->rows[1].file, 2);
	assert_int_equal(slices->rows[2].kind, SLICE_PROCESS);
	assert_int_equal(slices->rows[2].file, 0);
	assert_int_equal(slices->rows[4].file, 2);
	assert_int_equal(slices->rows[4].of, 4);
	assert_int_equal(slices->rows[6].file, 3);
	calls = slices->calls.items;
	assert_int_equal(slices->calls.count, 5);
	assert_int_equal(calls[0].slice, 0);
	assert_int_equal(calls[1].slice, 2);
	assert_int_equal(calls[2].slice, 5);
	assert_int_equal(calls[3].slice, 6);
	assert_int_equal(calls[4].slice, 7);
	stacks = profile->stacks.by_slice.items;
	assert_int_equal(profile->stacks.by_slice.count, 2);
	assert_int_equal(stacks[0].slice, 2);
	assert_int_equal(stacks[1].slice, 6);
	assert_int_equal(slices->found,
	                 GPROFX_SLICE_PROCESS | GPROFX_SLICE_THREAD | UINT32_C(1) << SLICE_SLICE);
}

/* Before a file has threads nothing is kept; what came before it is then of none. */
static void
test_from_first_on(void **state)
{
	static const uint8_t bins[] = {0, 3};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_raw_arc arc = {1, 2, 3};
	const struct gprofx_raw_call call = {2, 8};
	const struct slice_call *calls;
	const struct slice_bin *bin;

	slices_want(profile, GPROFX_SLICE_THREAD, false);
	for (int i = 0; i < 4; i++) {
		struct gprofx_from from = {.size = sizeof from};
		struct gprofx_histogram record = testrun_record(0x10, 0x20, bins, 2);
		const struct gprofx_profile_builder *b = profile->public.builder;

		profile_begin_file(&test->run, profile, "samples", 0, false);
		from.slice = record.slice = i == 2 ? slice_of(test, profile, 1, "a") : 0;
		b->arcs(gx_of(test), &profile->public, &from, &arc, 1);
		b->calls(gx_of(test), &profile->public, &from, &call, 1);
		assert_int_equal(b->histogram(gx_of(test), &profile->public, &file, &record),
		                 GPROFX_OK);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
		/* The second and the third file are added up together. */
		if (i != 1)
			profile_add_up(&test->run, profile);
		if (i == 0)
			assert_int_equal(profile->slices.bins.count + profile->slices.calls.count,
			                 0);
	}
	bin = profile->slices.bins.items;
	kept_rows_merge(&test->run, &profile->slices.bins, sizeof *bin, true);
	assert_int_equal(profile->slices.bins.count, 2);
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(bin[i].samples, bin[i].slice == 0 ? 9 : 3);
	calls = profile->slices.calls.items;
	kept_rows_merge(&test->run, &profile->slices.calls, sizeof *calls, true);
	assert_int_equal(profile->slices.calls.count, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(calls[i].count,
		                 (calls[i].has_caller ? 3 : 8) * (calls[i].slice == 0 ? 3 : 1));
}

/* Ticks of different length are different rows. */
static void
test_rates(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct sparse_sample *rows;

	for (uint32_t rate = 100; rate <= 200; rate += 100) {
		const struct gprofx_raw_metric metric = {.size = sizeof metric,
		                                         .name = "time",
		                                         .unit = "seconds",
		                                         .ticks_per_unit = rate,
		                                         .kind = GPROFX_SAMPLED};

		profile_begin_file(&test->run, profile, "samples", 0, false);
		profile->public.builder->metric(gx_of(test), &profile->public, &file, &metric);
		/* The metric that the file declared first. */
		add(test, profile, 0, 0x10, 4);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	}
	profile_finish(&test->run, profile);
	rows = sparse_rows(&profile->sparse);
	assert_int_equal(profile->rate, 100);
	assert_int_equal(profile->sparse.count, 2);
	assert_int_equal(rows[0].rate, 100);
	assert_int_equal(rows[1].rate, 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_merged),  TESTRUN(test_unwanted),      TESTRUN(test_kept),
		TESTRUN(test_by_file), TESTRUN(test_from_first_on), TESTRUN(test_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
