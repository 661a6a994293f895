/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of calls that were measured as a whole: paths that end, with what was measured in all.
 */
#include "../contextrun.h"
#include "../costedrun.h"

enum { MANY = 1000000, DEEP = 60 };

static void
expect(void **state, const char *costs, const char *expected)
{
	struct testrun *test = *state;
	struct graph *graph = costedrun_measure(test, costs);
	const struct gprofx_report_contexts *contexts = contextrun_make(test, graph, 1,
	                                                                GPROFX_CONTEXTS, MANY);

	contextrun_expect(graph, contexts, 0, expected);
	assert_true(contexts->is_estimated);
	assert_true(contexts->cut[0] == 0);
	testrun_again(test);
}

static void
test_by_hand(void **state)
{
	/* Callers have what their calls cost. */
	expect(state, "m=10 a=5 b=20 m>a=15*2 m>b=10*1 a>b=10*4",
	       "m 10+25; 0>a 5+10; 0>b 10+0; 1>b 10+0");
	/* Recursion makes no context. */
	expect(state, "m=10 a=75 m>a=75*1 a>a'=60*1 a'>a'=90*3", "m 10+75; 0>a 75+0");
	/* Of two functions that call each other, the call that leads back is left out. */
	expect(state, "a=30 b=20 m>a=50*1 a>b=20*1 b>a'=25*1", "m 0+50; 0>a 30+20; 1>b 20+0");
	/* What the calls do not account for is in none of them. */
	expect(state, "m=1 a=50 m>a=30*2", "m 1+30; 0>a 30+0; a 20+0");
}

/* A cycle that nothing calls has paths, too: its first function begins them. */
static void
test_without_entry(void **state)
{
	expect(state, "a=30 b=20 a>b=35*1 b>a'=25*1", "a 30+20; 0>b 20+0");
	/* Nor does a call that leads back into the middle of a path go round for ever. */
	expect(state, "m=1 a=2 b=3 c=4 m>a=9*1 a>b=7*1 b>c=4*1 c>a'=2*1 c>b'=2*1",
	       "m 1+9; 0>a 2+7; 1>b 3+4; 2>c 4+0");
}

/* All that functions have themselves is in the contexts, whatever calls what. */
static void
test_sums(void **state)
{
	struct testrun *test = *state;
	uint64_t seed = 11;

	for (int round = 0; round < DEEP; round++) {
		struct small_text text = {.length = 0};
		const struct gprofx_report_contexts *contexts;
		struct graph *graph;
		double all = 0, found = 0;

		for (char f = 'a'; f < 'h'; f++) {
			uint32_t weight = (uint32_t)(testrun_random(&seed) % 50 + 1);

			small_add(&text, "%c=%u ", f, weight);
			all += weight;
		}
		for (int i = 0; i < 9; i++) {
			char caller = (char)('a' + testrun_random(&seed) % 7);
			char callee = (char)('a' + testrun_random(&seed) % 7);

			small_add(&text, "%c>%c=%u*1 ", caller, callee,
			          (uint32_t)(testrun_random(&seed) % 90));
		}
		graph = costedrun_measure(test, text.bytes);
		contexts = contextrun_make(test, graph, 1, GPROFX_CONTEXTS, MANY);
		for (uint32_t i = 0; i < contexts->count; i++)
			found += gprofx_real(&contexts->columns->self, i);
		assert_float_equal(found, all, 1e-6);
		testrun_again(test);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_by_hand),
		TESTRUN(test_without_entry),
		TESTRUN(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
