/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of comparisons with few functions, each value by hand.  Takes no time. */
#include "comparedrun.h"

#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/rows.h"
#include "near.h"

#define NONE UINT32_MAX

/* Standard errors of half an interval that covers the truth in 95 of 100 cases. */
static const double half_of_normal = 1.959963984540054;

/* Both sides, and their functions' partners. */
struct pair {
	struct compared_report base, now;
	uint32_t base_count, new_count;
	uint32_t of_base[8], of_new[8];
	uint8_t how[8], needed[8];
	bool uses_needed;
	uint32_t normalization;
	struct compare_rows_input input;
	struct gprofx_report_comparison made;
};

/* Of one run on each side, whose functions are each other's partners, without values. */
static struct pair *
new_pair(struct testrun *test, uint32_t base_count, uint32_t new_count)
{
	struct pair *pair = memory_alloc(&test->run, sizeof *pair);

	pair->base_count = base_count;
	pair->new_count = new_count;
	compared_link(&pair->base, base_count, 1);
	compared_link(&pair->now, new_count, 1);
	for (uint32_t i = 0; i < 8; i++) {
		pair->of_base[i] = i < new_count ? i : NONE;
		pair->of_new[i] = i < base_count ? i : NONE;
		pair->how[i] = i < base_count ? GPROFX_MATCH_NAME : GPROFX_MATCH_NONE;
	}
	return pair;
}

/* Ticks of one run, each of a sample of its own. */
static void
set_self(struct compared_report *side, uint32_t run, uint32_t function, double ticks)
{
	side->values[run].self[function] = side->values[run].squares[function] = ticks;
}

/* Inclusive times of one run as well. */
static void
set_below(struct compared_report *side, enum gprofx_origin origin, uint32_t function, double ticks)
{
	side->columns[0].total_origin = origin;
	side->values[0].below[function] = ticks;
	side->values[0].total_squares[function] = side->values[0].self[function] + ticks;
}

static void
set_calls(struct compared_report *side, uint32_t run, uint32_t function, uint64_t calls)
{
	side->origin.has_arcs = true;
	side->values[run].calls[function] = calls;
}

static const struct gprofx_compared *
make(struct testrun *test, struct pair *pair)
{
	struct compare_rows_input *input = &pair->input;

	*input = (struct compare_rows_input){.normalization = pair->normalization};
	memset(&pair->made, 0, sizeof pair->made);
	compare_values_begin(&test->run, &input->base, &pair->base.report, 0, 100);
	compare_values_begin(&test->run, &input->new_side, &pair->now.report, 0, 100);
	if (pair->normalization == GPROFX_NORMALIZED_BY_TOTAL) {
		compare_values_to_total(&input->base, input->new_side.mean);
		compare_values_to_total(&input->new_side, input->new_side.mean);
	}
	input->matches = (struct compare_matches){.base_count = pair->base_count,
	                                          .new_count = pair->new_count,
	                                          .of_base = pair->of_base,
	                                          .of_new = pair->of_new,
	                                          .how = pair->how};
	input->is_needed = pair->uses_needed ? pair->needed : NULL;
	compare_number_nodes(&test->run, input);
	return compare_make_rows(&test->run, input, &pair->made);
}

/* The row of a node. */
static const struct gprofx_compared *
row_of(const struct pair *pair, uint32_t node)
{
	for (uint32_t i = 0; i < pair->made.row_count; i++)
		if (pair->made.row[i].node == node)
			return &pair->made.row[i];
	fail_msg("node %u has no row", node);
	return NULL;
}

static void
expect_order(const struct pair *pair, const char *expected)
{
	char text[64] = "";

	for (uint32_t i = 0; i < pair->made.row_count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i > 0 ? " " : "",
		         pair->made.row[i].node);
	assert_string_equal(text, expected);
}

/* Functions of the base alone come behind those of the new side, if there is a reason. */
static void
test_nodes(void **state)
{
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 5, 4);
	const uint32_t *nodes;

	for (uint32_t i = 0; i < 5; i++)
		pair->of_base[i] = pair->of_new[i] = NONE;
	memset(pair->how, 0, sizeof pair->how);
	pair->of_base[0] = 1;
	pair->of_new[1] = 0;
	pair->how[1] = GPROFX_MATCH_PLAIN;
	set_self(&pair->base, 0, 0, 5);
	set_self(&pair->base, 0, 1, 7);
	set_calls(&pair->base, 0, 3, 2);
	set_self(&pair->now, 0, 2, 1);
	pair->needed[2] = 0;
	pair->needed[4] = 1;
	make(test, pair);
	nodes = pair->input.node_of_base;
	assert_true(nodes[0] == NONE && nodes[1] == 4 && nodes[2] == NONE && nodes[3] == 5 &&
	            nodes[4] == NONE);
	assert_int_equal(pair->input.node_count, 6);
	pair->uses_needed = true;
	make(test, pair);
	nodes = pair->input.node_of_base;
	assert_true(nodes[0] == NONE && nodes[1] == 4 && nodes[2] == NONE && nodes[3] == 5 &&
	            nodes[4] == 6);
	assert_int_equal(pair->input.node_count, 7);
	/* By size; what has neither time nor calls has no row. */
	expect_order(pair, "4 1 2 5");
	assert_int_equal(row_of(pair, 1)->match, GPROFX_MATCH_PLAIN);
	assert_true(row_of(pair, 1)->is_in_base);
	assert_int_equal(row_of(pair, 2)->match, GPROFX_MATCH_NONE);
	assert_false(row_of(pair, 2)->is_in_base);
	assert_int_equal(row_of(pair, 4)->match, GPROFX_MATCH_NONE);
	assert_true(row_of(pair, 4)->is_in_base);
	assert_near(row_of(pair, 4)->self.base, 7, 0);
	assert_near(row_of(pair, 4)->self.now, 0, 0);
	assert_near(row_of(pair, 2)->self.base, 0, 0);
	assert_near(pair->made.base.matched[GPROFX_MATCH_NONE], 7, 0);
	assert_near(pair->made.base.matched[GPROFX_MATCH_PLAIN], 5, 0);
	assert_near(pair->made.new_side.matched[GPROFX_MATCH_NONE], 1, 0);
	assert_near(pair->made.new_side.matched[GPROFX_MATCH_PLAIN], 0, 0);
}

/* Verdicts first, then what is not tested, then the others; the largest differences first. */
static void
test_order(void **state)
{
	static const double base[] = {1000, 1000, 100, 300, 50, 0, 100, 2};
	static const double now[] = {2000, 100, 105, 400, 90, 0, 95, 3};
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 8, 8);
	const struct gprofx_difference *first;
	double error = sqrt(3000);

	for (uint32_t i = 0; i < 8; i++) {
		set_self(&pair->base, 0, i, base[i]);
		set_self(&pair->now, 0, i, now[i]);
	}
	/* The errors of two are not known. */
	pair->base.values[0].squares[3] = NAN;
	pair->now.values[0].squares[7] = NAN;
	make(test, pair);
	expect_order(pair, "0 1 4 3 7 2 6");
	assert_int_equal(pair->made.more_count, 2);
	assert_int_equal(pair->made.less_count, 1);
	assert_int_equal(pair->made.untested_count, 2);
	assert_int_equal(pair->made.equal_count, 2);
	assert_int_equal(row_of(pair, 1)->self.verdict, GPROFX_VERDICT_LESS);
	first = &row_of(pair, 0)->self;
	assert_near(first->error, error, 1e-15);
	assert_near(first->low, 1000 - half_of_normal * error, 1e-15);
	assert_near(first->high, 1000 + half_of_normal * error, 1e-15);
	assert_true(first->p < 1e-60);
	assert_true(isnan(row_of(pair, 3)->self.p) && isnan(row_of(pair, 3)->self.error));
	/* Inclusive values are not known. */
	assert_true(isnan(first[1].base) && isnan(first[1].now) && isnan(first[1].p));
	assert_true(pair->made.estimates_totals);
	assert_int_equal(pair->made.row[0].size, sizeof pair->made.row[0]);
}

/* Many functions of equal differences stay in their order. */
static void
test_equal_sizes(void **state)
{
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 8, 8);

	for (uint32_t i = 0; i < 8; i++) {
		set_self(&pair->base, 0, i, 20);
		set_self(&pair->now, 0, i, i % 2 == 0 ? 21 : i == 3 ? 17 : 19);
	}
	make(test, pair);
	expect_order(pair, "3 0 1 2 4 5 6 7");
}

/* What has no sample on either side is not tested, and does not make other tests stricter. */
static void
test_family(void **state)
{
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 8, 8);

	for (uint32_t i = 0; i < 8; i++)
		set_calls(&pair->now, 0, i, 1);
	set_self(&pair->base, 0, 0, 10);
	set_self(&pair->now, 0, 0, 23);
	make(test, pair);
	assert_int_equal(pair->made.row_count, 8);
	/* That is not found among 8 tests. */
	assert_true(row_of(pair, 0)->self.p > COMPARE_ROW_RATE / 8);
	assert_int_equal(row_of(pair, 0)->self.verdict, GPROFX_VERDICT_MORE);
	for (uint32_t i = 1; i < 8; i++)
		set_self(&pair->now, 0, i, 1);
	make(test, pair);
	assert_int_equal(row_of(pair, 0)->self.verdict, GPROFX_VERDICT_EQUAL);
}

/* Rows are counted once: by side if one alone has them, else by a verdict. */
static void
test_counts(void **state)
{
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 3, 3);

	pair->of_base[0] = pair->of_new[0] = NONE;
	pair->how[0] = GPROFX_MATCH_NONE;
	set_self(&pair->base, 0, 0, 1000);
	set_self(&pair->now, 0, 0, 2000);
	set_self(&pair->base, 0, 1, 500);
	set_self(&pair->now, 0, 1, 500);
	set_self(&pair->base, 0, 2, 500);
	set_self(&pair->now, 0, 2, 500);
	set_below(&pair->base, GPROFX_MEASURED, 1, 3000);
	set_below(&pair->now, GPROFX_MEASURED, 1, 0);
	set_below(&pair->base, GPROFX_MEASURED, 2, 0);
	set_below(&pair->now, GPROFX_MEASURED, 2, 5);
	make(test, pair);
	assert_int_equal(pair->made.only_base_count, 1);
	assert_int_equal(pair->made.only_new_count, 1);
	assert_int_equal(pair->made.total_less_count, 1);
	assert_int_equal(pair->made.total_more_count, 0);
	assert_int_equal(pair->made.equal_count, 1);
	assert_int_equal(pair->made.less_count + pair->made.more_count + pair->made.untested_count,
	                 0);
}

/* Whether anything was tested: the total, or a value of a row. */
static void
test_has_tests(void **state)
{
	struct gprofx_compared rows[2] = {{.size = sizeof *rows}, {.size = sizeof *rows}};
	struct gprofx_report_comparison made = {.size = sizeof made, .row = rows, .row_count = 2};

	(void)state;
	made.total.self.verdict = rows[0].self.verdict = rows[0].total.verdict =
		rows[1].self.verdict = rows[1].total.verdict = GPROFX_VERDICT_UNTESTED;
	assert_false(compare_has_tests(&made));
	made.total.self.verdict = GPROFX_VERDICT_EQUAL;
	assert_true(compare_has_tests(&made));
	made.total.self.verdict = GPROFX_VERDICT_UNTESTED;
	rows[1].self.verdict = GPROFX_VERDICT_EQUAL;
	assert_true(compare_has_tests(&made));
	rows[1].self.verdict = GPROFX_VERDICT_UNTESTED;
	rows[1].total.verdict = GPROFX_VERDICT_LESS;
	assert_true(compare_has_tests(&made));
	made.row_count = 1;
	assert_false(compare_has_tests(&made));
	rows[0].self.verdict = GPROFX_VERDICT_MORE;
	assert_true(compare_has_tests(&made));
}

/* What is not selected is in no row and no total. */
static void
test_selected(void **state)
{
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 3, 3);

	for (uint32_t i = 0; i < 3; i++) {
		set_self(&pair->base, 0, i, 10 + i);
		set_self(&pair->now, 0, i, 20 + i);
	}
	pair->base.flat[0] = pair->now.flat[0] = 2;
	pair->base.graph.flat_count = pair->now.graph.flat_count = 2;
	make(test, pair);
	/* The first one is not there. */
	expect_order(pair, "1 2");
	assert_near(pair->made.total.self.base, 23, 0);
	assert_near(pair->made.total.self.now, 43, 0);
	pair->base.graph.flat_count = 1;
	make(test, pair);
	expect_order(pair, "1 2");
	assert_near(row_of(pair, 1)->self.base, 0, 0);
}

/* Inclusive values are compared where they are known, and tested where they are measured. */
static void
test_totals(void **state)
{
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 2, 2);

	set_self(&pair->base, 0, 0, 10);
	set_self(&pair->now, 0, 0, 10);
	set_below(&pair->base, GPROFX_MEASURED, 0, 1000);
	set_below(&pair->now, GPROFX_ESTIMATED, 0, 3000);
	/* Of itself it has nothing. */
	set_below(&pair->now, GPROFX_ESTIMATED, 1, 4);
	make(test, pair);
	assert_near(row_of(pair, 0)->total.base, 1010, 0);
	assert_near(row_of(pair, 0)->total.now, 3010, 0);
	assert_int_equal(row_of(pair, 0)->total.verdict, GPROFX_VERDICT_UNTESTED);
	assert_true(isnan(row_of(pair, 0)->total.p));
	assert_true(pair->made.estimates_totals);
	expect_order(pair, "0 1");
	set_below(&pair->now, GPROFX_MEASURED, 1, 4);
	make(test, pair);
	assert_int_equal(row_of(pair, 0)->total.verdict, GPROFX_VERDICT_MORE);
	assert_int_equal(row_of(pair, 0)->self.verdict, GPROFX_VERDICT_EQUAL);
	/* By its inclusive value it is counted, and the other one by its own. */
	assert_int_equal(pair->made.total_more_count, 1);
	assert_int_equal(pair->made.equal_count, 1);
	assert_false(pair->made.estimates_totals);
	set_below(&pair->base, GPROFX_ESTIMATED, 0, 1000);
	make(test, pair);
	assert_true(pair->made.estimates_totals);
	assert_int_equal(row_of(pair, 0)->total.verdict, GPROFX_VERDICT_UNTESTED);
	set_below(&pair->base, GPROFX_UNKNOWN, 0, 1000);
	make(test, pair);
	assert_true(isnan(row_of(pair, 0)->total.base));
}

/* Numbers of calls are exact: per run they are equal or not. */
static void
test_calls(void **state)
{
	static const struct {
		uint64_t base[2], now;
		uint64_t sum;
		uint32_t verdict;
	} cases[] = {
		{{10, 10}, 10, 20, GPROFX_VERDICT_EQUAL},
		{{10, 11}, 10, 21, GPROFX_VERDICT_LESS},
		{{10, 9}, 10, 19, GPROFX_VERDICT_MORE},
		{{0, 0}, 1, 0, GPROFX_VERDICT_MORE},
		{{10, GPROFX_CALLS_UNKNOWN}, 10, GPROFX_CALLS_UNKNOWN, GPROFX_VERDICT_UNTESTED},
		{{10, 10}, GPROFX_CALLS_UNKNOWN, 20, GPROFX_VERDICT_UNTESTED},
		{{GPROFX_CALLS_UNKNOWN - 2, 1}, 10, GPROFX_CALLS_UNKNOWN - 1, GPROFX_VERDICT_LESS},
		{{GPROFX_CALLS_UNKNOWN - 2, 7}, 10, GPROFX_CALLS_UNKNOWN - 1, GPROFX_VERDICT_LESS},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct pair *pair = new_pair(test, 1, 1);
		const struct gprofx_compared *row;

		compared_link(&pair->base, 1, 2);
		set_self(&pair->base, 0, 0, 3);
		set_calls(&pair->base, 0, 0, cases[i].base[0]);
		set_calls(&pair->base, 1, 0, cases[i].base[1]);
		set_calls(&pair->now, 0, 0, cases[i].now);
		pair->base.calls[1].some_unknown = pair->now.calls[0].some_unknown = true;
		row = make(test, pair);
		assert_int_equal(pair->made.row_count, 1);
		assert_true(row->base_calls == cases[i].sum);
		assert_true(row->new_calls == cases[i].now);
		assert_int_equal(row->calls_verdict, cases[i].verdict);
	}
}

/* What is not on a side was not called there, if that side counts calls. */
static void
test_calls_of_none(void **state)
{
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 2, 1);

	set_calls(&pair->base, 0, 1, 4);
	make(test, pair);
	assert_true(row_of(pair, 1)->base_calls == 4);
	assert_true(row_of(pair, 1)->new_calls == GPROFX_CALLS_UNKNOWN);
	assert_int_equal(pair->made.row_count, 1);
	set_calls(&pair->now, 0, 0, 0);
	make(test, pair);
	assert_true(row_of(pair, 1)->new_calls == 0);
	assert_int_equal(row_of(pair, 1)->calls_verdict, GPROFX_VERDICT_LESS);
	pair->now.calls[0].some_unknown = true;
	make(test, pair);
	assert_true(row_of(pair, 1)->new_calls == GPROFX_CALLS_UNKNOWN);
	/* Calls alone make a row, those that are not known do not. */
	pair->base.calls[0].some_unknown = true;
	set_calls(&pair->base, 0, 1, GPROFX_CALLS_UNKNOWN);
	make(test, pair);
	assert_int_equal(pair->made.row_count, 0);
}

/* Costs of equal numbers of calls, where both are known and not 0. */
static void
test_by_calls(void **state)
{
	static const struct {
		uint64_t base, now;
		double factor;
	} cases[] = {
		{10, 30, 6}, {30, 10, 10.0 / 15},           {0, 10, 1},
		{10, 0, 1},  {GPROFX_CALLS_UNKNOWN, 10, 1}, {10, GPROFX_CALLS_UNKNOWN, 1},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (uint32_t way = 0; way < 2; way++) {
			struct pair *pair = new_pair(test, 1, 1);
			const struct gprofx_compared *row;

			compared_link(&pair->base, 1, 2);
			pair->normalization = way == 0 ? GPROFX_NORMALIZED_BY_CALLS
			                               : GPROFX_NORMALIZED_BY_NOTHING;
			set_self(&pair->base, 0, 0, 100);
			set_self(&pair->base, 1, 0, 100);
			set_self(&pair->now, 0, 0, 100);
			set_calls(&pair->base, 0, 0, cases[i].base);
			set_calls(&pair->now, 0, 0, cases[i].now);
			pair->base.calls[0].some_unknown = pair->now.calls[0].some_unknown = true;
			row = make(test, pair);
			assert_near(row->self.base, way == 0 ? 100 * cases[i].factor : 100, 1e-15);
			assert_near(row->self.now, 100, 0);
			if (way == 0 && cases[i].factor > 1)
				assert_true(row->self.now < row->self.base);
		}
}

/* The total, its error, and what is needed; shares of it have the same total. */
static void
test_total(void **state)
{
	struct testrun *test = *state;
	struct pair *pair = new_pair(test, 2, 2);
	const struct gprofx_report_comparison *made = &pair->made;
	double ratio = 1.2, quantiles = 1.6448536269514722 + 2.5758293035489004;
	double needed = pow(quantiles * sqrt(2200) / 10, 2);

	set_self(&pair->base, 0, 0, 600);
	set_self(&pair->base, 0, 1, 400);
	set_self(&pair->now, 0, 0, 800);
	set_self(&pair->now, 0, 1, 400);
	make(test, pair);
	assert_int_equal(made->total.node, NONE);
	assert_near(made->total.self.base, 1000, 0);
	assert_near(made->total.self.now, 1200, 0);
	assert_int_equal(made->total.self.verdict, GPROFX_VERDICT_MORE);
	assert_true(made->total.base_calls == GPROFX_CALLS_UNKNOWN &&
	            made->total.new_calls == GPROFX_CALLS_UNKNOWN);
	assert_true(isnan(made->total.total.p));
	assert_near(made->change_error, half_of_normal * sqrt(1200 + ratio * ratio * 1000) / 1000,
	            1e-9);
	assert_near(made->needed_for_percent, needed, 1e-9);
	assert_near(made->total_level, COMPARE_TOTAL_LEVEL, 0);
	assert_near(made->row_rate, COMPARE_ROW_RATE, 0);
	pair->normalization = GPROFX_NORMALIZED_BY_TOTAL;
	make(test, pair);
	assert_near(row_of(pair, 0)->self.base, 720, 1e-15);
	assert_near(row_of(pair, 0)->self.now, 800, 0);
	assert_near(made->total.self.base, 1200, 1e-15);
	assert_true(isnan(made->change_error) && isnan(made->needed_for_percent));
	assert_int_equal(made->total.self.verdict, GPROFX_VERDICT_UNTESTED);
	pair->normalization = GPROFX_NORMALIZED_BY_NOTHING;
	set_self(&pair->base, 0, 0, 0);
	set_self(&pair->base, 0, 1, 0);
	make(test, pair);
	assert_true(isnan(made->change_error));
}

/* A limit is passed by what is significantly slower by more than that, and is not too small. */
static void
test_limit(void **state)
{
	struct gprofx_compared row = {.size = sizeof row, .match = GPROFX_MATCH_NAME};
	struct gprofx_report_comparison made = {
		.size = sizeof made,
		.total.self = {.base = 1000, .now = 1100, .verdict = GPROFX_VERDICT_MORE},
		.row = &row,
	};

	(void)state;
	assert_true(compare_is_slower(&made, 9.9, 1));
	assert_false(compare_is_slower(&made, 10.05, 1));
	made.total.self.verdict = GPROFX_VERDICT_EQUAL;
	assert_false(compare_is_slower(&made, 5, 1));
	made.row_count = 1;
	row.self = (struct gprofx_difference){.base = 8, .now = 11, .verdict = GPROFX_VERDICT_MORE};
	assert_true(compare_is_slower(&made, 37, 1));
	assert_false(compare_is_slower(&made, 38, 1));
	/* 1 % of the new side's total are 11. */
	assert_false(compare_is_slower(&made, 5, 1.01));
	row.total = row.self;
	row.self.verdict = GPROFX_VERDICT_LESS;
	assert_true(compare_is_slower(&made, 37, 1));
	assert_false(compare_is_slower(&made, 5, 1.01));
	/* Where the other side has no such function, it is not called slower. */
	row.match = GPROFX_MATCH_NONE;
	assert_false(compare_is_slower(&made, 5, 1));
	row.match = GPROFX_MATCH_NAME;
	row.total.verdict = GPROFX_VERDICT_EQUAL;
	assert_false(compare_is_slower(&made, 5, 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_nodes),
		TESTRUN(test_order),
		TESTRUN(test_equal_sizes),
		TESTRUN(test_family),
		TESTRUN(test_selected),
		TESTRUN(test_counts),
		cmocka_unit_test(test_has_tests),
		TESTRUN(test_totals),
		TESTRUN(test_calls),
		TESTRUN(test_calls_of_none),
		TESTRUN(test_by_calls),
		TESTRUN(test_total),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
