/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All lines of an image with the functions that their code is of: which names functions have, which
 * of several counts where they overlap, and what becomes of damaged entries.
 */
#include "image.h"

enum {
	UNIT = 10,  /* of C */
	UNIT_CXX,   /* of C++ */
	FUNCTION,   /* name, low_pc, high_pc */
	ABSTRACT,   /* name */
	INLINED,    /* abstract_origin, low_pc, high_pc */
	SPREAD,     /* abstract_origin, ranges */
	DEFINITION, /* specification, low_pc, high_pc */
	LINKED,     /* linkage_name, name, low_pc, high_pc */
	REFERENCE,  /* abstract_origin */
	INDEXED,    /* abstract_origin, ranges by number */
	CALLED,     /* abstract_origin, low_pc, high_pc, call_file, call_line */
	BLOCK,      /* of a tag that does not matter, but with entries below it */
	OTHER,      /* a tag that does not matter, with values of many forms */
	PAST_LAST_CODE
};

static const struct line_row rows[] = {{0x1010, 1, 1}, {0x1080, END, 0}};

static void
put_code(struct plan *plan, unsigned code, unsigned tag, bool has_children,
         const uint8_t (*attributes)[2])
{
	put_uleb(&plan->abbrev, code);
	put_uleb(&plan->abbrev, tag);
	put(&plan->abbrev, has_children, 1);
	for (; (*attributes)[0]; attributes++) {
		put_uleb(&plan->abbrev, (*attributes)[0]);
		put_uleb(&plan->abbrev, (*attributes)[1]);
	}
	put(&plan->abbrev, 0, 2);
}

/* Begins the only unit, whose entries follow. */
static void
begin_unit(struct plan *plan, uint16_t version, unsigned code)
{
	const uint8_t offset = version < 4 ? DW_FORM_data4 : DW_FORM_sec_offset;
	const uint8_t unit[][2] = {{DW_AT_language, DW_FORM_data1},
	                           {DW_AT_comp_dir, DW_FORM_string},
	                           {DW_AT_stmt_list, offset},
	                           {DW_AT_low_pc, DW_FORM_addr},
	                           {0, 0}};
	const uint8_t function[][2] = {{DW_AT_name, DW_FORM_string},
	                               {DW_AT_low_pc, DW_FORM_addr},
	                               {DW_AT_high_pc, DW_FORM_addr},
	                               {0, 0}};
	const uint8_t abstract[][2] = {{DW_AT_name, DW_FORM_string}, {0, 0}};
	const uint8_t inlined[][2] = {{DW_AT_abstract_origin, DW_FORM_ref4},
	                              {DW_AT_low_pc, DW_FORM_addr},
	                              {DW_AT_high_pc, DW_FORM_data4},
	                              {0, 0}};
	const uint8_t spread[][2] = {{DW_AT_abstract_origin, DW_FORM_ref4},
	                             {DW_AT_ranges, offset},
	                             {0, 0}};
	const uint8_t definition[][2] = {{DW_AT_specification, DW_FORM_ref4},
	                                 {DW_AT_low_pc, DW_FORM_addr},
	                                 {DW_AT_high_pc, DW_FORM_addr},
	                                 {0, 0}};
	const uint8_t linked[][2] = {{DW_AT_linkage_name, DW_FORM_string},
	                             {DW_AT_name, DW_FORM_string},
	                             {DW_AT_low_pc, DW_FORM_addr},
	                             {DW_AT_high_pc, DW_FORM_addr},
	                             {0, 0}};
	const uint8_t reference[][2] = {{DW_AT_abstract_origin, DW_FORM_ref4}, {0, 0}};
	const uint8_t indexed[][2] = {{DW_AT_abstract_origin, DW_FORM_ref4},
	                              {DW_AT_ranges, DW_FORM_rnglistx},
	                              {0, 0}};
	const uint8_t called[][2] = {
		{DW_AT_abstract_origin, DW_FORM_ref4}, {DW_AT_low_pc, DW_FORM_addr},
		{DW_AT_high_pc, DW_FORM_data4},        {DW_AT_call_file, DW_FORM_data1},
		{DW_AT_call_line, DW_FORM_udata},      {0, 0}};
	const uint8_t block[][2] = {{0, 0}};
	const uint8_t other[][2] = {
		{DW_AT_name, DW_FORM_block1},     {DW_AT_byte_size, DW_FORM_block2},
		{DW_AT_type, DW_FORM_block4},     {DW_AT_location, DW_FORM_block},
		{DW_AT_decl_line, DW_FORM_sdata}, {DW_AT_external, DW_FORM_flag_present},
		{DW_AT_decl_file, DW_FORM_udata}, {0, 0}};

	plan_start(plan, true, false, version);
	put_code(plan, UNIT, DW_TAG_compile_unit, true, unit);
	put_code(plan, UNIT_CXX, DW_TAG_compile_unit, true, unit);
	put_code(plan, FUNCTION, DW_TAG_subprogram, true, function);
	put_code(plan, ABSTRACT, DW_TAG_subprogram, false, abstract);
	put_code(plan, INLINED, DW_TAG_inlined_subroutine, true, inlined);
	put_code(plan, SPREAD, DW_TAG_inlined_subroutine, true, spread);
	put_code(plan, DEFINITION, DW_TAG_subprogram, true, definition);
	put_code(plan, LINKED, DW_TAG_subprogram, true, linked);
	put_code(plan, REFERENCE, DW_TAG_subprogram, false, reference);
	put_code(plan, INDEXED, DW_TAG_inlined_subroutine, true, indexed);
	put_code(plan, CALLED, DW_TAG_inlined_subroutine, true, called);
	put_code(plan, BLOCK, DW_TAG_lexical_block, true, block);
	put_code(plan, OTHER, DW_TAG_variable, false, other);
	put(&plan->info, 0, 4);
	put(&plan->info, version, 2);
	if (version >= 5) {
		put(&plan->info, DW_UT_compile, 1);
		put(&plan->info, 8, 1);
		put(&plan->info, 0, 4);
	} else {
		put(&plan->info, 0, 4);
		put(&plan->info, 8, 1);
	}
	put_uleb(&plan->info, code);
	put(&plan->info, code == UNIT ? DW_LANG_C99 : DW_LANG_C_plus_plus, 1);
	put_string(&plan->info, "/w");
	put(&plan->info, plan_rows(plan, rows, COUNT(rows)), 4);
	put(&plan->info, 0x1000, 8);
}

static void
end_unit(struct plan *plan)
{
	put(&plan->info, 0, 1);
	put_at(&plan->info, 0, plan->info.length - 4, 4);
}

/* Each returns the offset of its entry. */
static uint64_t
put_entry(struct plan *plan, unsigned code, const char *name, uint64_t low, uint64_t high)
{
	uint64_t at = plan->info.length;

	put_uleb(&plan->info, code);
	if (code == LINKED)
		put_string(&plan->info, "_Zlinked");
	put_string(&plan->info, name);
	if (code != ABSTRACT) {
		put(&plan->info, low, 8);
		put(&plan->info, high, 8);
	}
	return at;
}

static uint64_t
put_inlined(struct plan *plan, uint64_t origin, uint64_t low, uint64_t high)
{
	uint64_t at = plan->info.length;

	put_uleb(&plan->info, INLINED);
	put(&plan->info, origin, 4);
	put(&plan->info, low, 8);
	put(&plan->info, high - low, 4);
	return at;
}

static void
put_called(struct plan *plan, uint64_t origin, uint64_t low, uint64_t high, uint64_t file,
           uint64_t line)
{
	put_uleb(&plan->info, CALLED);
	put(&plan->info, origin, 4);
	put(&plan->info, low, 8);
	put(&plan->info, high - low, 4);
	put(&plan->info, file, 1);
	put_uleb(&plan->info, line);
}

/* What code was inlined into, from the innermost instance to the function. */
static void
chains(void **state)
{
	static struct plan plan;

	(void)state;
	all.shows_inlined = true;
	for (uint16_t version = 4; version <= 5; version++) {
		uint64_t first, second;

		begin_unit(&plan, version, UNIT);
		first = put_entry(&plan, ABSTRACT, "first", 0, 0);
		second = put_entry(&plan, ABSTRACT, "second", 0, 0);
		put_entry(&plan, FUNCTION, "whole", 0x1010, 0x1060);
		put_called(&plan, first, 0x1010, 0x1020, 1, 30);
		/* Blocks between them do not matter. */
		put_uleb(&plan.info, BLOCK);
		put_called(&plan, second, 0x1014, 0x1018, 2, 1000);
		put(&plan.info, 0, 3);
		/* Two calls side by side. */
		put_called(&plan, first, 0x1020, 0x1028, 1, 31);
		put(&plan.info, 0, 1);
		/* Files that are not in the table have a name, too; there is no line 0. */
		put_called(&plan, first, 0x1028, 0x1030, 77, 31);
		put(&plan.info, 0, 1);
		put_called(&plan, first, 0x1030, 0x1038, 1, 0);
		put(&plan.info, 0, 1);
		put_inlined(&plan, second, 0x1038, 0x1040);
		put(&plan.info, 0, 2);
		end_unit(&plan);
		expect_all(&plan, false,
		           "1010-1014=first@/w/a.c:1<whole@/w/a.c:30 "
		           "1014-1018=second@/w/a.c:1<first@/w/b.h:1000<whole@/w/a.c:30 "
		           "1018-1020=first@/w/a.c:1<whole@/w/a.c:30 "
		           "1020-1028=first@/w/a.c:1<whole@/w/a.c:31 "
		           "1028-1030=first@/w/a.c:1<whole@<unknown>:31 "
		           "1030-1038=first@/w/a.c:1<whole@?:0 "
		           "1038-1040=second@/w/a.c:1<whole@?:0 "
		           "1040-1060=whole@/w/a.c:1 1060-1080=?@/w/a.c:1");
	}
	all.shows_inlined = false;
}

static void
innermost_function(void **state)
{
	static struct plan plan;

	(void)state;
	for (uint16_t version = 4; version <= 5; version++) {
		uint64_t first, second;

		begin_unit(&plan, version, UNIT);
		first = put_entry(&plan, ABSTRACT, "first", 0, 0);
		second = put_entry(&plan, ABSTRACT, "second", 0, 0);
		put_entry(&plan, FUNCTION, "whole", 0x1010, 0x1060);
		put_inlined(&plan, first, 0x1020, 0x1040);
		put_inlined(&plan, second, 0x1028, 0x1030);
		/* Nested and of the same size: that of the entry that comes last. */
		put_inlined(&plan, first, 0x1028, 0x1030);
		put(&plan.info, 0, 3);
		put_inlined(&plan, second, 0x1050, 0x1058);
		put(&plan.info, 0, 2);
		end_unit(&plan);
		expect_all(&plan, false,
		           "1010-1020=whole@/w/a.c:1 1020-1040=first@/w/a.c:1 "
		           "1040-1050=whole@/w/a.c:1 1050-1058=second@/w/a.c:1 "
		           "1058-1060=whole@/w/a.c:1 1060-1080=?@/w/a.c:1");
		assert_int_equal(warnings, 0);
	}
}

static void
names_of_functions(void **state)
{
	static struct plan plan;
	uint64_t declared, abstract;

	(void)state;
	begin_unit(&plan, 4, UNIT_CXX);
	declared = put_entry(&plan, ABSTRACT, "declared", 0, 0);
	/* What is asked for is not in the first entry that is referred to. */
	abstract = plan.info.length;
	put_uleb(&plan.info, REFERENCE);
	put(&plan.info, declared, 4);
	put_entry(&plan, LINKED, "linked", 0x1010, 0x1020);
	put(&plan.info, 0, 1);
	put_uleb(&plan.info, DEFINITION);
	put(&plan.info, declared, 4);
	put(&plan.info, 0x1020, 8);
	put(&plan.info, 0x1030, 8);
	put_inlined(&plan, abstract, 0x1028, 0x102c);
	put(&plan.info, 0, 2);
	/* The name of the source is not one of the symbol table, unless there is no other. */
	put_entry(&plan, FUNCTION, "source", NAME_AT, NAME_AT + 0x10);
	put(&plan.info, 0, 1);
	end_unit(&plan);
	expect_all(&plan, false,
	           "1010-1020=_Zlinked@/w/a.c:1 1020-1030=declared@/w/a.c:1 "
	           "1030-1040=?@/w/a.c:1 1040-1050=symbol@/w/a.c:1 1050-1080=?@/w/a.c:1");
	begin_unit(&plan, 4, UNIT);
	put_entry(&plan, FUNCTION, "source", NAME_AT, NAME_AT + 0x10);
	put(&plan.info, 0, 1);
	end_unit(&plan);
	expect_all(&plan, false,
	           "1010-1040=?@/w/a.c:1 1040-1050=source@/w/a.c:1 1050-1080=?@/w/a.c:1");
}

/* Entries of other kinds are skipped, whatever forms their values have. */
static void
other_entries(void **state)
{
	static struct plan plan;

	(void)state;
	begin_unit(&plan, 4, UNIT);
	for (int i = 0; i < 3; i++) {
		put_uleb(&plan.info, OTHER);
		put_raw(&plan.info, "\2ab\3\0abc\1\0\0\0x\2yz\x80\x01\xff\x7f", 20);
	}
	put_entry(&plan, FUNCTION, "work", 0x1010, 0x1080);
	put(&plan.info, 0, 1);
	end_unit(&plan);
	expect_all(&plan, false, "1010-1080=work@/w/a.c:1");
	assert_int_equal(warnings, 0);
}

static void
scattered_functions(void **state)
{
	static struct plan plan;
	uint64_t abstract;

	(void)state;
	begin_unit(&plan, 4, UNIT);
	abstract = put_entry(&plan, ABSTRACT, "work", 0, 0);
	put_uleb(&plan.info, SPREAD);
	put(&plan.info, abstract, 4);
	put(&plan.info, 0, 4);
	put(&plan.info, 0, 1);
	/* From the unit's begin. */
	put(&plan.ranges, 0x10, 8);
	put(&plan.ranges, 0x18, 8);
	put(&plan.ranges, 0x20, 8);
	put(&plan.ranges, 0x20, 8);
	put(&plan.ranges, 0x40, 8);
	put(&plan.ranges, 0x48, 8);
	put_raw(&plan.ranges, (const uint8_t[16]){0}, 16);
	end_unit(&plan);
	expect_all(&plan, false,
	           "1010-1018=work@/w/a.c:1 1018-1040=?@/w/a.c:1 1040-1048=work@/w/a.c:1 "
	           "1048-1080=?@/w/a.c:1");
}

/* In DWARF 5 lists can have numbers, which GNU gprof does not know. */
static void
numbered_ranges(void **state)
{
	static struct plan plan;
	uint64_t abstract;

	(void)state;
	for (int strict = 0; strict < 2; strict++) {
		begin_unit(&plan, 5, UNIT);
		abstract = put_entry(&plan, ABSTRACT, "work", 0, 0);
		put_uleb(&plan.info, INDEXED);
		put(&plan.info, abstract, 4);
		put_uleb(&plan.info, 0);
		put(&plan.info, 0, 1);
		/* The unit does not say where its table is: at 0.  It leads to what follows. */
		put(&plan.ranges, 4, 4);
		put_raw(&plan.ranges, "\4\x10\x20\4\x30\x40\0", 7);
		end_unit(&plan);
		expect_all(&plan, strict,
		           strict ? "1010-1080=?@/w/a.c:1"
		                  : "1010-1020=work@/w/a.c:1 1020-1030=?@/w/a.c:1 "
		                    "1030-1040=work@/w/a.c:1 1040-1080=?@/w/a.c:1");
	}
}

/* Rows of overlapping sequences, and such that are out of order, answer as they do one by one. */
static void
as_one_by_one(void **state)
{
	static const struct line_row overlapping[][6] = {
		{{0x1010, 1, 1}, {0x1030, END, 0}, {0x1020, 2, 2}, {0x1040, END, 0}},
		{{0x1010, 1, 1}, {0x1040, END, 0}, {0x1020, 2, 2}, {0x1030, END, 0}},
		{{0x1010, 1, 1}, {0x1020, END, 0}, {0x1010, 2, 2}, {0x1020, END, 0}},
		{{0x1020, 1, 1}, {0x1030, END, 0}, {0x1010, 2, 2}, {0x1018, END, 0}},
		{{0x1010, 1, 1}, {0x1020, 2, 2}, {0x1018, 1, 3}, {0x1040, END, 0}},
		{{0x1018, 1, 1}, {0x1010, 2, 2}, {0x1040, 1, 3}, {0x1030, END, 0}},
	};
	static struct plan plan;

	(void)state;
	for (size_t i = 0; i < COUNT(overlapping); i++) {
		char expected[MOST_TEXT], text[MOST_TEXT], *from, *to;

		print_message("rows %zu\n", i);
		plan_start(&plan, true, false, 4);
		plan_unit(&plan, UNIT_NOWHERE, "/w", plan_rows(&plan, overlapping[i], 4), 0, 0);
		write_image(&plan);
		locate_all(plan.out.data, plan.out.length, "image", 0x1000, 0x1100, NULL, expected);
		read_all(plan.out.data, plan.out.length, false, text);
		for (from = to = text; *from; from++)
			if (from[0] != '?' && (from[0] != '@' || from == text || from[-1] != '?'))
				*to++ = *from;
		*to = '\0';
		assert_string_equal(text, expected);
	}
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void
plan_example(struct plan *plan, uint16_t version)
{
	uint64_t declared;

	begin_unit(plan, version, UNIT_CXX);
	declared = put_entry(plan, ABSTRACT, "declared", 0, 0);
	put_uleb(&plan->info, OTHER);
	put_raw(&plan->info, "\2ab\3\0abc\1\0\0\0x\2yz\x80\x01\xff\x7f", 20);
	put_entry(plan, LINKED, "linked", 0x1010, 0x1020);
	put_called(plan, declared, 0x1014, 0x1018, 1, 5);
	put(&plan->info, 0, 2);
	put_uleb(&plan->info, DEFINITION);
	put(&plan->info, declared, 4);
	put(&plan->info, 0x1020, 8);
	put(&plan->info, 0x1030, 8);
	put(&plan->info, 0, 1);
	put_uleb(&plan->info, version < 5 ? SPREAD : INDEXED);
	put(&plan->info, declared, 4);
	put(&plan->info, 0, version < 5 ? 4 : 1);
	put(&plan->info, 0, 1);
	if (version < 5) {
		put(&plan->ranges, 0x30, 8);
		put(&plan->ranges, 0x40, 8);
		put_raw(&plan->ranges, (const uint8_t[16]){0}, 16);
	} else {
		put(&plan->ranges, 4, 4);
		put_raw(&plan->ranges, "\4\x30\x40\0", 4);
	}
	end_unit(plan);
}

static void
read_copy(const uint8_t *bytes, size_t length)
{
	char text[MOST_TEXT];

	read_all(bytes, length, false, text);
	assert_true(warnings <= 2);
}

static void
the_example(void **state)
{
	static struct plan plan;

	(void)state;
	for (uint16_t version = 4; version <= 5; version++) {
		plan_example(&plan, version);
		expect_all(&plan, false,
		           "1010-1014=_Zlinked@/w/a.c:1 1014-1018=declared@/w/a.c:1 "
		           "1018-1020=_Zlinked@/w/a.c:1 1020-1040=declared@/w/a.c:1 "
		           "1040-1080=?@/w/a.c:1");
	}
}

static void
every_length(void **state)
{
	static struct plan plan;

	(void)state;
	plan_example(&plan, 4);
	write_image(&plan);
	for (size_t length = 0; length < plan.out.length; length++)
		read_copy(plan.out.data, length);
	/* Of each section, too. */
	for (size_t length = 0; length < plan.info.length; length++) {
		static struct plan cut;

		plan_example(&cut, 4);
		cut.info.length = length;
		write_image(&cut);
		read_copy(cut.out.data, cut.out.length);
	}
	for (size_t length = 0; length < plan.abbrev.length; length++) {
		static struct plan cut;

		plan_example(&cut, 5);
		cut.abbrev.length = length;
		write_image(&cut);
		read_copy(cut.out.data, cut.out.length);
	}
}

static void
every_byte(void **state)
{
	static const uint8_t values[] = {0, 1, 2, 0x0b, 0x10, 0x16, 0x7f, 0x80, 0xff};

	(void)state;
	try_every_byte(plan_example, read_copy, values, sizeof values);
}

static void
every_number(void **state)
{
	(void)state;
	try_every_number(plan_example, read_copy);
}

/* Entries that refer to themselves and to each other, into the middle of one, and to nowhere. */
static void
circular_references(void **state)
{
	static struct plan plan;
	uint64_t first, second;

	(void)state;
	begin_unit(&plan, 4, UNIT_CXX);
	first = plan.info.length;
	put_uleb(&plan.info, REFERENCE);
	put(&plan.info, first, 4);
	second = plan.info.length;
	put_uleb(&plan.info, REFERENCE);
	put(&plan.info, second + 5, 4);
	put_uleb(&plan.info, REFERENCE);
	put(&plan.info, second, 4);
	put_inlined(&plan, first, 0x1010, 0x1018);
	put_inlined(&plan, second, 0x1018, 0x1020);
	put_inlined(&plan, second + 1, 0x1020, 0x1028);
	put_inlined(&plan, 0xffffffff, 0x1028, 0x1030);
	put_inlined(&plan, 0, 0x1030, 0x1038);
	put(&plan.info, 0, 5);
	end_unit(&plan);
	expect_all(&plan, false, "1010-1080=?@/w/a.c:1");
}

/* Deeper than any stack would go along with. */
static void
deep_nesting(void **state)
{
	enum { DEPTH = 10000 };
	static struct plan plan;
	uint64_t abstract;

	(void)state;
	begin_unit(&plan, 4, UNIT);
	abstract = put_entry(&plan, ABSTRACT, "deep", 0, 0);
	for (int i = 0; i < DEPTH; i++)
		put_inlined(&plan, abstract, 0x1010, 0x1020);
	for (int i = 0; i < DEPTH; i++)
		put(&plan.info, 0, 1);
	end_unit(&plan);
	expect_all(&plan, false, "1010-1020=deep@/w/a.c:1 1020-1080=?@/w/a.c:1");
	assert_int_equal(warnings, 0);
}

/* One long list of ranges that many functions share: together they would be without end. */
static void
shared_ranges(void **state)
{
	enum { RANGES = 4000, SHARERS = 4000 };
	static struct plan plan;
	char text[MOST_TEXT];
	uint64_t abstract;

	(void)state;
	begin_unit(&plan, 4, UNIT);
	abstract = put_entry(&plan, ABSTRACT, "shared", 0, 0);
	for (int i = 0; i < SHARERS; i++) {
		put_uleb(&plan.info, SPREAD);
		put(&plan.info, abstract, 4);
		put(&plan.info, 0, 4);
	}
	for (uint64_t i = 0; i < RANGES; i++) {
		put(&plan.ranges, 0x10 + i, 8);
		put(&plan.ranges, 0x11 + i, 8);
	}
	put_raw(&plan.ranges, (const uint8_t[16]){0}, 16);
	end_unit(&plan);
	write_image(&plan);
	read_all(plan.out.data, plan.out.length, false, text);
	assert_int_equal(warnings, 1);
	assert_non_null(strstr(warning_text, "ranges overlap"));
	/* Lines stay known. */
	assert_non_null(strstr(text, "/w/a.c:1"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains),
		cmocka_unit_test(innermost_function),
		cmocka_unit_test(names_of_functions),
		cmocka_unit_test(other_entries),
		cmocka_unit_test(scattered_functions),
		cmocka_unit_test(numbered_ranges),
		cmocka_unit_test(as_one_by_one),
		cmocka_unit_test(the_example),
		cmocka_unit_test(every_length),
		cmocka_unit_test(every_byte),
		cmocka_unit_test(every_number),
		cmocka_unit_test(circular_references),
		cmocka_unit_test(deep_nesting),
		cmocka_unit_test(shared_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
