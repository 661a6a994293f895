/* SPDX-License-Identifier: Apache-2.0 */
/* Stabs that are damaged, cut or made to cost much: 10,000 changes of sound ones, and by hand. */
#include "entries.c"
#include "paths.c"
#include "rows.c"

/* Behind those that it is made of. */
#include "symbols-stabs.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { MOST_ROWS = 4096, MOST_STABS = 64, STRINGS = 256 };

struct answer {
	uint32_t files, names, warnings;
	size_t name_bytes, allocated;
	char text[1024]; /* "ADDRESS=FILE:LINE/NAME" of each row, "?" for one that is not known */
	char said[256];
};

static struct answer answer;
static char kept_files[MOST_STABS][256], kept_names[MOST_STABS][256];

static void *
host_alloc(struct gprofx *gx, size_t bytes)
{
	void *block = calloc(1, bytes ? bytes : 1);

	(void)gx;
	assert_non_null(block);
	answer.allocated += bytes;
	return block;
}

static void *
host_grow(struct gprofx *gx, void *block, size_t old_bytes, size_t new_bytes)
{
	char *grown_block = realloc(block, new_bytes);

	(void)gx;
	assert_non_null(grown_block);
	memset(grown_block + old_bytes, 0, new_bytes - old_bytes);
	answer.allocated += new_bytes - old_bytes;
	return grown_block;
}

static void
host_release(struct gprofx *gx, void *block)
{
	(void)gx;
	free(block);
}

static void
host_warn(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list list;

	(void)gx;
	va_start(list, format);
	vsnprintf(answer.said, sizeof answer.said, format, list);
	va_end(list);
	assert_string_equal(diagnostic->id, "stabs.bad-strings");
	assert_string_equal(diagnostic->file, "image");
	answer.warnings++;
}

static uint32_t
keep(char kept[MOST_STABS][256], uint32_t *count, const char *name)
{
	if (*count < MOST_STABS)
		snprintf(kept[*count], 256, "%s", name);
	answer.name_bytes += strlen(name);
	return ++*count;
}

static uint32_t
number_file(struct gprofx *gx, struct gprofx_lines *lines, const char *path)
{
	(void)gx;
	(void)lines;
	return keep(kept_files, &answer.files, path);
}

static uint32_t
number_position(struct gprofx *gx, struct gprofx_positions *positions, const char *path)
{
	(void)gx;
	(void)positions;
	return keep(kept_files, &answer.files, path);
}

static uint32_t
number_name(struct gprofx *gx, struct gprofx_lines *lines, const char *name)
{
	(void)gx;
	(void)lines;
	return keep(kept_names, &answer.names, name);
}

static uint32_t
name_at(struct gprofx *gx, struct gprofx_lines *lines, uint64_t address)
{
	(void)gx;
	(void)lines;
	return address == 0x1008;
}

static void
host_reserve(struct gprofx *gx, struct gprofx_lines *lines, uint32_t count)
{
	lines->rows.address = host_alloc(gx, count * sizeof *lines->rows.address);
	lines->rows.file = host_alloc(gx, count * sizeof *lines->rows.file);
	lines->rows.line = host_alloc(gx, count * sizeof *lines->rows.line);
	lines->rows.name = host_alloc(gx, count * sizeof *lines->rows.name);
}

static const struct gprofx_host services = {.size = sizeof services,
                                            .alloc = host_alloc,
                                            .grow = host_grow,
                                            .release = host_release,
                                            .warn = host_warn};

/* Reads a file whose first "count" entries are stabs, followed by strings. */
static void
read_file(const uint8_t *bytes, size_t length, uint32_t count, bool in_order)
{
	static const struct gprofx_lines_builder builder = {.size = sizeof builder,
	                                                    .reserve = host_reserve,
	                                                    .file = number_file,
	                                                    .name = number_name,
	                                                    .name_at = name_at};
	static const struct gprofx_positions_builder position_builder = {
		.size = sizeof position_builder,
		.file = number_position};
	const struct gprofx_target target = {.size = sizeof target, .pointer_bytes = 8};
	uint64_t entries = count * 12ull;
	const struct gprofx_debug_section sections[] = {
		{".stab", 4, entries},
		{".stabstr", 4 + entries, length - 4 - entries}};
	struct gprofx gx = {.host = &services};
	uint8_t *copy = malloc(length);
	struct gprofx_image image = {.size = sizeof image,
	                             .name = "image",
	                             .bytes = copy,
	                             .length = length,
	                             .target = &target,
	                             .debug = sections,
	                             .debug_count = 2};
	struct gprofx_lines lines = {.size = sizeof lines,
	                             .builder = &builder,
	                             .in_order_of_stabs = in_order};
	uint64_t addresses[] = {0, 0x1000, 0x1004, 0x1010, 0x2000};
	uint32_t file[5] = {0}, line[5] = {0};
	struct gprofx_positions positions = {.size = sizeof positions,
	                                     .builder = &position_builder,
	                                     .count = 5,
	                                     .address = addresses,
	                                     .file = file,
	                                     .line = line,
	                                     .in_order_of_stabs = in_order};
	size_t used = 0;

	memset(&answer, 0, sizeof answer);
	assert_non_null(copy);
	memcpy(copy, bytes, length);
	assert_int_equal(symbols.lines(&gx, &image, &lines, NULL), GPROFX_OK);
	for (uint32_t i = 0; i < lines.count && used < sizeof answer.text; i++) {
		uint32_t of = lines.rows.file[i], name = lines.rows.name[i];

		assert_true(i == 0 || lines.rows.address[i] > lines.rows.address[i - 1]);
		assert_true(of <= answer.files && name <= answer.names);
		assert_true(of != 0 || lines.rows.line[i] == 0);
		used += (size_t)snprintf(answer.text + used, sizeof answer.text - used,
		                         "%s%llx=", i > 0 ? " " : "",
		                         (unsigned long long)lines.rows.address[i]);
		if (lines.rows.line[i] != 0 && of <= MOST_STABS && name <= MOST_STABS &&
		    used < sizeof answer.text)
			used += (size_t)snprintf(answer.text + used, sizeof answer.text - used,
			                         "%s:%u/%s", kept_files[of - 1], lines.rows.line[i],
			                         name != 0 ? kept_names[name - 1] : "");
	}
	/* Both answers are of one mind, but that of single addresses only starts of functions are
	 * known. */
	answer.files = 0;
	assert_int_equal(symbols.locate(&gx, &image, &positions, NULL), GPROFX_OK);
	for (uint32_t i = 0; i < 5; i++) {
		uint32_t row = lines.count;

		while (row > 0 && lines.rows.address[row - 1] > addresses[i])
			row--;
		if (in_order || line[i] != 0)
			assert_int_equal(line[i], row > 0 ? lines.rows.line[row - 1] : 0);
	}
	free(lines.rows.address);
	free(lines.rows.file);
	free(lines.rows.line);
	free(lines.rows.name);
	free(copy);
}

struct stab {
	uint32_t string;
	uint8_t type;
	uint16_t desc;
	uint32_t value;
};

static const char strings[] = "\0/w/\0a.c\0f:F1\0g:F1\0i.h";
enum { W = 1, A = 5, F = 9, G = 14, I = 19 };

/* The first bytes are those of an ELF file, or of no known one. */
static size_t
put_file(uint8_t *file, const struct stab *stabs, uint32_t count, bool is_elf)
{
	memcpy(file, is_elf ? "\177ELF" : "none", 4);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *at = file + 4 + (size_t)i * 12;

		memset(at, 0, 12);
		for (uint32_t k = 0; k < 4; k++) {
			at[k] = (uint8_t)(stabs[i].string >> 8 * k);
			at[8 + k] = (uint8_t)(stabs[i].value >> 8 * k);
		}
		at[4] = stabs[i].type;
		at[6] = (uint8_t)stabs[i].desc;
		at[7] = (uint8_t)(stabs[i].desc >> 8);
	}
	memcpy(file + 4 + (size_t)count * 12, strings, sizeof strings);
	return 4 + (size_t)count * 12 + sizeof strings;
}

static void
check(const struct stab *stabs, uint32_t count, bool is_elf, bool in_order, const char *expected)
{
	uint8_t file[4 + MOST_STABS * 12 + STRINGS];

	read_file(file, put_file(file, stabs, count, is_elf), count, in_order);
	assert_string_equal(answer.text, expected);
}

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

static const struct stab sound[] = {
	{W, STABS_SOURCE, 0, 0x1000}, {A, STABS_SOURCE, 0, 0x1000}, {F, STABS_FUNCTION, 0, 0x1000},
	{0, STABS_LINE, 1, 0},        {0, STABS_LINE, 2, 4},        {I, STABS_INCLUDED, 0, 0x1008},
	{0, STABS_LINE, 3, 8},        {0, STABS_FUNCTION, 0, 0xc},  {G, STABS_FUNCTION, 0, 0x1010},
	{0, STABS_LINE, 9, 0},        {0, STABS_SOURCE, 0, 0x1020},
};

static void
test_lines_end(void **state)
{
	(void)state;
	check(sound, COUNT(sound), true, false,
	      "1000=/w/a.c:1/f 1004=/w/a.c:2/f 1008=/w/i.h:3/f 100c= 1010=/w/i.h:9/g 1020=");
	check(sound, COUNT(sound), true, true,
	      "1000=/w/a.c:1/f 1004=/w/a.c:2/f 1008=/w/i.h:3/f 1010=/w/i.h:9/g");
	assert_int_equal(answer.warnings, 0);
}

static void
test_functions_in_any_order(void **state)
{
	static const struct stab stabs[] = {
		{A, STABS_SOURCE, 0, 0x1000}, {G, STABS_FUNCTION, 0, 0x1010},
		{0, STABS_LINE, 9, 0},        {F, STABS_FUNCTION, 0, 0x1000},
		{0, STABS_LINE, 1, 0},
	};

	(void)state;
	check(stabs, COUNT(stabs), true, false, "1000=a.c:1/f 1010=a.c:9/g");
	check(stabs, COUNT(stabs), true, true, "1000= 1010=a.c:9/g");
}

static void
test_lines_without_functions(void **state)
{
	static const struct stab stabs[] = {
		{A, STABS_SOURCE, 0, 0x1000},
		{0, STABS_LINE, 4, 0x1000},
		{0, STABS_LINE, 5, 0x1003},
		{0, STABS_SOURCE, 0, 0x1008},
	};

	(void)state;
	check(stabs, COUNT(stabs), true, false, "1000=a.c:4/ 1003=a.c:5/ 1008=");
	/* GNU gprof wants a function, too. */
	check(stabs, COUNT(stabs), true, true, "1000= 1003=");
}

/* Assemblers do not say where a unit ends: its last line goes up to the next function. */
static void
test_units_of_assemblers(void **state)
{
	static const struct stab stabs[] = {
		{A, STABS_SOURCE, 0, 0x1000}, {0, STABS_LINE, 4, 0x1000},
		{0, STABS_LINE, 5, 0x1003},   {I, STABS_SOURCE, 0, 0x1010},
		{0, STABS_LINE, 6, 0x1010},
	};

	(void)state;
	check(stabs, COUNT(stabs), true, false, "1000=a.c:4/ 1003=a.c:5/ 1008= 1010=i.h:6/ 1020=");
	check(stabs, COUNT(stabs), true, true, "1000= 1003= 1010=");
}

/* Of a Windows program, part of which the linker left out. */
static void
test_discarded_units(void **state)
{
	static const struct stab stabs[] = {
		{A, STABS_SOURCE, 0, 0},        {0, STABS_SOURCE, 0, 0},
		{A, STABS_SOURCE, 0, 0x1000},   {F, STABS_FUNCTION, 0, 0x1000},
		{0, STABS_LINE, 1, 0},          {0, STABS_LINE, 2, 4},
		{G, STABS_FUNCTION, 0, 0x1010}, {0, STABS_LINE, 9, 0},
		{0, STABS_SOURCE, 0, 0x1020},
	};
	uint8_t file[4 + MOST_STABS * 12 + STRINGS];
	size_t length = put_file(file, stabs, COUNT(stabs), false);

	(void)state;
	memcpy(file, "MZ", 2);
	read_file(file, length, COUNT(stabs), false);
	assert_string_equal(answer.text, "0= 1000=a.c:1/f 1004=a.c:2/f 1010=a.c:9/g 1020=");
}

/* As in a.out files, where entries of functions can stand behind those of their lines. */
static void
test_lines_with_addresses(void **state)
{
	static const struct stab stabs[] = {
		{W, STABS_SOURCE, 0, 0x1000},   {A, STABS_SOURCE, 0, 0x1000},
		{0, STABS_LINE, 1, 0x1000},     {0, STABS_LINE, 2, 0x1004},
		{F, STABS_FUNCTION, 1, 0x1000}, {I, STABS_INCLUDED, 0, 0x1010},
		{0, STABS_LINE, 9, 0x1010},     {G, STABS_FUNCTION, 9, 0x1010},
		{0, STABS_SOURCE, 0, 0x1020},
	};

	(void)state;
	check(stabs, COUNT(stabs), false, false,
	      "1000=/w/a.c:1/f 1004=/w/a.c:2/f 1010=/w/i.h:9/g 1020=");
}

static void
test_strings_of_several_objects(void **state)
{
	static const struct stab stabs[] = {
		{0, STABS_HEADER, 0, A - 1},
		{1, STABS_SOURCE, 0, 0x1000},
		{0, STABS_HEADER, 0, 0x1000},
		{1, STABS_SOURCE, 0, 0x1000},
		{F - A + 1, STABS_FUNCTION, 0, 0x1000},
		{0, STABS_LINE, 3, 0},
	};

	(void)state;
	check(stabs, COUNT(stabs), true, false, "1000=a.c:3/f");
}

static void
test_strings_outside(void **state)
{
	static const struct stab stabs[] = {
		{5000, STABS_SOURCE, 0, 0x1000},
		{F, STABS_FUNCTION, 0, 0x1000},
		{0, STABS_LINE, 3, 0},
		{UINT32_MAX, STABS_FUNCTION, 0, 0x1010},
		{sizeof strings, STABS_INCLUDED, 0, 0},
		{0, STABS_LINE, 3, 0},
	};

	(void)state;
	check(stabs, COUNT(stabs), true, false, "1000= 1010=");
	assert_true(answer.warnings > 0);
	assert_non_null(strstr(answer.said, "found 3 beyond"));
}

/* Each entry refers to another part of one long string. */
static void
test_long_names_cost_little(void **state)
{
	enum { ENTRIES = 20000, TEXT = 100000, LENGTH = 4 + ENTRIES * 12 + TEXT };
	uint8_t *file = calloc(1, LENGTH);

	(void)state;
	assert_non_null(file);
	memcpy(file, "\177ELF", 4);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		uint8_t *at = file + 4 + (size_t)i * 12;
		uint32_t string = 1 + i * 4, value = 0x1000 + i;

		memcpy(at, &string, 4);
		memcpy(at + 8, &value, 4);
		at[4] = i % 3 == 0 ? STABS_FUNCTION : i % 3 == 1 ? STABS_INCLUDED : STABS_LINE;
		at[6] = 1;
	}
	memset(file + 4 + ENTRIES * 12, 'x', TEXT - 1);
	file[4 + ENTRIES * 12] = '\0';
	for (int in_order = 0; in_order < 2; in_order++) {
		read_file(file, LENGTH, ENTRIES, in_order);
		assert_true(answer.name_bytes <= 2 * 16 * (size_t)LENGTH + 8192);
		assert_true(answer.allocated <= 64 * (size_t)LENGTH);
	}
	free(file);
}

static void
test_changed(void **state)
{
	uint8_t file[4 + MOST_STABS * 12 + STRINGS], changed[sizeof file];
	size_t length = put_file(file, sound, COUNT(sound), true);
	uint32_t seed = 1;

	(void)state;
	for (uint32_t cut = 0; cut <= COUNT(sound); cut++)
		read_file(file, length, cut, false);
	for (uint32_t i = 0; i < 10000; i++) {
		memcpy(changed, file, length);
		for (uint32_t k = 0; k <= i % 4; k++) {
			seed = seed * 1664525 + 1013904223;
			changed[(seed >> 8) % length] ^= (uint8_t)(1u << (seed >> 5 & 7));
		}
		read_file(changed, length, COUNT(sound), i % 2 != 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_end),
		cmocka_unit_test(test_functions_in_any_order),
		cmocka_unit_test(test_lines_without_functions),
		cmocka_unit_test(test_units_of_assemblers),
		cmocka_unit_test(test_discarded_units),
		cmocka_unit_test(test_lines_with_addresses),
		cmocka_unit_test(test_strings_of_several_objects),
		cmocka_unit_test(test_strings_outside),
		cmocka_unit_test(test_long_names_cost_little),
		cmocka_unit_test(test_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
