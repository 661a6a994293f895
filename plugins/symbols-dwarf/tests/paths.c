/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of files: how directory and name are joined, and which entry a number means. */
#include "image.h"

static const char *const directories_4[] = {"/abs/", "e", "/", "..", "../x//y/."};
static const char *const directories_5[] = {"d0", "/abs/", "", "/", "..", "../x//y/."};

static const struct {
	const char *folder, *name;
	uint64_t directory;
	const char *expected_4, *expected_5;
} joins[] = {
	{"/cd", "a", 0, "/cd/a", "/cd/d0/a"},
	{"/cd", "./a", 0, "/cd/./a", "/cd/d0/./a"},
	{"/cd", "/a", 0, "/a", "/a"},
	{"/cd", "x/../q", 0, "/cd/x/../q", "/cd/d0/x/../q"},
	{"/cd/", "a", 0, "/cd//a", "/cd//d0/a"},
	{"", "a", 0, "a", "d0/a"},
	{"rel", "a", 0, "rel/a", "rel/d0/a"},
	{".", "../q", 0, "./../q", "./d0/../q"},
	{"/cd", "a", 1, "/abs//a", "/abs//a"},
	{"/cd", "/a", 1, "/a", "/a"},
	{"rel", "./a", 2, "rel/e/./a", "rel/./a"},
	{"", "a", 2, "e/a", "a"},
	{"/cd", "a", 3, "//a", "//a"},
	{"/cd", "a", 4, "/cd/../a", "/cd/../a"},
	{"/cd", "a", 5, "/cd/../x//y/./a", "/cd/../x//y/./a"},
	{"/cd", "a", 6, "/cd/a", "/cd/a"},
	{"/cd", "a", 4294967296, "/cd/a", "/cd/a"},
};

static void
joined_paths(void **state)
{
	static struct plan plan;
	char expected[128];

	(void)state;
	for (size_t i = 0; i < COUNT(joins); i++)
		for (uint16_t version = 4; version <= 5; version++) {
			const struct named file = {joins[i].name, joins[i].directory};
			const struct line_row rows[] = {{0x1010, version < 5, 3}, {0x1012, END, 0}};
			bool is_5 = version == 5;
			uint64_t table;

			plan_start(&plan, true, false, version);
			table = plan_lines(&plan, is_5 ? directories_5 : directories_4,
			                   is_5 ? COUNT(directories_5) : COUNT(directories_4),
			                   &file, 1, rows, COUNT(rows));
			plan_unit(&plan, UNIT_NOWHERE, joins[i].folder, table, 0, 0);
			snprintf(expected, sizeof expected, "1010-1012=%s:3",
			         is_5 ? joins[i].expected_5 : joins[i].expected_4);
			expect_lines(&plan, expected);
		}
}

/*
 * Before version 5 numbers start at 1 and so does every sequence; from version 5 on they start at
 * 0, and GNU lets every sequence start with entry 0 although the standard says 1.
 */
static void
numbers_of_files(void **state)
{
	static const char *const here[] = {"/d"};
	static const struct named files_4[] = {{"one", 1}, {"two", 0}};
	static const struct named files_5[] = {{"zero", 0}, {"one", 0}, {"two", 0}, {"", 0}};
	static const struct line_row first_4[] = {{0x1010, 1, 1}, {0x1011, 2, 2}, {0x1012, 0, 3},
	                                          {0x1013, 3, 4}, {0x1014, 1, 5}, {0x1015, END, 0}};
	static const struct line_row first_5[] = {
		{0x1010, 0, 1}, {0x1011, 1, 2},   {0x1012, 0, 3}, {0x1013, 3, 4},  {0x1014, 4, 5},
		{0x1015, 2, 6}, {0x1016, END, 0}, {0x1020, 0, 7}, {0x1021, END, 0}};
	static struct plan plan;

	(void)state;
	plan_start(&plan, true, false, 4);
	plan_unit(&plan, UNIT_NOWHERE, "/w",
	          plan_lines(&plan, here, 1, files_4, COUNT(files_4), first_4, COUNT(first_4)), 0,
	          0);
	expect_lines(&plan, "1010-1011=/d/one:1 1011-1012=/w/two:2 1012-1013=<unknown>:3 "
	                    "1013-1014=<unknown>:4 1014-1015=/d/one:5");

	plan_start(&plan, true, false, 5);
	plan_unit(&plan, UNIT_NOWHERE, "/w",
	          plan_lines(&plan, here, 1, files_5, COUNT(files_5), first_5, COUNT(first_5)), 0,
	          0);
	expect_lines(&plan, "1010-1011=/d/zero:1 1011-1012=/d/one:2 1012-1013=/d/zero:3 "
	                    "1013-1014=<unknown>:4 1014-1015=<unknown>:5 1015-1016=/d/two:6 "
	                    "1020-1021=/d/zero:7");
}

/* Names of version 5 in every form that a producer may choose. */
static void
forms_of_names(void **state)
{
	static const uint8_t names[] = {
		/* directories */
		1, DW_LNCT_path, DW_FORM_line_strp, 1, 1, 0, 0, 0,
		/* files: hash, size, directory and name, then something unknown */
		6, DW_LNCT_MD5, DW_FORM_data16, DW_LNCT_size, DW_FORM_data4,
		DW_LNCT_directory_index, DW_FORM_data2, DW_LNCT_path, DW_FORM_strp,
		DW_LNCT_timestamp, DW_FORM_block, 0x55, DW_FORM_data8, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9,
		10, 11, 12, 13, 14, 15, 16, 1, 2, 3, 4, 0, 0, 3, 0, 0, 0, 2, 9, 9, 1, 2, 3, 4, 5, 6,
		7, 8};
	static const char header[] = "\x08\0\0\0\0\0\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1";
	static const char strings[] = "xx\0name.c", line_strings[] = "x/folder";
	static const struct line_row rows[] = {{0x1010, 0, 3}, {0x1012, END, 0}};
	static struct plan plan;

	(void)state;
	plan_start(&plan, true, false, 5);
	put(&plan.line, 0, 4);
	put(&plan.line, 5, 2);
	put_raw(&plan.line, header, sizeof header - 1);
	put_raw(&plan.line, names, sizeof names);
	put_at(&plan.line, 8, plan.line.length - 12, 4);
	put_rows(&plan, rows, COUNT(rows));
	put_at(&plan.line, 0, plan.line.length - 4, 4);
	plan_unit(&plan, UNIT_NOWHERE, "/w", 0, 0, 0);
	plan_section(&plan, ".debug_str", strings, sizeof strings, 0);
	plan_section(&plan, ".debug_line_str", line_strings, sizeof line_strings, 0);
	expect_lines(&plan, "1010-1012=/folder/name.c:3");
	assert_int_equal(warnings, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joined_paths),
		cmocka_unit_test(numbers_of_files),
		cmocka_unit_test(forms_of_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
