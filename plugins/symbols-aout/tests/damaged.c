/* SPDX-License-Identifier: Apache-2.0 */
/* What symbols-aout says about files that are damaged or no images at all.  Costs half a second. */
#include "headers.c"
#include "machines.c"
#include "symbols.c"

/* Behind those that it is made of. */
#include "symbols-aout.c"

#include "damaged-image.h"

enum {
	CODE = 1024, /* contents of the text, which starts at address 0 */
	TEXT_BYTES = 0x100,
	DATA_BYTES = 16,
	ROWS_AT = CODE + TEXT_BYTES + DATA_BYTES + 8,
	ROWS = 8,
	STRINGS = ROWS_AT + ROWS * AOUT_ROW,
	LENGTH = STRINGS + 4 + 46,
	FLIPS = 10000
};

static const char all[] = "_main=0/ _help=20/l _help=40/l _weak=60/";

static void
put(uint8_t *at, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static void
put_row(uint8_t *image, uint32_t row, uint32_t string, uint32_t type, uint32_t value)
{
	uint8_t *at = image + ROWS_AT + AOUT_ROW * row;

	put(at, string, 4);
	put(at + 4, type, 1);
	put(at + 8, value, 4);
}

/* An image of Linux for i386. */
static void
sound_image(uint8_t image[LENGTH])
{
	static const char names[] = "_main\0one.o\0_help\0two.o\0_weak\0_data\0x:F\0.file";

	assert_int_equal(sizeof names, LENGTH - STRINGS - 4);
	memset(image, 0, LENGTH);
	put(image, 0x64010b, 4);
	put(image + TEXT, TEXT_BYTES, 4);
	put(image + DATA, DATA_BYTES, 4);
	put(image + SYMBOLS, (uint64_t)ROWS * AOUT_ROW, 4);
	put(image + TEXT_RELOCATIONS, 8, 4);
	put_row(image, 0, 4, IN_TEXT | EXTERNAL, 0);
	put_row(image, 1, 10, FILE_NAME, 0x20);
	put_row(image, 2, 16, IN_TEXT, 0x20);
	put_row(image, 3, 22, IN_TEXT, 0x40);
	put_row(image, 4, 16, IN_TEXT, 0x40);
	put_row(image, 5, 28, WEAK_TEXT, 0x60);
	put_row(image, 6, 34, 7, 0x100);
	put_row(image, 7, 40, 0x24, 0);
	put(image + STRINGS, LENGTH - STRINGS, 4);
	memcpy(image + STRINGS + 4, names, sizeof names);
}

static void
a_sound_image(void **state)
{
	uint8_t image[LENGTH];
	struct test_host host;

	(void)state;
	sound_image(image);
	assert_int_equal(probe(image, LENGTH), SURE);
	assert_int_equal(load_bytes(&host, image, LENGTH), GPROFX_OK);
	assert_string_equal(listing(&host), all);
	assert_int_equal(host.warnings, 0);
	assert_true(host.symtab.has_text);
	assert_int_equal(host.symtab.text_start, 0);
	assert_int_equal(host.symtab.text_end, TEXT_BYTES);
	assert_int_equal(host.symtab.target.pointer_bytes, 4);
	assert_false(host.symtab.target.big_endian);
	assert_int_equal(host.symtab.target.machine, 3);
	assert_true(host.symtab.leading_underscore);
	assert_true(host.symtab.untyped_format);
	assert_int_equal(host.symtab.code_count, 1);
	assert_int_equal(host.symtab.code[0].bytes, TEXT_BYTES);
	assert_int_equal(host.symtab.code[0].file_offset, CODE);
	/* Local symbols know their object file. */
	assert_int_equal(host.symtab.unit[0], 0);
	assert_int_equal(host.symtab.unit[1], 1);
	assert_int_equal(host.symtab.unit[2], 2);
	assert_int_equal(host.symtab.unit[3], 0);
	assert_ptr_equal(host.symtab.strings, host.file + STRINGS);
	assert_int_equal(host.symtab.strings_bytes, LENGTH - STRINGS);
	/* One row is debug information. */
	assert_true(host.symtab.has_stabs);
	assert_int_equal(host.symtab.debug_count, 2);
	assert_string_equal(host.symtab.debug[0].name, ".stab");
	assert_int_equal(host.symtab.debug[0].file_offset, ROWS_AT);
	assert_int_equal(host.symtab.debug[0].bytes, ROWS * AOUT_ROW);
	assert_string_equal(host.symtab.debug[1].name, ".stabstr");
	assert_int_equal(host.symtab.debug[1].file_offset, STRINGS);
	assert_int_equal(host.symtab.debug[1].bytes, LENGTH - STRINGS);
	forget(&host);
	put_row(image, 7, 0, 7, 0);
	assert_int_equal(load_bytes(&host, image, LENGTH), GPROFX_OK);
	assert_false(host.symtab.has_stabs);
	forget(&host);
}

/* Without names of objects, units are those that the debug information names. */
static void
source_files(void **state)
{
	uint8_t image[LENGTH];
	struct test_host host;

	(void)state;
	sound_image(image);
	put_row(image, 1, 44, STAB_FILE_NAME, 0x20);
	put_row(image, 3, 0, STAB_FILE_NAME, 0x40);
	memcpy(image + STRINGS + 44, "/s/", 4);
	assert_int_equal(load_bytes(&host, image, LENGTH), GPROFX_OK);
	assert_int_equal(host.symtab.unit[1], 0);
	forget(&host);
	put_row(image, 1, 40, STAB_FILE_NAME, 0x20);
	assert_int_equal(load_bytes(&host, image, LENGTH), GPROFX_OK);
	assert_string_equal(listing(&host), all);
	assert_int_equal(host.symtab.unit[1], 1);
	assert_int_equal(host.symtab.unit[2], 1);
	forget(&host);
}

/* The second half of the byte behind the type is the kind, the first one the binding. */
static void
kinds_of_bsd(void **state)
{
	uint8_t image[LENGTH];
	struct test_host host;

	(void)state;
	sound_image(image);
	image[ROWS_AT + 2 * AOUT_ROW + 5] = BINDING_WEAK << 4 | 2;
	image[ROWS_AT + 4 * AOUT_ROW + 5] = KIND_DATA;
	assert_int_equal(load_bytes(&host, image, LENGTH), GPROFX_OK);
	assert_int_equal(host.symtab.rows.flags[1], 0);
	assert_int_equal(host.symtab.rows.flags[2], GPROFX_SYMBOL_LOCAL | GPROFX_SYMBOL_DATA);
	forget(&host);
}

static void
other_files(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
	} cases[] = {{"", 0},
	             {"\x0b\x01", 2},
	             {"\x7f"
	              "ELF",
	              4}};
	uint8_t image[LENGTH];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		expect_load_fails((const uint8_t *)cases[i].bytes, cases[i].length,
		                  "image.not-an-object", "other data");
		assert_int_equal(probe((const uint8_t *)cases[i].bytes, cases[i].length), 0);
	}
	sound_image(image);
	image[0] = 0x0c;
	expect_load_fails(image, LENGTH, "image.not-an-object", "other data");
	assert_int_equal(probe(image, LENGTH), 0);
}

static void
single_numbers(void **state)
{
	static const struct {
		uint32_t at, value;
		const char *id, *words;
	} cases[] = {
		{TEXT, 0, "image.not-an-object", "other data"},
		{TEXT, LENGTH, "image.not-an-object", "text and data of"},
		{TEXT, UINT32_MAX, "image.not-an-object", "other data"},
		{DATA, 0x7ffff000, "image.not-an-object", "inside the file, found its end"},
		{SYMBOLS, 13, "image.not-an-object", "other data"},
		{TEXT_RELOCATIONS, 9, "image.not-an-object", "other data"},
		{DATA_RELOCATIONS, 12, "image.not-an-object", "other data"},
		{DATA_RELOCATIONS, 800, "image.bad-symtab", "symbol table of 8 rows"},
		{SYMBOLS, 120, "image.bad-symtab", "names of "},
		{SYMBOLS, 12000, "image.bad-symtab", "symbol table of 1000 rows"},
		{STRINGS, LENGTH - STRINGS + 1, "image.bad-symtab", "names of 51 bytes"},
		{STRINGS, UINT32_MAX, "image.bad-symtab", "names of 4294967295 bytes"},
		{STRINGS, 3, "image.bad-symtab", "at least 4 bytes, found 3"},
		{STRINGS, 0, "image.bad-symtab", "at least 4 bytes, found 0"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint8_t image[LENGTH];

		sound_image(image);
		put(image + cases[i].at, cases[i].value, 4);
		expect_load_fails(image, LENGTH, cases[i].id, cases[i].words);
	}
	{
		uint8_t image[LENGTH];

		sound_image(image);
		expect_load_fails(image, STRINGS + 3, "image.bad-symtab",
		                  "found the end of the file");
	}
}

static void
tolerated(void **state)
{
	static const struct {
		uint32_t at, bytes, value;
		const char *expected;
		uint32_t warnings;
	} cases[] = {
		{ROWS_AT, 4, LENGTH - STRINGS, "<corrupt>=0/ _help=20/l _help=40/l _weak=60/", 1},
		{ROWS_AT, 4, UINT32_MAX, "<corrupt>=0/ _help=20/l _help=40/l _weak=60/", 1},
		{ROWS_AT, 4, 3, "=0/ _help=20/l _help=40/l _weak=60/", 0},
		{ROWS_AT + 8, 4, UINT32_MAX, "_main=ffffffff/ _help=20/l _help=40/l _weak=60/", 0},
		{STRINGS, 4, LENGTH - STRINGS - 1, all, 0},
		{LENGTH - 1, 1, 'x', all, 0}, /* a name that does not end */
		{STRINGS + 4, 2, 0x314c, "L1ain=0/ _help=20/l _help=40/l _weak=60/", 0},
		{STRINGS + 16, 2, 0x314c, "_main=0/ _weak=60/", 0},
		{SYMBOLS, 4, 0, "", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct test_host host;
		uint8_t image[LENGTH];

		sound_image(image);
		put(image + cases[i].at, cases[i].value, cases[i].bytes);
		assert_int_equal(load_bytes(&host, image, LENGTH), GPROFX_OK);
		assert_string_equal(listing(&host), cases[i].expected);
		assert_int_equal(host.warnings, cases[i].warnings);
		if (cases[i].warnings > 0)
			assert_string_equal(host.id, "image.bad-symbol-name");
		forget(&host);
	}
}

/* Every number is within bounds that the file's size sets, whatever the file says. */
static void
try_it(const uint8_t *image, size_t length)
{
	uint8_t *head = malloc(length + 1);

	/* Of exactly this size, so that a sanitizer sees every overrun. */
	assert_non_null(head);
	head = realloc(head, length > 0 ? length : 1);
	assert_non_null(head);
	memcpy(head, image, length);
	assert_in_range(probe(head, length), 0, SURE);
	free(head);
	try_image(image, length);
}

static void
every_length(void **state)
{
	uint8_t image[LENGTH];

	(void)state;
	sound_image(image);
	for (size_t length = 0; length <= LENGTH; length++)
		try_it(image, length);
}

/* In headers of each magic number and of several machines. */
static void
random_damage(void **state)
{
	static const uint32_t words[] = {0x64010b, 0x10b, 0x8600cc, 0x640107, 0x108, 0x64010b};
	uint64_t seed = 4;

	(void)state;
	for (uint32_t i = 0; i < FLIPS; i++) {
		uint8_t image[LENGTH];
		uint32_t changes = 1 + next_number(&seed) % 6;

		sound_image(image);
		put(image, words[i % (sizeof words / sizeof words[0])], 4);
		while (changes-- > 0) {
			uint32_t at = next_number(&seed) % LENGTH, how = next_number(&seed);

			/* Most of the bytes are code; the numbers matter. */
			if (at >= AOUT_HEADER && at < ROWS_AT)
				at = at % 2 ? at % AOUT_HEADER : ROWS_AT + at % (LENGTH - ROWS_AT);
			damage_byte(&image[at], how);
		}
		try_it(image, LENGTH);
	}
}

/* A small file in which every name is as long as the file. */
static void
costly(void **state)
{
	enum { MANY = 60000, NAME = 1 << 20, TABLE = CODE + 16 + MANY * AOUT_ROW };
	const size_t length = TABLE + 4 + NAME;
	uint8_t *image = test_calloc(1, length);
	struct test_host host;

	(void)state;
	put(image, 0x64010b, 4);
	put(image + TEXT, 16, 4);
	put(image + SYMBOLS, (uint64_t)MANY * AOUT_ROW, 4);
	for (uint32_t i = 0; i < MANY; i++) {
		put(image + CODE + 16 + AOUT_ROW * i, 4, 4);
		image[CODE + 16 + AOUT_ROW * i + 4] = i % 2 ? IN_TEXT : STAB_FILE_NAME;
	}
	put(image + TABLE, 4 + NAME, 4);
	memset(image + TABLE + 4, 'x', NAME);
	assert_int_equal(load_bytes(&host, image, length), GPROFX_OK);
	assert_int_equal(host.symtab.count, MANY / 2);
	assert_true(host.allocated < 4 * length);
	forget(&host);
	test_free(image);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_image),  cmocka_unit_test(source_files),
		cmocka_unit_test(kinds_of_bsd),   cmocka_unit_test(other_files),
		cmocka_unit_test(single_numbers), cmocka_unit_test(tolerated),
		cmocka_unit_test(every_length),   cmocka_unit_test(random_damage),
		cmocka_unit_test(costly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
