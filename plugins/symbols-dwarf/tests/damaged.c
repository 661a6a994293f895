/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged debug information: one warning at most, positions unknown, and neither time nor memory
 * that the size of the file does not justify.
 */
#include "image.h"

static const struct line_row rows[] = {{0x1010, 1, 1}, {0x1018, 2, 7}, {0x1020, END, 0}};

static void
plan_example(struct plan *plan, uint16_t version)
{
	plan_start(plan, true, false, version);
	if (version < 5) {
		put(&plan->ranges, 0x10, 8);
		put(&plan->ranges, 0x20, 8);
		put(&plan->ranges, 0, 8);
		put(&plan->ranges, 0, 8);
	} else {
		put_raw(&plan->ranges, "\0\0\0\0\4\x10\x20\0", 8);
	}
	plan_unit(plan, UNIT_RANGES, "/w", plan_rows(plan, rows, COUNT(rows)), 0x1000,
	          version < 5 ? 0 : 4);
	plan_unit(plan, UNIT_BOUNDS, "/v", plan_rows(plan, rows, COUNT(rows)), 0x1010, 0x1020);
}

static void
locate_copy(const uint8_t *bytes, size_t length)
{
	char text[MOST_TEXT];

	locate_all(bytes, length, "image", 0x1000, 0x1030, NULL, text);
}

static void
every_length(void **state)
{
	static struct plan plan;

	(void)state;
	plan_example(&plan, 5);
	write_image(&plan);
	for (size_t length = 0; length < plan.out.length; length++)
		locate_copy(plan.out.data, length);
}

static void
every_byte(void **state)
{
	static const uint8_t values[] = {0, 1, 2, 0x0b, 0x10, 0x16, 0x7f, 0x80, 0xfe, 0xff};

	(void)state;
	try_every_byte(plan_example, locate_copy, values, sizeof values);
}

static void
every_number(void **state)
{
	(void)state;
	try_every_number(plan_example, locate_copy);
}

static void
expect_warning(struct plan *plan, const char *expected, const char *words)
{
	expect_lines(plan, expected);
	assert_int_equal(warnings, 1);
	assert_string_equal(warning_file, "image");
	assert_non_null(strstr(warning_text, words));
}

/* A table with the given bytes after its length. */
static uint64_t
plan_raw_table(struct plan *plan, const void *bytes, size_t count)
{
	size_t start = plan->line.length;

	put(&plan->line, count, 4);
	put_raw(&plan->line, bytes, count);
	return start;
}

static void
damaged_tables(void **state)
{
#define CASE(bytes, words)                     \
	{                                      \
		bytes, sizeof bytes - 1, words \
	}
	static const struct {
		const char *bytes;
		size_t count;
		const char *words;
	} tables[] = {
		CASE("\6\0", "unknown version"),
		CASE("\1\0", "unknown version"),
		CASE("\3\0\xff\xff\xff\x7f", "header ends after the table"),
		CASE("\3\0\0\0\0\0\1\1\xfb\0\x0d", "is 0"),
		CASE("\3\0\0\0\0\0\1\1\xfb\x0e\0", "is 0"),
		CASE("\3\0\0\0\0\0\1\1\xfb\x0e\x0d\0", "do not end"),
		CASE("\3\0\0\0\0\0\1\1\xfb\x0e\1abc", "do not end"),
		CASE("\3\0\0\0\0\0\1\1\xfb\x0e\1\0a\0\0\0", "do not end"),
		CASE("\3\0\x0a\0\0\0\1\1\xfb\x0e\4\0\1\1\0\0\0\x7f", "too long"),
		CASE("\3\0\x0a\0\0\0\1\1\xfb\x0e\4\0\1\1\0\0\0\x0b\2\1\1\1\1\1\1\1\1\1\1",
	             "too long"),
		CASE("\3\0\x0a\0\0\0\1\1\xfb\x0e\4\0\1\1\0\0\2\x80", "cut off"),
		CASE("\3\0\x0a\0\0\0\1\1\xfb\x0e\4\0\1\1\0\0\0\3\3ab", "does not end"),
		CASE("\5\0\x08\0\0\0\0\0\1\1\1\xfb\x0e\1\1\1\x77\1", "unknown form"),
		CASE("\5\0\x08\0\0\0\0\0\1\1\1\xfb\x0e\1\0\xff\xff\xff\xff\x0f", "more names"),
		CASE("\5\0\x08\0\0\0\0\0\1\1\1\xfb\x0e\1\1\1\x08\xff\xff\xff\xff\x0f",
	             "more names"),
	};
	static struct plan plan;

	(void)state;
	for (size_t i = 0; i < COUNT(tables); i++) {
		print_message("table %zu\n", i);
		plan_start(&plan, true, false, 4);
		plan_unit(&plan, UNIT_NOWHERE, "/w",
		          plan_raw_table(&plan, tables[i].bytes, tables[i].count), 0, 0);
		/* A damaged table does not keep others from being read. */
		plan_unit(&plan, UNIT_NOWHERE, "/v", plan_rows(&plan, rows, COUNT(rows)), 0, 0);
		expect_warning(&plan, "1010-1018=/v/a.c:1 1018-1020=/v/b.h:7", tables[i].words);
	}
	plan_start(&plan, true, false, 4);
	plan_unit(&plan, UNIT_NOWHERE, "/w", 0x12345, 0, 0);
	plan_rows(&plan, rows, COUNT(rows));
	expect_warning(&plan, "", "line table is not there");
	plan_start(&plan, true, false, 4);
	plan_unit(&plan, UNIT_NOWHERE, "/w", 0, 0, 0);
	put(&plan.line, 0x7fffffff, 4);
	expect_warning(&plan, "", "ends after .debug_line");
}

/* Unit upon unit that read one table, list or abbreviation anew: each would be endless. */
static void
shared_tables(void **state)
{
	static struct plan plan;
	uint64_t table;

	(void)state;
	plan_start(&plan, true, false, 4);
	table = plan_rows(&plan, rows, COUNT(rows));
	for (int i = 0; i < 1000; i++)
		plan_unit(&plan, UNIT_NOWHERE, "/w", table, 0, 0);
	expect_lines(&plan, "1010-1018=/w/a.c:1 1018-1020=/w/b.h:7");
	assert_int_equal(warnings, 0);
}

static void
overlapping_tables(void **state)
{
	static struct plan plan;

	(void)state;
	plan_start(&plan, true, false, 4);
	/* Each table is all that follows; nothing in it is ever reached. */
	for (unsigned i = 0; i < 1000; i++) {
		put(&plan.line, (1000 - i) * 32 - 4, 4);
		put_raw(&plan.line,
		        "\3\0\x0a\0\0\0\1\1\xfb\x0e\4\0\1\1\0\0\1\1\1\1\1\1\1\1\1\1\1\1", 28);
		plan_unit(&plan, UNIT_NOWHERE, "/w", 32 * i, 0, 0);
	}
	expect_warning(&plan, "", "overlaps another one");
}

static void
overlapping_lists(void **state)
{
	static struct plan plan;
	uint64_t table;

	(void)state;
	plan_start(&plan, true, false, 4);
	table = plan_rows(&plan, rows, COUNT(rows));
	for (int i = 0; i < 1000; i++) {
		put(&plan.ranges, 0x5000, 8);
		put(&plan.ranges, 0x6000, 8);
		plan_unit(&plan, UNIT_RANGES, "/w", table, 0, 0);
	}
	expect_warning(&plan, "", "overlaps another one");
}

static void
list_that_is_not_there(void **state)
{
	static struct plan plan;

	(void)state;
	plan_start(&plan, true, false, 4);
	put(&plan.ranges, 0, 16);
	plan_unit(&plan, UNIT_RANGES, "/w", plan_rows(&plan, rows, COUNT(rows)), 0, 0x1000);
	plan_unit(&plan, UNIT_NOWHERE, "/v", plan_rows(&plan, rows, COUNT(rows)), 0, 0);
	expect_warning(&plan, "1010-1018=/v/a.c:1 1018-1020=/v/b.h:7", "list of ranges");
}

static void
endless_abbreviation(void **state)
{
	static struct plan plan;
	uint64_t table;

	(void)state;
	plan_start(&plan, true, false, 4);
	table = plan_rows(&plan, rows, COUNT(rows));
	put_uleb(&plan.abbrev, 4);
	put_uleb(&plan.abbrev, DW_TAG_compile_unit);
	put(&plan.abbrev, DW_CHILDREN_no, 1);
	while (plan.abbrev.length < 60000) {
		put_uleb(&plan.abbrev, DW_AT_external);
		put_uleb(&plan.abbrev, DW_FORM_flag_present);
	}
	put(&plan.abbrev, 0, 2);
	for (int i = 0; i < 2500; i++) {
		put(&plan.info, 12, 4);
		put(&plan.info, 4, 2);
		put(&plan.info, 0, 4);
		put(&plan.info, 8, 1);
		put(&plan.info, 4, 1);
		put(&plan.info, table, 4);
	}
	expect_warning(&plan, "", "too many attributes");
}

/* First entries that end behind their unit, or that hold what cannot be read. */
static void
damaged_first_entries(void **state)
{
	static const struct {
		uint8_t form;
		const void *bytes;
		size_t count;
		const char *words;
	} entries[] = {
		{DW_FORM_data8, "1234567", 7, "cut off"},
		{DW_FORM_ref_addr, "123", 3, "cut off"},
		{DW_FORM_block1, "\5four", 5, "cut off"},
		{DW_FORM_string, "name", 4, "cut off"},
		{DW_FORM_indirect, "\7data8", 6, "cut off"},
		{DW_FORM_indirect, "\x7f", 1, "unknown form"},
		{0x7f, "", 0, "unknown form"},
	};
	static struct plan plan;

	(void)state;
	for (size_t i = 0; i < COUNT(entries); i++) {
		const uint8_t attributes[][2] = {{DW_AT_producer, entries[i].form},
		                                 {DW_AT_comp_dir, DW_FORM_string},
		                                 {0, 0}};

		print_message("entry %zu\n", i);
		plan_start(&plan, true, false, 4);
		put_abbreviation(&plan, UNIT_RANGES + 1, attributes);
		plan_unit(&plan, UNIT_NOWHERE, "/w", plan_rows(&plan, rows, COUNT(rows)), 0, 0);
		put(&plan.info, 8 + entries[i].count, 4);
		put(&plan.info, 4, 2);
		put(&plan.info, 0, 4);
		put(&plan.info, 8, 1);
		put_uleb(&plan.info, UNIT_RANGES + 1);
		put_raw(&plan.info, entries[i].bytes, entries[i].count);
		expect_warning(&plan, "1010-1018=/w/a.c:1 1018-1020=/w/b.h:7", entries[i].words);
	}
	/* The unit ends with its header. */
	plan_start(&plan, true, false, 4);
	plan_unit(&plan, UNIT_NOWHERE, "/w", plan_rows(&plan, rows, COUNT(rows)), 0, 0);
	put(&plan.info, 7, 4);
	put(&plan.info, 4, 2);
	put(&plan.info, 0, 4);
	put(&plan.info, 8, 1);
	plan_unit(&plan, UNIT_NOWHERE, "/v", 0, 0, 0);
	expect_warning(&plan, "1010-1018=/w/a.c:1 1018-1020=/w/b.h:7", "no entries");
}

/* A long name that all files of a table share: together their paths are far longer than the image.
 */
static void
endless_names(void **state)
{
	enum { NAME_BYTES = 200000, FILES = 400 };
	static const char header[] = "\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1\0\0\1\1\x1f";
	static char name[NAME_BYTES];
	static struct line_row every[FILES + 1];
	static struct plan plan;
	char text[MOST_TEXT];
	unsigned last;

	(void)state;
	memset(name, 'n', sizeof name - 1);
	for (int i = 0; i < FILES; i++)
		every[i] = (struct line_row){0x1000 + (uint64_t)i, i, 5};
	every[FILES] = (struct line_row){0x1000 + FILES, END, 0};
	plan_start(&plan, true, false, 5);
	put(&plan.line, 0, 4);
	put(&plan.line, 5, 2);
	put(&plan.line, 8, 2);
	put(&plan.line, 0, 4);
	put_raw(&plan.line, header, sizeof header - 1);
	put_uleb(&plan.line, FILES);
	for (int i = 0; i < FILES; i++)
		put(&plan.line, 0, 4);
	put_at(&plan.line, 8, plan.line.length - 12, 4);
	put_rows(&plan, every, COUNT(every));
	put_at(&plan.line, 0, plan.line.length - 4, 4);
	plan_unit(&plan, UNIT_NOWHERE, "", 0, 0, 0);
	plan_section(&plan, ".debug_line_str", name, sizeof name, 0);
	write_image(&plan);
	locate_all(plan.out.data, plan.out.length, "image", 0x1000, 0x1000 + FILES, NULL, text);
	assert_int_equal(warnings, 1);
	assert_non_null(strstr(warning_text, "too long"));
	assert_int_equal(sscanf(text, "1000-%x=nnnn", &last), 1);
	assert_in_range(last, 0x1050, 0x1000 + FILES - 1);
}

/* A unit of functions whose linkage names are the ends of one string. */
static void
names_that_overlap(void **state)
{
	enum { NAME_BYTES = 100000, FUNCTIONS = 1000, UNIT_NAMED = UNIT_RANGES + 1, FUNCTION };
	static char name[NAME_BYTES];
	static struct plan plan;
	char text[MOST_TEXT];

	(void)state;
	memset(name, 'n', sizeof name - 1);
	plan_start(&plan, true, false, 4);
	put_uleb(&plan.abbrev, UNIT_NAMED);
	put_uleb(&plan.abbrev, DW_TAG_compile_unit);
	put_raw(&plan.abbrev, "\1\0\0", 3);
	put_uleb(&plan.abbrev, FUNCTION);
	put_uleb(&plan.abbrev, DW_TAG_subprogram);
	put(&plan.abbrev, DW_CHILDREN_no, 1);
	put_uleb(&plan.abbrev, DW_AT_linkage_name);
	put_uleb(&plan.abbrev, DW_FORM_strp);
	put_uleb(&plan.abbrev, DW_AT_low_pc);
	put_uleb(&plan.abbrev, DW_FORM_addr);
	put_uleb(&plan.abbrev, DW_AT_high_pc);
	put_uleb(&plan.abbrev, DW_FORM_data1);
	put(&plan.abbrev, 0, 2);
	put(&plan.info, 8 + 14 * FUNCTIONS, 4);
	put(&plan.info, 4, 2);
	put(&plan.info, 0, 4);
	put(&plan.info, 8, 1);
	put_uleb(&plan.info, UNIT_NAMED);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		put_uleb(&plan.info, FUNCTION);
		put(&plan.info, i * 50, 4);
		put(&plan.info, 0x1000 + i, 8);
		put(&plan.info, 1, 1);
	}
	plan_section(&plan, ".debug_str", name, sizeof name, 0);
	write_image(&plan);
	read_all(plan.out.data, plan.out.length, false, text);
	assert_int_equal(warnings, 1);
	assert_non_null(strstr(warning_text, "names of its functions overlap"));
}

/* Units whose tables of abbreviations are the ends of one table. */
static void
abbreviations_that_overlap(void **state)
{
	static struct plan plan;
	char text[MOST_TEXT];

	(void)state;
	plan_start(&plan, true, false, 4);
	plan.abbrev.length = 0;
	for (unsigned i = 0; i < 4000; i++) {
		put_uleb(&plan.abbrev, 128 + i);
		put_raw(&plan.abbrev, "\x11\0\x3f\x19\0\0", 6);
		if (i % 4 != 0)
			continue;
		put(&plan.info, 9, 4);
		put(&plan.info, 4, 2);
		put(&plan.info, 8 * i, 4);
		put(&plan.info, 8, 1);
		put_uleb(&plan.info, 128 + i);
	}
	write_image(&plan);
	read_all(plan.out.data, plan.out.length, false, text);
	assert_int_equal(warnings, 1);
	assert_non_null(strstr(warning_text, "abbreviations overlap"));
}

/* Sections of zeros that a few bytes stand for. */
static void
endless_sections(void **state)
{
	static const uint8_t compressed[] = {/* zlib */
	                                     ELFCOMPRESS_ZLIB, 0, 0, 0, 0, 0, 0, 0,
	                                     /* 1 GiB, alignment 1 */
	                                     0, 0, 0, 0x40, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	                                     0x78, 0xda};
	static const uint8_t old_compressed[] = "ZLIB\0\0\0\0\x40\0\0\0\x78\xda";
	static struct plan plan;

	(void)state;
	plan_start(&plan, true, false, 4);
	plan_section(&plan, ".debug_info", compressed, sizeof compressed, SHF_COMPRESSED);
	expect_warning(&plan, "", "compressed");
	plan_start(&plan, true, false, 4);
	plan_section(&plan, ".zdebug_info", old_compressed, sizeof old_compressed, 0);
	expect_warning(&plan, "", "compressed");
}

static void
no_debug_information(void **state)
{
	static struct plan plan;
	char text[MOST_TEXT];

	(void)state;
	plan_start(&plan, true, false, 4);
	expect_lines(&plan, "");
	assert_int_equal(warnings, 0);
	locate_all("#!/bin/sh\n", 10, "script", 0, 16, NULL, text);
	assert_int_equal(warnings, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length),
		cmocka_unit_test(every_byte),
		cmocka_unit_test(every_number),
		cmocka_unit_test(damaged_tables),
		cmocka_unit_test(shared_tables),
		cmocka_unit_test(overlapping_tables),
		cmocka_unit_test(overlapping_lists),
		cmocka_unit_test(list_that_is_not_there),
		cmocka_unit_test(endless_abbreviation),
		cmocka_unit_test(damaged_first_entries),
		cmocka_unit_test(endless_names),
		cmocka_unit_test(names_that_overlap),
		cmocka_unit_test(abbreviations_that_overlap),
		cmocka_unit_test(endless_sections),
		cmocka_unit_test(no_debug_information),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
