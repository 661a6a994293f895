/* SPDX-License-Identifier: Apache-2.0 */
/* Local names that count as functions. */
#include "testrun.h"

/* The name alone, at the end of its table. */
static bool
counts(const char *name)
{
	struct gprofx_symtab table = {.strings = name, .strings_bytes = strlen(name) + 1};
	struct name_rule rule = {.table = &table};

	return symbols_name_counts(&rule, name);
}

static void
test_plain_names(void **state)
{
	(void)state;
	assert_true(counts("f"));
	assert_true(counts("_f"));
	assert_false(counts(""));
	assert_false(counts("a$b"));
	assert_false(counts("$x"));
	assert_false(counts("__gnu_compiled_c"));
	assert_false(counts("___gnu_compiled_x"));
}

static void
test_suffixes(void **state)
{
	const char *const kept[] = {"a.1",
	                            "a.12.34",
	                            ".5",
	                            "a.",
	                            "a.clone.0",
	                            "a.constprop.0",
	                            "a.clone.0.constprop.1",
	                            "a.1.2."};
	const char *const dropped[] = {"a.b",          "a.1x",     "a..1",   "a.clone.",
	                               "a.isra.0",     "a.part.0", "a.cold", "a.llvm.12",
	                               "a.lto_priv.0", ".L1x",     "$d.1"};

	(void)state;
	for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
		assert_true(counts(kept[i]));
	for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++)
		assert_false(counts(dropped[i]));
}

static void
test_clones(void **state)
{
	const char *const always[] = {"f", "a.1", "a.12.34", ".5", "a.", "a.1.2."};
	const char *const clones[] = {"a.isra.0",
	                              "a.part.0",
	                              "a.cold",
	                              "a.llvm.12",
	                              "a.lto_priv.0",
	                              "a.clone.0",
	                              "a.constprop.0",
	                              "a.1.isra.0.cold",
	                              "a.isra.0.part.1",
	                              "a.clone.0.constprop.1",
	                              "a.lto_priv.0.lto_priv.0"};
	const char *const never[] = {"a.b",         "a.1x",     "a..1",      ".L1x", "$d.1",
	                             "a.partial.0", "a.cold.x", "a.part.0$", ""};
	struct name_rule keeping = {.table = &(struct gprofx_symtab){0}, .knows_clones = true};
	struct name_rule dropping = keeping;
	bool is_fragment;

	(void)state;
	dropping.drops_clones = true;
	for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
		assert_int_equal(symbols_name_counts(&keeping, always[i]), true);
		assert_int_equal(symbols_name_counts(&dropping, always[i]), true);
		assert_null(symbols_clone_suffix(always[i], &is_fragment));
	}
	for (size_t i = 0; i < sizeof clones / sizeof clones[0]; i++) {
		assert_true(symbols_name_counts(&keeping, clones[i]));
		assert_false(symbols_name_counts(&dropping, clones[i]));
	}
	for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
		assert_false(symbols_name_counts(&keeping, never[i]));
	assert_string_equal(symbols_clone_suffix("a.1.isra.0.cold", &is_fragment), ".isra.0.cold");
	assert_true(is_fragment);
	assert_string_equal(symbols_clone_suffix("a.part.0.isra.1", &is_fragment),
	                    ".part.0.isra.1");
	assert_true(is_fragment);
	assert_string_equal(symbols_clone_suffix("a.isra.1", &is_fragment), ".isra.1");
	assert_false(is_fragment);
}

/* What has code counts whatever its name, but for marks of modes; what has none, by its name. */
static void
test_fates(void **state)
{
	enum { TYPED = GPROFX_SYMBOL_FUNCTION | GPROFX_SYMBOL_LOCAL, BARE = GPROFX_SYMBOL_LOCAL };
	static const struct {
		const char *name;
		uint64_t bytes;
		uint8_t flags, fate, fate_in_list;
	} cases[] = {
		{"main._omp_fn.0", 16, TYPED, FATE_KEPT, FATE_KEPT},
		{"$_0", 0, TYPED, FATE_KEPT, FATE_KEPT},
		{"$x", 0, TYPED, FATE_KEPT, FATE_MAPPING},
		{"$x", 4, BARE, FATE_KEPT, FATE_KEPT},
		{"$x", 0, BARE, FATE_MAPPING, FATE_MAPPING},
		{"$d.12", 0, BARE, FATE_MAPPING, FATE_MAPPING},
		{"$xrv64i2p1_m2p0", 0, BARE, FATE_MAPPING, FATE_MAPPING},
		{"$xyz", 0, BARE, FATE_LABEL, FATE_LABEL},
		{".L12", 0, BARE, FATE_LABEL, FATE_LABEL},
		{"$L3", 0, BARE, FATE_LABEL, FATE_LABEL},
		{"7\0022", 0, BARE, FATE_LABEL, FATE_LABEL},
		{"f.loop", 0, BARE, FATE_UNCALLED, FATE_UNCALLED},
		{"f$1", 0, BARE, FATE_UNCALLED, FATE_UNCALLED},
		{"f.loop", 0, TYPED, FATE_KEPT, FATE_KEPT},
		{"plain", 0, BARE, FATE_KEPT, FATE_KEPT},
		{"inner.0", 0, BARE, FATE_KEPT, FATE_KEPT},
		{"f.isra.0", 0, BARE, FATE_KEPT, FATE_KEPT},
		{"", 8, TYPED, FATE_NAMELESS, FATE_NAMELESS},
	};
	struct gprofx_symtab table = {0};
	struct name_rule rule = {.table = &table, .knows_clones = true, .knows_names = true};
	struct name_rule list = rule;

	(void)state;
	list.lacks_sizes = true;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(
			symbols_name_fate(&rule, cases[i].name, cases[i].flags, cases[i].bytes),
			cases[i].fate);
		assert_int_equal(
			symbols_name_fate(&list, cases[i].name, cases[i].flags, cases[i].bytes),
			cases[i].fate_in_list);
	}
	rule.drops_clones = true;
	assert_int_equal(symbols_name_fate(&rule, "f.part.0", TYPED, 8), FATE_CLONE);
	rule.knows_clones = false;
	assert_int_equal(symbols_name_fate(&rule, "f.part.0", TYPED, 8), FATE_NAME);
	assert_int_equal(symbols_name_fate(&rule, "f._omp_fn.0", TYPED, 8), FATE_KEPT);
	rule.knows_names = false;
	assert_int_equal(symbols_name_fate(&rule, "f._omp_fn.0", TYPED, 8), FATE_NAME);
}

static void
test_next_string_decides(void **state)
{
	static const char drop[] = "f.constprop.0\0z.part", keep[] = "f.constprop.0\0zpart";
	struct gprofx_symtab table = {.strings = drop, .strings_bytes = sizeof drop};
	struct name_rule rule = {.table = &table};

	(void)state;
	assert_false(symbols_name_counts(&rule, drop));
	table = (struct gprofx_symtab){.strings = keep, .strings_bytes = sizeof keep};
	assert_true(symbols_name_counts(&rule, keep));
	/* The table ends before the next string: it is not looked at. */
	table = (struct gprofx_symtab){.strings = drop, .strings_bytes = sizeof "f.constprop.0"};
	assert_true(symbols_name_counts(&rule, drop));
}

static void
test_underscore_formats(void **state)
{
	struct gprofx_symtab table = {.leading_underscore = true};
	struct name_rule rule = {.table = &table};

	(void)state;
	assert_true(symbols_name_counts(&rule, "_f"));
	assert_false(symbols_name_counts(&rule, "f"));
}

/*
 * A table full of suffixes: what stands at its end decides about all of them, whichever is asked
 * about first, and it is gone through once.  (Once for each would take hours.)
 */
static void
test_long_chains(void **state)
{
	enum { STRINGS = 1 << 19, STRING = 4 };
	struct testrun *test = *state;
	char *strings = memory_alloc(&test->run, STRINGS * STRING + 2);
	struct gprofx_symtab table = {.strings = strings, .strings_bytes = STRINGS * STRING + 2};

	for (uint32_t i = 0; i < STRINGS; i++)
		memcpy(strings + i * STRING, "a.1", STRING);
	for (int rejects = 0; rejects < 2; rejects++) {
		struct name_rule rule = {.run = &test->run, .table = &table};

		strings[STRINGS * STRING] = rejects ? '$' : 'z';
		for (uint32_t i = 0; i < STRINGS; i++) {
			uint32_t string = i % 2 ? i / 2 : STRINGS - 1 - i / 2;

			assert_int_equal(symbols_name_counts(&rule, strings + string * STRING),
			                 !rejects);
			/* Names that are ends of these. */
			assert_int_equal(symbols_name_counts(&rule, strings + string * STRING + 1),
			                 !rejects);
			assert_true(symbols_name_counts(&rule, strings + string * STRING + 2));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_names),
		cmocka_unit_test(test_clones),
		cmocka_unit_test(test_suffixes),
		cmocka_unit_test(test_fates),
		cmocka_unit_test(test_next_string_decides),
		cmocka_unit_test(test_underscore_formats),
		TESTRUN(test_long_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
