/* SPDX-License-Identifier: Apache-2.0 */
/* Times of calls that were measured as a whole, against figures by hand. */
#include "../costedrun.h"

static const struct engine_symspec only_a[] = {{.filter = ENGINE_FILTER_TIME, .text = "a"}};
static const struct engine_symspec no_a[] = {
	{.filter = ENGINE_FILTER_TIME, .exclude = true, .text = "a"}};

/* "a 1+2 b 3+0 | a>b 3+0": functions, as they are or as selected, then arcs. */
static void
list(const struct graph *graph, bool is_selected, struct small_text *text)
{
	for (uint32_t f = 0; f < graph->function_count; f++)
		small_add(text, "%s%s %g+%g", f > 0 ? " " : "", graph->symbols->name[f],
		          is_selected ? graph->visible_self[f] : graph->self[f],
		          is_selected ? graph->visible_below[f] : graph->below[f]);
	for (uint32_t i = 0; i < graph->arc_count; i++)
		small_add(text, " | %s>%s %g+%g", graph->symbols->name[graph->arcs[i].caller],
		          graph->symbols->name[graph->arcs[i].callee], graph->arcs[i].self,
		          graph->arcs[i].below);
}

static void
expect(void **state, const char *costs, const char *expected, const char *diagnostic)
{
	struct testrun *test = *state;
	struct small_text text = {.length = 0};
	bool is_selected = test->settings.symspec_count > 0;

	list(costedrun_measure(test, costs), is_selected, &text);
	assert_string_equal(text.bytes, expected);
	assert_string_equal(test->last_id, diagnostic ? diagnostic : "");
	test->last_id[0] = '\0';
	testrun_again(test);
}

static void
test_totals(void **state)
{
	/* What nothing calls has its own and that of its calls; others what their calls cost. */
	expect(state, "m=10 a=5 b=20 m>a=15*2 m>b=10*1 a>b=10*4",
	       "m 10+25 a 5+10 b 20+0 | m>a 5+10 | m>b 10+0 | a>b 10+0", NULL);
	/* A callee never has less in all than itself, nor an arc more than its ends. */
	expect(state, "m=1 a=50 m>a=15*2", "m 1+15 a 50+0 | m>a 15+0", NULL);
	expect(state, "m=1 a=5 m>a=40*2 a>b=90*1", "m 1+40 a 5+35 b 0+90 | m>a 5+35 | a>b 0+40",
	       NULL);
}

static void
test_recursion(void **state)
{
	/* Calls of what is active are parts of others. */
	expect(state, "m=10 a=75 m>a=75*1 a>a'=60*1 a'>a'=90*3",
	       "m 10+75 a 75+0 | m>a 75+0 | a>a 60+0", NULL);
	/* A cycle: a, which calls b, which calls a again. */
	expect(state, "a=30 b=20 m>a=50*1 a>b=35*1 b>a'=25*1 a'>b'=10*1",
	       "a 30+20 b 20+15 m 0+50 | a>b 20+15 | b>a 15+10 | m>a 30+20", NULL);
	/* Calls between functions that are active count where nothing else is known of an arc. */
	expect(state, "a=30 b=20 m>a=50*1 m>b=20*1 a'>b'=10*1",
	       "a 30+20 b 20+0 m 0+70 | a>b 10+0 | m>a 30+20 | m>b 20+0", NULL);
}

static void
test_bounds(void **state)
{
	/* Without marks, what calls into the cycle cost bounds all of its functions. */
	expect(state, "a=30 b=20 m>a=50*1 a>b=70*2 b>a=60*1",
	       "a 30+20 b 20+30 m 0+50 | a>b 20+30 | b>a 30+20 | m>a 30+20",
	       "profile.unmarked-recursion");
	/* A function that calls itself is known. */
	expect(state, "a=30 m>a=30*1 a>a=70*2", "a 30+0 m 0+30 | a>a 30+0 | m>a 30+0", NULL);
	/* Neither does a cycle bound what is outside of it. */
	expect(state, "a=3 b=2 m>a=5*1 a>b=7*2 b>a=6*1 m>c=90*1",
	       "a 3+2 b 2+3 m 0+95 c 0+90 | a>b 2+3 | b>a 3+2 | m>a 3+2 | m>c 0+90",
	       "profile.unmarked-recursion");
}

static void
test_selection(void **state)
{
	struct testrun *test = *state;
	const char *costs = "m=10 a=5 b=20 m>a=15*2 m>b=10*1 a>b=10*4";

	/* Of b, half is left, which a calls; that is an estimate, since stacks would say it. */
	test->settings.symspecs = only_a;
	test->settings.symspec_count = 1;
	expect(state, costs, "m 0+0 a 5+10 b 10+0 | m>a 0+0 | m>b 0+0 | a>b 10+0",
	       "profile.estimated-selection");
	/* Without a itself: what it calls is left. */
	test->settings.symspecs = no_a;
	expect(state, "m=10 a=5 m>a=5*2", "m 10+0 a 0+0 | m>a 0+0", NULL);
}

/* What is said of costs is said if they are those of a further metric, too. */
static void
test_further_metric(void **state)
{
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);
	struct graph *graph;

	stackrun_read(test, profile, "ma 3", 1);
	costedrun_read(test, profile, "a=30 b=20 m>a=50*1 a>b=70*2 b>a=60*1", "Ir");
	costedrun_read(test, profile, "a=30 b=20 m>a=50*1 a>b=70*2 b>a=60*1", "Dr");
	graph = stackrun_analyse(test, profile, symbols_without_image(&test->run));
	assert_int_equal(graph->metric_count, 2);
	assert_false(graph->has_costed_calls);
	assert_string_equal(test->last_id, "profile.unmarked-recursion");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_totals, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_recursion, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_bounds, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_selection, testrun_begin, testrun_end),
		cmocka_unit_test_setup_teardown(test_further_metric, testrun_begin, testrun_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
