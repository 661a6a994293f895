/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose samples are whose: bins that several functions share, code outside of all, rates, and the
 * account of all samples.  Functions have 16 bytes each, from 0x1000 on.
 */
#include "smallrun.h"

enum { MOST_BINS = 16, MOST_RECORDS = 2 };

struct record {
	uint64_t low, high;
	uint8_t bins[MOST_BINS];
	uint32_t count, rate;
};

struct sampling {
	const char *what;
	uint64_t corrections;
	struct engine_symspec spec;
	struct record records[MOST_RECORDS];
	/* Ticks of functions, and of all that are not left out; the account; what is open. */
	const char *expected;
};

#define EXACT GPROFX_CORRECT_EXACT_BINS
#define LAST GPROFX_CORRECT_LAST_SYMBOL
#define GAPS GPROFX_CORRECT_GAPS
#define LIKELY GPROFX_CORRECT_SHARED_BINS

static struct profile *
profile_of(struct testrun *test, const struct record *records)
{
	const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};
	struct profile *profile = profile_new(&test->run);

	for (uint32_t i = 0; i < MOST_RECORDS && records[i].count > 0; i++) {
		struct gprofx_histogram record = testrun_record(records[i].low, records[i].high,
		                                                records[i].bins, records[i].count);

		record.rate = records[i].rate > 0 ? records[i].rate : 100;
		assert_int_equal(profile->public.builder->histogram(&test->run.gx, &profile->public,
		                                                    &file, &record),
		                 GPROFX_OK);
	}
	profile_add_up(&test->run, profile);
	return profile;
}

static void
add_result(struct small_text *text, const struct graph *graph)
{
	static const char *const kinds[ACCOUNT_KINDS] = {"shown", "profiling", "outside",
	                                                 "excluded", "beyond"};

	for (uint32_t i = 0; i < graph->node_count; i++)
		if (graph->self[i] != 0)
			small_add(text, "%s %g ", graph->symbols->name[i], graph->self[i]);
	small_add(text, "of %g;", graph->flat_total);
	for (int kind = 0; kind < ACCOUNT_KINDS; kind++) {
		const struct gprofx_account_part *part = &graph->account[kind];

		if (part->samples == 0)
			continue;
		small_add(text, " %s %g", kinds[kind], part->samples);
		if (part->ticks != part->samples)
			small_add(text, "=%g", part->ticks);
	}
	small_add(text, "%s", graph->self_doubt ? ";" : "");
	for (uint32_t i = 0; graph->self_doubt && i < graph->function_count; i++)
		if (graph->self_doubt[i].more > 0)
			small_add(text, " %s -%g+%g", graph->symbols->name[i],
			          graph->self_doubt[i].less, graph->self_doubt[i].more);
}

static void
check(struct testrun *test, struct symbols *symbols, const struct sampling *sampling)
{
	struct small_text found = {.length = 0};
	struct graph *graph;

	symbols->table.target.pointer_bytes = 8;
	/* They are of no table that says more about what is between them. */
	memory_array(&test->run, symbols->row, symbols->count);
	for (uint32_t i = 0; i < symbols->count; i++)
		symbols->row[i] = NO_SYMBOL;
	test->run.corrections = sampling->corrections;
	test->settings.symspecs = &sampling->spec;
	test->settings.symspec_count = sampling->spec.text != NULL;
	graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	graph_credit_samples(&test->run, graph, profile_of(test, sampling->records));
	assert_int_equal(graph->has_outside, graph->node_count > symbols->count);
	add_result(&found, graph);
	small_expect(sampling->what, sampling->expected, &found);
	run_finish(&test->run);
	run_start(&test->run, &test->settings, &test->frontend);
}

#define CHECK(state, functions, cases)                                \
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases)[0]; i++) \
	check(*(state), small_letters(*(state), functions), &(cases)[i])

/* Two bins of 24 bytes: the first is a and half of b, the second the other half, and c. */
#define TWO_BINS                                     \
	{                                            \
		{                                    \
			0x1000, 0x1030, {6, 3}, 2, 0 \
		}                                    \
	}
/* Three bins of 32 bytes, from 16 bytes before a to 32 behind c. */
#define AROUND                                         \
	{                                              \
		{                                      \
			0xff0, 0x1050, {8, 4, 2}, 3, 0 \
		}                                      \
	}

static void
test_exact_bins(void **state)
{
	static const struct sampling cases[] = {
		{.what = "bytes decide",
	         .corrections = EXACT | LAST,
	         .records = TWO_BINS,
	         .expected = "a 4 b 3 c 2 of 9; shown 9; a -4+2 b -3+6 c -2+1"},
		/* To gprof the last symbol has no space. */
		{.what = "without the last",
	         .corrections = EXACT,
	         .records = TWO_BINS,
	         .expected = "a 4 b 3 of 9; shown 7 outside 2; a -4+2 b -3+6"},
		{.what = "excluded",
	         .corrections = EXACT | LAST,
	         .records = TWO_BINS,
	         .spec = {ENGINE_FILTER_FLAT, true, "b"},
	         .expected = "a 4 c 2 of 6; shown 6 excluded 3; a -4+2 c -2+1"},
		{.what = "included",
	         .corrections = EXACT | LAST,
	         .records = TWO_BINS,
	         .spec = {ENGINE_FILTER_FLAT, false, "b"},
	         .expected = "b 3 of 3; shown 3 excluded 6; b -3+6"},
		/* Half of the first bin lies before a; the last bin behind all code. */
		{.what = "around",
	         .corrections = EXACT | LAST,
	         .records = AROUND,
	         .expected = "a 4 b 2 c 2 of 14; shown 8 outside 4 beyond 2; a -4+4 b -2+2 c -2+2"},
		{.what = "around, shown",
	         .corrections = EXACT | LAST | GAPS,
	         .records = AROUND,
	         .expected = "a 4 b 2 c 2 <outside> 6 of 14; shown 8 outside 4 beyond 2; "
	                     "a -4+4 b -2+2 c -2+2 <outside> -4+4"},
		{.what = "one function each",
	         .corrections = EXACT | LAST,
	         .records = {{0x1000, 0x1030, {5, 0, 7}, 3, 0}},
	         .expected = "a 5 c 7 of 12; shown 12"},
		/* 16 bins of one byte, 8 of them a's. */
		{.what = "narrow bins",
	         .corrections = GPROFX_CORRECT_NARROW_BINS,
	         .records = {{0x1008,
	                      0x1018,
	                      {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
	                      16,
	                      0}},
	         .expected = "a 8 b 8 of 16; shown 16"},
		/* By gprof every other one is lost, and the rest, in units of 2 bytes, count twice.
	         */
		{.what = "narrow bins, by gprof",
	         .corrections = 0,
	         .records = {{0x1008,
	                      0x1018,
	                      {1, 2, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 3, 4},
	                      16,
	                      0}},
	         .expected = "a 16 b 32 of 40;"},
		{.what = "wide bins are not narrow",
	         .corrections = GPROFX_CORRECT_NARROW_BINS | LAST,
	         .records = TWO_BINS,
	         .expected = "a 4 b 3 c 2 of 9;"},
	};

	CHECK(state, "abc", cases);
}

/* In gprof's way, by units of 2 bytes: 12 in each of the two bins, 16 of each around. */
static void
test_bins_by_gprof(void **state)
{
	static const struct sampling cases[] = {
		{.what = "plain",
	         .corrections = LAST,
	         .records = TWO_BINS,
	         .expected = "a 4 b 3 c 2 of 9;"},
		{.what = "without the last",
	         .corrections = 0,
	         .records = TWO_BINS,
	         .expected = "a 4 b 3 of 9;"},
		{.what = "cut",
	         .corrections = GAPS | LAST,
	         .records = TWO_BINS,
	         .expected = "a 4 b 3 c 2 of 9;"},
		/* The last symbol has its space, and what is there is not shown. */
		{.what = "cut, without the last",
	         .corrections = GAPS,
	         .records = TWO_BINS,
	         .expected = "a 4 b 3 of 9;"},
		{.what = "outside",
	         .corrections = GAPS | LAST,
	         .records = AROUND,
	         .expected = "a 4 b 2 c 2 <outside> 6 of 14;"},
		/* A unit of the bin is outside. */
		{.what = "hardly outside",
	         .corrections = GAPS | LAST,
	         .records = {{0x1022, 0x1032, {8}, 1, 0}},
	         .expected = "c 7 <outside> 1 of 8;"},
		{.what = "outside, excluded",
	         .corrections = GAPS | LAST,
	         .records = AROUND,
	         .spec = {ENGINE_FILTER_FLAT, true, "a"},
	         .expected = "b 2 c 2 <outside> 6 of 10;"},
	};

	CHECK(state, "abc", cases);
}

/*
 * Bins beside a shared one tell whose its samples are.  The second bin of 8 bytes is half a's, half
 * b's; 16 samples are two a byte, and half a sample, a quarter of a byte, is added to what is seen.
 */
#define FOUR_BINS(...)                                      \
	{                                                   \
		{                                           \
			0x1004, 0x1024, {__VA_ARGS__}, 4, 0 \
		}                                           \
	}

static void
test_likely_bins(void **state)
{
	static const struct sampling cases[] = {
		/* (0.5 + 1) to (0.5 + 0) samples in 8.25 bytes: three of four are a's. */
		{.what = "before",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = FOUR_BINS(1, 16, 0, 0),
	         .expected = "a 13 b 4 of 17; shown 17; a -12+4 b -4+12"},
		{.what = "behind",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = FOUR_BINS(0, 16, 1, 0),
	         .expected = "a 4 b 13 of 17; shown 17; a -4+12 b -12+4"},
		{.what = "both",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = FOUR_BINS(2, 16, 2, 0),
	         .expected = "a 10 b 10 of 20; shown 20; a -8+8 b -8+8"},
		/* Without the correction, bytes. */
		{.what = "by bytes",
	         .corrections = EXACT | LAST,
	         .records = FOUR_BINS(1, 16, 0, 0),
	         .expected = "a 9 b 8 of 17; shown 17; a -8+8 b -8+8"},
		/* Nothing beside: an average function. */
		{.what = "a single bin",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = {{0x1000, 0x1030, {6}, 1, 0}},
	         .expected = "a 2 b 2 c 2 of 6; shown 6; a -2+4 b -2+4 c -2+4"},
		/*
	         * The second and third of three bins of 16 bytes from 0x1008 are shared and say
	         * nothing; the first has 8 bytes of a and b each: equal parts.
	         */
		{.what = "shared ones say nothing",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = {{0x1008, 0x1028, {8, 80}, 2, 0}},
	         .expected = "a 4 b 44 c 40 of 88; shown 88; a -4+4 b -44+44 c -40+40"},
		/* The second of two bins of 24 bytes has 4 of b, all of c, 4 behind it: 2 samples a
	           byte. */
		{.what = "in the middle",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = {{0x1004, 0x1034, {0, 48}, 2, 0}},
	         .expected = "b 8 c 32 of 48; shown 40 outside 8; b -8+40 c -32+16"},
		{.what = "outside",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = AROUND,
	         .expected = "a 4 b 2 c 2 of 14; shown 8 outside 4 beyond 2; a -4+4 b -2+2 c -2+2"},
	};

	CHECK(state, "abc", cases);
}

/* What lies outside is divided from, too: no function of its own, but bins beside. */
static void
test_likely_outside(void **state)
{
	static const struct sampling cases[] = {
		{.what = "around, shown",
	         .corrections = EXACT | LAST | LIKELY | GAPS,
	         .records = AROUND,
	         .expected = "a 4 b 2 c 2 <outside> 6 of 14; shown 8 outside 4 beyond 2; "
	                     "a -4+4 b -2+2 c -2+2 <outside> -4+4"},
		/* One sample in c's 8 bytes before, none in those behind: 1.5 to 0.5. */
		{.what = "behind",
	         .corrections = EXACT | LAST | LIKELY | GAPS,
	         .records = {{0x1024, 0x103c, {1, 16, 0}, 3, 0}},
	         .expected = "c 13 <outside> 4 of 17; shown 13 outside 4; c -12+4 <outside> -4+12"},
		{.what = "behind, without gaps",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = {{0x1024, 0x103c, {1, 16, 0}, 3, 0}},
	         .expected = "c 13 of 17; shown 13 outside 4; c -12+4"},
		{.what = "before",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = {{0xff4, 0x100c, {1, 16, 0}, 3, 0}},
	         .expected = "a 4 of 17; shown 4 outside 12 beyond 1; a -4+12"},
		{.what = "before, shown",
	         .corrections = EXACT | LAST | LIKELY | GAPS,
	         .records = {{0xff4, 0x100c, {0, 16, 1}, 3, 0}},
	         .expected = "a 13 <outside> 4 of 17; shown 13 outside 4; a -12+4 <outside> -4+12"},
		/* Half of a bin is left out, half is nobody's: only that is open. */
		{.what = "open outside",
	         .corrections = EXACT | LAST | GAPS,
	         .spec = {ENGINE_FILTER_FLAT, true, "c"},
	         .records = {{0x1028, 0x1038, {8}, 1, 0}},
	         .expected = "<outside> 4 of 4; outside 4 excluded 4; <outside> -4+4"},
		/* One byte of a and all of b; all of c, and a byte behind it. */
		{.what = "an odd begin",
	         .corrections = EXACT | LAST,
	         .records = {{0x100f, 0x1031, {17, 17}, 2, 0}},
	         .expected = "a 1 b 16 c 16 of 34; shown 33 outside 1; a -1+16 b -16+1 c -16+1"},
		/* Thirds of a sample are counted in parts of 2^-20, and lose none together. */
		{.what = "parts",
	         .corrections = EXACT | LAST,
	         .records = {{0x1000, 0x1030, {1, 1}, 2, 0}},
	         .expected =
	                 "a 0.666666 b 0.666667 c 0.666667 of 2; shown 2; a -0.666666+0.333334 b -0.666667+1.33333 c -0.666667+0.333333"},
	};

	CHECK(state, "abc", cases);
}

/* A function can begin within a unit of 2 bytes, behind the first byte of a histogram. */
static void
test_odd_functions(void **state)
{
	static const struct small_function functions[] = {{"a", 0x1000, 17},
	                                                  {"b", 0x1011, 15},
	                                                  {"c", 0x1020, 16},
	                                                  {0}};
	static const struct sampling cases[] = {
		{.what = "by bytes",
	         .corrections = EXACT | LAST,
	         .records = {{0x1010, 0x1020, {8, 0}, 2, 0}},
	         .expected = "a 1 b 7 of 8; shown 8; a -1+7 b -7+1"},
		{.what = "by likelihood",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = {{0x1010, 0x1018, {8}, 1, 0}},
	         .expected = "a 1 b 7 of 8; shown 8; a -1+7 b -7+1"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check(*state, small_symbols(*state, functions), &cases[i]);
}

/* Where clones have owners, spaces end with the last function. */
static void
test_owned_functions(void **state)
{
	static const struct sampling cases[] = {
		{.what = "by bytes",
	         .corrections = EXACT | LAST,
	         .records = AROUND,
	         .expected = "a 4 b 2 c 2 of 14; shown 8 outside 4 beyond 2; a -4+4 b -2+2 c -2+2"},
		{.what = "behind, by bytes",
	         .corrections = EXACT | LAST,
	         .records = {{0x1024, 0x103c, {1, 16, 2}, 3, 0}},
	         .expected = "c 9 of 19; shown 9 outside 8 beyond 2; c -8+8"},
		{.what = "behind, by likelihood",
	         .corrections = EXACT | LAST | LIKELY,
	         .records = {{0x1024, 0x103c, {1, 16, 0}, 3, 0}},
	         .expected = "c 13 of 17; shown 13 outside 4; c -12+4"},
	};
	uint32_t owner[3 + SYMBOL_MORE_ROWS] = {0, 1, 2, 3, 4};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct symbols *symbols = small_letters(*state, "abc");

		symbols->owner = owner;
		check(*state, symbols, &cases[i]);
	}
}

/* Half of all addresses are those of kernels. */
static void
test_high_functions(void **state)
{
	static const struct small_function functions[] = {{"a", 0x8000000000001000, 16},
	                                                  {"b", 0x8000000000001010, 16},
	                                                  {"c", 0x8000000000001020, 16},
	                                                  {0}};
	static const struct sampling high = {
		.what = "high",
		.corrections = LAST,
		.records = {{0x8000000000001000, 0x8000000000001030, {6, 3}, 2, 0}},
		.expected = "a 4 b 3 c 2 of 9;"};

	check(*state, small_symbols(*state, functions), &high);
}

/* Samples of other rates count as others of the report's, which is that of the first. */
static void
test_rates(void **state)
{
	static const struct sampling cases[] = {
		{.what = "half the rate",
	         .corrections = EXACT | LAST | GPROFX_CORRECT_RATES,
	         .records = {{0x1000, 0x1010, {4}, 1, 100}, {0x1010, 0x1020, {4}, 1, 50}},
	         .expected = "a 4 b 8 of 12; shown 8=12"},
		{.what = "shared",
	         .corrections = EXACT | LAST | GPROFX_CORRECT_RATES,
	         .records = {{0x1000, 0x1010, {4}, 1, 100}, {0x1018, 0x1028, {4}, 1, 400}},
	         .expected = "a 4 b 0.5 c 0.5 of 5; shown 8=5; b -0.5+0.5 c -0.5+0.5"},
		{.what = "by gprof",
	         .corrections = EXACT | LAST,
	         .records = {{0x1000, 0x1010, {4}, 1, 100}, {0x1010, 0x1020, {4}, 1, 50}},
	         .expected = "a 4 b 4 of 8; shown 8"},
		{.what = "excluded",
	         .corrections = EXACT | LAST | GPROFX_CORRECT_RATES,
	         .spec = {ENGINE_FILTER_FLAT, true, "b"},
	         .records = {{0x1000, 0x1010, {4}, 1, 100}, {0x1010, 0x1020, {4}, 1, 50}},
	         .expected = "a 4 of 4; shown 4 excluded 4=8"},
	};

	CHECK(state, "abc", cases);
}

/* The profiling's own functions have a part of the account to themselves. */
static void
test_profiling(void **state)
{
	static const struct small_function functions[] = {{"main", 0x1000, 16},
	                                                  {"mcount", 0x1010, 16},
	                                                  {"b", 0x1100, 16},
	                                                  {0}};
	static const struct sampling profiling = {.what = "profiling",
	                                          .corrections = EXACT | LAST,
	                                          .spec = {ENGINE_FILTER_FLAT, true, "mcount"},
	                                          .records = {{0x1000, 0x1020, {1, 3}, 2, 0}},
	                                          .expected = "main 1 of 1; shown 1 profiling 3"};
	static const struct sampling gap = {
		/* 16 bins of 16 bytes: the first is mcount's, the last b's, 14 of 3 samples are
	           between. */
		.what = "between",
		.corrections = EXACT | LAST | GAPS,
		.records =
			{{0x1010, 0x1110, {1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5}, 16, 0}},
		.expected = "mcount 1 b 5 <outside> 42 of 48; shown 6 outside 42"};

	check(*state, small_symbols(*state, functions), &profiling);
	check(*state, small_symbols(*state, functions), &gap);
}

/* Each topic of the trace says who gets what. */
static void
keep_line(void *opaque, const char *line)
{
	small_add(opaque, "%s\n", line);
}

static void
test_traces(void **state)
{
	static const struct {
		uint64_t corrections;
		const char *expected;
	} cases[] = {
		{LAST, "a gets 4.000000 of 6 samples of 0x1000-0x1018\n"
	               "b gets 2.000000 of 6 samples of 0x1000-0x1018\n"
	               "b gets 1.000000 of 3 samples of 0x1018-0x1030\n"
	               "c gets 2.000000 of 3 samples of 0x1018-0x1030\n"},
		{LAST | EXACT, "a gets 4.000000 of 6 samples of 0x1000-0x1018\n"
	                       "b gets 2.000000 of 6 samples of 0x1000-0x1018\n"
	                       "b gets 1.000000 of 3 samples of 0x1018-0x1030\n"
	                       "c gets 2.000000 of 3 samples of 0x1018-0x1030\n"},
		/* 16 of the 32 bytes of the first bin lie outside, and all of the last. */
		{LAST | GAPS, "a gets 4.000000 of 8 samples of 0xff0-0x1010\n"
	                      "<outside> gets 4.000000 of 8 samples of 0xff0-0x1010\n"
	                      "b gets 2.000000 of 4 samples of 0x1010-0x1030\n"
	                      "c gets 2.000000 of 4 samples of 0x1010-0x1030\n"
	                      "<outside> gets 2.000000 of 2 samples of 0x1030-0x1050\n"},
	};
	static const struct record records[][MOST_RECORDS] = {TWO_BINS, TWO_BINS, AROUND};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text lines = {.length = 0};
		struct symbols *symbols = small_letters(test, "abc");
		struct profile *profile;
		struct graph *graph;

		symbols->table.target.pointer_bytes = 8;
		memory_array(&test->run, symbols->row, symbols->count);
		memset(symbols->row, 0xff, symbols->count * sizeof *symbols->row);
		test->run.corrections = cases[i].corrections;
		graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
		profile = profile_of(test, records[i]);
		test->frontend.opaque = &lines;
		test->frontend.trace = keep_line;
		test->run.gx.trace_topics = GPROFX_TRACE_SAMPLES;
		graph_credit_samples(&test->run, graph, profile);
		test->frontend.opaque = test;
		small_expect("trace", cases[i].expected, &lines);
		run_finish(&test->run);
		run_start(&test->run, &test->settings, &test->frontend);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_exact_bins),     TESTRUN(test_bins_by_gprof),
		TESTRUN(test_likely_bins),    TESTRUN(test_rates),
		TESTRUN(test_profiling),      TESTRUN(test_traces),
		TESTRUN(test_likely_outside), TESTRUN(test_odd_functions),
		TESTRUN(test_high_functions), TESTRUN(test_owned_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
