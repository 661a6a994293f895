/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose time is whose: selection, cycles, propagation and numbers, of programs small enough to work
 * everything out by hand.
 */
#include "smallrun.h"

struct analysis {
	const char *what;
	struct small_program program;
	double total;
	const char *nodes, *arcs;
};

#define EXCLUDE(filter, name)                       \
	{                                           \
		ENGINE_FILTER_##filter, true, name, \
	}
#define INCLUDE(filter, name)                        \
	{                                            \
		ENGINE_FILTER_##filter, false, name, \
	}

static void
check(struct testrun *test, const struct analysis *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct small_text nodes = {.length = 0}, arcs = {.length = 0};
		struct graph *graph = small_graph(test, &cases[i].program);

		small_nodes(&nodes, graph);
		small_arcs(&arcs, graph);
		small_expect(cases[i].what, cases[i].nodes, &nodes);
		small_expect(cases[i].what, cases[i].arcs, &arcs);
		if (graph->total != cases[i].total)
			fail_msg("%s: total %g", cases[i].what, graph->total);
	}
}

#define CHECK(state, cases) check(state, cases, sizeof(cases) / sizeof(cases)[0])

/*
 * c has 8 ticks and d, which only c calls, 4: 12 for the 4 calls of c, 9 of them a's 3, 3 b's one.
 * A share is what of a function's calls the selected callers made: without b, 3/4 of c and d.
 */
#define SHARED .functions = "abcd", .ticks = {1, 2, 8, 4}, .calls = "a>c 3 b>c 1 c>d 5"

static void
test_shares(void **state)
{
	static const struct analysis cases[] = {
		{"all",
	         {SHARED},
	         15,
	         "a 1+9 calls 0+0 #2; b 2+3 calls 0+0 #3; c 8+4 calls 4+0 #1; d 4+0 calls 5+0 #4",
	         "a>c 3 6+3; b>c 1 2+1; c>d 5 4+0"},
		/* The arc from c to d has 3/4 of d's time: what its caller has. */
		{"without the time of b",
	         {SHARED, .specs = {EXCLUDE(TIME, "b")}},
	         10,
	         "a 1+9 calls 0+0 #1; b 2+0 selected 0+0 calls 0+0 #4; "
	         "c 8+4 selected 6+3 calls 4+0 #2; d 4+0 selected 3+0 calls 5+0 #3",
	         "a>c 3 6+3; b>c 1; c>d 5 3+0"},
		/* 4/4 of d are left, and nobody gets c's own. */
		{"without the time of c",
	         {SHARED, .specs = {EXCLUDE(TIME, "c")}},
	         7,
	         "a 1+0 calls 0+0 #3; b 2+0 calls 0+0 #2; c 8+0 selected 0+0 calls 4+0 #4; "
	         "d 4+0 calls 5+0 #1",
	         "a>c 3; b>c 1; c>d 5"},
		{"the time of c alone",
	         {SHARED, .specs = {INCLUDE(TIME, "c")}},
	         12,
	         "a 1+0 selected 0+0 calls 0+0 #3; b 2+0 selected 0+0 calls 0+0 #4; "
	         "c 8+4 calls 4+0 #1; d 4+0 calls 5+0 #2",
	         "a>c 3; b>c 1; c>d 5 4+0"},
		/* Of two, the second keeps what it has of the first: 1/4 of c and d. */
		{"the time of b and d",
	         {SHARED, .specs = {INCLUDE(TIME, "b"), INCLUDE(TIME, "d")}},
	         5,
	         "a 1+0 selected 0+0 calls 0+0 #4; b 2+3 calls 0+0 #1; "
	         "c 8+4 selected 2+1 calls 4+0 #2; d 4+0 selected 1+0 calls 5+0 #3",
	         "a>c 3; b>c 1 2+1; c>d 5 1+0"},
		/* a has half of b, so half of what b has of c, and c of d. */
		{"half of what is handed on",
	         {.functions = "abcde",
	          .ticks = {1, 2, 4, 8, 2},
	          .calls = "a>b 1 e>b 1 b>c 1 c>d 1",
	          .specs = {EXCLUDE(TIME, "e")}},
	         8,
	         "a 1+7 calls 0+0 #1; b 2+12 selected 1+6 calls 2+0 #2; "
	         "c 4+8 selected 2+4 calls 1+0 #3; d 8+0 selected 4+0 calls 1+0 #4; "
	         "e 2+0 selected 0+0 calls 0+0 #5",
	         "a>b 1 1+6; b>c 1 2+4; c>d 1 4+0; e>b 1"},
		/* Hidden functions keep their time. */
		{"without b",
	         {SHARED, .specs = {EXCLUDE(GRAPH, "b")}},
	         15,
	         "a 1+9 calls 0+0 #2; b 2+3 calls 0+0 #3 hidden; c 8+4 calls 4+0 #1; "
	         "d 4+0 calls 5+0 #4",
	         "a>c 3 6+3; b>c 1 2+1; c>d 5 4+0"},
		{"without c",
	         {SHARED, .specs = {EXCLUDE(GRAPH, "c")}},
	         15,
	         "a 1+9 calls 0+0 #2; b 2+3 calls 0+0 #3; c 8+4 calls 4+0 #1 hidden; "
	         "d 4+0 calls 5+0 #4",
	         "a>c 3 6+3; b>c 1 2+1; c>d 5 4+0"},
		/* What a selected function calls is there, too. */
		{"c alone",
	         {SHARED, .specs = {INCLUDE(GRAPH, "c")}},
	         15,
	         "a 1+9 calls 0+0 #2 hidden; b 2+3 calls 0+0 #3 hidden; c 8+4 calls 4+0 #1; "
	         "d 4+0 calls 5+0 #4",
	         "a>c 3 6+3; b>c 1 2+1; c>d 5 4+0"},
		{"b alone, first caller or not",
	         {SHARED, .specs = {INCLUDE(GRAPH, "b")}},
	         15,
	         "a 1+9 calls 0+0 #2 hidden; b 2+3 calls 0+0 #3; c 8+4 calls 4+0 #1; "
	         "d 4+0 calls 5+0 #4",
	         "a>c 3 6+3; b>c 1 2+1; c>d 5 4+0"},
		/* An arc that is left out counts for nobody: c was called once, by b. */
		{"without an arc",
	         {SHARED, .specs = {EXCLUDE(ARCS, "a/c")}},
	         15,
	         "a 1+0 calls 0+0 #4; b 2+12 calls 0+0 #1; c 8+4 calls 1+0 #2; d 4+0 calls 5+0 #3",
	         "b>c 1 8+4; c>d 5 4+0"},
		{"recorded, but never called",
	         {.functions = "ab", .ticks = {1, 4}, .calls = "a>b 0"},
	         5,
	         "a 1+0 calls 0+0 #2; b 4+0 calls 0+0 #1",
	         "a>b 0"},
		{"self-recursion",
	         {.functions = "ab", .ticks = {0, 4}, .calls = "a>b 2 b>b 6"},
	         4,
	         "a 0+4 calls 0+0 #2; b 4+0 calls 2+6 #1",
	         "a>b 2 4+0; b>b 6"},
		/* Of a caller that nobody knows: 1/4 of the time goes there, and is seen. */
		{"from outside",
	         {.functions = "ab", .ticks = {1, 4}, .calls = "a>b 3 ?>b 1"},
	         5,
	         "a 1+3 calls 0+0 #2; b 4+0 calls 4+0 #1; <outside> 0+1 calls 0+0 #3",
	         "a>b 3 3+0; <outside>>b 1 1+0"},
	};

	CHECK(*state, cases);
}

/*
 * x and y call each other: a cycle of 30 ticks, which z adds 8 to, and which was called 8 times,
 * twice by m and 6 times by n.  So m has a quarter, 7.5 and 2, and n the rest.
 */
#define CYCLE                                             \
	.functions = "mnxyz", .ticks = {1, 2, 10, 20, 8}, \
	.calls = "m>x 2 n>y 6 x>y 3 y>x 4 y>z 8 x>x 5"

static void
test_cycles(void **state)
{
	static const struct analysis cases[] = {
		{"all",
	         {CYCLE},
	         41,
	         "m 1+9.5 calls 0+0 #4; n 2+28.5 calls 0+0 #2; x 10+0 calls 6+5 #5; "
	         "y 20+8 calls 9+0 #3; z 8+0 calls 8+0 #6; 1 30+8 calls 8+7 #1",
	         "m>x 2 7.5+2; n>y 6 22.5+6; x>y 3; x>x 5; y>x 4; y>z 8 8+0"},
		/* Calls from outside decide what is left of a cycle, 6 of 8; those within do not.
	         */
		{"without the time of m",
	         {CYCLE, .specs = {EXCLUDE(TIME, "m")}},
	         30.5,
	         "m 1+0 selected 0+0 calls 0+0 #6; n 2+28.5 calls 0+0 #1; "
	         "x 10+0 selected 7.5+0 calls 6+5 #4; y 20+8 selected 15+6 calls 9+0 #3; "
	         "z 8+0 selected 6+0 calls 8+0 #5; 1 30+8 selected 22.5+6 calls 8+7 #2",
	         "m>x 2; n>y 6 22.5+6; x>y 3; x>x 5; y>x 4; y>z 8 6+0"},
		{"without the time of n",
	         {CYCLE, .specs = {EXCLUDE(TIME, "n")}},
	         10.5,
	         "m 1+9.5 calls 0+0 #1; n 2+0 selected 0+0 calls 0+0 #6; "
	         "x 10+0 selected 2.5+0 calls 6+5 #4; y 20+8 selected 5+2 calls 9+0 #3; "
	         "z 8+0 selected 2+0 calls 8+0 #5; 1 30+8 selected 7.5+2 calls 8+7 #2",
	         "m>x 2 7.5+2; n>y 6; x>y 3; x>x 5; y>x 4; y>z 8 2+0"},
		/* x gives nothing to m; the cycle is y: 20 and 8, of which n has 6/8. */
		{"without the time of x",
	         {CYCLE, .specs = {EXCLUDE(TIME, "x")}},
	         31,
	         "m 1+0 calls 0+0 #5; n 2+21 calls 0+0 #3; x 10+0 selected 0+0 calls 6+5 #6; "
	         "y 20+8 calls 9+0 #2; z 8+0 calls 8+0 #4; 1 20+8 calls 8+7 #1",
	         "m>x 2; n>y 6 15+6; x>y 3; x>x 5; y>x 4; y>z 8 8+0"},
		/* A cycle is shown if a caller is; that another member calls is no reason. */
		{"n alone",
	         {CYCLE, .specs = {INCLUDE(GRAPH, "n")}},
	         41,
	         "m 1+9.5 calls 0+0 #4 hidden; n 2+28.5 calls 0+0 #2; x 10+0 calls 6+5 #5; "
	         "y 20+8 calls 9+0 #3; z 8+0 calls 8+0 #6; 1 30+8 calls 8+7 #1",
	         "m>x 2 7.5+2; n>y 6 22.5+6; x>y 3; x>x 5; y>x 4; y>z 8 8+0"},
		{"x alone",
	         {CYCLE, .specs = {INCLUDE(GRAPH, "x")}},
	         41,
	         "m 1+9.5 calls 0+0 #4 hidden; n 2+28.5 calls 0+0 #2 hidden; x 10+0 calls 6+5 #5; "
	         "y 20+8 calls 9+0 #3 hidden; z 8+0 calls 8+0 #6 hidden; 1 30+8 calls 8+7 #1 hidden",
	         "m>x 2 7.5+2; n>y 6 22.5+6; x>y 3; x>x 5; y>x 4; y>z 8 8+0"},
	};

	CHECK(*state, cases);
}

/* Nobody calls these cycles from outside: to GNU gprof they have no time and no entry. */
#define ALONE .functions = "xyz", .ticks = {1, 2, 4}, .calls = "x>y 1 y>x 1 y>z 2"

static void
test_cycles_that_nobody_calls(void **state)
{
	static const struct analysis cases[] = {
		{"by gprof",
	         {ALONE},
	         7,
	         "x 1+0 calls 1+0 #4; y 2+4 calls 1+0 #1; z 4+0 calls 2+0 #3; "
	         "1 3+4 selected 0+4 calls 0+2 #2 hidden",
	         "x>y 1; y>x 1; y>z 2 4+0"},
		{"corrected",
	         {ALONE, .corrections = GPROFX_CORRECT_CYCLE_ENTRIES},
	         7,
	         "x 1+0 calls 1+0 #4; y 2+4 calls 1+0 #2; z 4+0 calls 2+0 #3; 1 3+4 calls 0+2 #1",
	         "x>y 1; y>x 1; y>z 2 4+0"},
		{"the time of y alone",
	         {ALONE, .corrections = GPROFX_CORRECT_CYCLE_ENTRIES,
	          .specs = {INCLUDE(TIME, "y")}},
	         6,
	         "x 1+0 selected 0+0 calls 1+0 #4; y 2+4 calls 1+0 #2; z 4+0 calls 2+0 #3; "
	         "1 2+4 calls 0+2 #1",
	         "x>y 1; y>x 1; y>z 2 4+0"},
		{"x hidden",
	         {ALONE, .corrections = GPROFX_CORRECT_CYCLE_ENTRIES,
	          .specs = {EXCLUDE(GRAPH, "x"), EXCLUDE(GRAPH, "z")}},
	         7,
	         "x 1+0 calls 1+0 #4 hidden; y 2+4 calls 1+0 #2; z 4+0 calls 2+0 #3 hidden; "
	         "1 3+4 calls 0+2 #1",
	         "x>y 1; y>x 1; y>z 2 4+0"},
		{"all hidden",
	         {ALONE, .corrections = GPROFX_CORRECT_CYCLE_ENTRIES,
	          .specs = {INCLUDE(GRAPH, "z")}},
	         7,
	         "x 1+0 calls 1+0 #4 hidden; y 2+4 calls 1+0 #2 hidden; z 4+0 calls 2+0 #3; "
	         "1 3+4 calls 0+2 #1 hidden",
	         "x>y 1; y>x 1; y>z 2 4+0"},
		/* One cycle calls another, twice: all 8 of it. */
		{"two cycles",
	         {.functions = "abcd",
	          .ticks = {1, 1, 2, 6},
	          .calls = "a>b 1 b>a 1 b>c 2 c>d 3 d>c 1",
	          .corrections = GPROFX_CORRECT_CYCLE_ENTRIES},
	         10,
	         "a 1+0 calls 1+0 #6; b 1+8 calls 1+0 #2; c 2+0 calls 3+0 #5; d 6+0 calls 3+0 #4; "
	         "1 2+8 calls 0+2 #1; 2 8+0 calls 2+4 #3",
	         "a>b 1; b>a 1; b>c 2 8+0; c>d 3; d>c 1"},
		/* Numbers of cycles follow the addresses of those that the walk met first. */
		{"against the order",
	         {.functions = "abcd",
	          .ticks = {2, 2, 1, 1},
	          .calls = "a>b 3 b>a 4 d>c 1 c>d 2 c>a 5",
	          .corrections = GPROFX_CORRECT_CYCLE_ENTRIES},
	         6,
	         "a 2+0 calls 9+0 #4; b 2+0 calls 3+0 #5; c 1+4 calls 1+0 #2; d 1+0 calls 2+0 #6; "
	         "1 4+0 calls 5+7 #3; 2 2+4 calls 0+3 #1",
	         "a>b 3; b>a 4; c>d 2; c>a 5 4+0; d>c 1"},
	};

	CHECK(*state, cases);
}

/* Where few of the functions call, or are called, only these have room: nothing changes. */
static void
test_few_callers(void **state)
{
	static const struct small_program program = {
		.functions = "abcdefghijklmnopqrstuvwxyz",
		.ticks = {[0] = 1, [1] = 2, [24] = 4, [25] = 6, [12] = 3},
		.calls = "a>b 1 b>y 2 y>b 1 y>z 3 y>k 0"};
	struct graph *graph = small_graph(*state, &program);
	struct small_text arcs = {.length = 0};

	/* The cycle of b and y has 6 and, of z, 6; all of that is a's. */
	small_arcs(&arcs, graph);
	small_expect("few", "a>b 1 6+6; b>y 2; y>b 1; y>z 3 6+0; y>k 0", &arcs);
	assert_true(graph->total == 16);
	assert_true(graph->below[0] == 12 && graph->below[24] == 6 && graph->below[26] == 6);
	assert_int_equal(graph->cycle_count, 1);
	assert_true(graph->rank[0] > graph->rank[1] && graph->rank[1] == graph->rank[24] &&
	            graph->rank[24] > graph->rank[25]);
	/* By time: a 13, the cycle 12, y 10, z 6, m 3, b 2, then k, which is called, by name. */
	assert_int_equal(graph->index[0], 1);
	assert_int_equal(graph->index[26], 2);
	assert_int_equal(graph->index[24], 3);
	assert_int_equal(graph->index[25], 4);
	assert_int_equal(graph->index[12], 5);
	assert_int_equal(graph->index[1], 6);
	assert_int_equal(graph->index[2], 7);
}

/* Each has a rank of its own, from 1, callees first; members of a cycle share theirs. */
static void
test_ranks(void **state)
{
	static const struct {
		struct small_program program;
		uint32_t ranks[6];
		const char *order;
	} cases[] = {
		{{.functions = "abc", .calls = "a>b 1 b>c 1"}, {3, 2, 1}, "cba"},
		/* What is met first is done first: the newest arc. */
		{{.functions = "abc", .calls = "a>b 1 a>c 1"}, {3, 2, 1}, "cba"},
		{{.functions = "abc", .calls = "a>c 1 a>b 1"}, {3, 1, 2}, "bca"},
		{{.functions = "abcd", .calls = "b>c 1 c>b 1 d>b 1"}, {1, 2, 2, 3}, "abcd"},
		{{.functions = "abcdef", .calls = "f>e 1 e>f 1 a>f 1 c>d 1"},
	         {2, 3, 5, 4, 1, 1},
	         "efabdc"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct graph *graph = small_graph(*state, &cases[i].program);

		for (uint32_t f = 0; f < graph->function_count; f++) {
			if (graph->rank[f] != cases[i].ranks[f])
				fail_msg("case %zu: rank %u of %u", i, graph->rank[f], f);
			assert_int_equal(graph->symbols->name[graph->order[f]][0],
			                 cases[i].order[f]);
		}
	}
}

/* Members stand in the order in which the walk took them in, its first one ahead. */
static void
test_members(void **state)
{
	static const struct {
		struct small_program program;
		const char *members;
	} cases[] = {
		{{.functions = "abc", .calls = "a>b 1 b>c 1 c>a 1"}, "abc"},
		{{.functions = "abc", .calls = "b>a 1 a>c 1 c>b 1"}, "acb"},
		/* Two cycles with b in both: the inner one, then what closes the outer. */
		{{.functions = "abcd", .calls = "a>b 1 b>a 1 b>c 1 c>b 1 c>d 1 d>c 1"}, "abcd"},
		{{.functions = "abcd", .calls = "a>b 1 b>c 1 c>d 1 d>b 1 b>a 1"}, "abcd"},
		{{.functions = "abcd", .calls = "a>b 1 a>c 1 c>a 1 b>d 1 d>a 1"}, "acbd"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct graph *graph = small_graph(*state, &cases[i].program);

		assert_int_equal(graph->cycle_count, 1);
		for (uint32_t m = 0; m < graph->members.first[1]; m++)
			if (graph->symbols->name[graph->members.item[m]][0] != cases[i].members[m])
				fail_msg("case %zu: member %u is %s", i, m,
				         graph->symbols->name[graph->members.item[m]]);
	}
}

/* Traces say what is done; each topic its own. */
static void
keep_line(void *opaque, const char *line)
{
	small_add(opaque, "%s\n", line);
}

static void
test_traces(void **state)
{
	static const struct {
		enum gprofx_trace topic;
		const char *expected;
	} cases[] = {
		{GPROFX_TRACE_PROPAGATION, "c propagates 2.000000 + 0.000000 ticks to b\n"
	                                   "b propagates 1.000000 + 2.000000 ticks to a\n"},
		{GPROFX_TRACE_DEPTH_FIRST, "rank 1: c\nrank 2: b\nrank 2: d\nrank 3: a\n"},
		{GPROFX_TRACE_CYCLES, "cycle of b includes d\ncycle 1: b\ncycle 1: d\n"},
		{GPROFX_TRACE_ARCS, "arc a -> b: 1 calls added\narc b -> d: 1 calls added\n"
	                            "arc d -> b: 1 calls added\narc b -> c: 1 calls added\n"},
		{GPROFX_TRACE_LOOKUPS, "call site 0x1004 is in a\ncall site 0x1014 is in b\n"
	                               "call site 0x1034 is in d\ncall site 0x1014 is in b\n"},
	};
	static const struct small_program program = {.functions = "abcd",
	                                             .ticks = {0, 1, 2, 0},
	                                             .calls = "a>b 1 b>d 1 d>b 1 b>c 1"};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct small_text lines = {.length = 0};

		test->frontend.opaque = &lines;
		test->frontend.trace = keep_line;
		test->run.gx.trace_topics = (uint32_t)cases[i].topic;
		small_graph(test, &program);
		small_expect("trace", cases[i].expected, &lines);
	}
	test->frontend.opaque = test;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_shares),
		TESTRUN(test_cycles),
		TESTRUN(test_cycles_that_nobody_calls),
		TESTRUN(test_few_callers),
		TESTRUN(test_ranks),
		TESTRUN(test_members),
		TESTRUN(test_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
