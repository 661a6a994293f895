/* SPDX-License-Identifier: Apache-2.0 */
/* One symbol per address, and which; lookups of addresses. */
#include "testrun.h"

enum { F = GPROFX_SYMBOL_FUNCTION, L = GPROFX_SYMBOL_LOCAL };

struct alias {
	const char *name;
	uint8_t flags;
};

static const char *
kept(struct testrun *test, const struct alias *aliases, uint32_t count)
{
	struct gprofx_symtab table = {.count = count};
	uint64_t keys[8];
	uint32_t ids[8];

	memory_array(&test->run, table.rows.name, count);
	memory_array(&test->run, table.rows.flags, count);
	for (uint32_t i = 0; i < count; i++) {
		table.rows.name[i] = aliases[i].name;
		table.rows.flags[i] = aliases[i].flags;
		keys[i] = 0x1000;
		ids[i] = i;
	}
	assert_int_equal(symbols_resolve(&test->run, &table, keys, ids, count), 1);
	return table.rows.name[ids[0]];
}

static void
test_aliases(void **state)
{
	struct testrun *test = *state;
	const struct {
		struct alias aliases[3];
		uint32_t count;
		const char *kept;
	} cases[] = {
		{{{"s", F | L}, {"_g", F}}, 2, "_g"},      {{{"s", F | L}, {"g", 0}}, 2, "g"},
		{{{"_g", F}, {"g", F}}, 2, "g"},           {{{"__g", F}, {"_g", F}}, 2, "_g"},
		{{{"g1", F}, {"g2", F}}, 2, "g1"},         {{{"g", 0}, {"_g", F}}, 2, "_g"},
		{{{"s", L}, {"_s", F | L}}, 2, "_s"},      {{{"__a", F}, {"__b", F}}, 2, "__a"},
		{{{"_x", F}, {"y", F}, {"z", F}}, 3, "y"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_string_equal(kept(test, cases[i].aliases, cases[i].count), cases[i].kept);
}

/* Of names that GNU gprof takes as they come, the one that people write. */
static void
test_plain_names(void **state)
{
	struct testrun *test = *state;
	const struct {
		struct alias aliases[4];
		uint32_t count;
		const char *kept, *as_gprof;
	} cases[] = {
		{{{"expf64", F}, {"expf32x", F}, {"exp", F}, {"__exp", F}}, 4, "exp", "expf64"},
		{{{"exp", F}, {"expf64", F}, {"expl", F}}, 3, "exp", "exp"},
		{{{"sinf32", F}, {"sinf", F}}, 2, "sinf", "sinf32"},
		{{{"expl", F}, {"exp", F}}, 2, "exp", "expl"},
		{{{"sinf64x", F}, {"sinl", F}}, 2, "sinl", "sinf64x"},
		{{{"strtof64", F}, {"strtod", F}}, 2, "strtod", "strtof64"},
		{{{"strtof64x", F}, {"strtold", F}}, 2, "strtold", "strtof64x"},
		{{{"expf64", F}, {"exp@@GLIBC_2.29", F}}, 2, "exp@@GLIBC_2.29", "expf64"},
		{{{"exp@@GLIBC_2.29", F}, {"exp", F}}, 2, "exp", "exp@@GLIBC_2.29"},
		{{{"___exp", F}, {"__exp", F}}, 2, "__exp", "___exp"},
		{{{"___a", F}, {"__b", F}}, 2, "__b", "___a"},
		/* These are no forms of each other, or the other rules are stronger. */
		{{{"f64", F}, {"g", F}}, 2, "f64", "f64"},
		{{{"bf64", F}, {"a", F}}, 2, "bf64", "bf64"},
		{{{"expf64", F}, {"expm1", F}}, 2, "expf64", "expf64"},
		{{{"expf64", F}, {"exp", F | L}}, 2, "expf64", "expf64"},
		{{{"expf64", F}, {"exp", 0}}, 2, "expf64", "expf64"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		test->run.corrections = GPROFX_CORRECT_PLAIN_NAMES;
		assert_string_equal(kept(test, cases[i].aliases, cases[i].count), cases[i].kept);
		test->run.corrections = 0;
		assert_string_equal(kept(test, cases[i].aliases, cases[i].count),
		                    cases[i].as_gprof);
	}
}

static void
test_many_at_one_address(void **state)
{
	struct testrun *test = *state;
	struct gprofx_symtab table = {.count = 200000};
	uint64_t *keys;
	uint32_t *ids;

	memory_array(&test->run, table.rows.name, table.count);
	memory_array(&test->run, table.rows.flags, table.count);
	memory_array(&test->run, keys, table.count);
	memory_array(&test->run, ids, table.count);
	for (uint32_t i = 0; i < table.count; i++) {
		table.rows.name[i] = "n";
		table.rows.flags[i] = i % 2 ? F | L : L;
		keys[i] = i % 3 == 0 ? 7 : 8;
		ids[i] = i;
	}
	assert_int_equal(symbols_resolve(&test->run, &table, keys, ids, table.count), 2);
	assert_int_equal(keys[0], 7);
	assert_int_equal(ids[0], 3);
	assert_int_equal(ids[1], 1);
}

static void
test_lookup(void **state)
{
	struct testrun *test = *state;
	const char *const names[] = {"a", "b", "c"};
	struct symbols *symbols = testrun_symbols(test, names, 3);

	assert_int_equal(symbols_lookup(symbols, 0xfff), NO_SYMBOL);
	assert_int_equal(symbols_lookup(symbols, 0x1000), 0);
	assert_int_equal(symbols_lookup(symbols, 0x100f), 0);
	assert_int_equal(symbols_lookup(symbols, 0x1010), 1);
	assert_int_equal(symbols_lookup(symbols, 0x102f), 2);
	assert_int_equal(symbols_lookup(symbols, 0x1030), NO_SYMBOL);
	assert_int_equal(symbols_lookup(symbols, UINT64_MAX), NO_SYMBOL);
	assert_int_equal(symbols_at(symbols, 0xfff), NO_SYMBOL);
	assert_int_equal(symbols_at(symbols, 0x1000), 0);
	assert_int_equal(symbols_at(symbols, 0x100f), NO_SYMBOL);
	assert_int_equal(symbols_at(symbols, 0x1020), 2);
	assert_int_equal(symbols_at(symbols, UINT64_MAX), NO_SYMBOL);
	/* The last symbol can be of no address. */
	symbols->end[2] = symbols->address[2] - 1;
	assert_int_equal(symbols_at(symbols, 0x1020), NO_SYMBOL);
	assert_int_equal(symbols_lookup(symbols, 0x1020), NO_SYMBOL);
}

/* Crowds and deserts: a bucket table must not care. */
static void
test_lookup_of_uneven_symbols(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = memory_alloc(&test->run, sizeof *symbols);
	uint64_t random = 99, at = 0x400000;
	enum { COUNT = 3000 };

	symbols->count = COUNT;
	memory_array(&test->run, symbols->address, COUNT);
	memory_array(&test->run, symbols->end, COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		symbols->address[i] = at;
		at += 1 + testrun_random(&random) % (i % 1000 == 0 ? (uint64_t)1 << 50 : 3);
		symbols->end[i] = at - 1;
	}
	symbols_index(&test->run, symbols);
	for (uint32_t i = 0; i < COUNT; i++) {
		assert_int_equal(symbols_lookup(symbols, symbols->address[i]), i);
		assert_int_equal(symbols_lookup(symbols, symbols->end[i]), i);
	}
	assert_int_equal(symbols_lookup(symbols, at), NO_SYMBOL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_aliases),
		TESTRUN(test_plain_names),
		TESTRUN(test_many_at_one_address),
		TESTRUN(test_lookup),
		TESTRUN(test_lookup_of_uneven_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
