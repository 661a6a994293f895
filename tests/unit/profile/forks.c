/* SPDX-License-Identifier: Apache-2.0 */
/* What files of forked children have copied of their parent's, and what only looks like that. */
#include "smallrun.h"

#include "profile/copies.h"

enum { BINS = 40, EACH = 20, MOST_FILES = 3 };

struct fork_file {
	const char *name;
	int64_t modified;
	struct small_call calls[3];
	uint8_t other; /* samples of the first bin besides those that all have */
	uint64_t slide, inode;
	bool has_callerless;
};

struct forking {
	const char *what;
	struct fork_file files[MOST_FILES];
	bool is_weak, is_uncorrected, is_not_all, has_blocks;
	/* Per file what it copied from which; the counts of all arcs; samples of the sum. */
	const char *expected;
};

static struct profile *
read_files(struct testrun *test, const struct forking *forking)
{
	static uint8_t bins[MOST_FILES][BINS];
	struct profile *profile = profile_new(&test->run);
	const struct gprofx_profile_builder *builder = profile->public.builder;

	copies_want(&test->run, profile, true, 0);
	for (uint32_t i = 0; i < MOST_FILES && forking->files[i].name; i++) {
		const struct fork_file *from = &forking->files[i];
		const struct gprofx_file file = {.size = sizeof file, .name = from->name};
		struct gprofx_histogram record = testrun_record(0x1000, 0x1000 + 4 * BINS, bins[i],
		                                                BINS);

		/* Two samples in each of two bins are no proof. */
		memset(bins[i], 0, BINS);
		memset(bins[i], forking->is_weak ? 2 : EACH, forking->is_weak ? 2 : BINS);
		bins[i][0] = (uint8_t)(bins[i][0] + from->other);
		profile_begin_file(&test->run, profile, from->name, from->modified, false);
		profile->files[i].slide = from->slide;
		profile->files[i].inode = from->inode;
		assert_int_equal(
			builder->histogram(&test->run.gx, &profile->public, &file, &record),
			GPROFX_OK);
		for (uint32_t k = 0; k < 3 && from->calls[k].self != 0; k++) {
			const struct gprofx_raw_arc arc = {from->calls[k].from, from->calls[k].self,
			                                   from->calls[k].count};

			builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
		}
		if (from->has_callerless)
			builder->calls(&test->run.gx, &profile->public, NULL,
			               &(struct gprofx_raw_call){0x1000, 1}, 1);
		if (forking->has_blocks && i == 0)
			builder->blocks(&test->run.gx, &profile->public, NULL,
			                &(struct gprofx_raw_block){0x1000, 1}, 1);
		assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	}
	test->run.corrections = forking->is_uncorrected ? 0 : GPROFX_CORRECT_FORKED_COPIES;
	copies_compare(&test->run, profile, !forking->is_not_all);
	profile_add_up(&test->run, profile);
	return profile;
}

#define PARENT                                                                     \
	{                                                                          \
		.name = "g.100", .modified = 5, .calls = { {1, 9, 10}, {2, 9, 1} } \
	}
#define CHILD                                                                      \
	{                                                                          \
		.name = "g.101", .modified = 5, .calls = { {1, 9, 15}, {2, 9, 1} } \
	}

static void
test_copies(void **state)
{
	static const struct forking cases[] = {
		/* Of 15 calls 10 are the parent's, and the one of 2; so are all of the samples. */
		{"parent and child", {PARENT, CHILD}, .expected = "- 800/11<g.100; 10 1 5 0; 800"},
		{"the child is named first",
	         {CHILD, PARENT},
	         .expected = "800/11<g.100 -; 5 0 10 1; 800"},
		{"two children",
	         {CHILD,
	          PARENT,
	          {.name = "g.102", .modified = 6, .calls = {{3, 9, 4}, {1, 9, 10}, {2, 9, 1}}}},
	         .expected = "800/11<g.100 - 800/11<g.100; 5 0 10 1 4 0 0; 800"},
		/* The same arc twice: 6 and 9 calls are 0 and 5 others. */
		{"an arc twice",
	         {PARENT,
	          {.name = "g.101", .modified = 5, .calls = {{1, 9, 6}, {1, 9, 9}, {2, 9, 1}}}},
	         .expected = "- 800/11<g.100; 10 1 0 5 0; 800"},
		{"a parent without calls",
	         {{.name = "g.100", .modified = 5, .calls = {{0}}}, CHILD},
	         .expected = "- 800/0<g.100; 15 1; 800"},
		{"in another folder",
	         {PARENT, {.name = "there/g.101", .modified = 5, .calls = {{1, 9, 15}, {2, 9, 1}}}},
	         .expected = "- 800/11<g.100; 10 1 5 0; 800"},
		/* A second is what times of files are rounded to. */
		{"written one second later",
	         {PARENT, {.name = "g.101", .modified = 6, .calls = {{1, 9, 15}, {2, 9, 1}}}},
	         .expected = "- 800/11<g.100; 10 1 5 0; 800"},
		{"written two seconds later",
	         {PARENT, {.name = "g.101", .modified = 7, .calls = {{1, 9, 15}, {2, 9, 1}}}},
	         .expected = "- -; 10 1 15 1; 1600"},
		{"the parent's twice",
	         {PARENT, PARENT, CHILD},
	         .expected = "- - 800/11<g.100; 10 1 10 1 5 0; 1600"},
		/* Nothing shows that there was a fork. */
		{"the same in everything",
	         {PARENT, {.name = "g.101", .modified = 5, .calls = {{1, 9, 10}, {2, 9, 1}}}},
	         .expected = "- -; 10 1 10 1; 1600"},
		{"the same, and a child",
	         {PARENT,
	          {.name = "g.101", .modified = 5, .calls = {{1, 9, 10}, {2, 9, 1}}},
	          {.name = "g.102", .modified = 5, .calls = {{1, 9, 12}, {2, 9, 1}}}},
	         .expected = "- 800/11<g.100 800/11<g.100; 10 1 0 0 2 0; 800"},
		{"the same, named before the parent",
	         {{.name = "g.101", .modified = 5, .calls = {{1, 9, 10}, {2, 9, 1}}},
	          PARENT,
	          {.name = "g.102", .modified = 5, .calls = {{1, 9, 12}, {2, 9, 1}}}},
	         .expected = "800/11<g.100 - 800/11<g.100; 0 0 10 1 2 0; 800"},
		{"other names",
	         {PARENT, {.name = "h.101", .modified = 5, .calls = {{1, 9, 15}, {2, 9, 1}}}},
	         .expected = "- -; 10 1 15 1; 1600"},
		{"no numbers",
	         {{.name = "g", .modified = 5, .calls = {{1, 9, 10}, {2, 9, 1}}},
	          {.name = "h", .modified = 5, .calls = {{1, 9, 15}, {2, 9, 1}}}},
	         .expected = "- -; 10 1 15 1; 1600"},
		{"the child was there first",
	         {PARENT, {.name = "g.99", .modified = 5, .calls = {{1, 9, 15}, {2, 9, 1}}}},
	         .expected = "- -; 10 1 15 1; 1600"},
		{"calls are missing",
	         {PARENT, {.name = "g.101", .modified = 5, .calls = {{1, 9, 15}}}},
	         .expected = "- -; 10 1 15; 1600"},
		{"fewer calls of one",
	         {PARENT, {.name = "g.101", .modified = 5, .calls = {{1, 9, 9}, {2, 9, 8}}}},
	         .expected = "- -; 10 1 9 8; 1600"},
		{"other samples",
	         {PARENT,
	          {.name = "g.101", .modified = 5, .calls = {{1, 9, 15}, {2, 9, 1}}, .other = 1}},
	         .expected = "- -; 10 1 15 1; 1601"},
		{"another load address",
	         {PARENT,
	          {.name = "g.101", .modified = 5, .calls = {{1, 9, 15}, {2, 9, 1}}, .slide = 64}},
	         .expected = "- -; 10 1 15 1; 1600"},
		{"calls without a caller",
	         {PARENT,
	          {.name = "g.101",
	           .modified = 5,
	           .calls = {{1, 9, 15}, {2, 9, 1}},
	           .has_callerless = true}},
	         .expected = "- -; 10 1 15 1; 1600"},
		{"few samples", {PARENT, CHILD}, .is_weak = true, .expected = "- -; 10 1 15 1; 8"},
		{"by gprof",
	         {PARENT, CHILD},
	         .is_uncorrected = true,
	         .expected = "- -; 10 1 15 1; 1600"},
		{"more files follow",
	         {PARENT, CHILD},
	         .is_not_all = true,
	         .expected = "- -; 10 1 15 1; 1600"},
		{"with blocks",
	         {PARENT, CHILD},
	         .has_blocks = true,
	         .expected = "- -; 10 1 15 1; 1600"},
		{"one file", {PARENT}, .expected = "-; 10 1; 800"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct profile *profile = read_files(test, &cases[i]);
		struct small_text found = {.length = 0};
		uint64_t samples = 0;

		for (uint32_t k = 0; k < profile->file_count; k++) {
			const struct profile_file *file = &profile->files[k];

			if (file->copied_from)
				small_add(&found, "%s%llu/%llu<%s", k > 0 ? " " : "",
				          (unsigned long long)file->copied_samples,
				          (unsigned long long)file->copied_calls,
				          file->copied_from);
			else
				small_add(&found, "%s-", k > 0 ? " " : "");
		}
		small_add(&found, ";");
		for (uint32_t k = 0; k < profile->arc_count; k++)
			small_add(&found, " %u", (uint32_t)profile->arcs[k].count);
		for (uint32_t k = 0; k < BINS; k++)
			samples += histogram_bin(&profile->histograms[0], k);
		small_add(&found, "; %u", (uint32_t)samples);
		small_expect(cases[i].what, cases[i].expected, &found);
		run_finish(&test->run);
		run_start(&test->run, &test->settings, &test->frontend);
	}
}

/* Which of two processes was there before, by the names of their files. */
static void
test_names(void **state)
{
	static const struct {
		const char *name, *other;
		bool is_earlier;
	} cases[] = {
		{"gmon.out.9", "gmon.out.10", true},
		{"gmon.out.10", "gmon.out.9", false},
		{"gmon.out.9", "gmon.out.9", false},
		{"a/gmon.out.9", "b/c/gmon.out.10", true},
		{"gmon.out.9", "gmon.txt.10", false},
		{"gmon.out.9", "gmon.out.x10", false},
		{"gmon.out.9", "gmon.out.10x", false},
		{"gmon.out.9x", "gmon.out.10", false},
		{"gmon.out.", "gmon.out.10", false},
		{"gmon", "gmon.10", false},
		{"g.1234567890", "g.1234567891", true},
		{"g.1", "g.12345678901", false},
		{"gm.1", "g.2", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct profile_file a = {.name = cases[i].name}, b = {.name = cases[i].other};

		if (copies_is_earlier(&a, &b) != cases[i].is_earlier)
			fail_msg("%s and %s", a.name, b.name);
	}
}

static void
test_one_file(void **state)
{
	struct profile_file a = {.name = "a"}, b = {.name = "b"};

	(void)state;
	assert_true(copies_are_one_file(&a, &a));
	assert_false(copies_are_one_file(&a, &b));
	a.inode = b.inode = 5;
	assert_true(copies_are_one_file(&a, &b));
	b.device = 1;
	assert_false(copies_are_one_file(&a, &b));
	b.device = 0;
	b.inode = 6;
	assert_false(copies_are_one_file(&a, &b));
	b = (struct profile_file){.name = "a"};
	assert_true(copies_are_one_file(&a, &b));
	a.inode = 0;
	b.inode = 5;
	assert_true(copies_are_one_file(&a, &b));
}

static void
expect_near(double found, double expected)
{
	if (found < expected - 2e-6 || found > expected + 2e-6)
		fail_msg("expected %.9f, found %.9f", expected, found);
}

/*
 * With b(n) = log(2 pi n) / 2 + 1 / 12 n, which is 2.876617 for 50, 3.222357 for 100, 2.078564 for
 * 10: what bins side by side have, less what they have together.
 */
static void
test_evidence(void **state)
{
	struct profile profile = {.scale = 4};
	struct file_bin together[] = {{0x1000, 50}, {0x1008, 50}};
	struct file_bin apart[] = {{0x1000, 50}, {0x1009, 50}};
	struct file_bin differs[] = {{0x1000, 50}, {0x1008, 49}};
	struct file_bin elsewhere[] = {{0x2000, 50}, {0x2008, 50}};
	struct file_bin half[] = {{0x1000, 50}, {0x1008, 50}, {0x2000, 10}};
	struct file_bin other_half[] = {{0x1000, 50}, {0x1008, 50}, {0x2000, 11}};
	struct file_bin many[32];
	struct file_rows rows = {.bins = together, .bin_count = 2}, other = rows;

	(void)state;
	/* 2 * 2.876617 - 3.222357. */
	expect_near(copies_evidence(&profile, &rows, &rows), 2.530876);
	/* Bins of more than 8 bytes can hold whole loops. */
	profile.scale = 4.5;
	expect_near(copies_evidence(&profile, &rows, &rows), 0);
	profile.scale = 4;
	/* A loop of one bin proves nothing. */
	rows.bins = apart;
	expect_near(copies_evidence(&profile, &rows, &rows), 0);
	/* None of them is the same. */
	rows.bins = together;
	other.bins = differs;
	expect_near(copies_evidence(&profile, &rows, &other), 0);
	other.bins = elsewhere;
	expect_near(copies_evidence(&profile, &rows, &other), 0);
	/* One loop is the same, one is not: which, is one of 2 in 4: less log(4). */
	rows = (struct file_rows){.bins = half, .bin_count = 3};
	other = (struct file_rows){.bins = other_half, .bin_count = 3};
	expect_near(copies_evidence(&profile, &rows, &other), 2.530876 - 1.386294);
	other.bin_count = 2;
	expect_near(copies_evidence(&profile, &rows, &other), 2.530876 - 1.386294);
	/* 32 bins of 10, all apart: of 320 samples 16 loops of 20, b(20) being
	 * 2.420971, are less: 32 * 2.078564 - 16 * 2.420971. */
	for (uint32_t i = 0; i < 32; i++)
		many[i] = (struct file_bin){0x1000 + 0x100 * i, 10};
	rows = (struct file_rows){.bins = many, .bin_count = 32};
	expect_near(copies_evidence(&profile, &rows, &rows), 27.778520);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_copies), TESTRUN(test_names),
	                                   TESTRUN(test_one_file), TESTRUN(test_evidence)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
