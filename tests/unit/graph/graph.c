/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis: cycles against an independent search, propagation against known truth. */
#include "testrun.h"

#include "graph/graph.h"

enum { MOST = 12 };

static const char *const names[] = {"n0", "n1", "n2", "n3", "n4",  "n5",
                                    "n6", "n7", "n8", "n9", "n10", "n11"};

struct call {
	uint32_t caller, callee, count;
};

/* A caller that stands for none that is known. */
enum { NOBODY = UINT32_MAX };

static struct graph *
analyse(struct testrun *test, const double *ticks, const struct call *calls, uint32_t count,
        uint32_t functions)
{
	struct symbols *symbols = testrun_symbols(test, names, functions);
	struct filters *filters = filters_resolve(&test->run, symbols);
	struct profile *profile = profile_new(&test->run);
	struct graph *graph = graph_new(&test->run, symbols, filters);

	for (uint32_t i = 0; i < count; i++) {
		struct gprofx_raw_call call = {symbols->address[calls[i].callee], calls[i].count};
		struct gprofx_raw_arc arc = {0, call.self, call.count};

		if (calls[i].caller == NOBODY) {
			profile->public.builder->calls(&test->run.gx, &profile->public, NULL, &call,
			                               1);
			continue;
		}
		arc.from = symbols->address[calls[i].caller] + 4;
		profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
	}
	for (uint32_t f = 0; ticks && f < functions; f++)
		graph->self[f] = ticks[f];
	graph_add_arcs(&test->run, graph, profile);
	if (count > 0 && !profile->has_arcs)
		return graph;
	graph_analyse(&test->run, graph);
	graph_number_entries(&test->run, graph, NULL);
	return graph;
}

static void
test_equal_arcs_merge(void **state)
{
	const struct call calls[] = {{0, 1, 3}, {0, 2, 1}, {0, 1, 4}, {1, 1, 9}};
	struct graph *graph = analyse(*state, NULL, calls, 4, 3);

	assert_int_equal(graph->arc_count, 3);
	assert_int_equal(graph->arcs[0].calls, 7);
	assert_int_equal(graph->calls[1], 7);
	assert_int_equal(graph->recursive[1], 9);
}

static void
test_time_goes_up_by_calls(void **state)
{
	/* 0 and 1 call 2 three times and once; 2 calls 3. */
	const struct call calls[] = {{0, 2, 3}, {1, 2, 1}, {2, 3, 5}};
	const double ticks[] = {1, 2, 8, 4};
	struct graph *graph = analyse(*state, ticks, calls, 3, 4);

	assert_true(graph->below[2] == 4);
	assert_true(graph->below[0] == 9);
	assert_true(graph->below[1] == 3);
	assert_true(graph->arcs[0].self == 6 && graph->arcs[0].below == 3);
	assert_true(graph->total == 15);
	/* By time: 2 (12), 0 (10), 1 (5), 3 (4). */
	assert_int_equal(graph->index[2], 1);
	assert_int_equal(graph->index[0], 2);
	assert_int_equal(graph->index[1], 3);
	assert_int_equal(graph->index[3], 4);
}

static void
test_cycle_is_one_node(void **state)
{
	const struct call calls[] = {{0, 1, 3}, {1, 2, 2}, {2, 1, 7}, {2, 3, 4}, {2, 2, 9}};
	const double ticks[] = {10, 20, 30, 5};
	struct graph *graph = analyse(*state, ticks, calls, 5, 4);

	assert_int_equal(graph->cycle_count, 1);
	assert_int_equal(graph->cycle[0], 0);
	assert_int_equal(graph->cycle[1], 1);
	assert_int_equal(graph->cycle[2], 1);
	assert_int_equal(graph->calls[4], 3);
	assert_int_equal(graph->recursive[4], 9);
	assert_true(graph->self[4] == 50);
	assert_true(graph->below[4] == 5);
	assert_true(graph->below[0] == 55);
	assert_int_equal(graph->members.first[1], 2);
	assert_int_equal(graph->members.item[0], 1);
	assert_int_equal(graph->members.item[1], 2);
}

static void
test_ties_are_settled_by_names(void **state)
{
	const struct call calls[] = {{0, 1, 2}, {0, 2, 2}, {0, 3, 5}, {0, 4, 2}};
	struct gprofx_text shown[5] = {{NULL, 0}, {"b", 1}, {"ab", 2}, {"_", 1}, {"a", 1}};
	struct testrun *test = *state;
	struct graph *graph = analyse(test, NULL, calls, 4, 5);

	/* By names of the symbol table: calls, then names; 0 has none. */
	assert_int_equal(graph->by_index[0], 3);
	assert_int_equal(graph->by_index[1], 1);
	assert_int_equal(graph->by_index[3], 4);
	assert_int_equal(graph->by_index[4], 0);
	/* By names as shown: what begins with an underscore goes last, and what has none behind. */
	graph_number_entries(&test->run, graph, shown);
	assert_int_equal(graph->by_index[0], 4);
	assert_int_equal(graph->by_index[1], 2);
	assert_int_equal(graph->by_index[2], 1);
	assert_int_equal(graph->by_index[3], 3);
	assert_int_equal(graph->by_index[4], 0);
	assert_int_equal(graph->index[2], 2);
}

/* Calls without a caller count for the callee, and have their share of its time. */
static void
test_calls_from_outside(void **state)
{
	const struct call calls[] = {{0, 1, 3}, {NOBODY, 1, 1}, {1, 2, 4}, {NOBODY, 1, 8}};
	const double ticks[] = {0, 4, 8};
	struct graph *graph = analyse(*state, ticks, calls, 4, 3);

	assert_int_equal(graph->function_count, 4);
	assert_int_equal(graph->node_count, 4);
	assert_int_equal(graph->arc_count, 3);
	assert_int_equal(graph->calls[1], 12);
	assert_int_equal(graph->calls[2], 4);
	assert_int_equal(graph->calls[3], 0);
	assert_int_equal(graph->arcs[2].caller, 3);
	assert_int_equal(graph->arcs[2].callee, 1);
	assert_int_equal(graph->arcs[2].calls, 9);
	/* Nothing is lost of what is called from both sides. */
	assert_true(graph->visible_self[1] == 4 && graph->visible_below[1] == 8);
	assert_true(graph->below[0] == 3 && graph->below[3] == 9);
}

/* Where nothing but such calls is known, there is no graph. */
static void
test_calls_alone(void **state)
{
	const struct call calls[] = {{NOBODY, 1, 3}, {NOBODY, 0, 1}, {NOBODY, 1, 4}};
	struct graph *graph = analyse(*state, NULL, calls, 3, 3);

	assert_int_equal(graph->function_count, 3);
	assert_int_equal(graph->arc_count, 0);
	assert_int_equal(graph->calls[0], 1);
	assert_int_equal(graph->calls[1], 7);
}

/* Reachability by repeated squaring: two functions are in one cycle if each reaches the other. */
static void
test_cycles_are_the_components(void **state)
{
	uint64_t random = 2024;

	for (int round = 0; round < 3000; round++) {
		uint32_t functions = 2 + (uint32_t)(testrun_random(&random) % (MOST - 1));
		uint32_t count = (uint32_t)(testrun_random(&random) % (functions * 2 + 1));
		struct call calls[MOST * 2 + 1];
		bool reaches[MOST][MOST] = {{false}};
		struct graph *graph;

		for (uint32_t i = 0; i < count; i++) {
			calls[i] = (struct call){(uint32_t)(testrun_random(&random) % functions),
			                         (uint32_t)(testrun_random(&random) % functions),
			                         1};
			reaches[calls[i].caller][calls[i].callee] = true;
		}
		for (uint32_t k = 0; k < functions; k++)
			for (uint32_t i = 0; i < functions; i++)
				for (uint32_t j = 0; j < functions; j++)
					reaches[i][j] = reaches[i][j] ||
					                (reaches[i][k] && reaches[k][j]);
		graph = analyse(*state, NULL, calls, count, functions);
		for (uint32_t i = 0; i < functions; i++) {
			for (uint32_t j = 0; j < functions; j++) {
				bool together = i != j && reaches[i][j] && reaches[j][i];

				if (i == j)
					continue;
				assert_int_equal(graph->cycle[i] != 0 &&
				                         graph->cycle[i] == graph->cycle[j],
				                 together);
				assert_int_equal(graph->rank[i] == graph->rank[j], together);
				if (reaches[i][j] && !together)
					assert_true(graph->rank[i] > graph->rank[j]);
			}
		}
		testrun_again(*state);
	}
}

/* Calls in code, those of a caller apart: once each, in their order, behind what was recorded. */
static void
test_calls_in_code_are_added_once(void **state)
{
	enum { RECORDED = 20, CALLS = 300 };
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, MOST);
	struct filters *filters = filters_resolve(&test->run, symbols);
	uint64_t random = 4711;

	for (int round = 0; round < 50; round++) {
		struct profile *profile = profile_new(&test->run);
		struct graph *graph = graph_new(&test->run, symbols, filters);
		struct static_calls calls = {.count = CALLS};
		uint8_t kinds[MOST][MOST] = {{0}};
		uint32_t pairs[MOST * MOST][2], count = 0;
		int place[MOST][MOST];

		memset(place, -1, sizeof place);
		graph->wants_order = true;
		for (int i = 0; i < RECORDED + CALLS; i++) {
			uint32_t caller = (uint32_t)(testrun_random(&random) % MOST);
			uint32_t callee = (uint32_t)(testrun_random(&random) % MOST);
			struct gprofx_raw_arc arc = {symbols->address[caller] + 4,
			                             symbols->address[callee], 1};

			if (i == RECORDED) {
				graph_add_arcs(&test->run, graph, profile);
				calls.items = memory_alloc(&test->run, CALLS * sizeof *calls.items);
			}
			if (i < RECORDED)
				profile->public.builder->arcs(&test->run.gx, &profile->public, NULL,
				                              &arc, 1);
			else
				calls.items[i - RECORDED] = (struct static_call){
					caller, callee, caller, (uint8_t)(1 << i % 2)};
			if (place[caller][callee] < 0) {
				place[caller][callee] = (int)count;
				pairs[count][0] = caller;
				pairs[count++][1] = callee;
				if (i >= RECORDED)
					kinds[caller][callee] = 0x80;
			}
			if (kinds[caller][callee] != 0)
				kinds[caller][callee] |= (uint8_t)(1 << i % 2);
		}
		graph_add_static_calls(&test->run, graph, &calls);
		assert_int_equal(graph->arc_count, count);
		for (uint32_t i = 0; i < count; i++) {
			const struct graph_arc *arc = &graph->arcs[graph->arc_order[i]];

			assert_int_equal(arc->caller, pairs[i][0]);
			assert_int_equal(arc->callee, pairs[i][1]);
			assert_int_equal(graph->found[graph->arc_order[i]],
			                 kinds[arc->caller][arc->callee] & 0x7f);
			assert_int_equal(arc->calls == 0, kinds[arc->caller][arc->callee] != 0);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_equal_arcs_merge),          TESTRUN(test_time_goes_up_by_calls),
		TESTRUN(test_cycle_is_one_node),         TESTRUN(test_ties_are_settled_by_names),
		TESTRUN(test_calls_from_outside),        TESTRUN(test_calls_alone),
		TESTRUN(test_cycles_are_the_components), TESTRUN(test_calls_in_code_are_added_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
