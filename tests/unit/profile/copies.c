/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that are kept of single files, how many, and what proof of a copy they have to give. */
#include "smallrun.h"

#include "profile/copies.h"

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};

/* A file of counters of 4 bytes each from 0x1000 on. */
static void
add_file(struct testrun *test, struct profile *profile, const char *name, const uint8_t *bins,
         uint32_t bin_count, const struct gprofx_raw_arc *arcs, uint32_t arc_count)
{
	struct gprofx_histogram record = testrun_record(0x1000, 0x1000 + 4 * (uint64_t)bin_count,
	                                                bins, bin_count);

	profile_begin_file(&test->run, profile, name, 5, false);
	if (bin_count > 0)
		assert_int_equal(profile->public.builder->histogram(&test->run.gx, &profile->public,
		                                                    &file, &record),
		                 GPROFX_OK);
	profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, arcs, arc_count);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
}

static void
test_rows(void **state)
{
	enum { BINS = 300 };
	static uint8_t bins[BINS];
	static const struct gprofx_raw_arc arcs[] = {{5, 2, 1}, {1, 2, 2}, {5, 1, 3},
	                                             {5, 2, 4}, {1, 2, 5}, {1, 2, 6}};
	static const struct gprofx_raw_arc expected[] = {{5, 1, 3}, {1, 2, 13}, {5, 2, 5}};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	const struct file_rows *rows;
	uint32_t count = 0;

	for (uint32_t i = 0; i < BINS; i++)
		bins[i] = i % 2 ? (uint8_t)(1 + i % 7) : 0;
	copies_want(&test->run, profile, true, 0);
	add_file(test, profile, "a", bins, BINS, arcs, 1);
	add_file(test, profile, "b", bins, BINS, arcs, 6);
	copies_compare(&test->run, profile, false);
	rows = profile->files[1].rows;
	assert_true(rows->is_whole);
	assert_int_equal(rows->first_arc, 1);
	assert_int_equal(rows->raw_arcs, 6);
	assert_int_equal(rows->arc_count, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_memory_equal(&rows->arcs[i], &expected[i], sizeof expected[i]);
	for (uint32_t i = 1; i < BINS; i += 2) {
		assert_int_equal(rows->bins[count].address, 0x1000 + 4 * i);
		assert_int_equal(rows->bins[count++].count, bins[i]);
	}
	assert_int_equal(rows->bin_count, count);
	assert_int_equal(rows->samples, profile->files[0].rows->samples);
}

/* Rows are kept as long as they are few: of 64 files, 8192 arcs, and fewer bins than that. */
static void
test_limits(void **state)
{
	static const struct {
		uint32_t bins, used, arcs;
		bool has_rows, is_whole;
	} cases[] = {
		{10, 10, 8192, true, true},  {10, 10, 8193, false, false},
		{9000, 8191, 1, true, true}, {9000, 8192, 1, true, false},
		{1 << 20, 3, 1, true, true}, {(1 << 20) + 1, 3, 1, true, false},
		{10, 0, 0, true, true},
	};
	static uint8_t bins[(1 << 20) + 1];
	struct testrun *test = *state;
	struct gprofx_raw_arc *arcs;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct profile *profile;

		testrun_again(test);
		memory_array(&test->run, arcs, 8193);
		for (uint32_t k = 0; k < 8193; k++)
			arcs[k] = (struct gprofx_raw_arc){k, 1, 1};
		profile = profile_new(&test->run);
		copies_want(&test->run, profile, true, 0);
		memset(bins, 0, sizeof bins);
		memset(bins, 1, cases[i].used);
		for (uint32_t f = 0; f < 2; f++)
			add_file(test, profile, "a", bins, cases[i].bins, arcs, cases[i].arcs);
		copies_compare(&test->run, profile, false);
		for (uint32_t f = 0; f < 2; f++) {
			assert_int_equal(profile->files[f].rows != NULL, cases[i].has_rows);
			if (cases[i].has_rows)
				assert_int_equal(profile->files[f].rows->is_whole,
				                 cases[i].is_whole);
		}
	}
}

/* What parent and child have in the tests below: calls of which all are in the child's file. */
static const struct gprofx_raw_arc parent_calls[] = {{1, 9, 10}}, child_calls[] = {{1, 9, 15}};

/* Whether the child's copy is taken out, of a parent and a child behind so many other files. */
static bool
is_taken_out(struct testrun *test, const uint8_t *bins, uint32_t bin_count, uint32_t others,
             uint32_t other_bins, uint32_t other_arcs)
{
	struct profile *profile;
	struct gprofx_raw_arc *arcs;
	bool result;

	testrun_again(test);
	profile = profile_new(&test->run);
	copies_want(&test->run, profile, true, 0);
	memory_array(&test->run, arcs, other_arcs);
	for (uint32_t k = 0; k < other_arcs; k++)
		arcs[k] = (struct gprofx_raw_arc){k, 1, 1};
	for (uint32_t f = 0; f < others; f++) {
		uint8_t *own = memory_alloc(&test->run, bin_count);

		/* As many samples in each, but not where the others have them. */
		memset(own, 2, other_bins);
		if (other_bins > 0) {
			own[2 * f] = 3;
			own[2 * f + 1] = 1;
		}
		add_file(test, profile, "other", own, other_bins > 0 ? bin_count : 0, arcs,
		         other_arcs);
	}
	add_file(test, profile, "g.100", bins, bin_count, parent_calls, 1);
	add_file(test, profile, "g.101", bins, bin_count, child_calls, 1);
	test->run.corrections = GPROFX_CORRECT_FORKED_COPIES;
	copies_compare(&test->run, profile, true);
	profile_add_up(&test->run, profile);
	result = profile->files[others + 1].copied_from != NULL;
	assert_int_equal(profile->files[others].samples, profile->files[others + 1].samples);
	if (result)
		assert_int_equal(profile->files[others + 1].copied_samples,
		                 profile->files[others].samples);
	assert_null(profile->files[others].copied_from);
	return result;
}

/*
 * Each loop of two bins of 20 samples is worth 2 b(20) - b(40) = 2.076478, with b as in the tests
 * of evidence: seven are 14.535, and six are 12.459.  14 and the logarithm of the number of pairs
 * of files are asked for: 14 of two files, 15.099 of three, 15.792 of four.
 */
static void
test_proof(void **state)
{
	enum { BINS = 50, APART = 5 };
	static const struct {
		uint32_t loops, others;
		bool is_proof;
	} cases[] = {{7, 0, true}, {6, 0, false}, {7, 1, false}, {8, 1, true}, {8, 2, true}};
	uint8_t bins[BINS];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		memset(bins, 0, sizeof bins);
		for (uint32_t k = 0; k < cases[i].loops; k++)
			bins[APART * k] = bins[APART * k + 1] = 20;
		assert_int_equal(is_taken_out(*state, bins, BINS, cases[i].others, 0, 1),
		                 cases[i].is_proof);
	}
}

/*
 * 16777216 rows may be compared.  Two files of 4000 bins and 4000 arcs each are 16001 of them, and
 * each is compared with itself, too: 45 files, which makes 1035 times, leave room for the 8183 of
 * parent and child, and 46, of which 1048 times are all that there is room for, do not.
 */
static void
test_work(void **state)
{
	enum { OTHERS = 4000, ARCS = 4000, BINS = 4096, USED = 4090 };
	static uint8_t bins[BINS];

	memset(bins, 20, USED);
	assert_true(is_taken_out(*state, bins, BINS, 45, OTHERS, ARCS));
	assert_false(is_taken_out(*state, bins, BINS, 46, OTHERS, ARCS));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_rows), TESTRUN(test_limits),
	                                   TESTRUN(test_proof), TESTRUN(test_work)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
