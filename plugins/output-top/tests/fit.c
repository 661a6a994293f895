/* SPDX-License-Identifier: Apache-2.0 */
/* Names and numbers in the room that a column has. */
#include "../../shared/fit-texts.h"
#include "../../shared/names.h"
#include "../../shared/width.h"
#include "../fit.h"
#include "../page.h"

/* After the plugin, since cmocka has a macro "fail". */
#include "testrun.h"

#include "../apart.c"
#include "../fit.c"
#include "../page.c"

struct example {
	const char *full;
	size_t width;
	const char *fitted;
};

static const struct example examples[] = {
	/* C: nothing is left out before it has to be. */
	{"compare", 7, "compare"},
	{"compare_all_rows", 15, "compare_all_..."},
	{"compareAllRows", 13, "compareAll..."},
	{"comparison", 9, "compar..."},
	{"comparison", 5, "compa"},
	/* C++: parameters, then template arguments, then scopes. */
	{"ns::Class::method(int) const &", 30, "ns::Class::method(int) const &"},
	{"ns::Class::method(int) const &", 29, "ns::Class::method"},
	{"ns::Class::method(int) const &", 16, "...Class::method"},
	{"ns::Class::method(int) const &", 12, "...method"},
	{"ns::Class::method(int) const &", 6, "method"},
	/* Both parts of a constructor's name, even without dots for what is left out. */
	{"std::__detail::_Compiler<char>::_Compiler(char)", 23, "..._Compiler::_Compiler"},
	{"std::__detail::_Compiler<char>::_Compiler(char)", 20, "_Compiler::_Compiler"},
	{"std::__detail::_Compiler<char>::_Compiler(char)", 19, "..._Compiler"},
	/* Clones go first, and before a place. */
	{"f(int) [clone .isra.0]", 22, "f(int) [clone .isra.0]"},
	{"f(int) [clone .isra.0]", 21, "f(int)"},
	{"f(int) [clone .isra.0] [clone .cold]", 35, "f(int)"},
	{"f(int) [clone .isra.0] (lib.so)", 15, "f(int) (lib.so)"},
	{"store_emplace_hint_unique [clone .isra.0]", 21, "store_emplace_..."},
	/* Not inside of a word, if there are several. */
	{"regex_compiler.tcc", 14, "regex_..."},
	{"std::vector<int, std::allocator<int> >::push_back(int&&)", 50,
         "std::vector<int, std::allocator<int> >::push_back"},
	{"std::vector<int, std::allocator<int> >::push_back(int&&)", 48, "std::vector::push_back"},
	{"std::vector<int, std::allocator<int> >::push_back(int&&)", 21, "...vector::push_back"},
	{"std::vector<int, std::allocator<int> >::push_back(int&&)", 9, "push_back"},
	{"std::vector<int, std::allocator<int> >::push_back(int&&)", 8, "push_..."},
	/* Operators and conversions. */
	{"bool ns::operator< <int>(A<int> const&)", 38, "ns::operator< <int>"},
	{"bool ns::operator< <int>(A<int> const&)", 18, "ns::operator<"},
	{"bool ns::operator< <int>(A<int> const&)", 9, "operator<"},
	{"a::b::A::operator->() const", 14, "A::operator->"},
	{"a::b::A::operator->() const", 12, "..operator->"},
	{"std::function<void (int)>::operator()(int) const", 20, "function::operator()"},
	{"std::function<void (int)>::operator()(int) const", 10, "operator()"},
	{"A::operator std::vector<int>()", 22, "A::operator vector"},
	/* Lambdas keep what they are in as long as they can. */
	{"a::f(int)::{lambda(int, char)#1}::operator()(int, char) const", 30,
         "a::f::{lambda#1}::operator()"},
	{"a::f(int)::{lambda(int, char)#1}::operator()(int, char) const", 25,
         "f::{lambda#1}::operator()"},
	{"a::f(int)::{lambda(int, char)#1}::operator()(int, char) const", 24,
         "..{lambda#1}::operator()"},
	{"main::{lambda(long)#2}::operator()(long) const", 12, "..operator()"},
	{"a::b::(anonymous namespace)::f(int)", 26, "..(anonymous namespace)::f"},
	{"a::b::(anonymous namespace)::f(int)", 8, "...f"},
	/* Rust. */
	{"<alloc::vec::Vec<T> as core::ops::Drop>::drop", 42,
         "<alloc::vec::Vec as core::ops::Drop>::drop"},
	{"<alloc::vec::Vec<T> as core::ops::Drop>::drop", 41, "<Vec as Drop>::drop"},
	{"<alloc::vec::Vec<T> as core::ops::Drop>::drop", 18, "...drop"},
	{"app::main::{{closure}}", 20, "...main::{{closure}}"},
	/* Fortran. */
	{"__solver_MOD_step", 17, "__solver_MOD_step"},
	{"__solver_MOD_step", 16, "solver::step"},
	{"__solver_MOD_step", 11, "...step"},
	{"_QMsolverPstep", 12, "solver::step"},
	/* Characters are never divided: these have two and three bytes, the last ones two columns.
         */
	{"gr\xc3\xb6\xc3\x9f\x65ren", 6, "gr\xc3\xb6..."},
	{"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe5\x90\x8d", 7, "\xe6\x97\xa5\xe6\x9c\xac..."},
	{"\xe6\x97\xa5\xe6\x9c\xac", 3, "\xe6\x97\xa5"},
	{"\xe6\x97\xa5", 1, ""},
	/* Not what they seem. */
	{"a::", 2, "a:"},
	{"::", 1, ":"},
	{"operator", 7, "oper..."},
	{"f(a[)", 3, "f"},
	{"<<<<", 3, "<<<"},
};

static void
names_fit(void **state)
{
	struct testrun *test = *state;
	struct names names;

	names_begin(&names, &test->run.gx, NULL, NAME_FULL);
	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
		const struct example *example = &examples[i];
		/* Not a byte behind the name may be looked at. */
		size_t length = strlen(example->full);
		char *exact = malloc(length), *found;
		struct gprofx_text fitted;

		assert_non_null(exact);
		memcpy(exact, example->full, length);
		fitted = fit_name(&names, (struct gprofx_text){exact, length}, example->width);
		found = strndup(fitted.bytes, fitted.length);
		if (strcmp(found, example->fitted) != 0)
			print_error("%s (%zu): %s instead of %s\n", example->full, example->width,
			            found, example->fitted);
		assert_string_equal(found, example->fitted);
		free(found);
		free(exact);
	}
	assert_int_equal(names.form, NAME_FULL);
}

/* Names that would look the same show what they differ in. */
static void
equal_looks_are_distinguished(void **state)
{
	static const struct {
		const char *full[3];
		size_t width;
		const char *shown[3];
	} groups[] = {
		{{"A<char, Less>::push()", "A<long, Less>::push()"},
	         16,
	         {"A::push<char..>", "A::push<long..>"}},
		{{"f(int)", "f(double)", "f(int, char)"},
	         12,
	         {"f(int)", "f(double)", "f(int, char)"}},
		{{"f<a, std::less<a> >(int)", "f<a, std::more<a> >(int)"},
	         16,
	         {"f<..less..>", "f<..more..>"}},
		{{"alpha::Handler::run()", "beta::Handler::run()"},
	         14,
	         {"alpha..run", "beta..run"}},
		{{"ns::a::Handler::run()", "ns::b::Handler::run()"}, 14, {"..a..run", "..b..run"}},
		{{"read_all_of_the_input_first", "read_all_of_the_input_again"},
	         20,
	         {"read_all_of_...first", "read_all_of_...again"}},
		/* What distinguishes a clone is behind the name, or gives way to it. */
		{{"f(int, char, Less) [clone .isra.0]", "f(int, long, Less) [clone .isra.0]"},
	         30,
	         {"f(int, char, Less)", "f(int, long, Less)"}},
		{{"run<int, A>(B) [clone .isra.0]", "run<int, C>(D) [clone .isra.0]"},
	         13,
	         {"run<int, A>", "run<int, C>"}},
		{{"run_it<int, A>(B) [clone .isra.0]", "run_it<int, C>(D) [clone .isra.0]"},
	         13,
	         {"run_it<..A>", "run_it<..C>"}},
		{{"run(int) [clone .isra.0]", "run(int)", "run(int) [clone .part.0]"},
	         22,
	         {"run [clone .isra.0]", "run(int)", "run [clone .part.0]"}},
		/* Too little room, and nothing that differs. */
		{{"B::A<int>::push()", "B::A<bool>::push()"}, 11, {"B::A::push", "B::A::push"}},
		{{"work(int)", "work(int)"}, 8, {"work", "work"}},
		/* Different as it is. */
		{{"f(int)", "g(int)"}, 12, {"f(int)", "g(int)"}},
	};
	struct testrun *test = *state;
	struct names names;

	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
		struct apart_name all[3] = {{.row = 0}};
		uint32_t count = 0;

		names_begin(&names, &test->run.gx, NULL, NAME_FULL);
		for (; count < 3 && groups[i].full[count]; count++) {
			const char *full = groups[i].full[count];

			all[count].row = count;
			all[count].whole = (struct gprofx_text){full, strlen(full)};
			all[count].shown = fit_name(&names, all[count].whole, groups[i].width);
		}
		apart_names(&names, all, count, groups[i].width);
		for (uint32_t k = 0; k < count; k++) {
			char *found = strndup(all[k].shown.bytes, all[k].shown.length);

			assert_string_equal(found, groups[i].shown[all[k].row]);
			free(found);
		}
		assert_int_equal(names.form, NAME_FULL);
	}
}

/* All pairs of names in all widths: also names that no program has. */
static void
names_apart_stay_in_their_room(void **state)
{
	struct testrun *test = *state;
	const size_t count = sizeof examples / sizeof examples[0];
	struct names names;

	names_begin(&names, &test->run.gx, NULL, NAME_FULL);
	for (size_t i = 0; i < count * count; i++)
		for (size_t width = 1; width < 60; width += width < 24 ? 1 : 9) {
			const char *a = examples[i / count].full, *b = examples[i % count].full;
			struct apart_name both[2] = {{.whole = {a, strlen(a)}},
			                             {.whole = {b, strlen(b)}, .row = 1}};

			/* As if they looked the same. */
			both[0].shown = both[1].shown = fit_name(&names, both[0].whole, width);
			apart_names(&names, both, 2, width);
			assert_true(width_of(both[0].shown) <= width);
			assert_true(width_of(both[1].shown) <= width);
		}
}

/* Whatever the room, the name stays in it; and a form that was asked for is where it begins. */
static void
names_stay_in_their_room(void **state)
{
	struct testrun *test = *state;
	struct gprofx_text name, fitted;
	struct names names;

	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
		for (size_t width = 1; width < 70; width++) {
			name = (struct gprofx_text){examples[i].full, strlen(examples[i].full)};
			names_begin(&names, &test->run.gx, NULL, NAME_FULL);
			fitted = fit_name(&names, name, width);
			assert_true(width_of(fitted) <= width);
		}
	names_begin(&names, &test->run.gx, NULL, NAME_NO_TEMPLATES);
	name = (struct gprofx_text){"a<int>::f()", 11};
	fitted = fit_name(&names, name, 80);
	assert_int_equal(fitted.length, 4);
	assert_memory_equal(fitted.bytes, "a::f", 4);
	/* Scopes that are not asked for are not missed. */
	names_begin(&names, &test->run.gx, NULL, NAME_LAST_COMPONENTS);
	name = (struct gprofx_text){"a::b::c::f()", 12};
	fitted = fit_name(&names, name, 80);
	assert_int_equal(fitted.length, 4);
	assert_memory_equal(fitted.bytes, "c::f", 4);
	fitted = fit_name(&names, name, 3);
	assert_int_equal(fitted.length, 3);
	assert_memory_equal(fitted.bytes, "..f", 3);
}

static void
counts_have_three_digits(void **state)
{
	static const struct {
		double value;
		const char *text;
	} counts[] = {
		{0, "0"},
		{7, "7"},
		{999, "999"},
		{1000, "1.00 k"},
		{1234, "1.23 k"},
		{9994, "9.99 k"},
		{9996, "10.0 k"},
		{12345, "12.3 k"},
		{99949, "99.9 k"},
		{99951, "100 k"},
		{999499, "999 k"},
		{999501, "1.00 M"},
		{114e6, "114 M"},
		{4294967296.0, "4.29 G"},
		{1.8446744073709552e19, "18.4 E"},
		{1e30, "1000000000000 E"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		char text[FIT_COUNT_BYTES];

		assert_string_equal(fit_count(text, counts[i].value), counts[i].text);
	}
}

/* Dots must not stand where a word goes on, or a part of it that is one for readers. */
static void
cut_words_are_found(void **state)
{
	static const struct {
		const char *name, *shown;
		bool keeps_parts, keeps_words;
	} cases[] = {
		{"compare", "compare", true, true},
		{"compare_all_rows", "compare_all_...", true, false},
		{"compare_all_rows", "compare_al...", false, false},
		{"compareAllRows", "compareAll...", true, false},
		{"compareAllRows", "compareA...", false, false},
		{"a::b::Class::method(int)", "...Class::method", true, true},
		{"a::b::Class::method(int)", "..lass::method", false, false},
		{"__solver_MOD_step", "...step", true, false},
		{"f<std::less<int> >(char)", "f<..less..>", true, true},
		{"f<std::_BracketMatcher<int> >(char)", "f<.._Brack...>", false, false},
		{"gr\xc3\xb6\xc3\x9f\x65ren", "gr\xc3\xb6...", false, false},
		{"aba_b", "b...", true, false},
		{"", "", true, true},
		{"", "a...", false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct gprofx_text name = fit_text(cases[i].name), shown = fit_text(cases[i].shown);

		if (fit_keeps_words(&name, 1, shown, false) != cases[i].keeps_parts ||
		    fit_keeps_words(&name, 1, shown, true) != cases[i].keeps_words)
			fail_msg("%s of %s", cases[i].shown, cases[i].name);
	}
}

static void
expect_lines(struct page *page, const char *lines)
{
	page_end_line(page);
	assert_int_equal(page->length, strlen(lines));
	assert_memory_equal(page->bytes, lines, page->length);
	page->length = 0;
}

/* Words are never divided, unless one is wider than the screen; a number stays with its unit. */
static void
text_is_filled(void **state)
{
	struct testrun *test = *state;
	struct page page;

	page_begin(&page, &test->run.gx, 20, false);
	page_fill(&page, 2, "one two three four five six seven");
	expect_lines(&page, "  one two three four\n  five six seven\n");
	page_puts(&page, "head:");
	page_fill(&page, 2, "1234567890 samples of it");
	expect_lines(&page, "head:\n  1234567890 samples\n  of it\n");
	page_puts(&page, "name");
	page_fill(&page, 0, "abcdefghijklmnopqrstuvwxyz end");
	expect_lines(&page, "name\nabcdefghijklmnopq...\nend\n");
	page_fill(&page, 0, "a\033[1mb \xff");
	expect_lines(&page, "a\\x1b[1mb \\xff\n");
	page_fill(&page, 4, "");
	expect_lines(&page, "\n");
	assert_int_equal(page.lines, 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(names_fit),
		TESTRUN(equal_looks_are_distinguished),
		TESTRUN(names_apart_stay_in_their_room),
		TESTRUN(names_stay_in_their_room),
		TESTRUN(text_is_filled),
		cmocka_unit_test(cut_words_are_found),
		cmocka_unit_test(counts_have_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
