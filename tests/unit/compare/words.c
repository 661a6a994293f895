/* SPDX-License-Identifier: Apache-2.0 */
/* The sentences of a comparison, word by word.  Takes no time. */
#include "testrun.h"

#include <math.h>

#include "compare/words.h"

static const struct gprofx_metric seconds = {.size = sizeof seconds,
                                             .name = "time",
                                             .unit = "seconds",
                                             .ticks_per_unit = 100};
static const struct gprofx_metric events = {.size = sizeof events,
                                            .name = "misses",
                                            .unit = "misses",
                                            .ticks_per_unit = 1};

static const struct gprofx_metric counted = {.size = sizeof counted,
                                             .name = "misses",
                                             .unit = "misses",
                                             .ticks_per_unit = 1,
                                             .kind = GPROFX_COUNTED};

/* A comparison without rows, in which nothing is known but the totals. */
static struct gprofx_report_comparison
totals(double base, double now, double change_error, uint32_t verdict)
{
	return (struct gprofx_report_comparison){
		.size = sizeof(struct gprofx_report_comparison),
		.base.run_count = 1,
		.new_side.run_count = 1,
		.total.self = {.base = base, .now = now, .verdict = verdict},
		.change_error = change_error,
		.needed_for_percent = NAN,
	};
}

static void
expect_sentence(struct testrun *test, const struct gprofx_metric *metric,
                struct gprofx_report_comparison comparison, const char *expected)
{
	compare_set_words(&test->run, metric, &comparison);
	assert_string_equal(comparison.sentence, expected);
}

#define NOT_SHOWN "No difference in the total that these samples can show "

static void
test_changes(void **state)
{
	static const struct {
		double base, now, error;
		uint32_t verdict;
		const char *of_time, *of_events;
	} cases[] = {
		{0, 0, NAN, 0, "Neither side has any time", "Neither side has any value"},
		{0, 5, NAN, 0, "Only the new side has any time", "Only the new side has any value"},
		{5, 0, NAN, 0, "Only the base has any time", "Only the base has any value"},
		{1000, 1072, 0.011, GPROFX_VERDICT_MORE, "7.2 % ± 1.1 % slower",
	         "7.2 % ± 1.1 % more"},
		{200, 100, 0.0005, GPROFX_VERDICT_LESS, "50.0 % ± 0.05 % faster",
	         "50.0 % ± 0.05 % less"},
		{100, 350, 0.00096, GPROFX_VERDICT_MORE, "250 % ± 0.1 % slower",
	         "250 % ± 0.1 % more"},
		{100, 200.5, 0.994, GPROFX_VERDICT_MORE, "100 % ± 99.4 % slower",
	         "100 % ± 99.4 % more"},
		{100, 101, 0.996, GPROFX_VERDICT_EQUAL, NOT_SHOWN "(+1.0 % ± 100 %)",
	         NOT_SHOWN "(+1.0 % ± 100 %)"},
		{100, 100, 0.1, GPROFX_VERDICT_EQUAL, NOT_SHOWN "(+0.00 % ± 10.0 %)",
	         NOT_SHOWN "(+0.00 % ± 10.0 %)"},
		{1000, 995, 0.1, GPROFX_VERDICT_EQUAL, NOT_SHOWN "(-0.5 % ± 10.0 %)",
	         NOT_SHOWN "(-0.5 % ± 10.0 %)"},
		{1000, 1072, 0.05, GPROFX_VERDICT_EQUAL,
	         "A difference in the total is not certain (+7.2 % ± 5.0 %)",
	         "A difference in the total is not certain (+7.2 % ± 5.0 %)"},
		{1000, 928, 0.05, GPROFX_VERDICT_EQUAL,
	         "A difference in the total is not certain (-7.2 % ± 5.0 %)",
	         "A difference in the total is not certain (-7.2 % ± 5.0 %)"},
		{100, 150, 0.5, GPROFX_VERDICT_EQUAL, NOT_SHOWN "(+50.0 % ± 50.0 %)",
	         NOT_SHOWN "(+50.0 % ± 50.0 %)"},
		{100, 1104, 0.5, GPROFX_VERDICT_MORE, "11.0 times the base", "11.0 times the base"},
		{100, 1099, 0.5, GPROFX_VERDICT_MORE, "999 % ± 50.0 % slower",
	         "999 % ± 50.0 % more"},
		{100, 1104, 20, GPROFX_VERDICT_EQUAL, NOT_SHOWN "(+1004 % ± 2000 %)",
	         NOT_SHOWN "(+1004 % ± 2000 %)"},
		{1, 2e6, 0.5, GPROFX_VERDICT_MORE, "2e+06 times the base", "2e+06 times the base"},
		{1, 999999, 0.5, GPROFX_VERDICT_MORE, "999999.0 times the base",
	         "999999.0 times the base"},
		{100, 1200, NAN, GPROFX_VERDICT_UNTESTED,
	         "12.0 times the base, with an error that is not known",
	         "12.0 times the base, with an error that is not known"},
		{100, 100, NAN, GPROFX_VERDICT_UNTESTED,
	         "Equal totals, with errors that are not known",
	         "Equal totals, with errors that are not known"},
		{100, 100, 0, GPROFX_VERDICT_EQUAL, "Equal totals", "Equal totals"},
		{100, 150, 0, GPROFX_VERDICT_MORE, "50.0 % slower", "50.0 % more"},
		{1000, 995, NAN, GPROFX_VERDICT_UNTESTED,
	         "0.5 % faster, with an error that is not known",
	         "0.5 % less, with an error that is not known"},
		{1000, 1005, NAN, GPROFX_VERDICT_UNTESTED,
	         "0.5 % slower, with an error that is not known",
	         "0.5 % more, with an error that is not known"},
	};
	struct testrun *test = *state;
	struct gprofx_metric without_ticks = seconds;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct gprofx_report_comparison comparison = totals(
			cases[i].base, cases[i].now, cases[i].error, cases[i].verdict);

		expect_sentence(test, &seconds, comparison, cases[i].of_time);
		expect_sentence(test, &events, comparison, cases[i].of_events);
	}
	without_ticks.ticks_per_unit = 0;
	expect_sentence(test, &without_ticks, totals(0, 0, NAN, 0), "Neither side has any value");
}

static void
test_normalized(void **state)
{
	struct testrun *test = *state;
	struct gprofx_report_comparison comparison = totals(1000, 1072, NAN, 0);

	comparison.normalization = GPROFX_NORMALIZED_BY_TOTAL;
	expect_sentence(test, &seconds, comparison, "Shares of the total are compared");
	comparison.normalization = GPROFX_NORMALIZED_BY_CALLS;
	expect_sentence(test, &seconds, comparison, "Costs of equal numbers of calls are compared");
	comparison.total.self.base = 0;
	expect_sentence(test, &seconds, comparison, "Only the new side has any time");
}

static void
test_rows(void **state)
{
	struct testrun *test = *state;
	struct gprofx_report_comparison comparison = totals(0, 0, NAN, 0);

	comparison.less_count = 3;
	comparison.more_count = 1;
	comparison.equal_count = 912;
	expect_sentence(test, &seconds, comparison,
	                "Neither side has any time; 3 functions faster, 1 slower, 912 without a "
	                "difference that these samples can show");
	comparison.less_count = 0;
	comparison.equal_count = 0;
	comparison.untested_count = 2;
	expect_sentence(test, &events, comparison,
	                "Neither side has any value; 1 function with more, 2 not tested, since "
	                "their errors are not known");
	comparison.total_less_count = 4;
	comparison.total_more_count = 5;
	comparison.only_base_count = 6;
	comparison.only_new_count = 7;
	comparison.equal_count = 8;
	comparison.untested_count = 0;
	expect_sentence(test, &seconds, comparison,
	                "Neither side has any time; 1 function slower, 4 faster with all that is "
	                "called, 5 slower with all that is called, 6 only in the base, 7 only in "
	                "the new profile, 8 without a difference that these samples can show");
	expect_sentence(test, &counted, comparison,
	                "Neither side has any value; 1 function with more, 4 with less in all that "
	                "is called, 5 with more in all that is called, 6 only in the base, 7 only "
	                "in the new profile, 8 without a difference");
	comparison = totals(0, 0, NAN, 0);
	comparison.more_count = comparison.untested_count = 0;
	comparison.less_count = 2;
	expect_sentence(test, &events, comparison,
	                "Neither side has any value; 2 functions with less");
}

/* The side that measured more says how much that is. */
static void
test_what_is_needed(void **state)
{
	static const struct {
		double needed;
		const char *of_time, *of_events;
	} cases[] = {
		{NAN, "", ""},
		{0, "", ""},
		{1, "", ""},
		{1.5, "measure 6 seconds on each side", "measure 1.5 times as much"},
		{3.14, "measure 13 seconds on each side", "measure 3.2 times as much"},
		{9.99, "measure 40 seconds on each side", "measure 10.0 times as much"},
		{10, "measure 40 seconds on each side", "measure 10 times as much"},
		{12.34, "measure 50 seconds on each side", "measure 12 times as much"},
		{22.25, "measure 89 seconds on each side", "measure 22 times as much"},
		{22.5, "measure 2 minutes on each side", "measure 22 times as much"},
		{1349, "measure 90 minutes on each side", "measure 1349 times as much"},
		{1350, "measure 2 hours on each side", "measure 1350 times as much"},
		{32399, "measure 36 hours on each side", "measure 32399 times as much"},
		{32400, "measure 2 days on each side", "measure 32400 times as much"},
		{21600e6, "measure 1000000 days on each side", NULL},
		{43200e6, "measure 2e+06 days on each side", NULL},
	};
	struct testrun *test = *state;
	struct gprofx_report_comparison comparison = totals(0, 0, NAN, 0);
	char expected[200];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (uint32_t way = 0; way < 2; way++) {
			const char *end = cases[i].of_time;
			const char *before = *end ? "; to see 1 %, " : "";

			comparison.needed_for_percent = cases[i].needed;
			/* 4 seconds in two runs, 3 in one. */
			comparison.base.ticks = way == 0 ? 200 : 300;
			comparison.base.run_count = way == 0 ? 2 : 1;
			comparison.new_side.ticks = way == 0 ? 300 : 200;
			comparison.new_side.run_count = way == 0 ? 1 : 2;
			snprintf(expected, sizeof expected, "Neither side has any time%s%s", before,
			         end);
			expect_sentence(test, &seconds, comparison, expected);
			end = cases[i].of_events;
			if (!end)
				continue;
			snprintf(expected, sizeof expected, "Neither side has any value%s%s",
			         before, end);
			expect_sentence(test, &events, comparison, expected);
		}
	comparison.needed_for_percent = 2;
	comparison.base.ticks = comparison.new_side.ticks = 25;
	comparison.new_side.run_count = 1;
	expect_sentence(test, &seconds, comparison,
	                "Neither side has any time; to see 1 %, measure 1 second on each side");
}

static void
expect_caution_of(struct testrun *test, const struct gprofx_metric *metric,
                  const struct gprofx_report_comparison *comparison, const char *expected)
{
	struct gprofx_report_comparison copy = *comparison;

	compare_set_words(&test->run, metric, &copy);
	if (expected)
		assert_string_equal(copy.caution, expected);
	else
		assert_null(copy.caution);
}

static void
expect_caution(struct testrun *test, const struct gprofx_report_comparison *comparison,
               const char *expected)
{
	expect_caution_of(test, &seconds, comparison, expected);
}

#define SINGLE                                                                                    \
	"With one run on a side only the error of sampling is known: what else differs from run " \
	"to run is not in these numbers"
#define LACKS " has no calls, so values with all that is called are not compared. "
#define ONE_SINGLE "With one run on one side, it is assumed to vary as those of the other side do"

/* What is matched, and how runs vary. */
static void
test_cautions(void **state)
{
	static const char matched[] =
		"80.0 % of the total is in functions of both sides: 60.0 % by address in the same "
		"build, 5.0 % by name alone, 15.0 % as renamed, by place and calls";
	struct testrun *test = *state;
	struct gprofx_report_comparison comparison = totals(1000, 1072, 0.1, 0);
	char expected[600];

	/* Without rows that are tested, their errors are of no interest. */
	expect_caution(test, &comparison, NULL);
	comparison.row_count = comparison.untested_count = 2;
	expect_caution(test, &comparison, NULL);
	comparison.untested_count = 1;
	expect_caution(test, &comparison, SINGLE);
	expect_caution_of(test, &counted, &comparison,
	                  "With one run on a side, what differs from run to run is not in these "
	                  "numbers");
	comparison.base_lacks_calls = true;
	expect_caution(test, &comparison, "The base" LACKS SINGLE);
	comparison.base_lacks_calls = false;
	comparison.new_lacks_calls = true;
	expect_caution(test, &comparison, "The new side" LACKS SINGLE);
	comparison.new_lacks_calls = false;
	comparison.base.run_count = 2;
	expect_caution(test, &comparison, ONE_SINGLE);
	comparison.new_side.run_count = 2;
	expect_caution(test, &comparison, NULL);
	comparison.base.run_count = 1;
	expect_caution(test, &comparison, ONE_SINGLE);
	comparison.base.matched[GPROFX_MATCH_NONE] = 40;
	expect_caution(test, &comparison,
	               "0.0 % of the total is in functions of both sides. " ONE_SINGLE);
	comparison.base.matched[GPROFX_MATCH_NONE] = 30;
	comparison.new_side.matched[GPROFX_MATCH_NONE] = 10;
	comparison.base.matched[GPROFX_MATCH_BUILD] = 70;
	comparison.new_side.matched[GPROFX_MATCH_BUILD] = 50;
	comparison.new_side.matched[GPROFX_MATCH_PLAIN] = 10;
	comparison.base.matched[GPROFX_MATCH_RENAMED] = 30;
	snprintf(expected, sizeof expected, "%s. %s", matched, ONE_SINGLE);
	expect_caution(test, &comparison, expected);
	comparison.untested_count = 2;
	expect_caution(test, &comparison, matched);
	memset(&comparison.base.matched, 0, sizeof comparison.base.matched);
	memset(&comparison.new_side.matched, 0, sizeof comparison.new_side.matched);
	comparison.new_side.matched[GPROFX_MATCH_NAME] = 0.25;
	expect_caution(test, &comparison,
	               "100.0 % of the total is in functions of both sides: 100.0 % by name and "
	               "file");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_changes),        TESTRUN(test_normalized), TESTRUN(test_rows),
		TESTRUN(test_what_is_needed), TESTRUN(test_cautions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
