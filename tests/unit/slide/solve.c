/* SPDX-License-Identifier: Apache-2.0 */
/* The solver on tables of symbols without code. */
#include "testrun.h"

#include "slide/slide.h"

enum { BASE = 0x401000 };

/* Functions of 16 to 512 bytes. */
static struct symbols *
make_symbols(struct testrun *test, uint32_t count, uint64_t seed)
{
	struct symbols *symbols = memory_alloc(&test->run, sizeof *symbols);
	struct gprofx_symtab *table = &symbols->table;
	uint64_t at = BASE;

	table->target.pointer_bytes = 8;
	table->text_start = BASE;
	table->count = count;
	memory_array(&test->run, table->rows.address, count);
	memory_array(&test->run, table->rows.name, count);
	for (uint32_t i = 0; i < count; i++) {
		table->rows.address[i] = at;
		table->rows.name[i] = "f";
		at += 16 + testrun_random(&seed) % 32 * 16;
	}
	table->text_end = at;
	return symbols;
}

/* Calls of random functions, moved. */
static struct gprofx_raw_arc *
make_arcs(struct testrun *test, const struct symbols *symbols, uint32_t count, uint64_t seed,
          uint64_t moved_by)
{
	const struct gprofx_symtab *table = &symbols->table;
	struct gprofx_raw_arc *arcs;

	memory_array(&test->run, arcs, count);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t from = table->rows.address[testrun_random(&seed) % table->count];
		uint64_t self = table->rows.address[testrun_random(&seed) % table->count];

		arcs[i] = (struct gprofx_raw_arc){from + 4 + moved_by, self + 9 + moved_by, 1};
	}
	return arcs;
}

static bool
solve(struct testrun *test, const struct symbols *symbols, const struct gprofx_raw_arc *arcs,
      uint32_t count, struct slide_verdict *verdict)
{
	struct slide slide;

	slide_start(&slide, &test->run, scan_new(&test->run, symbols));
	return slide_solve(&slide, arcs, count, NULL, 0, verdict);
}

/* More arcs and functions than are all looked at. */
static void
test_many_arcs(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = make_symbols(test, 40000, 7);
	struct gprofx_raw_arc *arcs = make_arcs(test, symbols, 200000, 11, 0x7f1234567000);
	struct slide_verdict verdict = {0};

	assert_true(solve(test, symbols, arcs, 200000, &verdict));
	assert_true(verdict.slide == 0x7f1234567000);
	assert_int_equal(verdict.fitting, verdict.callees);
	assert_in_range(verdict.callees, 1000, 10000);
}

static void
test_what_fits_is_not_moved(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = make_symbols(test, 100, 3);
	struct slide_verdict verdict = {0};

	assert_false(solve(test, symbols, make_arcs(test, symbols, 300, 5, 0), 300, &verdict));
}

/* Arcs of another program with as many functions; one has functions at all the same places but two.
 */
static void
test_foreign_arcs(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = make_symbols(test, 100, 3), *other = make_symbols(test, 100, 4);
	struct slide_verdict verdict = {0};
	struct gprofx_raw_arc *arcs = make_arcs(test, other, 1000, 5, 0x5000);

	assert_false(solve(test, symbols, arcs, 1000, &verdict));
	other = make_symbols(test, 100, 3);
	arcs = make_arcs(test, other, 1000, 5, 0x5000);
	assert_true(solve(test, symbols, arcs, 1000, &verdict));
	assert_true(verdict.slide == 0x5000);
	other->table.rows.address[98] += 16;
	other->table.rows.address[99] += 16;
	arcs = make_arcs(test, other, 1000, 5, 0x5000);
	assert_false(solve(test, symbols, arcs, 1000, &verdict));
}

/* All addresses of a file can be one, or none can be where there is anything. */
static void
test_senseless_arcs(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = make_symbols(test, 100, 3);
	struct gprofx_raw_arc arcs[100] = {{0}};
	struct slide_verdict verdict = {0};

	assert_false(solve(test, symbols, arcs, 100, &verdict));
	for (uint32_t i = 0; i < 100; i++)
		arcs[i] = (struct gprofx_raw_arc){UINT64_MAX - i, UINT64_MAX - 64 * i, 1};
	assert_false(solve(test, symbols, arcs, 100, &verdict));
	symbols->table.count = 0;
	assert_false(solve(test, symbols, arcs, 100, &verdict));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_many_arcs),
		TESTRUN(test_what_fits_is_not_moved),
		TESTRUN(test_foreign_arcs),
		TESTRUN(test_senseless_arcs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
