/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by name: which form of a name counts, and what tells several functions apart. */
#include "testrun.h"

#include "symbols/by-name.h"
#include "symbols/parts.h"

/* Finds one function by its name and maybe its file; NO_SYMBOL: there is none. */
static uint32_t
find(struct testrun *test, const struct symbols *symbols, const char *name, const char *file)
{
	struct wanted_function wanted[] = {{.name = "nobody"}, {.name = name, .file = file}};

	symbols_find_by_name(&test->run, symbols, wanted, 2);
	assert_int_equal(wanted[0].symbol, NO_SYMBOL);
	return wanted[1].symbol;
}

static void
test_forms(void **state)
{
	static const char *const names[] = {"main",   "_Z1fi", "_Z1gi",        "_Z1gd",
	                                    "f(int)", "_Z1fd", "_Z1tIiET_S0_", "_Z1gv"};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 8);

	assert_int_equal(find(test, symbols, "main", NULL), 0);
	assert_int_equal(find(test, symbols, "_Z1fi", NULL), 1);
	/* What is in the table as it is comes first. */
	assert_int_equal(find(test, symbols, "f(int)", NULL), 4);
	assert_int_equal(find(test, symbols, "g(double)", NULL), 3);
	assert_int_equal(find(test, symbols, "f(double)", NULL), 5);
	assert_int_equal(find(test, symbols, "t<int>", NULL), 6);
	assert_int_equal(find(test, symbols, "int t<int>(int)", NULL), 6);
	/* Three functions have this name without arguments. */
	assert_int_equal(find(test, symbols, "g", NULL), NO_SYMBOL);
	assert_int_equal(find(test, symbols, "mai", NULL), NO_SYMBOL);
	assert_int_equal(find(test, symbols, "", NULL), NO_SYMBOL);
	/* That tables show names as they are makes no difference. */
	test->settings.demangling = ENGINE_DEMANGLE_NONE;
	test->settings.raw_names = true;
	assert_int_equal(find(test, symbols, "g(int)", NULL), 2);
}

static void
test_underscores(void **state)
{
	static const char *const names[] = {"_main", "__Z1fi", "plain"};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 3);

	assert_int_equal(find(test, symbols, "main", NULL), NO_SYMBOL);
	symbols->table.leading_underscore = true;
	assert_int_equal(find(test, symbols, "main", NULL), 0);
	assert_int_equal(find(test, symbols, "_main", NULL), 0);
	assert_int_equal(find(test, symbols, "f(int)", NULL), 1);
	assert_int_equal(find(test, symbols, "f", NULL), 1);
	assert_int_equal(find(test, symbols, "plain", NULL), 2);
}

static void
test_files(void **state)
{
	static const char *const names[] = {"same", "same", "same", "alone"};
	static struct source_file files[] = {{0},
	                                     {"/src/a.c", "a.c", 0},
	                                     {"/src/lib/b.c", "b.c", 0}};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 4);
	uint32_t file[] = {1, 2, 2, 1};

	/* Without source positions nothing tells them apart. */
	assert_int_equal(find(test, symbols, "same", "/src/a.c"), NO_SYMBOL);
	symbols->is_located = true;
	symbols->files = files;
	symbols->file_count = 3;
	symbols->file = file;
	assert_int_equal(find(test, symbols, "same", NULL), NO_SYMBOL);
	assert_int_equal(find(test, symbols, "same", "/src/a.c"), 0);
	assert_int_equal(find(test, symbols, "same", "src/a.c"), 0);
	assert_int_equal(find(test, symbols, "same", "/build//src/a.c"), 0);
	assert_int_equal(find(test, symbols, "same", "c/a.c"), NO_SYMBOL);
	/* Two of them are in this one. */
	assert_int_equal(find(test, symbols, "same", "b.c"), NO_SYMBOL);
	file[2] = 0;
	assert_int_equal(find(test, symbols, "same", "b.c"), 1);
	/* Inlining and headers make files differ: where there is one function, it is meant. */
	assert_int_equal(find(test, symbols, "alone", "x.c"), 3);
}

/* Clones count for their function, and lines of source are none. */
static void
test_owners(void **state)
{
	static const char *const names[] = {"work",         "work", "_Z1fv",
	                                    "_Z1fv.part.0", "line", "line"};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 6);

	assert_int_equal(find(test, symbols, "work", NULL), NO_SYMBOL);
	symbols_own_each(&test->run, symbols);
	symbols->owner[1] = 0;
	symbols->owner[3] = 2;
	symbols->flags[5] |= SYMBOL_LINE;
	assert_int_equal(find(test, symbols, "work", NULL), 0);
	assert_int_equal(find(test, symbols, "_Z1fv.part.0", NULL), 2);
	assert_int_equal(find(test, symbols, "f() [clone .part.0]", NULL), 2);
	assert_int_equal(find(test, symbols, "line", NULL), 4);
}

/* Clones that are functions of their own have the same name without arguments. */
static void
test_clones(void **state)
{
	static const char *const names[] = {"_Z1fv.part.0", "_Z1fv", "_Z1fv.cold", "_Z1gv.part.0"};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 4);

	assert_int_equal(find(test, symbols, "f", NULL), 1);
	assert_int_equal(find(test, symbols, "f() [clone .cold]", NULL), 2);
	/* Of the function itself nothing may be left. */
	assert_int_equal(find(test, symbols, "g", NULL), 3);
	assert_int_equal(find(test, symbols, "g()", NULL), NO_SYMBOL);
}

/* Too many of one name are as good as several, whatever their files. */
static void
test_many(void **state)
{
	enum { MANY = 5000 };
	static const char *names[MANY];
	struct testrun *test = *state;
	struct symbols *symbols;

	for (uint32_t i = 0; i < MANY; i++)
		names[i] = "same";
	symbols = testrun_symbols(test, names, MANY);
	symbols_own_each(&test->run, symbols);
	for (uint32_t i = 0; i < MANY; i++)
		symbols->owner[i] = 7;
	assert_int_equal(find(test, symbols, "same", NULL), NO_SYMBOL);
	symbols->count = 4096;
	assert_int_equal(find(test, symbols, "same", NULL), 7);
}

/* Short names that stand for much text: no more is made than a run may cost. */
static void
test_long_names(void **state)
{
	enum { COUNT = 200, LINKS = 15 };
	static char text[COUNT][512];
	static const char *names[COUNT + 1];
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct testrun *test = *state;
	struct symbols *symbols;

	for (uint32_t i = 0; i < COUNT; i++) {
		int length = snprintf(text[i], sizeof text[i], "_Z4f%03uP1aPFvS_S_E", i);

		for (int k = 1; k < LINKS; k++)
			length += snprintf(text[i] + length, sizeof text[i] - (size_t)length,
			                   "PFvS%c_S%c_E", digits[2 * k], digits[2 * k]);
		names[i] = text[i];
	}
	names[COUNT] = "_Z4lasti";
	symbols = testrun_symbols(test, names, COUNT + 1);
	assert_int_equal(find(test, symbols, "last(int)", NULL), NO_SYMBOL);
	assert_string_equal(test->last_id, "report.long-names");
	/* Its own name costs nothing. */
	assert_int_equal(find(test, symbols, "_Z4lasti", NULL), COUNT);
}

/* Several stubs can lead to one function: the first is as good as any. */
static void
test_stubs(void **state)
{
	static const char *const names[] = {"f@plt", "f@plt", "g@plt", "g@plt", "main", "main"};
	static struct symbol_import imports[] = {{0x10, false, NULL},
	                                         {0x10, false, NULL},
	                                         {0x20, false, NULL},
	                                         {0x30, false, NULL}};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 6);

	memory_array(&test->run, symbols->row, 6);
	for (uint32_t i = 0; i < 6; i++)
		symbols->row[i] = i;
	assert_int_equal(find(test, symbols, "f@plt", NULL), NO_SYMBOL);
	symbols->imports = imports;
	symbols->import_count = 4;
	assert_int_equal(find(test, symbols, "f@plt", NULL), 0);
	assert_int_equal(find(test, symbols, "g@plt", NULL), NO_SYMBOL);
	assert_int_equal(find(test, symbols, "main", NULL), NO_SYMBOL);
}

/* Names before a map of files; what it leaves out is the symbol before it. */
static void
test_map(void **state)
{
	static const char *const names[] = {"a.o", "b.o", "_Z1fi"};
	static const char *own[] = {"main", "f", "_Z1fi", "idle", "_Z4lastv", "clone", "early"};
	static uint64_t at[] = {0, 0, 0, 0, 0, 0, 0};
	static uint8_t fate[] = {FATE_KEPT, FATE_KEPT,  FATE_KEPT, FATE_MAP,
	                         FATE_MAP,  FATE_CLONE, FATE_MAP};
	struct testrun *test = *state;
	struct symbols *symbols = testrun_symbols(test, names, 3);

	memory_array(&test->run, symbols->row, 3);
	for (uint32_t i = 0; i < 3; i++) {
		symbols->row[i] = i;
		at[i] = symbols->address[i];
	}
	at[3] = at[5] = symbols->address[1] + 1;
	at[4] = symbols->address[0] + 1;
	at[6] = symbols->address[0] - 1;
	symbols->table.count = 7;
	symbols->table.rows.address = at;
	symbols->table.rows.name = own;
	symbols->fate = fate;
	symbols->own_name = own;
	symbols->own_name_count = 7;
	assert_int_equal(find(test, symbols, "main", NULL), 0);
	assert_int_equal(find(test, symbols, "a.o", NULL), NO_SYMBOL);
	assert_int_equal(find(test, symbols, "idle", NULL), 1);
	assert_int_equal(find(test, symbols, "last", NULL), 0);
	assert_int_equal(find(test, symbols, "clone", NULL), NO_SYMBOL);
	assert_int_equal(find(test, symbols, "early", NULL), NO_SYMBOL);
	/* Rows that came later have no name before. */
	symbols->own_name_count = 1;
	assert_int_equal(find(test, symbols, "b.o", NULL), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_forms),      TESTRUN(test_underscores), TESTRUN(test_files),
		TESTRUN(test_owners),     TESTRUN(test_clones),      TESTRUN(test_many),
		TESTRUN(test_long_names), TESTRUN(test_stubs),       TESTRUN(test_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
