/* SPDX-License-Identifier: Apache-2.0 */
/* Demangling: styles, what stands around a name, and names that are bombs. */
#include "testrun.h"

#include "symbols/demangle.h"

static void
expect(enum engine_demangling style, const char *name, const char *expected)
{
	struct demangle_text text = {0};
	bool ok = demangle(style, name, &text);

	assert_int_equal(ok, expected != NULL);
	assert_false(text.failed);
	assert_int_equal(text.length, expected ? strlen(expected) : 0);
	if (expected)
		assert_memory_equal(text.bytes, expected, text.length);
	free(text.bytes);
}

static void
expect_symbol(const struct engine_settings *settings, const struct gprofx_symtab *table,
              const char *name, const char *expected)
{
	struct demangle_text text = {0};
	bool changed = demangle_symbol(settings, table, name, &text);

	assert_int_equal(changed, expected != NULL);
	assert_int_equal(text.length, expected ? strlen(expected) : 0);
	if (expected && *expected)
		assert_memory_equal(text.bytes, expected, text.length);
	free(text.bytes);
}

static void
test_styles(void **state)
{
	(void)state;
	expect(ENGINE_DEMANGLE_AUTO, "_Z3fooi", "foo(int)");
	expect(ENGINE_DEMANGLE_AUTO, "main", NULL);
	expect(ENGINE_DEMANGLE_AUTO, "_ZN3foo17h0123456789abcdefE", "foo");
	expect(ENGINE_DEMANGLE_GNU_V3, "_ZN3foo17h0123456789abcdefE", "foo::h0123456789abcdef");
	expect(ENGINE_DEMANGLE_RUST, "_RNvC7mycrate3foo", "mycrate::foo");
	expect(ENGINE_DEMANGLE_RUST, "_Z3fooi", NULL);
	expect(ENGINE_DEMANGLE_GNAT, "ada__text_io__put_line", "ada.text_io.put_line");
	expect(ENGINE_DEMANGLE_DLANG, "_Dmain", "D main");
	expect(ENGINE_DEMANGLE_NONE, "_Z3fooi", NULL);
}

static void
test_what_stands_around_is_kept(void **state)
{
	(void)state;
	expect(ENGINE_DEMANGLE_AUTO, ".._Z3foov", "..foo()");
	expect(ENGINE_DEMANGLE_AUTO, "$_Z3foov", "$foo()");
	expect(ENGINE_DEMANGLE_AUTO, "_Z3foov@@V1", "foo()@@V1");
	expect(ENGINE_DEMANGLE_AUTO, "..foo", NULL);
	expect(ENGINE_DEMANGLE_AUTO, "foo@V2", NULL);
}

/* Each type is a pair of the one before, named by its number, so the text doubles every time. */
static void
test_bombs_are_shown_raw(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[2048] = "_Z1fSt4pairIiiE";

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		size_t length = strlen(name);

		snprintf(name + length, sizeof name - length, "S_IS%c_S%c_E", digits[i], digits[i]);
	}
	/* 2 to the 6th: a name like others. */
	{
		struct demangle_text text = {0};

		assert_true(demangle(ENGINE_DEMANGLE_AUTO, name, &text));
		free(text.bytes);
	}
	for (size_t i = 5; i < 34; i++) {
		size_t length = strlen(name);

		snprintf(name + length, sizeof name - length, "S_IS%c_S%c_E", digits[i], digits[i]);
	}
	expect(ENGINE_DEMANGLE_AUTO, name, NULL);
	memset(name, 'I', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	memcpy(name, "_Z1fI", 5);
	expect(ENGINE_DEMANGLE_AUTO, name, NULL);
}

static void
test_failure_takes_nothing_along(void **state)
{
	struct demangle_text text = {0};

	(void)state;
	assert_true(demangle(ENGINE_DEMANGLE_AUTO, "_Z1av", &text));
	assert_false(demangle(ENGINE_DEMANGLE_AUTO, ".plain", &text));
	assert_true(demangle(ENGINE_DEMANGLE_AUTO, "_Z1bv", &text));
	assert_int_equal(text.length, 6);
	assert_memory_equal(text.bytes, "a()b()", 6);
	free(text.bytes);
}

/* libiberty descends once for each letter of such a type. */
static void
test_deep_types_are_shown_raw(void **state)
{
	static char name[60000] = "_D1f";

	(void)state;
	memset(name + strlen(name), 'F', sizeof name - strlen(name) - 1);
	expect(ENGINE_DEMANGLE_DLANG, name, NULL);
}

/* Formats that put an underscore in front of names of C: it goes, but for raw names. */
static void
test_underscores_of_the_format(void **state)
{
	static const struct {
		const char *name, *automatic, *none; /* NULL: as it is */
	} cases[] = {
		{"_main", "main", "main"}, {"main", NULL, NULL},
		{"___x", "__x", "__x"},    {"__Z1fv", "f()", "_Z1fv"},
		{"_Z1fv", "Z1fv", "Z1fv"}, {"__ZN1A1fEv@8", "A::f()@8", "_ZN1A1fEv@8"},
		{".__Z1fv", NULL, NULL},   {"_", "", ""},
		{"", NULL, NULL},
	};
	const struct gprofx_symtab longer = {.leading_underscore = true}, plain = {0};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct engine_settings settings = {.demangling = ENGINE_DEMANGLE_AUTO};
		const char *name = cases[i].name;

		expect_symbol(&settings, &longer, name, cases[i].automatic);
		settings.demangling = ENGINE_DEMANGLE_NONE;
		expect_symbol(&settings, &longer, name, cases[i].none);
		expect_symbol(&settings, &plain, name, NULL);
		settings.raw_names = true;
		expect_symbol(&settings, &longer, name, NULL);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_what_stands_around_is_kept),
		cmocka_unit_test(test_bombs_are_shown_raw),
		cmocka_unit_test(test_deep_types_are_shown_raw),
		cmocka_unit_test(test_failure_takes_nothing_along),
		cmocka_unit_test(test_underscores_of_the_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
