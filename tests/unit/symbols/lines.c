/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of lines, from what a provider says about all code. */
#include "symbols/parts.h"
#include "testrun.h"

enum { F = GPROFX_SYMBOL_FUNCTION, L = GPROFX_SYMBOL_LOCAL, LABEL = GPROFX_SYMBOL_LABEL, MOST = 8 };

struct function {
	const char *name;
	uint64_t address, bytes;
	uint8_t flags;
	bool is_unwanted; /* in the symbol table, but not in the report */
};

/* From an address up to that of the next row; line 0: nothing is known. */
struct row {
	uint64_t address;
	const char *file;
	uint32_t line;
	const char *name; /* NULL: not known */
	/* What the code was inlined into, or NULL, and where. */
	const char *into, *into_file;
	uint32_t into_line;
};

/* What an image has. */
struct program {
	struct function functions[MOST];
	struct row rows[MOST];
	uint64_t text_end;
};

static enum gprofx_result
answer(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_lines *lines,
       const void *options)
{
	const struct program *program = (const void *)image->bytes;
	const struct gprofx_lines_builder *builder = lines->builder;
	uint32_t count = 0;

	(void)options;
	while (count < MOST && program->rows[count].address != 0)
		count++;
	builder->reserve(gx, lines, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct row *row = &program->rows[i];
		struct gprofx_line_rows *rows = &lines->rows;

		rows->address[i] = row->address;
		rows->line[i] = row->line;
		if (row->line != 0)
			rows->file[i] = builder->file(gx, lines, row->file);
		if (row->name && !lines->nameless)
			rows->name[i] = builder->name(gx, lines, row->name);
		if (row->into && lines->wants_inlined)
			rows->inlined[i] = builder->inlined(
				gx, lines, builder->name(gx, lines, row->into),
				builder->file(gx, lines, row->into_file), row->into_line, 0);
	}
	lines->count = count;
	return GPROFX_OK;
}

static enum gprofx_result
locate_nothing(struct gprofx *gx, const struct gprofx_image *image,
               struct gprofx_positions *positions, const void *options)
{
	(void)gx;
	(void)image;
	(void)positions;
	(void)options;
	return GPROFX_OK;
}

static int
probe_nothing(const uint8_t *head, size_t bytes)
{
	(void)head;
	(void)bytes;
	return 0;
}

static const struct gprofx_symbols provider = {.size = sizeof provider,
                                               .probe = probe_nothing,
                                               .locate = locate_nothing,
                                               .lines = answer};

static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "symbols-dwarf", .version = "1",
                                            .summary = "s", .symbols = &provider};

static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};

/* The symbols of a program without its lines, as symbols_load() has them by then. */
static struct symbols *
symbols_of(struct testrun *test, const struct program *program)
{
	struct symbols *symbols = memory_alloc(&test->run, sizeof *symbols);
	struct gprofx_symtab *table = &symbols->table;
	uint32_t count = 0;

	memory_array(&test->run, table->rows.address, MOST);
	memory_array(&test->run, table->rows.bytes, MOST);
	memory_array(&test->run, table->rows.name, MOST);
	memory_array(&test->run, table->rows.flags, MOST);
	memory_array(&test->run, table->unit, MOST);
	memory_array(&test->run, symbols->accepted, MOST);
	memory_array(&test->run, symbols->address, MOST + SYMBOL_MORE_ROWS);
	memory_array(&test->run, symbols->end, MOST + SYMBOL_MORE_ROWS);
	memory_array(&test->run, symbols->bytes, MOST);
	memory_array(&test->run, symbols->name, MOST + SYMBOL_MORE_ROWS);
	memory_array(&test->run, symbols->flags, MOST + SYMBOL_MORE_ROWS);
	memory_array(&test->run, symbols->row, MOST);
	for (uint32_t i = 0; i < MOST && program->functions[i].name; i++) {
		const struct function *function = &program->functions[i];

		table->rows.address[i] = function->address;
		table->rows.bytes[i] = function->bytes;
		table->rows.name[i] = function->name;
		table->rows.flags[i] = function->flags;
		table->unit[i] = function->is_unwanted;
		table->count = i + 1;
	}
	symbols_set_labels_aside(&test->run, symbols);
	for (uint32_t i = 0; i < table->count; i++)
		if (!table->unit[i]) {
			symbols->accepted[symbols->accepted_count++] = i;
			symbols->address[count] = table->rows.address[i];
			symbols->row[count++] = i;
		}
	/* Functions stand in the order of the table; addresses decide here. */
	symbols->count = symbols_resolve(&test->run, table, symbols->address, symbols->row, count);
	for (uint32_t i = 0; i < symbols->count; i++) {
		symbols->name[i] = table->rows.name[symbols->row[i]];
		symbols->flags[i] = table->rows.flags[symbols->row[i]];
		symbols->bytes[i] = table->rows.bytes[symbols->row[i]];
		symbols->end[i] = (i + 1 < symbols->count ? symbols->address[i + 1]
		                                          : program->text_end) -
		                  1;
	}
	symbols->address[symbols->count] = program->text_end;
	symbols->name[symbols->count] = "<outside>";
	symbols->name[symbols->count + 1] = "<indirect>";
	table->has_source = true;
	table->text_start = 0x1000;
	table->text_end = program->text_end;
	symbols->image.bytes = (uint8_t *)(uintptr_t)program;
	symbols->image.name = "image";
	symbols->located = &symbols->image;
	test->settings.builtin = builtin;
	return symbols;
}

/* All symbols: name, * for a line, ~ if it is static, where it begins and ends, and its source. */
static const char *
listing(const struct symbols *symbols)
{
	static char text[4096];
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < symbols->count; i++) {
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%s%s%s%s %llx-%llx", i > 0 ? "; " : "",
			symbols->name[i], symbols->flags[i] & SYMBOL_LINE ? "*" : "",
			symbols->flags[i] & L ? "~" : "", (unsigned long long)symbols->address[i],
			(unsigned long long)symbols->end[i]);
		if (symbols->file && symbols->file[i] != 0)
			used += (size_t)snprintf(text + used, sizeof text - used, " %s:%u",
			                         symbols->files[symbols->file[i]].path,
			                         symbols->line[i]);
		assert_true(used < sizeof text);
	}
	return text;
}

static struct symbols *
check(struct testrun *test, const struct program *program, const char *expected)
{
	struct symbols *symbols = symbols_of(test, program);

	symbols_add_lines(&test->run, symbols);
	assert_string_equal(listing(symbols), expected);
	/* What lies behind the last symbol stays there. */
	assert_string_equal(symbols->name[symbols->count], "<outside>");
	assert_string_equal(symbols->name[symbols_indirect(symbols)], "<indirect>");
	return symbols;
}

static void
test_lines_stand_in_functions(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 32, .flags = F},
	                      {.name = "g", .address = 0x1020, .bytes = 16, .flags = F | L}},
		.rows = {{.address = 0x1000, .file = "a.c", .line = 1, .name = "f"},
	                 {.address = 0x1008, .file = "a.c", .line = 2, .name = "f"},
	                 {.address = 0x1020, .file = "a.c", .line = 5, .name = "g"},
	                 {.address = 0x1028, .file = "a.c", .line = 6, .name = "g"},
	                 {.address = 0x1030}},
		.text_end = 0x1040,
	};
	struct symbols *symbols;

	/* Typed functions keep their place; a line ends where the next symbol begins. */
	symbols = check(*state, &program,
	                "f 1000-101f a.c:1; f* 1008-101f a.c:2; g~ 1020-103f a.c:5; "
	                "g*~ 1028-103f a.c:6");
	assert_int_equal(symbols->bytes[1], 0x18);
	assert_int_equal(symbols->row[0], 0);
	assert_int_equal(symbols->row[1], NO_SYMBOL);
	assert_int_equal(symbols->row[2], 1);
}

/* A line goes on until another one is known. */
static void
test_equal_lines_are_one(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 64, .flags = F}},
		.rows = {{.address = 0x1000, .file = "a.c", .line = 1, .name = "f"},
	                 {.address = 0x1004, .file = "a.c", .line = 1, .name = "f"},
	                 {.address = 0x1008, .file = "a.c", .line = 2, .name = "f"},
	                 {.address = 0x100c},
	                 {.address = 0x1010, .file = "a.c", .line = 2, .name = "f"},
	                 {.address = 0x1018, .file = "a.c", .line = 1, .name = "f"},
	                 {.address = 0x1020, .file = "b.h", .line = 1, .name = "f"},
	                 {.address = 0x1028, .file = "b.h", .line = 1, .name = "inlined"}},
		.text_end = 0x1040,
	};

	check(*state, &program,
	      "f 1000-103f a.c:1; f* 1008-1017 a.c:2; f* 1018-101f a.c:1; f* 1020-1027 b.h:1; "
	      "inlined* 1028-103f b.h:1");
}

static void
test_ties_at_one_address(void **state)
{
	/* As for GNU gprof, and where a function that is gone could not be the whole of its lines.
	 */
	static const struct {
		struct function function;
		const char *name, *expected, *whole;
	} cases[] = {
		{{.name = "f", .flags = F}, "g", "f", "f"},
		{{.name = "f", .flags = F | L}, "g", "f~", "f~"},
		/* Untyped ones make room, */
		{{.name = "f"}, "g", "g*", "f"},
		{{.name = "f", .flags = L}, "g", "g*~", "f~"},
		{{.name = "_f"}, "g", "g*", "_f"},
		{{.name = "__f"}, "_g", "_g*", "__f"},
		{{.name = "__f"}, "__g", "__g*", "__f"},
		/* but for names that begin with more underscores. */
		{{.name = "f"}, "_g", "f", "f"},
		{{.name = "_f", .flags = L}, "__g", "_f~", "_f~"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program program = {
			.functions = {cases[i].function},
			.rows = {{.address = 0x1000, .file = "a.c", .line = 1}},
			.text_end = 0x1010,
		};
		char expected[64];

		program.functions[0].address = 0x1000;
		program.rows[0].name = cases[i].name;
		test->run.corrections = 0;
		snprintf(expected, sizeof expected, "%s 1000-100f a.c:1", cases[i].expected);
		check(test, &program, expected);
		test->run.corrections = GPROFX_CORRECT_LINE_GRAPH;
		snprintf(expected, sizeof expected, "%s 1000-100f a.c:1", cases[i].whole);
		check(test, &program, expected);
	}
}

/* Whether a line is static follows from its function, or from the line before of the same name. */
static void
test_static_lines(void **state)
{
	const struct program program = {
		.functions = {{.name = "s", .address = 0x1000, .bytes = 16, .flags = F | L},
	                      {.name = "g", .address = 0x1010, .bytes = 16, .flags = F}},
		.rows = {{.address = 0x1004, .file = "a.c", .line = 1, .name = "x"},
	                 {.address = 0x1014, .file = "a.c", .line = 2, .name = "x"},
	                 {.address = 0x1018, .file = "b.h", .line = 2, .name = "x"},
	                 {.address = 0x101c, .file = "a.c", .line = 2, .name = "x"}},
		.text_end = 0x1020,
	};

	check(*state, &program,
	      "s~ 1000-100f; x*~ 1004-100f a.c:1; g 1010-101f a.c:1; x*~ 1014-1017 a.c:2; "
	      "x* 1018-101b b.h:2; x* 101c-101f a.c:2");
}

/* Code without a name in the debug information is that of the symbol table's functions. */
static void
test_names_from_the_symbol_table(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 16, .flags = F},
	                      {.name = "hidden",
	                       .address = 0x1010,
	                       .bytes = 16,
	                       .flags = F | L,
	                       .is_unwanted = true},
	                      {.name = "g", .address = 0x1030, .bytes = 8, .flags = F}},
		.rows = {{.address = 0x1008, .file = "a.s", .line = 3},
	                 {.address = 0x1034, .file = "a.s", .line = 4},
	                 {.address = 0x1038, .file = "a.s", .line = 5, .name = "known"}},
		.text_end = 0x1040,
	};

	/* Behind the end of one function code is of the nearest before it. */
	check(*state, &program,
	      "f 1000-102f; f* 1008-100f a.s:3; hidden* 1010-102f a.s:3; g 1030-103f a.s:3; "
	      "g* 1034-1037 a.s:4; known* 1038-103f a.s:5");
}

/* Symbols that are no functions name code all the same. */
static void
test_names_from_labels(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 16, .flags = F},
	                      {.name = "indirect", .address = 0x1020, .flags = LABEL},
	                      {.name = "first", .address = 0x1028, .bytes = 4, .flags = LABEL},
	                      {.name = "g", .address = 0x1028, .bytes = 4, .flags = F},
	                      {.name = "behind", .address = 0x1040, .flags = LABEL}},
		.rows = {{.address = 0x1018, .file = "a.s", .line = 1},
	                 {.address = 0x102c, .file = "a.s", .line = 2}},
		.text_end = 0x1040,
	};
	struct symbols *symbols;

	symbols = check(*state, &program,
	                "f 1000-1027; f* 1018-101f a.s:1; indirect* 1020-1027 a.s:1; "
	                "g 1028-103f a.s:1; first* 102c-103f a.s:2");
	/* The table has them no more. */
	assert_int_equal(symbols->table.count, 2);
	assert_string_equal(symbols->table.rows.name[1], "g");
	assert_int_equal(symbols->row[3], 1);
	assert_int_equal(symbols->label_count, 3);
	assert_int_equal(symbols->labels[2].before, 2);
}

/* Of symbols that reach over others, the one goes on that the code before is of. */
static void
test_names_of_code_in_several_functions(void **state)
{
	const struct program program = {
		.functions = {{.name = "outer", .address = 0x1000, .bytes = 32, .flags = LABEL},
	                      {.name = "small", .address = 0x1010, .bytes = 4, .flags = LABEL},
	                      {.name = "large", .address = 0x1010, .bytes = 8, .flags = LABEL},
	                      {.name = "next", .address = 0x1018, .bytes = 64, .flags = LABEL},
	                      {.name = "last", .address = 0x1030, .flags = LABEL},
	                      {.name = "f", .address = 0x1038, .flags = F}},
		.rows = {{.address = 0x1014, .file = "a.s", .line = 1},
	                 {.address = 0x1024, .file = "a.s", .line = 2, .name = "known"},
	                 {.address = 0x1034, .file = "a.s", .line = 3}},
		.text_end = 0x1060,
	};
	const struct program named = {
		.functions = {{.name = "outer", .address = 0x1000, .bytes = 32, .flags = LABEL},
	                      {.name = "small", .address = 0x1010, .bytes = 4, .flags = LABEL},
	                      {.name = "large", .address = 0x1010, .bytes = 8, .flags = LABEL},
	                      {.name = "f", .address = 0x1038, .flags = F}},
		.rows = {{.address = 0x1000, .file = "a.s", .line = 1, .name = "known"},
	                 {.address = 0x1014, .file = "a.s", .line = 2},
	                 {.address = 0x101c, .file = "a.s", .line = 3}},
		.text_end = 0x1060,
	};

	check(*state, &program,
	      "outer* 1014-101f a.s:1; next* 1020-1023 a.s:1; known* 1024-1033 a.s:2; "
	      "next* 1034-1037 a.s:3; f 1038-105f a.s:3; f* 1058-105f a.s:3");
	check(*state, &named,
	      "known* 1000-1013 a.s:1; large* 1014-101b a.s:2; large* 101c-1037 a.s:3; "
	      "f 1038-105f a.s:3");
}

/* Lines of functions that were not asked for count for the line before. */
static void
test_unwanted_static_lines(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 16, .flags = F},
	                      {.name = "s",
	                       .address = 0x1010,
	                       .bytes = 16,
	                       .flags = F | L,
	                       .is_unwanted = true},
	                      {.name = "g", .address = 0x1020, .bytes = 16, .flags = F}},
		.rows = {{.address = 0x1004, .file = "a.c", .line = 1, .name = "f"},
	                 {.address = 0x1010, .file = "a.c", .line = 2, .name = "s"},
	                 {.address = 0x1024, .file = "a.c", .line = 3, .name = "g"}},
		.text_end = 0x1030,
	};
	struct testrun *test = *state;

	test->settings.drop_static = true;
	check(test, &program,
	      "f 1000-101f; f* 1004-100f a.c:1; s* 1010-101f a.c:2; g 1020-102f a.c:2; "
	      "g* 1024-102f a.c:3");
	test->run.corrections = GPROFX_CORRECT_STATIC_LINES;
	/* The line goes on up to the function behind: it began there. */
	check(test, &program,
	      "f 1000-101f; f* 1004-101f a.c:1; g 1020-102f a.c:2; g* 1024-102f a.c:3");
}

/* Rows are cut where .text begins and ends. */
static void
test_lines_outside_of_text(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1008, .bytes = 8, .flags = F}},
		.rows = {{.address = 0xf00, .file = "a.c", .line = 1, .name = "early"},
	                 {.address = 0xff0, .file = "a.c", .line = 2, .name = "begin"},
	                 {.address = 0x100c, .file = "a.c", .line = 3, .name = "f"},
	                 {.address = 0x1010, .file = "a.c", .line = 4, .name = "late"}},
		.text_end = 0x1010,
	};

	check(*state, &program, "begin* 1000-1007 a.c:2; f 1008-100f a.c:2; f* 100c-100f a.c:3");
}

static void
test_inlined_lines(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 16, .flags = F}},
		.rows = {{.address = 0x1000,
	                  .file = "i.h",
	                  .line = 9,
	                  .name = "i",
	                  .into = "f",
	                  .into_file = "a.c",
	                  .into_line = 3},
	                 {.address = 0x1004,
	                  .file = "i.h",
	                  .line = 9,
	                  .name = "i",
	                  .into = "f",
	                  .into_file = "a.c",
	                  .into_line = 4},
	                 {.address = 0x1008, .file = "a.c", .line = 5, .name = "f"}},
		.text_end = 0x1010,
	};
	struct testrun *test = *state;
	struct symbols *symbols;

	/* GNU gprof does not tell instances apart, and takes a function's first line for its own.
	 */
	symbols = check(test, &program, "f 1000-100f i.h:9; f* 1008-100f a.c:5");
	assert_null(symbols->inlined);
	test->run.corrections = GPROFX_CORRECT_INLINED;
	symbols = check(test, &program,
	                "f 1000-100f a.c:3; i* 1004-1007 i.h:9; f* 1008-100f a.c:5");
	assert_int_equal(symbols->inlined[0], 0);
	assert_string_equal(symbols->instances[symbols->inlined[1]].into, "f");
	assert_int_equal(symbols->instances[symbols->inlined[1]].line, 4);
	assert_int_equal(symbols->inlined[2], 0);
}

/* Files of functions come first, in the order of the symbol table, then those of lines. */
static void
test_order_of_files(void **state)
{
	const struct program program = {
		.functions = {{.name = "g", .address = 0x1010, .bytes = 16, .flags = F},
	                      {.name = "f", .address = 0x1000, .bytes = 16, .flags = F}},
		.rows = {{.address = 0x1000, .file = "f.c", .line = 1, .name = "f"},
	                 {.address = 0x1008, .file = "f.h", .line = 2, .name = "f"},
	                 {.address = 0x1010, .file = "g.c", .line = 1, .name = "g"},
	                 {.address = 0x1018, .file = "g.h", .line = 1, .name = "g"}},
		.text_end = 0x1020,
	};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, &program);
	const char *const expected[] = {"g.c", "f.c", "f.h", "g.h"};
	uint32_t order[8];

	symbols_add_lines(&test->run, symbols);
	assert_int_equal(symbols_order_files(&test->run, symbols, order), 4);
	for (int i = 0; i < 4; i++)
		assert_string_equal(symbols->files[order[i]].path, expected[i]);
}

static void
test_ends(void **state)
{
	struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 16, .flags = F},
	                      {.name = "gone", .address = 0x1020, .bytes = 0, .flags = F}},
		.rows = {{.address = 0x1004, .file = "a.c", .line = 1, .name = "f"}},
		.text_end = 0x1010,
	};
	struct symbols *symbols;

	/* The last function lies behind .text, which ends before it. */
	symbols = check(*state, &program, "f 1000-101f; f* 1004-101f a.c:1");
	assert_int_equal(symbols->address[symbols->count], 0x1020);
	assert_int_equal(symbols->end[symbols->count], UINT64_MAX);
}

static void
test_nothing_known(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 16, .flags = F}},
		.text_end = 0x1010,
	};
	const struct program known = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 16, .flags = F}},
		.rows = {{.address = 0x1004, .file = "a.c", .line = 1, .name = "f"}},
		.text_end = 0x1010,
	};
	struct testrun *test = *state;

	check(test, &program, "f 1000-100f");
	/* Functions of a list have no lines. */
	test->settings.symbol_list = "list";
	check(test, &known, "f 1000-100f");
}

/* Addresses of 32 bits can stand with their sign in the symbol table, and not in lines. */
static void
test_signed_addresses(void **state)
{
	const struct program program = {
		.functions =
			{{.name = "f", .address = 0xffffffff80001000, .bytes = 16, .flags = F}},
		.rows = {{.address = 0x80001000, .file = "a.c", .line = 1, .name = "f"},
	                 {.address = 0x80001008, .file = "a.c", .line = 2, .name = "f"}},
		.text_end = 0xffffffff80001010,
	};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, &program);

	symbols->table.target.sign_extends = true;
	symbols->table.target.pointer_bytes = 4;
	symbols->table.text_start = 0xffffffff80001000;
	symbols_add_lines(&test->run, symbols);
	assert_string_equal(listing(symbols), "f ffffffff80001000-ffffffff8000100f a.c:1; "
	                                      "f* ffffffff80001008-ffffffff8000100f a.c:2");
}

/* Lines for the sake of annotated source come without names, and give functions their places. */
static void
test_lines_without_names(void **state)
{
	const struct program program = {
		.functions = {{.name = "f", .address = 0x1000, .bytes = 16, .flags = F}},
		.rows = {{.address = 0x1000, .file = "a.c", .line = 1, .name = "f"},
	                 {.address = 0x1008, .file = "a.c", .line = 2, .name = "f"}},
		.text_end = 0x1010,
	};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, &program);
	struct gprofx_lines lines;

	symbols_read_lines(&test->run, symbols, &lines);
	assert_int_equal(lines.count, 2);
	assert_null(lines.rows.name);
	assert_int_equal(lines.rows.line[1], 2);
	assert_string_equal(listing(symbols), "f 1000-100f a.c:1");
	symbols_release_lines(&test->run, &lines);
	assert_int_equal(lines.count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_lines_stand_in_functions),
		TESTRUN(test_equal_lines_are_one),
		TESTRUN(test_ties_at_one_address),
		TESTRUN(test_static_lines),
		TESTRUN(test_names_from_the_symbol_table),
		TESTRUN(test_names_from_labels),
		TESTRUN(test_names_of_code_in_several_functions),
		TESTRUN(test_unwanted_static_lines),
		TESTRUN(test_lines_outside_of_text),
		TESTRUN(test_inlined_lines),
		TESTRUN(test_order_of_files),
		TESTRUN(test_ends),
		TESTRUN(test_nothing_known),
		TESTRUN(test_signed_addresses),
		TESTRUN(test_lines_without_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
