/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that were renamed, by their place and their neighbors in the call graph. */
#include "matchrun.h"

static void
test_renamed(void **state)
{
	static const struct match_case cases[] = {
		{"the same caller in one file",
	         {IN("main", "a.c"), IN("old", "a.c")},
	         {IN("now", "a.c"), IN("main", "a.c")},
	         "1n 0r",
	         "main>old",
	         "main>now"},
		{"another file",
	         {IN("main", "a.c"), IN("old", "a.c")},
	         {IN("now", "b.c"), IN("main", "a.c")},
	         "1n -",
	         "main>old",
	         "main>now"},
		{"a caller is not a callee",
	         {IN("main", "a.c"), IN("old", "a.c")},
	         {IN("now", "a.c"), IN("main", "a.c")},
	         "1n -",
	         "main>old",
	         "now>main"},
		{"one more callee",
	         {IN("main", "a.c"), IN("f", "a.c"), IN("old", "a.c")},
	         {IN("main", "a.c"), IN("f", "a.c"), IN("now", "a.c")},
	         "0n 1n -",
	         "main>old main>f",
	         "main>now main>f now>f"},
		{"arcs in another order",
	         {IN("main", "a.c"), IN("f", "a.c"), IN("old", "a.c")},
	         {IN("f", "a.c"), IN("main", "a.c"), IN("now", "a.c")},
	         "1n 0n 2r",
	         "main>old old>f",
	         "now>f main>now"},
		{"no neighbors", {IN("old", "a.c")}, {IN("now", "a.c")}, "-", NULL, NULL},
		{"two that are alike",
	         {IN("old", "a.c"), IN("gone", "a.c"), IN("main", "a.c")},
	         {IN("now", "a.c"), IN("fresh", "a.c"), IN("main", "a.c")},
	         "- - 2n",
	         "main>old main>gone",
	         "main>now main>fresh"},
		{"two that are alike, between neighbors",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("main", "a.c")},
	         {IN("f", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"), IN("main", "a.c")},
	         "0n 1r 2r 3n",
	         "main>old main>gone",
	         "main>now main>fresh"},
		{"between neighbors further on",
	         {IN("e", "a.c"), IN("g", "a.c"), IN("f", "a.c"), IN("old", "a.c"),
	          IN("gone", "a.c"), IN("main", "a.c")},
	         {IN("e", "a.c"), IN("f", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"),
	          IN("main", "a.c"), IN("g", "a.c")},
	         "0n 5n 1n 2r 3r 4n",
	         "main>old main>gone",
	         "main>now main>fresh"},
		{"fewer between neighbors",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("main", "a.c")},
	         {IN("f", "a.c"), IN("now", "a.c"), IN("main", "a.c"), IN("fresh", "a.c")},
	         "0n - - 2n",
	         "main>old main>gone",
	         "main>now main>fresh"},
		{"one more between neighbors",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("main", "a.c")},
	         {IN("f", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"), IN("more", "a.c"),
	          IN("main", "a.c")},
	         "0n - - 4n",
	         "main>old main>gone",
	         "main>now main>fresh main>more"},
		{"other neighbors",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("g", "a.c"),
	          IN("main", "b.c")},
	         {IN("g", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"), IN("f", "a.c"),
	          IN("main", "b.c")},
	         "3n - - 0n 4n",
	         "main>old main>gone",
	         "main>now main>fresh"},
		{"between neighbors, but with other callers",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("g", "a.c")},
	         {IN("f", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"), IN("g", "a.c")},
	         "0n - - 3n",
	         "f>old f>gone",
	         "f>now g>fresh"},
		{"a neighbor of the place moved to another file",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("g", "a.c"), IN("h", "b.c")},
	         {IN("f", "a.c"), IN("now", "a.c"), IN("g", "b.c"), IN("h", "b.c")},
	         "0n - 2p 3n",
	         NULL,
	         NULL},
		{"a neighbor found in a later round",
	         {IN("e", "a.c"), IN("main", "a.c"), IN("a", "a.c"), IN("b", "a.c"), IN("c", "a.c"),
	          IN("d", "a.c")},
	         {IN("e", "a.c"), IN("main", "a.c"), IN("y", "a.c"), IN("x", "a.c"), IN("z", "a.c"),
	          IN("u", "a.c")},
	         "0n 1n 3r 2r - -",
	         "main>a a>b e>c e>d",
	         "main>x x>y e>z e>u"},
		{"a chain",
	         {IN("main", "a.c"), IN("a", "a.c"), IN("b", "a.c"), IN("c", "a.c")},
	         {IN("z", "a.c"), IN("y", "a.c"), IN("x", "a.c"), IN("main", "a.c")},
	         "3n 2r 1r 0r",
	         "main>a a>b b>c",
	         "main>x x>y y>z"},
		{"files not known: callers and callees",
	         {NAMED("main"), NAMED("f"), NAMED("old")},
	         {NAMED("main"), NAMED("f"), NAMED("now")},
	         "0n 1n 2r",
	         "main>old old>f",
	         "main>now now>f"},
		{"files not known: callers alone say too little",
	         {NAMED("main"), NAMED("f"), NAMED("old")},
	         {NAMED("main"), NAMED("f"), NAMED("now")},
	         "0n 1n -",
	         "main>old main>f",
	         "main>now main>f"},
		{"files known on one side",
	         {IN("main", "a.c"), IN("f", "a.c"), IN("old", "a.c")},
	         {NAMED("main"), NAMED("f"), NAMED("now")},
	         "0n 1n 2r",
	         "main>old old>f",
	         "main>now now>f"},
		{"objects are places, too",
	         {NAMED("main"), NAMED("f"), {"old", NULL, "x.so", 0, 0, 0}},
	         {NAMED("main"), NAMED("f"), {"now", NULL, "y.so", 0, 0, 0}},
	         "0n 1n -",
	         "main>old old>f",
	         "main>now now>f"},
		{"calls of itself do not matter",
	         {IN("main", "a.c"), IN("old", "a.c")},
	         {IN("main", "a.c"), IN("now", "a.c")},
	         "0n 1r",
	         "main>old old>old",
	         "main>now"},
		{"lines are not renamed",
	         {IN("main", "a.c"), {"old", "a.c", NULL, 0, 0, GPROFX_NODE_LINE}},
	         {IN("main", "a.c"), {"now", "a.c", NULL, 0, 0, GPROFX_NODE_LINE}},
	         "0n -",
	         "old>main",
	         "now>main"},
	};

	match_cases(*state, cases, sizeof cases / sizeof cases[0]);
}

/* A long chain of renamed functions costs a fixed number of rounds. */
static void
test_long_chain(void **state)
{
	enum { COUNT = 64 };
	struct testrun *test = *state;
	struct match_report *reports[2];
	struct compare_matches matches;
	uint32_t calls[2 * COUNT], renamed = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		calls[2 * i] = i;
		calls[2 * i + 1] = i + 1;
	}
	for (uint32_t side = 0; side < 2; side++) {
		reports[side] = match_report_of(test, COUNT + 1);
		for (uint32_t i = 0; i <= COUNT; i++) {
			const char *name = i == 0 ? "main"
			                          : text_format(&test->run, "%c%u", 'a' + side, i);

			match_set(reports[side], i,
			          &(struct match_function){.name = name, .file = "x.c"});
		}
		match_set_calls(test, reports[side], calls, COUNT);
	}
	matches = match_both(test, reports[0], reports[1]);
	for (uint32_t i = 1; i <= COUNT; i++)
		renamed += matches.of_base[i] == i;
	assert_in_range(renamed, 2, COUNT - 1);
	for (uint32_t i = 1; i <= COUNT; i++)
		assert_int_equal(matches.of_base[i], i <= renamed ? i : UINT32_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_renamed), TESTRUN(test_long_chain)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
