/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that were renamed, by their place and their neighbours in the call graph. */
#include "matchrun.h"

#define F(name)                           \
	{                                 \
		name, NULL, NULL, 0, 0, 0 \
	}
#define IN(name, file)                    \
	{                                 \
		name, file, NULL, 0, 0, 0 \
	}

static void
test_renamed(void **state)
{
	static const struct {
		const char *what;
		struct match_function base[8];
		const char *calls;
		struct match_function new[8];
		const char *new_calls, *expected;
	} cases[] = {
		{"the same caller in one file",
	         {IN("main", "a.c"), IN("old", "a.c")},
	         "main>old",
	         {IN("now", "a.c"), IN("main", "a.c")},
	         "main>now",
	         "1n 0r"},
		{"another file",
	         {IN("main", "a.c"), IN("old", "a.c")},
	         "main>old",
	         {IN("now", "b.c"), IN("main", "a.c")},
	         "main>now",
	         "1n -"},
		{"a caller is not a callee",
	         {IN("main", "a.c"), IN("old", "a.c")},
	         "main>old",
	         {IN("now", "a.c"), IN("main", "a.c")},
	         "now>main",
	         "1n -"},
		{"one more callee",
	         {IN("main", "a.c"), IN("f", "a.c"), IN("old", "a.c")},
	         "main>old main>f",
	         {IN("main", "a.c"), IN("f", "a.c"), IN("now", "a.c")},
	         "main>now main>f now>f",
	         "0n 1n -"},
		{"arcs in another order",
	         {IN("main", "a.c"), IN("f", "a.c"), IN("old", "a.c")},
	         "main>old old>f",
	         {IN("f", "a.c"), IN("main", "a.c"), IN("now", "a.c")},
	         "now>f main>now",
	         "1n 0n 2r"},
		{"no neighbours", {IN("old", "a.c")}, NULL, {IN("now", "a.c")}, NULL, "-"},
		{"two that are alike",
	         {IN("old", "a.c"), IN("gone", "a.c"), IN("main", "a.c")},
	         "main>old main>gone",
	         {IN("now", "a.c"), IN("fresh", "a.c"), IN("main", "a.c")},
	         "main>now main>fresh",
	         "- - 2n"},
		{"two that are alike, between neighbours",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("main", "a.c")},
	         "main>old main>gone",
	         {IN("f", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"), IN("main", "a.c")},
	         "main>now main>fresh",
	         "0n 1r 2r 3n"},
		{"one more between neighbours",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("main", "a.c")},
	         "main>old main>gone",
	         {IN("f", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"), IN("more", "a.c"),
	          IN("main", "a.c")},
	         "main>now main>fresh main>more",
	         "0n - - 4n"},
		{"other neighbours",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("g", "a.c"),
	          IN("main", "b.c")},
	         "main>old main>gone",
	         {IN("g", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"), IN("f", "a.c"),
	          IN("main", "b.c")},
	         "main>now main>fresh",
	         "3n - - 0n 4n"},
		{"between neighbours, but with other callers",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("gone", "a.c"), IN("g", "a.c")},
	         "f>old f>gone",
	         {IN("f", "a.c"), IN("now", "a.c"), IN("fresh", "a.c"), IN("g", "a.c")},
	         "f>now g>fresh",
	         "0n - - 3n"},
		{"a neighbour of the place moved to another file",
	         {IN("f", "a.c"), IN("old", "a.c"), IN("g", "a.c"), IN("h", "b.c")},
	         NULL,
	         {IN("f", "a.c"), IN("now", "a.c"), IN("g", "b.c"), IN("h", "b.c")},
	         NULL,
	         "0n - 2p 3n"},
		{"a chain",
	         {IN("main", "a.c"), IN("a", "a.c"), IN("b", "a.c"), IN("c", "a.c")},
	         "main>a a>b b>c",
	         {IN("z", "a.c"), IN("y", "a.c"), IN("x", "a.c"), IN("main", "a.c")},
	         "main>x x>y y>z",
	         "3n 2r 1r 0r"},
		{"files not known: callers and callees",
	         {F("main"), F("f"), F("old")},
	         "main>old old>f",
	         {F("main"), F("f"), F("now")},
	         "main>now now>f",
	         "0n 1n 2r"},
		{"files not known: callers alone say too little",
	         {F("main"), F("f"), F("old")},
	         "main>old main>f",
	         {F("main"), F("f"), F("now")},
	         "main>now main>f",
	         "0n 1n -"},
		{"files known on one side",
	         {IN("main", "a.c"), IN("f", "a.c"), IN("old", "a.c")},
	         "main>old old>f",
	         {F("main"), F("f"), F("now")},
	         "main>now now>f",
	         "0n 1n 2r"},
		{"objects are places, too",
	         {F("main"), F("f"), {"old", NULL, "x.so", 0, 0, 0}},
	         "main>old old>f",
	         {F("main"), F("f"), {"now", NULL, "y.so", 0, 0, 0}},
	         "main>now now>f",
	         "0n 1n -"},
		{"calls of itself do not matter",
	         {IN("main", "a.c"), IN("old", "a.c")},
	         "main>old old>old",
	         {IN("main", "a.c"), IN("now", "a.c")},
	         "main>now",
	         "0n 1r"},
		{"lines are not renamed",
	         {IN("main", "a.c"), {"old", "a.c", NULL, 0, 0, GPROFX_NODE_LINE}},
	         "old>main",
	         {IN("main", "a.c"), {"now", "a.c", NULL, 0, 0, GPROFX_NODE_LINE}},
	         "now>main",
	         "0n -"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		match_expect(test, cases[i].what, match_report(test, cases[i].base, cases[i].calls),
		             match_report(test, cases[i].new, cases[i].new_calls),
		             cases[i].expected);
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
