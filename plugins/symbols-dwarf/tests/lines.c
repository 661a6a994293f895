/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which row of which line table answers an address.  The expected answers are those of GNU gprof
 * 2.40 for the same tables.
 */
#include "image.h"

enum { MOST_ROWS = 12, MOST_UNITS = 2 };

struct unit {
	int kind;
	uint64_t low, high;
	struct line_row rows[MOST_ROWS]; /* up to one with address 0 */
};

struct example {
	const char *what;
	struct unit units[MOST_UNITS];
	const char *expected;
};

static const struct example examples[] = {
	{"one sequence",
         {{UNIT_BOUNDS, 0x1010, 0x1020, {{0x1010, 1, 1}, {0x1018, 1, 7}, {0x1020, END, 0}}}},
         "1010-1018=/0/a.c:1 1018-1020=/0/a.c:7"},
	{"the last of several rows at one address",
         {{UNIT_BOUNDS,
           0x1010,
           0x1020,
           {{0x1010, 1, 1}, {0x1010, 2, 2}, {0x1018, 1, 3}, {0x1018, 1, 4}, {0x1020, END, 0}}}},
         "1010-1018=/0/b.h:2 1018-1020=/0/a.c:4"},
	{"line 0 is no line, and nobody else is asked",
         {{UNIT_BOUNDS,
           0x1010,
           0x1020,
           {{0x1010, 1, 1}, {0x1014, 1, 0}, {0x1018, 1, 3}, {0x1020, END, 0}}},
          {UNIT_BOUNDS, 0x1010, 0x1020, {{0x1010, 1, 9}, {0x1020, END, 0}}}},
         "1010-1014=/0/a.c:1 1018-1020=/0/a.c:3"},
	{"the first of two units",
         {{UNIT_BOUNDS, 0x1010, 0x1030, {{0x1010, 1, 1}, {0x1030, END, 0}}},
          {UNIT_BOUNDS, 0x1020, 0x1040, {{0x1020, 1, 2}, {0x1040, END, 0}}}},
         "1010-1030=/0/a.c:1 1030-1040=/1/a.c:2"},
	{"a unit that has no row there does not hide another one",
         {{UNIT_BOUNDS, 0x1010, 0x1040, {{0x1010, 1, 1}, {0x1018, END, 0}}},
          {UNIT_BOUNDS, 0x1020, 0x1030, {{0x1020, 1, 2}, {0x1030, END, 0}}}},
         "1010-1018=/0/a.c:1 1020-1030=/1/a.c:2"},
	{"a unit that covers no asked address is left alone",
         {{UNIT_BOUNDS, 0x5010, 0x5040, {{0x1010, 1, 1}, {0x1018, END, 0}}}},
         ""},
	{"once it is read, a unit answers all that its table covers",
         {{UNIT_BOUNDS, 0x1010, 0x1020, {{0x1010, 1, 1}, {0x1040, END, 0}}},
          {UNIT_BOUNDS, 0x1020, 0x1040, {{0x1020, 1, 2}, {0x1040, END, 0}}}},
         "1010-1040=/0/a.c:1"},
	{"a unit that does not say what it covers",
         {{UNIT_NOWHERE, 0, 0, {{0x1010, 1, 1}, {0x1018, END, 0}}}},
         "1010-1018=/0/a.c:1"},
	{"an empty range says nothing",
         {{UNIT_BOUNDS, 0, 0, {{0x1010, 1, 1}, {0x1018, END, 0}}}},
         "1010-1018=/0/a.c:1"},
	{"overlapping sequences: the lower one has the common part",
         {{UNIT_BOUNDS,
           0x1010,
           0x1080,
           {{0x1020, 1, 2}, {0x1040, END, 0}, {0x1010, 1, 1}, {0x1030, END, 0}}}},
         "1010-1030=/0/a.c:1 1030-1040=/0/a.c:2"},
	{"a sequence inside another one",
         {{UNIT_BOUNDS,
           0x1010,
           0x1080,
           {{0x1020, 1, 2}, {0x1030, END, 0}, {0x1010, 1, 1}, {0x1040, END, 0}}}},
         "1010-1040=/0/a.c:1"},
	{"sequences with one start: the longest",
         {{UNIT_BOUNDS,
           0x1010,
           0x1080,
           {{0x1010, 1, 1}, {0x1030, END, 0}, {0x1010, 1, 2}, {0x1040, END, 0}}}},
         "1010-1040=/0/a.c:2"},
	{"equal sequences: the last",
         {{UNIT_BOUNDS,
           0x1010,
           0x1080,
           {{0x1010, 1, 1}, {0x1030, END, 0}, {0x1010, 1, 2}, {0x1030, END, 0}}}},
         "1010-1030=/0/a.c:2"},
	{"three sequences",
         {{UNIT_BOUNDS,
           0x1010,
           0x1080,
           {{0x1010, 1, 1},
            {0x1018, 1, 4},
            {0x1050, END, 0},
            {0x1020, 1, 2},
            {0x1030, END, 0},
            {0x1028, 1, 3},
            {0x1060, END, 0}}}},
         "1010-1018=/0/a.c:1 1018-1050=/0/a.c:4 1050-1060=/0/a.c:3"},
	{"rows out of order are sorted",
         {{UNIT_BOUNDS,
           0x1010,
           0x1080,
           {{0x1010, 1, 1}, {0x1030, 1, 2}, {0x1020, 1, 3}, {0x1038, 1, 4}, {0x1040, END, 0}}}},
         "1010-1020=/0/a.c:1 1020-1030=/0/a.c:3 1030-1038=/0/a.c:2 1038-1040=/0/a.c:4"},
	{"rows out of order lose against rows in order, and later ones against earlier ones",
         {{UNIT_BOUNDS,
           0x1000,
           0x1080,
           {{0x1010, 1, 1},
            {0x1020, 1, 2},
            {0x1020, 1, 7},
            {0x1040, 1, 3},
            {0x1030, 1, 8},
            {0x1020, 1, 4},
            {0x1030, 1, 9},
            {0x1020, 1, 5},
            {0x1048, 1, 6},
            {0x1050, END, 0}}}},
         "1010-1020=/0/a.c:1 1020-1030=/0/a.c:7 1030-1040=/0/a.c:8 1040-1048=/0/a.c:3 "
         "1048-1050=/0/a.c:6"},
	{"a row out of order takes the line away as well",
         {{UNIT_BOUNDS,
           0x1000,
           0x1080,
           {{0x1010, 1, 1}, {0x1030, 1, 2}, {0x1020, 1, 0}, {0x1040, END, 0}}}},
         "1010-1020=/0/a.c:1 1030-1040=/0/a.c:2"},
	{"a sequence starts at its first row",
         {{UNIT_BOUNDS,
           0x1000,
           0x1080,
           {{0x1020, 1, 1}, {0x1030, 1, 2}, {0x1010, 1, 3}, {0x1040, END, 0}}}},
         "1020-1030=/0/a.c:1 1030-1040=/0/a.c:2"},
	{"a sequence ends where it says, even below its rows",
         {{UNIT_BOUNDS, 0x1000, 0x1080, {{0x1020, 1, 1}, {0x1030, 1, 2}, {0x1028, END, 0}}}},
         "1020-1028=/0/a.c:1"},
	{"a sequence that ends below its start is nothing",
         {{UNIT_BOUNDS, 0x1000, 0x1080, {{0x1020, 1, 1}, {0x1010, END, 0}}}},
         ""},
	{"a sequence without an end goes up to its last row",
         {{UNIT_BOUNDS, 0x1000, 0x1080, {{0x1020, 1, 1}, {0x1030, 1, 2}}}},
         "1020-1030=/0/a.c:1"},
};

static void
run_example(const struct example *example, bool is_64, bool big_endian, uint16_t version)
{
	static struct plan plan;
	char folder[] = "/0";

	plan_start(&plan, is_64, big_endian, version);
	for (size_t i = 0; i < MOST_UNITS && example->units[i].kind; i++) {
		const struct unit *unit = &example->units[i];
		size_t count = 0;

		while (count < MOST_ROWS && unit->rows[count].address)
			count++;
		folder[1] = (char)('0' + i);
		plan_unit(&plan, unit->kind, folder, plan_rows(&plan, unit->rows, count), unit->low,
		          unit->high);
	}
	expect_lines(&plan, example->expected);
	assert_int_equal(warnings, 0);
}

static void
every_example_in_every_version_class_and_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(examples); i++)
		for (uint16_t version = 2; version <= 5; version++)
			for (int form = 0; form < 4; form++) {
				print_message("%s, version %d, form %d\n", examples[i].what,
				              version, form);
				run_example(&examples[i], form & 1, form & 2, version);
			}
}

/* Version 5: a unit's ranges in every kind of entry. */
static void
lists_of_ranges(void **state)
{
	static const struct line_row rows[] = {{0x1010, 1, 1}, {0x1020, END, 0}};
	static const struct {
		uint8_t bytes[20];
		bool hit;
	} lists[] = {
		{{DW_RLE_end_of_list}, true}, /* no range: may be anywhere */
		{{DW_RLE_offset_pair, 0x10, 0x20}, true},
		{{DW_RLE_offset_pair, 0x70, 0x70, DW_RLE_offset_pair, 0x10, 0x20}, true},
		{{DW_RLE_base_address, 0, 0x50, 0, 0, DW_RLE_offset_pair, 0x10, 0x20}, false},
		{{DW_RLE_base_address, 0, 0x10, 0, 0, DW_RLE_offset_pair, 0x10, 0x20}, true},
		{{DW_RLE_start_end, 0x10, 0x10, 0, 0, 0x11, 0x10, 0, 0}, true},
		{{DW_RLE_start_end, 0x10, 0x50, 0, 0, 0x11, 0x50, 0, 0}, false},
		{{DW_RLE_start_length, 0x10, 0x10, 0, 0, 1}, true},
		{{DW_RLE_start_length, 0x10, 0x50, 0, 0, 1}, false},
		{{0x77, 1, 2, 3}, true}, /* an unknown kind ends the list */
	};
	static struct plan plan;

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		plan_start(&plan, false, false, 5);
		put_raw(&plan.ranges, "head", 4);
		put_raw(&plan.ranges, lists[i].bytes, sizeof lists[i].bytes);
		plan_unit(&plan, UNIT_RANGES, "/w", plan_rows(&plan, rows, COUNT(rows)), 0x1000, 4);
		print_message("list %zu\n", i);
		expect_lines(&plan, lists[i].hit ? "1010-1020=/w/a.c:1" : "");
		assert_int_equal(warnings, 0);
	}
}

/* Version 5: lists by number, as clang writes them; the number is no offset. */
static void
numbered_lists_of_ranges(void **state)
{
	enum { NUMBER = 4, BASE = 16, UNIT_NUMBERED = UNIT_RANGES + 1 };
	static const struct line_row rows[] = {{0x1010, 1, 1}, {0x1020, END, 0}};
	const uint8_t numbered[][2] = {{DW_AT_comp_dir, DW_FORM_string},
	                               {DW_AT_stmt_list, DW_FORM_sec_offset},
	                               {DW_AT_low_pc, DW_FORM_addr},
	                               {DW_AT_ranges, DW_FORM_rnglistx},
	                               {DW_AT_rnglists_base, DW_FORM_sec_offset},
	                               {0, 0}};
	static struct plan plan;

	(void)state;
	for (int hit = 0; hit < 2; hit++) {
		plan_start(&plan, false, false, 5);
		put_abbreviation(&plan, UNIT_NUMBERED, numbered);
		put(&plan.ranges, 0, NUMBER);
		/* What stands at the number as an offset says the contrary. */
		put(&plan.ranges, DW_RLE_start_length, 1);
		put(&plan.ranges, hit ? 0x5000 : 0x1010, 4);
		put(&plan.ranges, 0x10, 2);
		plan.ranges.length = BASE; /* zeros */
		for (uint32_t i = 0; i <= NUMBER; i++)
			put(&plan.ranges, 4 * (NUMBER + 1) + 2 * (i == NUMBER), 4);
		put(&plan.ranges, 0, 2);
		put(&plan.ranges, DW_RLE_offset_pair, 1);
		put_uleb(&plan.ranges, hit ? 0x10 : 0x4000);
		put_uleb(&plan.ranges, hit ? 0x20 : 0x4010);
		put(&plan.ranges, DW_RLE_end_of_list, 1);
		put(&plan.info, 0, 4);
		put(&plan.info, 5, 2);
		put(&plan.info, DW_UT_compile, 1);
		put(&plan.info, 4, 1);
		put(&plan.info, 0, 4);
		put_uleb(&plan.info, UNIT_NUMBERED);
		put_string(&plan.info, "/w");
		put(&plan.info, plan_rows(&plan, rows, COUNT(rows)), 4);
		put(&plan.info, 0x1000, 4);
		put_uleb(&plan.info, NUMBER);
		put(&plan.info, BASE, 4);
		put_at(&plan.info, 0, plan.info.length - 4, 4);
		expect_lines(&plan, hit ? "1010-1020=/w/a.c:1" : "");
		assert_int_equal(warnings, 0);
	}
}

static void
pairs_of_addresses(void **state)
{
	static const struct line_row rows[] = {{0x1010, 1, 1}, {0x1020, END, 0}};
	static const struct {
		uint64_t values[6];
		bool hit;
	} lists[] = {
		{{0, 0}, true},
		{{0x10, 0x20, 0, 0}, true},
		{{0x1010, 0x1020, 0, 0}, false}, /* relative to the unit's low_pc */
		{{UINT64_MAX, 0, 0x1010, 0x1020, 0, 0}, true},
		{{UINT64_MAX, 0x5000, 0x10, 0x20, 0, 0}, false},
		{{UINT64_MAX, 0x1008, 0x8, 0x18, 0, 0}, true},
		{{0x500, 0x510, 0x10, 0x20, 0, 0}, true},
	};
	static struct plan plan;

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++)
		for (int is_64 = 0; is_64 < 2; is_64++) {
			plan_start(&plan, is_64, true, 4);
			for (size_t k = 0; k < COUNT(lists[i].values); k++)
				put(&plan.ranges, lists[i].values[k], address_bytes(&plan));
			plan_unit(&plan, UNIT_RANGES, "/w", plan_rows(&plan, rows, COUNT(rows)),
			          0x1000, 0);
			print_message("list %zu\n", i);
			expect_lines(&plan, lists[i].hit ? "1010-1020=/w/a.c:1" : "");
			assert_int_equal(warnings, 0);
		}
}

/* Symbols of 32-bit MIPS have sign-extended addresses, its debug information has not. */
static void
sign_extended_addresses(void **state)
{
	static const struct line_row rows[] = {{0x80001010, 1, 1}, {0x80001020, END, 0}};
	static struct plan plan;
	char text[MOST_TEXT];

	(void)state;
	plan_start(&plan, false, true, 4);
	plan_unit(&plan, UNIT_BOUNDS, "/w", plan_rows(&plan, rows, COUNT(rows)), 0x80001010,
	          0x80001020);
	write_image(&plan);
	locate_all(plan.out.data, plan.out.length, "image", 0xffffffff80001000, 0xffffffff80001100,
	           NULL, text);
	assert_string_equal(text, "ffffffff80001010-ffffffff80001020=/w/a.c:1");
	locate_all(plan.out.data, plan.out.length, "image", 0x80001000, 0x80001100, NULL, text);
	assert_string_equal(text, "80001010-80001020=/w/a.c:1");
}

/* Every instruction of the program, with figures that no compiler uses. */
static void
every_instruction(void **state)
{
	static const uint8_t program[] = {
		0,
		9,
		DW_LNE_set_address,
		0x10,
		0x10,
		0,
		0,
		0,
		0,
		0,
		0,
		1, /* copy: 1010, line 1 */
		5,
		0x85,
		1, /* column */
		6,
		7, /* statement, block */
		10,
		11, /* end of prologue, begin of epilogue */
		12,
		1, /* instruction set */
		0,
		2,
		DW_LNE_set_discriminator,
		9,
		0,
		3,
		0x80,
		1,
		2, /* of a vendor */
		0,
		0, /* nothing at all */
		8, /* constant: (255 - 13) / 14 = 17 */
		1, /* 1021, line 1 */
		9,
		3,
		0, /* fixed: 3 bytes */
		3,
		0x7f,
		1, /* line 0 at 1024 */
		2,
		4,
		3,
		5,
		1,               /* 1028, line 5 */
		13 + 5 + 2 + 14, /* special: 1 byte, 2 lines: 1029, line 7 */
		2,
		1,
		0,
		1,
		1, /* end at 102a */
	};
	static struct plan plan;
	uint64_t table;

	(void)state;
	plan_start(&plan, true, false, 3);
	table = plan_rows(&plan, NULL, 0);
	put_raw(&plan.line, program, sizeof program);
	put_at(&plan.line, table, plan.line.length - table - 4, 4);
	plan_unit(&plan, UNIT_NOWHERE, "/w", table, 0, 0);
	expect_lines(&plan, "1010-1024=/w/a.c:1 1028-1029=/w/a.c:5 1029-102a=/w/a.c:7");
	assert_int_equal(warnings, 0);
}

/* A file that the program defines has a number when the rows before it are answered. */
static void
files_defined_by_the_program(void **state)
{
	static const uint8_t program[] = {
		0, 9, DW_LNE_set_address, 0x10, 0x10, 0,   0, 0, 0, 0, 0, 4, 3, 1, /* file 3 */
		0, 8, DW_LNE_define_file, 'n',  '.',  'c', 0, 0, 0, 0, 2, 8, 0, 1, 1,
	};
	static struct plan plan;
	uint64_t table;

	(void)state;
	plan_start(&plan, true, false, 4);
	table = plan_rows(&plan, NULL, 0);
	put_raw(&plan.line, program, sizeof program);
	put_at(&plan.line, table, plan.line.length - table - 4, 4);
	plan_unit(&plan, UNIT_NOWHERE, "/w", table, 0, 0);
	expect_lines(&plan, "1010-1018=/w/n.c:1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_example_in_every_version_class_and_order),
		cmocka_unit_test(lists_of_ranges),
		cmocka_unit_test(numbered_lists_of_ranges),
		cmocka_unit_test(pairs_of_addresses),
		cmocka_unit_test(sign_extended_addresses),
		cmocka_unit_test(every_instruction),
		cmocka_unit_test(files_defined_by_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
