/* SPDX-License-Identifier: Apache-2.0 */
/* Short forms of names as demanglers and compilers make them, and of names made to do harm. */
#include "testrun.h"

#include "../../shared/names.h"

struct example {
	const char *full;
	const char *short_form[3]; /* by enum name_form, from 1; NULL: as the one before it */
};

static const struct example examples[] = {
	/* C, and what compilers append to it. */
	{"main", {NULL}},
	{"fold.isra.0", {NULL}},
	{"fold.constprop.0.cold", {NULL}},
	{"memcpy@@GLIBC_2.14", {NULL}},
	{"operators", {NULL}},
	{"my_operator", {NULL}},
	/* Lines of subroutines that were inlined: the place is that of the first. */
	{"get (img.c:10 @ 401ba1) inlined into blur (img.c:21)",
         {NULL, NULL, "get (img.c:10 @ 401ba1) inlined into blur"}},
	{"int ns::A<int>::f(int) (a.h:3 @ 10) inlined into ns::g(long) (b.h:7) inlined into "
         "ns::h() (c.cc:9)",
         {"ns::A<int>::f (a.h:3 @ 10) inlined into ns::g (b.h:7) inlined into ns::h (c.cc:9)",
          "ns::A::f (a.h:3 @ 10) inlined into ns::g (b.h:7) inlined into ns::h (c.cc:9)",
          "A::f (a.h:3 @ 10) inlined into ns::h"}},
	{"get (img.c:10 @ 1190) inlined into ns::blur(int) (img.c:21) (libimg.so.1)",
         {"get (img.c:10 @ 1190) inlined into ns::blur (img.c:21) (libimg.so.1)", NULL,
          "get (img.c:10 @ 1190) inlined into ns::blur"}},
	{"blur (img.c:21 @ 1140) (libimg.so.1)", {NULL}},
	{"a::b::f(int) (img.cc:21 @ 1140) (libimg.so.1)",
         {"a::b::f (img.cc:21 @ 1140) (libimg.so.1)", NULL,
          "b::f (img.cc:21 @ 1140) (libimg.so.1)"}},
	{"f inlined into ", {NULL, NULL, "f inlined into "}},
	/* C++: parameters, qualifiers, results. */
	{"f(int, char const*)", {"f"}},
	{"ns::Class::method(int) const &", {"ns::Class::method", NULL, "Class::method"}},
	{"int f<int>(int)", {"f<int>", "f"}},
	{"std::enable_if<(1)<(2), void>::type ns::g<long>(long)", {"ns::g<long>", "ns::g"}},
	{"unsigned long max<unsigned long>(unsigned long, unsigned long)",
         {"max<unsigned long>", "max"}},
	{"char const* name<3>()", {"name<3>", "name"}},
	{"decltype ({parm#1}+{parm#2}) add<int, int>(int, int)", {"add<int, int>", "add"}},
	{"decltype(auto) make<A>()", {"make<A>", "make"}},
	{"f(void (*)(int), int (&) [3])", {"f"}},
	{"void (*get<int>(int))(char)", {"get<int>", "get"}},
	{"int (&(*a::table<int>()))[3]", {"a::table<int>", "a::table"}},
	{"void (*(*twice<int>(char))(int))(long)", {"twice<int>", "twice"}},
	{"void (Foo::*member<int>())(int)", {"member<int>", "member"}},
	{"a::b::c::d()", {"a::b::c::d", NULL, "c::d"}},
	{"Class::~Class()", {"Class::~Class"}},
	{"f[abi:cxx11](int)", {"f[abi:cxx11]"}},
	/* Templates. */
	{"std::vector<int, std::allocator<int> >::push_back(int&&)",
         {"std::vector<int, std::allocator<int> >::push_back", "std::vector::push_back",
          "vector::push_back"}},
	{"std::map<A<B<C> >, D>::at(A<B<C> > const&)",
         {"std::map<A<B<C> >, D>::at", "std::map::at", "map::at"}},
	{"std::function<void (int)>::operator()(int) const",
         {"std::function<void (int)>::operator()", "std::function::operator()",
          "function::operator()"}},
	{"Bits<((3)>(2)), (char)60>::f()", {"Bits<((3)>(2)), (char)60>::f", "Bits::f"}},
	{"Shift<(1)<<(4)>::f()", {"Shift<(1)<<(4)>::f", "Shift::f"}},
	{"Call<&(operator><int>(A, A))>::f()", {"Call<&(operator><int>(A, A))>::f", "Call::f"}},
	{"Apply<decltype ((((A*)0)->b)())>::f()",
         {"Apply<decltype ((((A*)0)->b)())>::f", "Apply::f"}},
	/* Operators. */
	{"operator<<(A&, B)", {"operator<<"}},
	{"std::ostream& std::operator<< <char>(std::ostream&, char const*)",
         {"std::operator<< <char>", "std::operator<<"}},
	{"bool operator< <int>(A<int> const&, A<int> const&)", {"operator< <int>", "operator<"}},
	{"bool ns::operator> <int>(A<int> const&)", {"ns::operator> <int>", "ns::operator>"}},
	{"a::A::operator->() const", {"a::A::operator->", NULL, "A::operator->"}},
	{"A::operator->*(int)", {"A::operator->*"}},
	{"A::operator()(int)", {"A::operator()"}},
	{"A::operator[](int)", {"A::operator[]"}},
	{"A::operator,(A)", {"A::operator,"}},
	{"A::operator!() const", {"A::operator!"}},
	{"A::operator<=>(A const&) const", {"A::operator<=>"}},
	{"operator new(unsigned long)", {"operator new"}},
	{"A::operator delete[](void*, unsigned long)", {"A::operator delete[]"}},
	{"operator\"\" _km(long double)", {"operator\"\" _km"}},
	/* Conversions. */
	{"A::operator bool() const", {"A::operator bool"}},
	{"A::operator newer()", {"A::operator newer"}},
	{"A::operator unsigned long() const", {"A::operator unsigned long"}},
	{"A::operator std::vector<int>()",
         {"A::operator std::vector<int>", "A::operator std::vector", "A::operator vector"}},
	{"A::operator void (*)(int)()", {"A::operator void (*)(int)"}},
	{"A::operator void (*)()()", {"A::operator void (*)()"}},
	/* Scopes without a name. */
	{"(anonymous namespace)::f(int)", {"(anonymous namespace)::f"}},
	{"a::b::(anonymous namespace)::f(int)",
         {"a::b::(anonymous namespace)::f", NULL, "b::(anonymous namespace)::f"}},
	{"void (anonymous namespace)::f<int>(int)",
         {"(anonymous namespace)::f<int>", "(anonymous namespace)::f"}},
	{"a::f(int)::{lambda(int, char)#1}::operator()(int, char) const",
         {"a::f::{lambda#1}::operator()", NULL, "a::f::{lambda#1}::operator()"}},
	{"a::b::f() const::{lambda()#2}::operator()() const",
         {"a::b::f::{lambda#2}::operator()", NULL, "b::f::{lambda#2}::operator()"}},
	{"auto f<int>(int)::{lambda(auto:1)#1}::operator()<int>(int) const",
         {"f<int>::{lambda#1}::operator()<int>", "f::{lambda#1}::operator()"}},
	{"main::{lambda(int)#1}::_FUN(int)", {"main::{lambda#1}::_FUN"}},
	{"std::_Function_handler<void (), main::{lambda()#1}>::_M_invoke(std::_Any_data const&)",
         {"std::_Function_handler<void (), main::{lambda()#1}>::_M_invoke",
          "std::_Function_handler::_M_invoke", "_Function_handler::_M_invoke"}},
	{"f(int)::Local::g()", {"f::Local::g", NULL, "Local::g"}},
	/* What stands before and behind names. */
	{"a::f(int) [clone .isra.0]", {"a::f [clone .isra.0]"}},
	{"a::b::f(int) [clone .part.0] [clone .cold]",
         {"a::b::f [clone .part.0] [clone .cold]", NULL, "b::f [clone .part.0] [clone .cold]"}},
	{"a::b::f(int) [omp 0]", {"a::b::f [omp 0]", NULL, "b::f [omp 0]"}},
	{"a::b::f(int) [coroutine actor] [clone .cold]",
         {"a::b::f [coroutine actor] [clone .cold]", NULL, "b::f [coroutine actor] [clone .cold]"}},
	{"main [omp 0]", {NULL}},
	{"solver::step [omp 0]", {NULL}},
	{"kernel [arch=x86-64-v3] (a.c:1)", {NULL}},
	{"a::b::f(int) (list.cc:12)", {"a::b::f (list.cc:12)", NULL, "b::f (list.cc:12)"}},
	{"f(int) [clone .cold] (my list.cc:12)", {"f [clone .cold] (my list.cc:12)"}},
	{"non-virtual thunk to a::b::f(int)",
         {"non-virtual thunk to a::b::f", NULL, "non-virtual thunk to b::f"}},
	{"f(int)@@VERSION_1", {"f@@VERSION_1"}},
	/* Rust. */
	{"core::ops::function::FnOnce::call_once", {NULL, NULL, "FnOnce::call_once"}},
	{"<alloc::vec::Vec<T> as core::ops::Drop>::drop",
         {NULL, "<alloc::vec::Vec as core::ops::Drop>::drop", "<Vec as Drop>::drop"}},
	{"<<a::B<C> as d::E>::F as g::H<i::J>>::run",
         {NULL, "<<a::B as d::E>::F as g::H>::run", "<<B as E>::F as H>::run"}},
	{"<fn(u8) -> u8 as a::Trait>::call", {NULL, NULL, "<fn(u8) -> u8 as Trait>::call"}},
	{"core::ptr::drop_in_place<alloc::string::String>",
         {NULL, "core::ptr::drop_in_place", "ptr::drop_in_place"}},
	{"std::collections::HashMap::<u8, u16>::insert",
         {NULL, "std::collections::HashMap::insert", "HashMap::insert"}},
	{"core::fmt::num::<impl core::fmt::Debug for u32>::fmt",
         {NULL, NULL, "<impl Debug for u32>::fmt"}},
	{"app::main::{{closure}}", {NULL, NULL, "app::main::{{closure}}"}},
	{"app::run::step::{closure#0}::{closure#1}",
         {NULL, NULL, "run::step::{closure#0}::{closure#1}"}},
	{"<app::Pair<'a', '<'> as app::T>::f",
         {NULL, "<app::Pair as app::T>::f", "<Pair as T>::f"}},
	/* Fortran. */
	{"__solver_MOD_step", {NULL, NULL, "solver::step"}},
	{"__solver_MOD_step.constprop.0", {NULL, NULL, "solver::step.constprop.0"}},
	{"MAIN__", {NULL}},
	{"dgemm_", {NULL}},
	{"inner.0", {NULL}},
	{"_QMsolverPstep", {NULL, NULL, "solver::step"}},
	{"_QMsolverFhostPinner_1", {NULL, NULL, "host::inner_1"}},
	{"_QPdgemm", {NULL, NULL, "dgemm"}},
	{"_QQmain", {NULL}},
	{"_QM", {NULL}},
	{"___MOD_", {NULL}},
	{"__x_MOD_", {NULL}},
	/* Others. */
	{"main.(*Tree).Insert", {NULL}},
	{"-[Window draw:in:]", {NULL}},
	{"+[Window(Extra) make]", {NULL}},
	{"app.find!(int, \"x\").find(int)", {"app.find!(int, \"x\").find", "app.find.find"}},
	/* In UTF-8. */
	{"größe::maß<länge>(σ)", {"größe::maß<länge>", "größe::maß"}},
	/* Not what they seem, or cut short. */
	{"", {NULL}},
	{"(", {NULL}},
	{"<<<", {NULL}},
	{")>]}", {NULL}},
	{"f(int", {NULL}},
	{"a::", {NULL}},
	{"::", {NULL}},
	{"operator", {NULL}},
	{"operator ", {NULL}},
	{"a::operator", {NULL}},
	{"x::operator<", {NULL}},
	{"f(a[)", {"f"}},
	{"[clone .x]", {NULL}},
	{" [clone .x]", {"[clone .x]"}},
};

static char *
copy_of(struct gprofx_text text)
{
	char *copy = strndup(text.bytes, text.length);

	assert_non_null(copy);
	return copy;
}

static void
names_are_shortened(void **state)
{
	struct testrun *test = *state;
	struct names names;

	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
		const char *expected = examples[i].full;

		for (int form = NAME_FULL; form <= NAME_LAST_COMPONENTS; form++) {
			/* Not a byte behind the name may be looked at. */
			size_t length = strlen(examples[i].full);
			char *exact = malloc(length > 0 ? length : 1), *found;
			struct gprofx_text text = {exact, length};

			memcpy(exact, examples[i].full, length);
			names_begin(&names, &test->run.gx, NULL, (enum name_form)form);
			found = copy_of(names_shorten(&names, text));
			if (form > NAME_FULL && examples[i].short_form[form - 1])
				expected = examples[i].short_form[form - 1];
			if (strcmp(found, expected) != 0)
				print_error("%s (%d): %s instead of %s\n", examples[i].full, form,
				            found, expected);
			assert_string_equal(found, expected);
			free(found);
			free(exact);
		}
	}
}

/* Every beginning and every end of every name, and brackets in disorder. */
static void
pieces_are_survived(void **state)
{
	static const char letters[] = "<>()[]{}:: ,&*o'!.@#-=a";
	struct testrun *test = *state;
	struct names names[4];
	uint64_t random = 1;

	for (int form = NAME_FULL; form <= NAME_LAST_COMPONENTS; form++)
		names_begin(&names[form], &test->run.gx, NULL, (enum name_form)form);
	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
		size_t length = strlen(examples[i].full);

		for (size_t at = 0; at <= length; at++) {
			for (int form = NAME_NO_ARGUMENTS; form <= NAME_LAST_COMPONENTS; form++) {
				struct gprofx_text head = {examples[i].full, at};
				struct gprofx_text rest = {examples[i].full + at, length - at};

				head = names_shorten(&names[form], head);
				/* "_QPx" gets longer, at most to the double. */
				assert_true(head.length <= 2 * at);
				rest = names_shorten(&names[form], rest);
				assert_true(rest.length <= 2 * (length - at));
			}
		}
	}
	for (int i = 0; i < 20000; i++) {
		char text[64];
		size_t length = 0;

		for (; length < sizeof text; length++) {
			text[length] = letters[testrun_random(&random) % (sizeof letters - 1)];
		}
		for (int form = NAME_NO_ARGUMENTS; form <= NAME_LAST_COMPONENTS; form++)
			assert_true(names_shorten(&names[form], (struct gprofx_text){text, length})
			                    .length <= length);
	}
}

/* A name of many equal pieces: were its cost the square of its length, this would not end. */
static void
long_names_cost_their_length(void **state)
{
	static const char *const pieces[] = {"<",     "(",          "a::",        " const",
	                                     "(*",    "operator (", "a<b>::",     " [clone .a]",
	                                     "<()>",  "{lambda(",   " & const::", "operator a::",
	                                     "::<a>", "f()::",      " ",          "()"};
	enum { LENGTH = 1 << 20 };
	struct testrun *test = *state;
	char *text = malloc(LENGTH);

	assert_non_null(text);
	for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
		size_t piece = strlen(pieces[i]);
		struct names names;

		for (size_t at = 0; at < LENGTH; at++)
			text[at] = pieces[i][at % piece];
		names_begin(&names, &test->run.gx, NULL, NAME_LAST_COMPONENTS);
		assert_true(names_shorten(&names, (struct gprofx_text){text, LENGTH}).length <=
		            LENGTH);
	}
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(names_are_shortened),
		TESTRUN(pieces_are_survived),
		TESTRUN(long_names_cost_their_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
