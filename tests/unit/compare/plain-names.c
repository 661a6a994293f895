/* SPDX-License-Identifier: Apache-2.0 */
/* Names of one function in several forms. */
#include "matchrun.h"

/* Which pairs of names are one function, and by which step. */
static void
test_pairs(void **state)
{
	static const struct {
		const char *base, *new, *expected;
	} pairs[] = {
		{"f.isra.0", "f", "0p"},
		{"f.part.0", "f.part.1", "0p"},
		{"f.part.0", "f", "0p"},
		{"f.constprop.0.isra.0", "f.constprop.1", "0p"},
		{"f.llvm.1234567", "f.llvm.7654321", "0p"},
		{"f.cold", "f.cold.3", "0p"},
		{"f.isra.0.cold", "f.cold", "0p"},
		{"f.1", "f", "-"},
		{"memcpy@@GLIBC_2.14", "memcpy@GLIBC_2.2.5", "0p"},
		{"memcpy@@GLIBC_2.14", "memcpy", "0p"},
		{"memcpy@plt", "memcpy", "-"},
		{"memcpy@plt.1", "memcpy", "-"},
		/* C++ */
		{"_ZN1a1fEi", "a::f(int)", "0p"},
		{"_ZN1a1fEi", "a::f", "0p"},
		{"_ZN1a1fEi", "_ZN1a1fEl", "0p"},
		{"_ZN1a1fEi", "_ZN1b1fEi", "-"},
		{"_ZN1a1fEi.isra.0", "_ZN1a1fEi", "0p"},
		{"_ZN1a1fEi.cold", "_ZN1a1fEi.part.0", "0p"},
		{"_ZN1a1fEi.isra.0", "a::f(int) [clone .isra.0]", "0p"},
		{"a::f(int) [clone .isra.0] [clone .cold]", "a::f(int) [clone .cold]", "0p"},
		{"a::f(int) [clone .cold", "a::f(int)", "0p"},
		{"a::f(int) [clone .omp]", "a::f(int)", "-"},
		{"_ZNK1a1fEv", "a::f() const", "0p"},
		{"_ZNK1a1fEv", "a::f", "0p"},
		{"_Z1fIiEvT_", "void f<int>(int)", "0p"},
		{"_Z1fIiEvT_", "f<int>", "0p"},
		{"_Z1fIiEvT_", "_Z1fIlEvT_", "-"},
		{"f<g<int> >", "f<g<int>>(int)", "0p"},
		/* Rust, with both manglings */
		{"_ZN4core3fmt5write17h0123456789abcdefE", "_ZN4core3fmt5write17hfedcba9876543210E",
	         "0p"},
		{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write", "0p"},
		{"core::fmt::write::h0123456789abcdef", "core::fmt::write::hfedcba9876543210",
	         "0p"},
		{"core::fmt::write::h0123456789abcde", "core::fmt::write", "-"},
		{"core::fmt::write::h0123456789abcdeg", "core::fmt::write", "-"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo", "0p"},
		/* Underscores of Mach-O and PE */
		{"_main", "main", "0p"},
		{"__ZN1a1fEi", "_ZN1a1fEi", "0p"},
		{"__ZN1a1fEi", "a::f(int)", "0p"},
		/* With an object, as gprofx writes into formats that have none */
		{"f (libx.so)", "f", "0p"},
		{"f (libx.so)", "f (liby.so)", "0p"},
		{"a::f(int) (prog)", "_ZN1a1fEi", "0p"},
		{"a::f() const (prog)", "_ZNK1a1fEv", "0p"},
		{"f(g (*)(int))", "f", "0p"},
		{"f (", "f", "-"},
		{"f )", "f", "-"},
		{" (prog)", "prog", "-"},
		{"(prog)", "", "-"},
		/* What is left of nothing */
		{"", "", "0n"},
		{"", "f", "-"},
		{"", "_", "-"},
		{".isra.0", ".isra.1", "-"},
		{"_", "__", "0p"},
		{"@@", "@", "-"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		struct match_function base[] = {NAMED(pairs[i].base), {0}};
		struct match_function new[] = {NAMED(pairs[i].new), {0}};
		const char *what = text_format(&test->run, "%s, %s", pairs[i].base, pairs[i].new);

		match_expect(test, what, match_report(test, base, NULL),
		             match_report(test, new, NULL), pairs[i].expected);
		match_expect(test, what, match_report(test, new, NULL),
		             match_report(test, base, NULL), pairs[i].expected);
	}
}

/* Several functions: what says more decides. */
static void
test_several(void **state)
{
	static const struct match_case cases[] = {
		{"overloads in other words",
	         {NAMED("_Z1fi"), NAMED("_Z1fl"), NAMED("_Z1fd")},
	         {NAMED("f(long)"), NAMED("f(int)")},
	         "1p 0p -",
	         NULL,
	         NULL},
		{"an overload with other arguments",
	         {NAMED("_Z1fi"), NAMED("_Z1fl")},
	         {NAMED("_Z1fd"), NAMED("_Z1fi")},
	         "1n 0p",
	         NULL,
	         NULL},
		{"more overloads than before",
	         {NAMED("_Z1fi"), NAMED("_Z1fl")},
	         {NAMED("_Z1fi"), NAMED("_Z1fd"), NAMED("_Z1fs")},
	         "0n -",
	         NULL,
	         NULL},
		{"a part is not its function",
	         {NAMED("f.part.0"), NAMED("f")},
	         {NAMED("f.isra.0"), NAMED("f.isra.0.part.0")},
	         "1p 0p",
	         NULL,
	         NULL},
		{"the same in other words",
	         {NAMED("f(int) [clone .isra.0] [clone .cold]"), NAMED("f(int) [clone .isra.0]")},
	         {NAMED("_Z1fi"), NAMED("_Z1fi.cold")},
	         "1p 0p",
	         NULL,
	         NULL},
		{"clones of several files",
	         {IN("f.isra.0", "a.c"), IN("f.isra.0", "b.c")},
	         {IN("f", "/x/b.c"), IN("f", "/x/a.c")},
	         "1p 0p",
	         NULL,
	         NULL},
		{"moved to another file", {IN("f", "a.c")}, {IN("f", "b.c")}, "0p", NULL, NULL},
		{"moved to another object",
	         {{"f", NULL, "libx.so", 0, 0, 0}},
	         {{"f", NULL, "liby.so", 0, 0, 0}},
	         "0p",
	         NULL,
	         NULL},
		{"as many clones, by address",
	         {NAMED("f.constprop.0"), NAMED("f.constprop.1")},
	         {NAMED("f.constprop.2"), NAMED("f.constprop.3")},
	         "0p 1p",
	         NULL,
	         NULL},
		{"more clones",
	         {NAMED("f.constprop.0"), NAMED("f.constprop.1")},
	         {NAMED("f.constprop.2")},
	         "- -",
	         NULL,
	         NULL},
		{"lines and files have no such names",
	         {{"f", NULL, NULL, 0, 0, GPROFX_NODE_LINE},
	          {"g.isra.0", NULL, NULL, 0, 0, GPROFX_NODE_FILE}},
	         {{"f", NULL, NULL, 0, 0, GPROFX_NODE_LINE},
	          {"g", NULL, NULL, 0, 0, GPROFX_NODE_FILE}},
	         "- -",
	         NULL,
	         NULL},
	};

	match_cases(*state, cases, sizeof cases / sizeof cases[0]);
}

/* Names are read whatever form users want to see; schemes that they chose are those of the run. */
static void
test_styles(void **state)
{
	static const struct match_function ada[] = {NAMED("_ada_main"), {0}},
					   plain[] = {NAMED("main"), {0}};
	static const struct match_function mangled[] = {NAMED("_Z1fi"), {0}},
					   readable[] = {NAMED("f(int)"), {0}};
	struct testrun *test = *state;

	test->settings.demangling = ENGINE_DEMANGLE_NONE;
	match_expect(test, "none", match_report(test, mangled, NULL),
	             match_report(test, readable, NULL), "0p");
	match_expect(test, "none, Ada", match_report(test, ada, NULL),
	             match_report(test, plain, NULL), "-");
	test->settings.demangling = ENGINE_DEMANGLE_GNAT;
	match_expect(test, "Ada", match_report(test, ada, NULL), match_report(test, plain, NULL),
	             "0p");
}

/* Short names that stand for long ones: a bound for each thousand, whatever threads there are. */
static void
test_costly_names(void **state)
{
	enum { COUNT = 2048 };
	struct testrun *test = *state;
	struct match_report *base = match_report_of(test, COUNT);
	struct match_report *new = match_report_of(test, COUNT);
	struct compare_matches matches;
	uint32_t matched[2] = {0, 0};

	for (uint32_t i = 0; i < COUNT; i++) {
		/* Each substitution doubles the type. */
		const char *name = text_format(
			&test->run,
			"_Z5f%04uSt4pairI1aS0_ES_IS1_S1_ES_IS2_S2_ES_IS3_S3_ES_IS4_S4_E", i);

		match_set(base, i, &(struct match_function){.name = name});
		name = text_format(&test->run, "%s.isra.0", name);
		match_set(new, i, &(struct match_function){.name = name});
	}
	for (uint32_t pass = 0; pass < 2; pass++) {
		test->run.threads = 1 + pass;
		test->last_id[0] = '\0';
		matches = match_both(test, base, new);
		for (uint32_t i = 0; i < COUNT; i++)
			matched[pass] += matches.of_base[i] == i;
		assert_string_equal(test->last_id, "report.long-names");
	}
	assert_true(matched[0] > 0 && matched[0] < COUNT);
	assert_int_equal(matched[0], matched[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_pairs),
		TESTRUN(test_several),
		TESTRUN(test_styles),
		TESTRUN(test_costly_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
