/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of single records as those of their sum; bins that wait until all are read; bins divided
 * by instructions, and among lines; numbers of functions with equal times.
 */
#include "smallrun.h"

#include <math.h>

#include <gprofx/findcall.h>

#include "graph/samples.h"
#include "scan/scan.h"

enum { MACHINE = 4660, MOST_BINS = 400 };
#define CORRECTED \
	(GPROFX_CORRECT_EXACT_BINS | GPROFX_CORRECT_LAST_SYMBOL | GPROFX_CORRECT_SHARED_BINS)

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};

static struct profile *
profile_of(struct testrun *test, const struct gprofx_histogram *record)
{
	struct profile *profile = profile_new(&test->run);

	assert_int_equal(
		profile->public.builder->histogram(&test->run.gx, &profile->public, &file, record),
		GPROFX_OK);
	profile_add_up(&test->run, profile);
	return profile;
}

static struct sample_rules
rules_of(struct testrun *test, struct symbols *symbols)
{
	struct sample_rules rules = {.symbols = symbols,
	                             .filters = filters_resolve(&test->run, symbols)};

	symbols->table.target.pointer_bytes = 8;
	samples_prepare(&test->run, &rules);
	return rules;
}

static void
begin_again(struct testrun *test)
{
	run_finish(&test->run);
	run_start(&test->run, &test->settings, &test->frontend);
}

/* A copy that nothing lies behind: reading on is detected. */
static const uint8_t *
exact_bytes(struct testrun *test, const uint8_t *bytes, size_t count)
{
	uint8_t *copy = memory_alloc(&test->run, count);

	memcpy(copy, bytes, count);
	return copy;
}

/* Wherever samples lie among empty counters, whatever their width: a record is as its histogram. */
static void
test_records(void **state)
{
	static const uint8_t widths[] = {1, 2, 4, 8};
	static uint8_t bins[8 * MOST_BINS];
	uint64_t random = 2026;

	for (uint32_t round = 0; round < 400; round++) {
		struct testrun *test = *state;
		uint8_t width = widths[round % 4];
		uint32_t count = 1 + (uint32_t)(testrun_random(&random) % MOST_BINS);
		struct gprofx_histogram record = testrun_record(
			0x1000, 0x1000 + 4 * (uint64_t)count, bins, count);
		double self[26 + SYMBOL_MORE_ROWS] = {0}, single[26 + SYMBOL_MORE_ROWS] = {0};
		struct sample_credits to = {.self = self}, one = {.self = single};
		uint64_t sum = 0;
		struct profile *profile;
		struct sample_rules rules;

		memset(bins, 0, sizeof bins);
		for (uint32_t k = 0; k < round / 20; k++) {
			uint32_t bin = (uint32_t)(testrun_random(&random) % count);

			sum += (uint64_t)1 + k % 9;
			sum -= bins[bin * width];
			bins[bin * width] = (uint8_t)(1 + k % 9);
		}
		record.bin_bytes = width;
		record.bins = exact_bytes(test, bins, (size_t)count * width);
		test->run.corrections = GPROFX_CORRECT_EXACT_BINS | GPROFX_CORRECT_LAST_SYMBOL;
		profile = profile_of(test, &record);
		rules = rules_of(test, small_letters(test, "abcdefghijklmnopqrstuvwxyz"));
		samples_credit(&test->run, &rules, profile, &profile->histograms[0], NULL, &to);
		samples_credit(&test->run, &rules, profile, &profile->histograms[0], &record, &one);
		assert_true(to.all == (double)sum && one.all == (double)sum);
		for (uint32_t i = 0; i < 26; i++)
			assert_true(self[i] == single[i]);
		begin_again(test);
	}
}

/* Symbols that got something are listed, each once; an excluded one leaves the total. */
static void
test_credited(void **state)
{
	static const uint8_t bins[] = {3, 0, 4, 5, 0, 6};
	static const struct engine_symspec spec = {ENGINE_FILTER_FLAT, true, "b"};
	struct gprofx_histogram record = testrun_record(0x1000, 0x1030, bins, 6);
	double self[3 + SYMBOL_MORE_ROWS] = {0};
	uint32_t credited[8];
	struct sample_credits to = {.self = self, .credited = credited};
	struct testrun *test = *state;
	struct profile *profile;
	struct sample_rules rules;

	test->settings.symspecs = &spec;
	test->settings.symspec_count = 1;
	test->run.corrections = CORRECTED;
	profile = profile_of(test, &record);
	rules = rules_of(test, small_letters(test, "abc"));
	samples_credit(&test->run, &rules, profile, &profile->histograms[0], NULL, &to);
	assert_int_equal(to.count, 2);
	assert_int_equal(credited[0], 0);
	assert_int_equal(credited[1], 2);
	assert_true(self[0] == 3 && self[1] == 0 && self[2] == 6);
	assert_true(to.all == 18 && to.total == 9);
}

/*
 * Waiting bins where functions begin at odd addresses: the 8 bytes from 0x1020 have one of b, then
 * c. What is counted may be gone from the sum; and the last symbol, to gprof, has no space.
 */
static void
test_odd_late_bins(void **state)
{
	static const struct small_function functions[] = {{"a", 0x1000, 16},
	                                                  {"b", 0x1010, 17},
	                                                  {"c", 0x1021, 15},
	                                                  {"d", 0x1030, 16},
	                                                  {0}};
	static const uint8_t bins[] = {0, 0, 1, 8, 0, 0, 8}, none[7] = {0};
	struct testrun *test = *state;

	for (uint32_t gone = 0; gone < 2; gone++) {
		struct symbols *symbols = small_symbols(test, functions);
		struct gprofx_histogram sum = testrun_record(0x1008, 0x1040, gone ? none : bins, 7);
		struct gprofx_histogram record = testrun_record(0x1008, 0x1040, bins, 7);
		double self[4 + SYMBOL_MORE_ROWS] = {0}, of_b;
		struct late_samples late = {.bins = {0}};
		struct sample_credits to = {.self = self, .late = &late};
		const struct shared_bin *shared;
		struct profile *profile;
		struct sample_rules rules;

		test->run.corrections = GPROFX_CORRECT_EXACT_BINS | GPROFX_CORRECT_SHARED_BINS;
		profile = profile_of(test, &sum);
		rules = rules_of(test, symbols);
		samples_credit(&test->run, &rules, profile, &profile->histograms[0], &record, &to);
		/* d is the last, and nobody; so nobody shares its bin with what is outside. */
		assert_int_equal(late.bins.count, 2);
		assert_int_equal(late.sharers.count, 4);
		shared = late.bins.items;
		assert_true(shared[0].bin == 3 && shared[0].samples == 8);
		assert_true(shared[1].bin == 6 && shared[1].samples == 8);
		to.late = NULL;
		for (uint32_t i = 0; i < 8; i++)
			samples_credit_late(&test->run, &rules, profile, &shared[0], &to);
		/*
		 * One to each byte of b and c, if it was the same everywhere.  b has one sample in
		 * 16 bytes, so 1.5 in 16.5, or none; c none in 8, so 0.5 in 8.5 for each of 7.
		 */
		of_b = gone ? 8 * (0.5 / 16.5) / (0.5 / 16.5 + 7 * 0.5 / 8.5)
		            : 8 * (1.5 / 16.5) / (1.5 / 16.5 + 7 * 0.5 / 8.5);
		assert_true(fabs(self[1] - (1 + of_b)) < 1e-5);
		assert_true(fabs(self[2] - (8 - of_b)) < 1e-5);
		assert_true(self[0] == 0 && self[3] == 0);
		loose_free(&late.bins);
		loose_free(&late.sharers);
		samples_finish(&test->run, &rules);
		begin_again(test);
	}
}

/* Samples of other rates count as others of the report's, here as half of these. */
static void
test_rates_of_records(void **state)
{
	static const uint8_t bins[] = {3, 0, 4};
	struct gprofx_histogram first = testrun_record(0x1000, 0x1030, bins, 3), second = first;
	double self[6 + SYMBOL_MORE_ROWS] = {0};
	struct sample_credits to = {.self = self};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct sample_rules rules;

	second.low = 0x1030;
	second.high = 0x1060;
	second.rate = 200;
	profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &first);
	profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &second);
	profile_add_up(&test->run, profile);
	test->run.corrections = CORRECTED | GPROFX_CORRECT_RATES;
	rules = rules_of(test, small_letters(test, "abcdef"));
	samples_credit(&test->run, &rules, profile, &profile->histograms[1], &second, &to);
	assert_true(self[3] == 1.5 && self[5] == 2 && to.all == 3.5 && to.total == 3.5);
}

/* Bins that wait are divided as the sum of all is: one sample after the other gives the same. */
static void
test_late_bins(void **state)
{
	static const uint8_t bins[] = {1, 16, 0, 5};
	struct gprofx_histogram record = testrun_record(0x1004, 0x1024, bins, 4);
	double now[3 + SYMBOL_MORE_ROWS] = {0}, later[3 + SYMBOL_MORE_ROWS] = {0};
	struct late_samples late = {.bins = {0}};
	struct sample_credits to = {.self = now},
			      to_late = {.self = later, .late = &late, .file = 7};
	struct testrun *test = *state;
	const struct shared_bin *shared;
	const uint32_t *sharers;
	struct profile *profile;
	struct sample_rules rules;

	test->run.corrections = CORRECTED;
	profile = profile_of(test, &record);
	rules = rules_of(test, small_letters(test, "abc"));
	samples_credit(&test->run, &rules, profile, &profile->histograms[0], NULL, &to);
	samples_credit(&test->run, &rules, profile, &profile->histograms[0], &record, &to_late);
	/* Two of the bins have several functions: the second a and b, the last b and c. */
	assert_true(later[0] == 1 && later[1] == 0 && later[2] == 0);
	assert_int_equal(late.bins.count, 2);
	shared = late.bins.items;
	assert_true(shared[0].file == 7 && shared[0].histogram == 0 && shared[0].bin == 1 &&
	            shared[0].samples == 16);
	assert_true(shared[1].bin == 3 && shared[1].samples == 5);
	/* Who may get some: each time what lies outside, too. */
	assert_int_equal(late.sharers.count, 6);
	sharers = late.sharers.items;
	assert_true(sharers[0] == 3 && sharers[1] == 0 && sharers[2] == 1);
	assert_true(sharers[3] == 3 && sharers[4] == 1 && sharers[5] == 2);
	to_late.late = NULL;
	for (uint32_t i = 0; i < 2; i++)
		for (uint64_t k = 0; k < shared[i].samples; k++)
			samples_credit_late(&test->run, &rules, profile, &shared[i], &to_late);
	for (uint32_t i = 0; i < 3; i++)
		assert_true(now[i] - later[i] < 1e-9 && later[i] - now[i] < 1e-9);
	loose_free(&late.bins);
	loose_free(&late.sharers);
	samples_finish(&test->run, &rules);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	(void)worker;
	(void)code;
	(void)calls;
}

/* What is behind the last instruction of a function that states no more than 12 bytes. */
static uint64_t
fill(const struct gprofx_code *code, uint64_t stated)
{
	(void)code;
	return stated;
}

static const uint16_t machines[] = {MACHINE};
static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .scan = scan,
                                                .fill = fill,
                                                .step = 4};
static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "findcall-unit", .version = "1",
                                            .summary = "Four bytes each", .findcall = &findcall};
static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};
static uint8_t image_bytes[0x400];
static const struct gprofx_code_range text = {0x1000, sizeof image_bytes, 0, ".text"};

struct dividing {
	const char *what;
	uint64_t low, high;
	uint8_t bins[5];
	uint32_t count, bytes_of_a;
	const char *expected;
};

static void
check_divided(struct testrun *test, struct symbols *symbols, const struct dividing *dividing)
{
	struct gprofx_histogram record = testrun_record(dividing->low, dividing->high,
	                                                dividing->bins, dividing->count);
	struct small_text found = {.length = 0};
	struct graph *graph;

	symbols->table.target.pointer_bytes = 8;
	test->run.corrections = CORRECTED;
	graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	graph->scan = scan_new(&test->run, symbols);
	graph_credit_samples(&test->run, graph, profile_of(test, &record));
	for (uint32_t i = 0; i < symbols->count; i++)
		small_add(&found, "%s%g", i > 0 ? " " : "", graph->self[i]);
	small_expect(dividing->what, dividing->expected, &found);
	begin_again(test);
}

/* The code of a program, with a scanner that knows it. */
static void
give_code(struct testrun *test, struct symbols *symbols, const struct gprofx_code_range *code)
{
	symbols->image = (struct gprofx_image){.size = sizeof symbols->image,
	                                       .name = "image",
	                                       .bytes = image_bytes,
	                                       .length = sizeof image_bytes};
	symbols->table.code = code;
	symbols->table.code_count = 1;
	symbols->table.target.machine = MACHINE;
	test->settings.builtin = builtin;
}

/* A sampled address is where an instruction starts: here at multiples of 4. */
static void
test_instructions(void **state)
{
	static const struct dividing cases[] = {
		/* Of 0x100e-0x1016 a has 2 bytes, in which none starts; b has two. */
		{"no start", 0x1006, 0x101e, {0, 8, 0}, 3, 16, "0 8 0"},
		/* Of 0x100a-0x1016 a has one, at 0x100c, b two. */
		{"starts", 0x100a, 0x1016, {9}, 1, 16, "3 6 0"},
		{"not by bytes", 0x100d, 0x1011, {8}, 1, 16, "0 8 0"},
		/* The last 4 bytes of a only fill up space. */
		{"fill", 0x100a, 0x1016, {9}, 1, 12, "0 9 0"},
		{"more code", 0x1004, 0x1018, {10}, 1, 12, "5 5 0"},
		/* Nothing starts in any part: bytes have to do. */
		{"none at all", 0x100e, 0x1010, {6}, 1, 12, "6 0 0"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct symbols *symbols = small_letters(test, "abc");

		give_code(test, symbols, &text);
		symbols->bytes[0] = cases[i].bytes_of_a;
		check_divided(test, symbols, &cases[i]);
	}
	((struct testrun *)*state)->settings.builtin = NULL;
}

/*
 * What the bins beside a shared one tell, where code counts by instructions: 16 samples of one of a
 * and one of b are 8 for each, and half a sample is added for a sixteenth of an instruction.
 */
static void
test_instructions_beside(void **state)
{
	static const struct dividing cases[] = {
		/* Two instructions of a with 1 sample before, two of b with none: 1.5 to 0.5. */
		{"before", 0x1002, 0x101a, {1, 16, 0}, 3, 16, "13 4 0"},
		{"behind", 0x1002, 0x101a, {0, 16, 1}, 3, 16, "4 13 0"},
		/* Bins of 7 2/3 bytes: the instructions are the same. */
		{"parts of bytes", 0x1002, 0x1019, {1, 16, 0}, 3, 16, "13 4 0"},
		/*
	         * Bins of 3 1/3 bytes from 0x1003.  The third has only a's at 0x100c, as those from
	         * 0x1009 2/3 to 0x100d have.
	         */
		{"one instruction", 0x1003, 0x100d, {1, 0, 16}, 3, 16, "17 0 0"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct symbols *symbols = small_letters(test, "abc");

		give_code(test, symbols, &text);
		check_divided(test, symbols, &cases[i]);
	}
	((struct testrun *)*state)->settings.builtin = NULL;
}

/* Bins of code that is not in the image say nothing, as if they were not there. */
static void
test_unknown_code_beside(void **state)
{
	static const struct small_function functions[] = {{"a", 0x1000, 16},
	                                                  {"b", 0x13e0, 28},
	                                                  {"c", 0x13fc, 32},
	                                                  {0}};
	/*
	 * Of 0x13f8-0x1400 b has one of two instructions, and with the bin before 1.5 samples for
	 * 2 1/16 more; c, whose 20 samples are where the image has no code, the average: 8/11 to 8.
	 */
	static const struct dividing dividing = {
		"unknown", 0x13f0, 0x1408, {1, 16, 20}, 3, 16, "0 2.33333 34.6667"};
	static const struct gprofx_code_range ranges[] = {{0x1000, sizeof image_bytes, 0, ".text"},
	                                                  {0x1400, 0x1c, 0x1000, ".more"}};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, functions);

	give_code(test, symbols, ranges);
	symbols->table.code_count = 2;
	check_divided(test, symbols, &dividing);
	test->settings.builtin = NULL;
}

/* Functions are distinguished first, then their lines: here b is a line of a. */
static void
test_lines(void **state)
{
	static const struct dividing cases[] = {
		/* a and b are one function of 32 bytes; c has a third of the bin. */
		{"all in one", 0x1000, 0x1030, {12}, 1, 16, "4 4 4"},
		{"its own bins", 0x1000, 0x1040, {1, 2, 3, 0}, 4, 16, "1 2 3"},
		/*
	         * Bins of 8 bytes from 0x1004: the first is a's; of the second a and b have half
	         * each, which is not open between functions; the third is b's.
	         */
		{"within a function", 0x1004, 0x101c, {0, 8, 0}, 3, 16, "4 4 0"},
		/* 16 samples in 8 bytes of b and c: b's function has 1.5 to 0.5 of them. */
		{"between functions", 0x1014, 0x102c, {1, 16, 0}, 3, 16, "0 13 4"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (uint32_t is_whole = 0; is_whole < 2; is_whole++) {
			struct testrun *test = *state;
			struct symbols *symbols = small_letters(test, "abc");
			uint32_t whole[3 + SYMBOL_MORE_ROWS] = {0, 0, 2, 3, 4};

			symbols->bytes[0] = 32;
			symbols->flags[1] = SYMBOL_LINE;
			symbols->whole = is_whole ? whole : NULL;
			check_divided(test, symbols, &cases[i]);
		}
}

/*
 * a has 16 bytes and, as another line of it, b has 4; c follows.  In a bin of 16 samples a has 2 of
 * 8 bytes, b 4 and c 2; 49 samples in the 8 bytes before or behind are 49.5 in 8.25, 6 a byte.
 */
static void
test_lines_of_functions(void **state)
{
	static const struct small_function functions[] = {{"a", 0x1000, 20},
	                                                  {"b", 0x1010, 4},
	                                                  {"c", 0x1014, 16},
	                                                  {0}};
	static const struct dividing cases[] = {
		/* a's function and c are equally likely: 12 and 4; a and b have 2 * 6 and 4 * 2. */
		{"lines last", 0x1006, 0x101e, {49, 16, 49}, 3, 20, "56.2 4.8 53"},
	};
	static const struct dividing apart[] = {
		/* 2 * 6, 4 * 2 and 2 * 6 of 32. */
		{"three functions", 0x1006, 0x101e, {49, 16, 49}, 3, 16, "55 4 55"},
	};

	for (uint32_t is_whole = 0; is_whole < 2; is_whole++) {
		struct testrun *test = *state;
		struct symbols *symbols = small_symbols(test, functions);
		uint32_t whole[3 + SYMBOL_MORE_ROWS] = {0, 0, 2, 3, 4};

		symbols->flags[1] = SYMBOL_LINE;
		symbols->whole = is_whole ? whole : NULL;
		check_divided(test, symbols, &cases[0]);
		symbols = small_symbols(test, functions);
		check_divided(test, symbols, &apart[0]);
	}
}

/* A space that several functions have a part of gets what these have. */
static void
test_space_of_functions(void **state)
{
	static const uint8_t bins[] = {16, 16};
	static const uint64_t start[] = {0x1000, 0x1018, 0x1030};
	struct gprofx_histogram record = testrun_record(0xffc, 0x101c, bins, 2);
	double self[3 + SYMBOL_MORE_ROWS] = {0};
	struct testrun *test = *state;
	struct sample_credits to = {.self = self};
	struct symbols *symbols = small_letters(test, "abc");
	struct sample_rules rules = {.symbols = symbols,
	                             .filters = filters_resolve(&test->run, symbols),
	                             .spaces = {start, NULL, 2, false}};
	struct profile *profile;

	symbols->table.target.pointer_bytes = 8;
	test->run.corrections = CORRECTED;
	profile = profile_of(test, &record);
	samples_prepare(&test->run, &rules);
	samples_credit(&test->run, &rules, profile, &profile->histograms[0], NULL, &to);
	/* Of the first bin a has all but 4 bytes; of the second, only 4 of b are behind 0x1018. */
	assert_true(self[0] == 24 && self[1] == 4);
	samples_finish(&test->run, &rules);
}

/* Equal times: names with an underscore in front last, then calls, then names. */
static void
test_numbers(void **state)
{
	static const struct small_function functions[] = {{"_a", 0x1000, 16},
	                                                  {"b", 0x1010, 16},
	                                                  {"a", 0x1020, 16},
	                                                  {"_b", 0x1030, 16},
	                                                  {"c", 0x1040, 16},
	                                                  {"_", 0x1050, 16},
	                                                  {0}};
	static const struct small_call calls[] = {{0x1054, 0x1040, 5}, {0x1054, 0x1030, 2}, {0}};
	static const struct gprofx_text shown[] = {{"x", 1}, {"_y", 2}, {NULL, 0},
	                                           {"w", 1}, {"_z", 2}, {"", 0}};
	/* c was called, then a and b; _b was called, then _ and _a. */
	static const uint32_t raw[] = {4, 2, 1, 3, 5, 0};
	/* w was called 2 times, then "" and x; _z was called, then _y; a has no name. */
	static const uint32_t by_shown[] = {3, 5, 0, 4, 1, 2};
	struct testrun *test = *state;
	struct symbols *symbols = small_symbols(test, functions);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));

	graph_add_arcs(&test->run, graph, small_profile(test, calls));
	graph_analyse(&test->run, graph);
	graph_number_entries(&test->run, graph, NULL);
	assert_int_equal(graph->numbered_count, 6);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(graph->by_index[i], raw[i]);
		assert_int_equal(graph->index[raw[i]], i + 1);
	}
	graph_number_entries(&test->run, graph, shown);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(graph->by_index[i], by_shown[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_records),
		TESTRUN(test_credited),
		TESTRUN(test_late_bins),
		TESTRUN(test_odd_late_bins),
		TESTRUN(test_rates_of_records),
		TESTRUN(test_instructions),
		TESTRUN(test_lines),
		TESTRUN(test_numbers),
		TESTRUN(test_instructions_beside),
		TESTRUN(test_unknown_code_beside),
		TESTRUN(test_lines_of_functions),
		TESTRUN(test_space_of_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
