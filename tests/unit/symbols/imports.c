/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols for functions of other objects: with a machine whose stubs are two bytes, 0xee and the
 * number of a slot.
 */
#include "testrun.h"

#include "symbols/parts.h"

enum { MACHINE = 4661, TEXT = 0x1000, STUBS = 0x2000, TABLE = 0x3000, BYTES = 64 };

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	(void)worker;
	(void)code;
	(void)calls;
}

static void
find_stubs(const struct gprofx_code *code, const void *options, struct gprofx_stubs *stubs)
{
	(void)options;
	assert_false(gprofx_begins(code, TEXT));
	assert_true(code->image->linkage_base == 5 && !code->image->strict);
	stubs->follows_slots = true;
	for (uint64_t at = 0; at + 1 < code->byte_count; at++)
		if (code->bytes[at] == 0xee)
			stubs->add(stubs, code->address + at, 2,
			           TABLE + 8 * (uint64_t)code->bytes[at + 1]);
	/* What no scanner should do. */
	stubs->add(stubs, code->address + code->byte_count, 2, TABLE);
	stubs->add(stubs, code->address - 1, 2, TABLE);
	stubs->add(stubs, code->address, 2, TABLE);
}

static const uint16_t machines[] = {MACHINE};
static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .scan = scan,
                                                .stubs = find_stubs};
static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "findcall-unit", .version = "1",
                                            .summary = "Stubs", .findcall = &findcall};
static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};

/* A table of two functions, and a section of stubs. */
static struct symbols *
begin(struct testrun *test, uint8_t bytes[BYTES])
{
	static const struct gprofx_code_range code[] = {{TEXT, 32, 0, ".text"},
	                                                {STUBS, BYTES, 0, ".plt"}};
	struct symbols *symbols = memory_alloc(&test->run, sizeof *symbols);
	struct gprofx_symtab *table = &symbols->table;

	test->settings.builtin = builtin;
	test->settings.static_calls = true;
	test->run.corrections = GPROFX_CORRECT_STATIC_CALLS;
	table->target.machine = MACHINE;
	table->target.pointer_bytes = 8;
	table->linkage_base = 5;
	table->code = code;
	table->code_count = 2;
	table->count = 2;
	memory_array(&test->run, table->rows.address, 2);
	memory_array(&test->run, table->rows.bytes, 2);
	memory_array(&test->run, table->rows.name, 2);
	memory_array(&test->run, table->rows.flags, 2);
	memory_array(&test->run, table->unit, 2);
	table->rows.address[1] = TEXT + 16;
	table->rows.name[0] = table->rows.name[1] = "f";
	memset(bytes, 0, BYTES);
	symbols->image = (struct gprofx_image){.size = sizeof symbols->image,
	                                       .name = "image",
	                                       .bytes = bytes,
	                                       .length = BYTES};
	return symbols;
}

static void
expect_row(const struct symbols *symbols, uint32_t row, uint64_t address, uint64_t bytes,
           const char *name, uint64_t callee)
{
	const struct gprofx_symbol_rows *rows = &symbols->table.rows;

	assert_true(row < symbols->table.count && row <= symbols->reserved);
	assert_int_equal(rows->address[row], address);
	assert_int_equal(rows->bytes[row], bytes);
	assert_string_equal(rows->name[row], name);
	assert_int_equal(rows->flags[row], GPROFX_SYMBOL_FUNCTION | GPROFX_SYMBOL_SYNTHETIC);
	assert_int_equal(symbols->imports[row - symbols->import_first_row].callee, callee);
}

static void
stubs_and_slots_are_joined(void **state)
{
	static const struct gprofx_slot slots[] = {
		{TABLE + 16, 0, "late", NULL},       {TABLE, 0, "printf", NULL},
		{TABLE + 8, TEXT + 16, "own", NULL}, {TABLE, 0, "a second one", NULL},
		{TABLE + 24, TEXT, NULL, NULL},      {TABLE + 32, 0, NULL, NULL},
	};
	uint8_t bytes[BYTES];
	struct symbols *symbols = begin(*state, bytes);

	symbols->table.slots = slots;
	symbols->table.slot_count = 6;
	bytes[4] = bytes[20] = bytes[36] = bytes[52] = 0xee;
	bytes[37] = 1;
	bytes[53] = 77; /* no slot */
	symbols_add_imports(&((struct testrun *)*state)->run, symbols);
	/* Both sections are the same bytes of the file: stubs are found in each. */
	assert_int_equal(symbols->slot_count, 5);
	assert_int_equal(symbols->import_first_row, 2);
	expect_row(symbols, 2, TEXT + 4, 2, "printf@plt", TEXT + 4);
	expect_row(symbols, 3, TEXT + 20, 2, "printf@plt", TEXT + 4);
	expect_row(symbols, 4, STUBS + 4, 2, "printf@plt", TEXT + 4);
	expect_row(symbols, 5, STUBS + 20, 2, "printf@plt", TEXT + 4);
	expect_row(symbols, 6, STUBS + 36, 2, "own@plt", TEXT + 16);
	expect_row(symbols, 7, TABLE + 16, 8, "late@got", TABLE + 16);
	assert_int_equal(symbols->table.count, 8);
	assert_int_equal(symbols->import_count, 6);
	assert_true(symbols->imports[5].is_slot && !symbols->imports[4].is_slot);
	assert_int_equal(symbols_slot(symbols, TABLE)->callee, TEXT + 4);
	assert_int_equal(symbols_slot(symbols, TABLE + 8)->callee, TEXT + 16);
	assert_int_equal(symbols_slot(symbols, TABLE + 16)->callee, TABLE + 16);
	assert_int_equal(symbols_slot(symbols, TABLE + 24)->callee, TEXT);
	assert_null(symbols_slot(symbols, TABLE + 1));
	assert_null(symbols_slot(symbols, TABLE + 40));
}

/* In a hostile file many slots can share one name, which has most of its bytes. */
static void
names_are_bounded(void **state)
{
	static char name[BYTES];
	static struct gprofx_slot slots[100];
	uint8_t bytes[BYTES];
	struct symbols *symbols = begin(*state, bytes);

	memset(name, 'n', BYTES - 1);
	for (uint32_t i = 0; i < 100; i++)
		slots[i] = (struct gprofx_slot){TABLE + 8 * (uint64_t)i, 0,
		                                i % 2 ? "" : name + BYTES - 12, NULL};
	symbols->table.slots = slots;
	symbols->table.slot_count = 100;
	symbols_add_imports(&((struct testrun *)*state)->run, symbols);
	/* Five names of 11 bytes, and those that are empty. */
	assert_int_equal(symbols->import_count, 5 + 50);
	assert_int_equal(symbols->table.count, 2 + symbols->import_count);
}

static void
nobody_asks(void **state)
{
	static const struct gprofx_slot slot = {TABLE, 0, "printf", NULL};
	struct testrun *test = *state;
	uint8_t bytes[BYTES];
	struct symbols *symbols = begin(test, bytes);

	symbols->table.slots = &slot;
	symbols->table.slot_count = 1;
	test->run.corrections = 0;
	symbols_add_imports(&test->run, symbols);
	test->run.corrections = GPROFX_CORRECT_STATIC_CALLS;
	test->settings.static_calls = false;
	symbols_add_imports(&test->run, symbols);
	test->settings.static_calls = true;
	symbols->table.target.machine = MACHINE + 1;
	symbols_add_imports(&test->run, symbols);
	assert_int_equal(symbols->table.count, 2);
	assert_int_equal(symbols->slot_count, 0);
	/* That no scanner is there is reported later, once. */
	assert_string_equal(test->last_id, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(stubs_and_slots_are_joined),
		TESTRUN(names_are_bounded),
		TESTRUN(nobody_asks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
