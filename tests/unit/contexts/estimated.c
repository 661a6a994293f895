/* SPDX-License-Identifier: Apache-2.0 */
/* Estimated contexts: figures by hand, sums against the call graph, bounds, and odd values. */
#include "../contextrun.h"

#include <math.h>

enum { MANY = 1000000 };

/* main 1, a 4, c 2, b 3; a and c are a cycle. */
static const struct small_program example = {
	.functions = "mabc",
	.ticks = {1, 4, 3, 2},
	.calls = "m>a 1 m>b 2 b>a 3 a>c 5 c>a 5",
};

static void
test_by_hand(void **state)
{
	static const struct {
		struct small_program program;
		const char *expected;
	} cases[] = {
		{{.functions = "mabc",
	          .ticks = {1, 4, 3, 2},
	          .calls = "m>a 1 m>b 2 b>a 3 a>c 5 c>a 5"},
	         "m 1+9; 0>b 3+4.5; 1>1 0+4.5; 2>a 3+0; 0>1 0+1.5; 2>c 1.5+0; 4>a 1+0; 4>c 0.5+0"},
		/* Functions that nobody calls are roots, and so is what nobody known calls. */
		{{.functions = "ab", .ticks = {1, 8}, .calls = "a>b 1 ?>b 3"},
	         "b 6+0; a 1+2; 1>b 2+0"},
		{{.functions = "ab", .ticks = {1, 2}, .calls = ""}, "b 2+0; a 1+0"},
		/* A cycle that nobody calls; what a member calls outside of it hangs below it. */
		{{.functions = "abc", .ticks = {1, 2, 5}, .calls = "a>b 1 b>a 1 b>c 1"},
	         "1 0+8; 0>b 2+5; 1>c 5+0; 0>a 1+0"},
		/* Recursion makes no context; two arcs into one cycle make one. */
		{{.functions = "mab", .ticks = {0, 3, 1}, .calls = "m>m 4 m>a 1 m>b 1 a>b 1 b>a 1"},
	         "m 0+4; 0>1 0+4; 1>a 3+0; 1>b 1+0"},
		/* Nothing has time. */
		{{.functions = "ab", .ticks = {0, 0}, .calls = "a>b 1"}, ""},
		{{.functions = "mxy", .ticks = {2, 2, 4}, .calls = "y>m 1"},
	         "y 4+2; x 2+0; 0>m 2+0"},
		/* Equally heavy ones: roots first, by the order of parents, and by the number of
	           the node. */
		{{.functions = "mcba", .ticks = {0, 1, 1, 1}, .calls = "m>a 1 m>b 1 m>c 1"},
	         "m 0+3; 0>c 1+0; 0>b 1+0; 0>a 1+0"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct graph *graph;
		const struct gprofx_report_contexts *contexts;

		testrun_again(test);
		graph = small_graph(test, &cases[i].program);
		contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, MANY);
		contextrun_expect(graph, contexts, 0, cases[i].expected);
		assert_true(contexts->is_estimated);
		assert_int_equal(contexts->bounds, 0);
		assert_true(contexts->cut[0] == 0);
		assert_int_equal(contexts->columns->total_origin, GPROFX_ESTIMATED);
		assert_true(contexts->columns->graph_total == graph->total);
		assert_null(contexts->place);
	}
}

/* A profile without calls: functions are all there is. */
static void
test_no_graph(void **state)
{
	static const char *const names[] = {"a", "b"};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 2);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	const struct gprofx_report_contexts *contexts;

	graph->self[0] = 3;
	graph->self[1] = 4;
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS_BY_PLACE, MANY);
	contextrun_expect(graph, contexts, 0, "b 4+0; a 3+0");
	assert_true(contexts->place[0] == GPROFX_NO_PLACE && contexts->place_count == 0);
}

/* The heaviest ones alone, and how much is missing. */
static void
test_count(void **state)
{
	struct testrun *test = *state;
	struct graph *graph = small_graph(test, &example);
	const struct gprofx_report_contexts *contexts = contextrun_make(test, graph, 1,
	                                                                GPROFX_CONTEXTS, 4);

	contextrun_expect(graph, contexts, 0, "m 1+9; 0>b 3+4.5; 1>1 0+4.5; 2>a 3+0");
	assert_int_equal(contexts->bounds, GPROFX_BOUND_COUNT);
	assert_true(contexts->cut[0] == 3);
	assert_true(contexts->columns->graph_total == 10);
	/* As many as there are is not too many. */
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, 8);
	assert_int_equal(contexts->count, 8);
	assert_int_equal(contexts->bounds, 0);
}

/* A context has a millionth of the whole at least. */
static void
test_share(void **state)
{
	const struct small_program program = {.functions = "abcd",
	                                      .ticks = {999996, 2, 1, 0.5},
	                                      .calls = "a>b 1 a>c 1 a>d 1"};
	struct testrun *test = *state;
	struct graph *graph = small_graph(test, &program);
	const struct gprofx_report_contexts *contexts = contextrun_make(test, graph, 1,
	                                                                GPROFX_CONTEXTS, MANY);

	contextrun_expect(graph, contexts, 0, "a 999996+3.5; 0>b 2+0; 0>c 1+0");
	assert_int_equal(contexts->bounds, GPROFX_BOUND_SHARE);
	assert_true(contexts->cut[0] == 0.5);
}

/* What is excluded from the time is in no context. */
static void
test_selection(void **state)
{
	struct testrun *test = *state;
	struct small_program program = example;
	struct graph *graph;

	program.specs[0] = (struct engine_symspec){.filter = ENGINE_FILTER_TIME,
	                                           .exclude = true,
	                                           .text = "b"};
	graph = small_graph(test, &program);
	/* b hands nothing on, and its calls of a take their part of the cycle's time along. */
	contextrun_expect(graph, contextrun_make(test, graph, 1, GPROFX_CONTEXTS, MANY), 0,
	                  "m 1+1.5; 0>1 0+1.5; 1>a 1+0; 1>c 0.5+0");
}

/* A further metric goes the same ways; what is not on them is stated as missing. */
static void
test_metrics(void **state)
{
	struct testrun *test = *state;
	const struct small_program program = {.functions = "mab",
	                                      .ticks = {0, 6, 0},
	                                      .calls = "m>a 1 m>b 1"};
	struct symbols *symbols = small_letters(test, program.functions);
	struct profile *profile = profile_new(&test->run);
	struct graph *graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	const struct gprofx_report_contexts *contexts;

	small_add_calls(test, profile, symbols, &program);
	graph->metric_count = 1;
	memory_array(&test->run, graph->metrics, 1);
	memory_array(&test->run, graph->metrics[0].self, 5);
	for (uint32_t i = 0; i < 3; i++) {
		graph->self[i] = program.ticks[i];
		graph->metrics[0].self[i] = i == 1 ? 0 : i + 1;
	}
	graph_add_arcs(&test->run, graph, profile);
	graph_analyse(&test->run, graph);
	contexts = contextrun_make(test, graph, 2, GPROFX_CONTEXTS, MANY);
	contextrun_expect(graph, contexts, 0, "m 0+6; 0>a 6+0");
	contextrun_expect(graph, contexts, 1, "m 1+3; 0>a 0+0");
	assert_int_equal(gprofx_column_at(contexts->columns, 1)->metric, 1);
	assert_true(contexts->cut[0] == 0 && contexts->cut[1] == 3);
	assert_true(gprofx_column_at(contexts->columns, 1)->graph_total == 4);
}

/* Functions "f0" … with names of one letter; arcs are added by number. */
static struct graph *
graph_of(struct testrun *test, uint32_t count, struct profile **profile)
{
	const char **names = memory_alloc_array(&test->run, sizeof *names, count);
	struct symbols *symbols;

	for (uint32_t i = 0; i < count; i++)
		names[i] = "f";
	symbols = testrun_symbols(test, names, count);
	*profile = profile_new(&test->run);
	return graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
}

static void
call(struct testrun *test, struct profile *profile, uint32_t caller, uint32_t callee)
{
	const struct gprofx_raw_arc arc = {0x1004 + 16 * (uint64_t)caller,
	                                   0x1000 + 16 * (uint64_t)callee, 1};

	profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
}

/* Chains end somewhere, and the time at their end is stated. */
static void
test_depth(void **state)
{
	enum { DEEP = 1500, MOST = 1000 };
	struct testrun *test = *state;
	struct profile *profile;
	struct graph *graph = graph_of(test, DEEP, &profile);
	const struct gprofx_report_contexts *contexts;

	for (uint32_t i = 0; i + 1 < DEEP; i++)
		call(test, profile, i, i + 1);
	graph->self[0] = 1;
	graph->self[DEEP - 1] = 2;
	graph_add_arcs(&test->run, graph, profile);
	graph_analyse(&test->run, graph);
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, MANY);
	assert_int_equal(contexts->count, MOST);
	assert_int_equal(contexts->parent[MOST - 1], MOST - 2);
	assert_true(contextrun_total(contexts, MOST - 1) == 2);
	assert_int_equal(contexts->bounds, GPROFX_BOUND_DEPTH);
	assert_true(contexts->cut[0] == 2);
}

/* A function with 100,000 callees: no heap has them all, and the heaviest come first. */
static void
test_width(void **state)
{
	enum { WIDE = 100000, FEW = 20000 };
	struct testrun *test = *state;
	struct profile *profile;
	struct graph *graph = graph_of(test, WIDE + 1, &profile);
	const struct gprofx_report_contexts *contexts;

	for (uint32_t i = 1; i <= WIDE; i++) {
		call(test, profile, 0, i);
		graph->self[i] = 1 + i % 7;
	}
	graph_add_arcs(&test->run, graph, profile);
	graph_analyse(&test->run, graph);
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, FEW);
	assert_int_equal(contexts->count, FEW);
	assert_int_equal(contexts->bounds, GPROFX_BOUND_COUNT);
	for (uint32_t i = 2; i < FEW; i++)
		assert_true(contextrun_total(contexts, i) <= contextrun_total(contexts, i - 1));
	assert_true(contextrun_total(contexts, FEW - 1) >= 6);
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, MANY);
	assert_int_equal(contexts->count, WIDE + 1);
	assert_int_equal(contexts->bounds, 0);
	/* Less than a millionth is too little. */
	graph->visible_self[0] = 1e12;
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, MANY);
	assert_int_equal(contexts->count, 1);
	assert_int_equal(contexts->bounds, GPROFX_BOUND_SHARE);
	assert_true(contexts->cut[0] == graph->total);
}

/* Ways that double at each of twenty steps. */
static void
test_many_ways(void **state)
{
	enum { STEPS = 20, FEW = 5000 };
	struct testrun *test = *state;
	struct profile *profile;
	struct graph *graph = graph_of(test, 3 * STEPS, &profile);
	const struct gprofx_report_contexts *contexts;
	double sum = 0;

	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t top = 3 * step;

		call(test, profile, top, top + 1);
		call(test, profile, top, top + 2);
		for (uint32_t side = 1; side <= 2 && step + 1 < STEPS; side++)
			call(test, profile, top + side, top + 3);
		for (uint32_t i = 0; i < 3; i++)
			graph->self[top + i] = 1;
	}
	graph_add_arcs(&test->run, graph, profile);
	graph_analyse(&test->run, graph);
	contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, FEW);
	assert_int_equal(contexts->count, FEW);
	for (uint32_t i = 0; i < FEW; i++)
		sum += gprofx_real(&contexts->columns->self, i);
	assert_true(fabs(sum + contexts->cut[0] - 3 * STEPS) < 1e-9);
	assert_int_equal(contexts->bounds, GPROFX_BOUND_COUNT);
}

/* Values that cannot be divided are nothing. */
static void
test_odd_values(void **state)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY, -1, 1e-320};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
		for (uint32_t node = 0; node < 4; node++) {
			const struct gprofx_report_contexts *contexts;
			struct graph *graph;

			testrun_again(test);
			graph = small_graph(test, &example);
			graph->visible_self[node] = odd[i];
			graph->arcs[node].self = odd[i];
			contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, MANY);
			assert_true(contexts->count > 0 && isfinite(contexts->cut[0]));
			for (uint32_t k = 0; k < contexts->count; k++)
				assert_true(isfinite(contextrun_total(contexts, k)) &&
				            contextrun_total(contexts, k) > 0);
		}
}

/* What contexts add up to, per node and per arc. */
static void
expect_sums(const struct graph *graph, const struct gprofx_report_contexts *contexts, double error)
{
	for (uint32_t node = 0; node < graph->function_count; node++) {
		double self = 0;

		for (uint32_t i = 0; i < contexts->count; i++)
			self += contexts->node[i] == node ? gprofx_real(&contexts->columns->self, i)
			                                  : 0;
		assert_true(fabs(self - graph->visible_self[node]) < error);
	}
	for (uint32_t a = 0; a < graph->arc_count; a++) {
		const struct graph_arc *arc = &graph->arcs[a];
		uint32_t to = graph_representative(graph, arc->callee);
		double along = 0, found = 0;

		if (arc->caller == graph->symbols->count)
			continue;
		for (uint32_t b = 0; b < graph->arc_count; b++)
			along += graph->arcs[b].caller == arc->caller &&
			                         graph_representative(graph,
			                                              graph->arcs[b].callee) == to
			                 ? graph->arcs[b].self + graph->arcs[b].below
			                 : 0;
		for (uint32_t i = 0; i < contexts->count; i++)
			found += contexts->node[i] == to &&
			                         contexts->parent[i] != GPROFX_NO_CONTEXT &&
			                         contexts->node[contexts->parent[i]] == arc->caller
			                 ? contextrun_total(contexts, i)
			                 : 0;
		assert_true(fabs(found - along) < error);
	}
}

/* Random programs, with selections: contexts have the times of nodes and of arcs. */
static void
test_sums(void **state)
{
	enum { ROUNDS = 400, LETTERS = 8 };
	struct testrun *test = *state;
	uint64_t seed = 11;
	uint32_t whole = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct small_program program = {.functions = "abcdefgh"};
		struct small_text calls = {.length = 0};
		uint32_t count = 4 + (uint32_t)(testrun_random(&seed) % 14);
		const struct gprofx_report_contexts *contexts;
		char spec[2] = "a";
		struct graph *graph;

		testrun_again(test);
		for (uint32_t i = 0; i < LETTERS; i++)
			program.ticks[i] = (double)(testrun_random(&seed) % 20);
		for (uint32_t i = 0; i < count; i++)
			small_add(&calls, "%c>%c %u ",
			          "?abcdefgh"[testrun_random(&seed) % (LETTERS + 1)],
			          (char)('a' + testrun_random(&seed) % LETTERS),
			          1 + (uint32_t)(testrun_random(&seed) % 9));
		spec[0] = (char)('a' + testrun_random(&seed) % LETTERS);
		if (round % 3 != 0)
			program.specs[0] = (struct engine_symspec){.filter = ENGINE_FILTER_TIME,
			                                           .exclude = round % 3 == 1,
			                                           .text = spec};
		program.corrections = round % 2 ? ~UINT64_C(0) : 0;
		program.calls = calls.bytes;
		graph = small_graph(test, &program);
		contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, MANY);
		whole += contexts->bounds == 0;
		expect_sums(graph, contexts,
		            contexts->bounds == 0 ? 1e-9 : 1e-3 * (graph->total + 1));
		assert_true(fabs(contexts->columns->graph_total - graph->total) < 1e-9);
	}
	assert_true(whole > ROUNDS / 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_by_hand),   TESTRUN(test_no_graph),  TESTRUN(test_count),
		TESTRUN(test_selection), TESTRUN(test_metrics),   TESTRUN(test_depth),
		TESTRUN(test_width),     TESTRUN(test_many_ways), TESTRUN(test_odd_values),
		TESTRUN(test_sums),      TESTRUN(test_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
