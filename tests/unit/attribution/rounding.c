/* SPDX-License-Identifier: Apache-2.0 */
/* How the call sites of a profile were rounded, and which of them stand for several functions. */
#include "smallrun.h"

#include "attribution/rounding.h"

enum { MOST_SITES = 9 };

static const struct small_function program[] = {{"a", 0x1000, 0x14},
                                                {"b", 0x1014, 0x1c},
                                                {"c", 0x1030, 0x18},
                                                {"d", 0x1050, 0x10},
                                                {0}};

static struct rounding
rounding_for(struct testrun *test, struct symbols *symbols, const uint64_t *sites, uint32_t stated,
             uint32_t pointer_bytes, uint64_t low)
{
	struct small_call calls[MOST_SITES + 1] = {{0}};
	struct histogram histograms[3] = {{.low = low + 0x40}, {.low = low}, {.low = low + 0x80}};
	struct profile *profile;

	for (uint32_t i = 0; i < MOST_SITES && sites[i] != 0; i++)
		calls[i] = (struct small_call){sites[i], 0x1050, 1};
	profile = small_profile(test, calls);
	if (low != 0) {
		profile->histograms = histograms;
		profile->histogram_count = 3;
	}
	symbols->table.target.pointer_bytes = (uint8_t)pointer_bytes;
	test->settings.quantum = stated;
	return rounding_of(&test->run, symbols, profile);
}

/*
 * What all sites have in common, from the lowest histogram or the first site on, counts if there
 * are eight different ones.  Of fewer, multiples of more than two words are chance: "usual".
 */
static void
test_quantum(void **state)
{
	static const struct {
		const char *what;
		uint32_t stated, pointer_bytes;
		uint64_t low, sites[MOST_SITES + 1];
		uint32_t quantum;
		bool is_certain, is_aligned;
	} cases[] = {
		/* One odd distance settles it. */
		{"odd", 0, 8, 0x1000, {0x1010, 0x1021}, 1, false, true},
		/* 2 = lowest bit of 0x10 | 0x2. */
		{"odd of many",
	         0,
	         8,
	         0x1000,
	         {0x1010, 0x1020, 0x1030, 0x1040, 0x1050, 0x1060, 0x1070, 0x1080, 0x1081},
	         1,
	         false,
	         true},
		{"two", 0, 8, 0x1000, {0x1010, 0x1022}, 2, false, true},
		{"four", 0, 8, 0x1000, {0x1010, 0x1024}, 4, false, true},
		/* 16 bytes are the usual case where words have 8. */
		{"usual of 64 bits", 0, 8, 0x1000, {0x1010, 0x1020}, 16, false, true},
		/* With words of 4 bytes it is 8, although 16 would do. */
		{"usual of 32 bits", 0, 4, 0x1000, {0x1010, 0x1020}, 8, false, true},
		{"usual of 16 bits", 0, 2, 0x1000, {0x1010, 0x1020}, 4, false, true},
		{"less than usual", 0, 4, 0x1000, {0x1010, 0x1024}, 4, false, true},
		/* Seven are few, and the same one again does not count. */
		{"seven",
	         0,
	         4,
	         0x1000,
	         {0x1010, 0x1020, 0x1030, 0x1040, 0x1050, 0x1060, 0x1070, 0x1070, 0x1010},
	         8,
	         false,
	         true},
		{"eight",
	         0,
	         4,
	         0x1000,
	         {0x1010, 0x1020, 0x1030, 0x1040, 0x1050, 0x1060, 0x1070, 0x1070, 0x1080},
	         16,
	         true,
	         true},
		/* No runtime rounds to more than 16, whatever they have in common. */
		{"more than known",
	         0,
	         8,
	         0x1000,
	         {0x1100, 0x1200, 0x1300, 0x1400, 0x1500, 0x1600, 0x1700, 0x1800},
	         16,
	         true,
	         true},
		/* The histogram begins 4 above a multiple of 16, and so do all sites. */
		{"from the histogram", 0, 8, 0x1004, {0x1014, 0x1024}, 16, false, true},
		{"not from zero", 0, 8, 0x1004, {0x1010, 0x1020}, 4, false, true},
		/* Without one, from the first site on. */
		{"from the first site", 0, 8, 0, {0x1013, 0x1023, 0x100b}, 8, false, true},
		{"one site", 0, 4, 0, {0x1013}, 8, false, true},
		/* What the settings state holds; sites need not be its multiples. */
		{"stated", 8, 8, 0x1000, {0x1010, 0x1020}, 8, true, true},
		{"stated, not seen", 8, 8, 0x1000, {0x1010, 0x1024}, 8, true, false},
		{"stated as exact", 1, 8, 0x1000, {0x1010, 0x1020}, 1, true, true},
	};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, program);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rounding rounding = rounding_for(test, symbols, cases[i].sites,
		                                        cases[i].stated, cases[i].pointer_bytes,
		                                        cases[i].low);

		if (rounding.quantum != cases[i].quantum ||
		    rounding.is_certain != cases[i].is_certain ||
		    rounding.is_aligned != cases[i].is_aligned)
			fail_msg("%s: quantum %u, certain %d, aligned %d", cases[i].what,
			         rounding.quantum, rounding.is_certain, rounding.is_aligned);
		assert_int_equal(rounding.blocks != NULL, rounding.quantum > 1);
	}
}

/* Calls from other objects are exact, and say nothing of the program's. */
static void
test_other_objects(void **state)
{
	static const uint64_t sites[MOST_SITES + 1] = {0x1010, 0x1020, 0x9001, 0x9000};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, program);
	struct rounding rounding;

	symbols->others_first = 0x9000;
	symbols->others_bytes = 0x1000;
	rounding = rounding_for(test, symbols, sites, 0, 8, 0x1000);
	assert_int_equal(rounding.quantum, 16);
	assert_false(rounding_may_matter(&rounding, 0x9000));
	/* Nor do their histograms say where the program's begins. */
	rounding = rounding_for(test, symbols, sites, 0, 8, 0x9003);
	assert_true(rounding.low == 0x1010 && rounding.quantum == 16);
	symbols->others_first = 0x9001;
	rounding = rounding_for(test, symbols, sites, 0, 8, 0x1000);
	assert_int_equal(rounding.quantum, 16);
	symbols->others_first = 0x9002;
	rounding = rounding_for(test, symbols, sites, 0, 8, 0x1000);
	assert_int_equal(rounding.quantum, 1);
}

/*
 * Of the program above, by 16 bytes from 0x1000 on: 0x1010 stands for a and b, 0x1030 is c's, but b
 * goes on up to it, and could end with a call.  Behind c, which ends at 0x1048, is a gap before d.
 */
static void
test_sites_that_matter(void **state)
{
	static const uint64_t sites[MOST_SITES + 1] = {0x1010, 0x1020};
	static const struct {
		uint64_t from;
		uint32_t quantum;
		bool matters;
	} cases[] = {
		{0x1000, 16, false},
		{0x1010, 16, true},
		{0x1020, 16, false},
		{0x1030, 16, true},
		{0x1040, 16, false},
		{0x1050, 16, false},
		{0x1060, 16, false},
		/* 8 bytes from 0x1010 end at 0x1017, those from 0x1018 are b's alone. */
		{0x1010, 8, true},
		{0x1018, 8, false},
		{0x1008, 8, false},
		{0x1030, 8, true},
		{0x1048, 8, false},
		{0x1050, 8, false},
		/* 4 bytes: only where the functions touch. */
		{0x1010, 4, false},
		{0x1014, 4, true},
		{0x102c, 4, false},
		{0x1030, 4, true},
		/* Before all functions there is none, and one behind it. */
		{0xff8, 16, true},
		{0xff0, 16, false},
		/* Sites that are no multiples, as of a quantum that was stated. */
		{0x1012, 16, true},
		{0x1004, 16, false},
		{0x1005, 16, true},
		{0x1041, 16, true},
	};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, program);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t seen[MOST_SITES + 1] = {sites[0], cases[i].from};
		struct rounding rounding = rounding_for(test, symbols, seen, cases[i].quantum, 8,
		                                        0x1000);
		bool matters = rounding_matters(&rounding, cases[i].from);

		if (matters != cases[i].matters)
			fail_msg("%llx by %u: %d", (unsigned long long)cases[i].from,
			         cases[i].quantum, matters);
		/* The quick look lets nothing pass that matters. */
		if (matters)
			assert_true(rounding_may_matter(&rounding, cases[i].from));
	}
}

/* The quick look spares the search for most sites. */
static void
test_quick_look(void **state)
{
	static const uint64_t odd_sites[MOST_SITES + 1] = {0x1010, 0x1021};
	static const uint64_t sites[MOST_SITES + 1] = {0x1010, 0x1020};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, program);
	struct rounding rounding = rounding_for(test, symbols, sites, 0, 8, 0x1000);
	uint32_t kept = 0, far = 0;

	/* Blocks 0x1010 and 0x1030 are the only ones in which a function begins after another. */
	for (uint64_t from = 0x1000; from < 0x1060; from += 16)
		if (rounding_may_matter(&rounding, from))
			assert_true(from == 0x1010 || from == 0x1030);
	/* One bit in sixteen at most is set; here 2 of 1024 are. */
	for (uint64_t from = 0x100000; from < 0x200000; from += 16)
		kept += rounding_may_matter(&rounding, from);
	assert_in_range(kept, 0, 0x10000 * 4 / 1024);
	/* Sites that are no multiples stand for addresses in two blocks. */
	rounding = rounding_for(test, symbols, odd_sites, 16, 8, 0x1000);
	assert_false(rounding.is_aligned);
	for (uint64_t from = 0x100001; from < 0x200000; from += 16)
		far += rounding_may_matter(&rounding, from);
	assert_in_range(far, 0, 0x10000 * 12 / 1024);
}

/* Functions that follow each other at once: the quick look grows with them, and misses none. */
static void
test_many_functions(void **state)
{
	enum { COUNT = 200, BYTES = 20 };
	static const uint64_t sites[MOST_SITES + 1] = {0x1010, 0x1020};
	struct small_function many[COUNT + 1] = {{0}};
	uint32_t kept = 0, missed = 0;
	struct testrun *test = *state;
	struct rounding rounding;

	for (uint32_t i = 0; i < COUNT; i++)
		many[i] = (struct small_function){"f", 0x1000 + BYTES * i, BYTES};
	rounding = rounding_for(test, small_symbols(test, many), sites, 0, 8, 0x1000);
	/* 16 bits for each function but the first, in a power of two. */
	assert_int_equal(rounding.block_bits, 12);
	for (uint64_t from = 0x1000; from < 0x1000 + COUNT * BYTES; from += 16)
		missed += rounding_matters(&rounding, from) &&
		          !rounding_may_matter(&rounding, from);
	assert_int_equal(missed, 0);
	for (uint64_t from = 0x100000; from < 0x200000; from += 16)
		kept += rounding_may_matter(&rounding, from);
	assert_in_range(kept, 0, 0x10000 / 12);
}

/* Clones and the functions that stand for them are one; lines are always apart. */
static void
test_clones_and_lines(void **state)
{
	static const uint64_t sites[MOST_SITES + 1] = {0x1010, 0x1020};
	uint32_t owner[4] = {0, 0, 2, 3};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, program);
	struct rounding rounding = rounding_for(test, symbols, sites, 0, 8, 0x1000);

	assert_true(rounding_matters(&rounding, 0x1010));
	symbols->owner = owner;
	assert_false(rounding_matters(&rounding, 0x1010));
	assert_true(rounding_matters(&rounding, 0x1030));
	symbols->flags[1] |= SYMBOL_LINE;
	assert_true(rounding_matters(&rounding, 0x1010));
	assert_false(rounding_matters(&rounding, 0x1050));
	symbols->flags[3] |= SYMBOL_LINE;
	assert_true(rounding_matters(&rounding, 0x1050));
	symbols->bytes[2] = 0;
	assert_true(rounding_matters(&rounding, 0x1030));
	/* A size that is not stated cannot reach the next function. */
	symbols->bytes[1] = 0;
	assert_false(rounding_matters(&rounding, 0x1030));
}

/* Where every function begins a block after a gap, no site can be another's. */
static void
test_aligned_functions(void **state)
{
	static const struct small_function apart[] = {{"a", 0x1000, 8},
	                                              {"b", 0x1010, 8},
	                                              {"c", 0x1020, 8},
	                                              {0}};
	static const struct small_function shifted[] = {{"a", 0x1004, 8}, {"b", 0x1014, 8}, {0}};
	static const uint64_t sites[MOST_SITES + 1] = {0x1000, 0x1010};
	static const uint64_t shifted_sites[MOST_SITES + 1] = {0x1004, 0x1014};
	struct testrun *test = *state;
	struct rounding rounding = rounding_for(test, small_symbols(test, apart), sites, 0, 8,
	                                        0x1000);

	assert_int_equal(rounding.quantum, 16);
	assert_null(rounding.blocks);
	/* Blocks begin where the histogram does. */
	rounding = rounding_for(test, small_symbols(test, shifted), shifted_sites, 0, 8, 0x1004);
	assert_int_equal(rounding.quantum, 16);
	assert_null(rounding.blocks);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_quantum),           TESTRUN(test_other_objects),
		TESTRUN(test_sites_that_matter), TESTRUN(test_quick_look),
		TESTRUN(test_clones_and_lines),  TESTRUN(test_aligned_functions),
		TESTRUN(test_many_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
