/* SPDX-License-Identifier: Apache-2.0 */
/* Names of parts and versions of functions, as they are shown. */
#include "testrun.h"

#include "symbols/readable.h"

static void
expect(struct testrun *test, const char *name, const char *expected)
{
	const struct symbols symbols = {.variants = &(const char *){name}, .variant_count = 1};
	const struct symbols none = {0};
	bool is_variant = name[0] == '_' && name[1] == '_' && name[2] != 'Z' && name[2] != '_';
	struct demangle_text text = {0};
	bool changed = readable_symbol(&test->run, is_variant ? &symbols : &none, name, &text);

	assert_int_equal(changed, expected != NULL);
	assert_false(text.failed);
	assert_int_equal(text.length, expected ? strlen(expected) : 0);
	if (expected)
		assert_memory_equal(text.bytes, expected, text.length);
	free(text.bytes);
}

static void
test_names(void **state)
{
	static const struct {
		const char *name, *expected;
	} cases[] = {
		{"__strcmp_evex", "strcmp [evex]"},
		{"__memmove_avx512_unaligned_erms", "memmove [avx512_unaligned_erms]"},
		{"__floor_sse4_1", "floor [sse4_1]"},
		{"__memcmp_sse4", "memcmp [sse4]"},
		{"__a_b_avx2_rtm", "a_b [avx2_rtm]"},
		{"__x_1", NULL},
		{"__x_sse4_3", NULL},
		{"__avx2", NULL},
		{"__f_avx2_", NULL},
		{"__f_avx2x", NULL},
		{"main._omp_fn.0", "main [omp 0]"},
		{"_Z4workv._omp_fn.12", "work() [omp 12]"},
		{"main._omp_cpyfn.3", "main [omp copy 3]"},
		{"f.constprop.0._omp_fn.1", "f.constprop.0 [omp 1]"},
		{"main._omp_fn.0.cold", "main [omp 0] [clone .cold]"},
		{"main._omp_fn.0.constprop.0.isra.0",
	         "main [omp 0] [clone .constprop.0] [clone .isra.0]"},
		{".omp_outlined.", "[omp]"},
		{".omp_outlined..3", "[omp 3]"},
		{".omp_outlined._debug__.1", "[omp debug 1]"},
		{".omp_task_entry.", "[omp task]"},
		{".omp_task_entry..2", "[omp task 2]"},
		{".omp.reduction.reduction_func", "[omp reduction]"},
		{".omp.reduction.reduction_func.4", "[omp reduction 4]"},
		{".omp_task_privates_map..7", "[omp task privates map 7]"},
		{"main.omp_outlined", "main [omp]"},
		{"_Z1fv.omp_outlined.2", "f() [omp 2]"},
		{"kernel.avx2", "kernel [avx2]"},
		{"_Z6kernelv.arch_haswell", "kernel() [arch_haswell]"},
		{"kernel.sse4_2", "kernel [sse4_2]"},
		{"kernel.avx2.0", "kernel [avx2.0]"},
		{"kernel.default", "kernel [default]"},
		{"kernel.resolver", "kernel [resolver]"},
		{"_Z7numbersPZ7numbersiE17_Z7numbersi.Frame.actor",
	         "numbers(int) [coroutine actor]"},
		{"_Z8snumbersPZL8snumbersiE19_ZL8snumbersi.Frame.destroy",
	         "snumbers(int) [coroutine destroy]"},
		{"_Z7numbersi.resume", "numbers(int) [coroutine resume]"},
		{"_Z7numbersi.cleanup", "numbers(int) [coroutine cleanup]"},
		/* Lengths that do not fit name nothing. */
		{"_Z1fPZ1fiE99_Z1fi.Frame.actor", "_Z1fPZ1fiE99_Z1fi.Frame [coroutine actor]"},
		/* These stay as they are. */
		{"f.isra.0", NULL},
		{"_Z1fv.isra.0", "f() [clone .isra.0]"},
		{"inner.0", NULL},
		{"a.b.c", NULL},
		{"main.main.func1", NULL},
		{"service.actor", NULL},
		{"service.destroy", NULL},
		{".omp", NULL},
		{".omp_", NULL},
		{"", NULL},
		{".", NULL},
		{"_ZZ4mainENK3$_0clEi", "main::$_0::operator()(int) const"},
	};
	struct testrun *test = *state;

	test->settings.demangling = ENGINE_DEMANGLE_AUTO;
	test->run.corrections = GPROFX_CORRECT_LOCAL_NAMES;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect(test, cases[i].name, cases[i].expected);
}

static void
test_switched_off(void **state)
{
	struct testrun *test = *state;

	test->settings.demangling = ENGINE_DEMANGLE_AUTO;
	test->run.corrections = 0;
	expect(test, "main._omp_fn.0", NULL);
	expect(test, "_Z4workv._omp_fn.12", "work() [clone ._omp_fn.12]");
	test->settings.demangling = ENGINE_DEMANGLE_NONE;
	test->run.corrections = GPROFX_CORRECT_LOCAL_NAMES;
	expect(test, "main._omp_fn.0", NULL);
	expect(test, ".omp_outlined.", NULL);
}

static void
test_leading_underscores(void **state)
{
	const struct symbols symbols = {.table.leading_underscore = true};
	struct testrun *test = *state;
	struct demangle_text text = {0};

	test->settings.demangling = ENGINE_DEMANGLE_AUTO;
	test->run.corrections = GPROFX_CORRECT_LOCAL_NAMES;
	assert_true(readable_symbol(&test->run, &symbols, "_main._omp_fn.0", &text));
	assert_true(readable_symbol(&test->run, &symbols, "__Z1fv._omp_fn.0", &text));
	assert_int_equal(text.length, strlen("main [omp 0]f() [omp 0]"));
	assert_memory_equal(text.bytes, "main [omp 0]f() [omp 0]", text.length);
	free(text.bytes);
}

/* Long names are gone through a few times, not once for each of their parts. */
static void
test_long_names(void **state)
{
	enum { LENGTH = 1 << 22 };
	static const char *const parts[] = {".a", "._omp_fn.0", ".1", "_Z", "9_Z.Frame.actor", "."};
	struct testrun *test = *state;
	char *name = memory_alloc(&test->run, LENGTH + 1);

	test->settings.demangling = ENGINE_DEMANGLE_AUTO;
	test->run.corrections = GPROFX_CORRECT_LOCAL_NAMES;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		size_t length = strlen(parts[i]);
		struct demangle_text text = {0};

		memcpy(name, "_Z", 2);
		for (size_t at = 2; at < LENGTH; at++)
			name[at] = parts[i][at % length];
		readable_symbol(&test->run, &(struct symbols){0}, name, &text);
		free(text.bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_names),
		TESTRUN(test_switched_off),
		TESTRUN(test_leading_underscores),
		TESTRUN(test_long_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
