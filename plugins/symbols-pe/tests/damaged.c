/* SPDX-License-Identifier: Apache-2.0 */
/* What symbols-pe says about files that are damaged or no images at all. */
#include "debug-sections.c"
#include "headers.c"
#include "libraries.c"
#include "library.c"

/* Behind those that it is made of. */
#include "symbols-pe.c"

#include "damaged-image.h"

enum {
	PE = 0x40,          /* the PE header */
	OPTIONAL = PE + 24, /* the optional header of 240 bytes, of 64-bit images */
	SECTIONS = OPTIONAL + 240,
	CODE = 0x200, /* contents of .text */
	SYMBOLS = 0x240,
	ROWS = 8,
	STRINGS = SYMBOLS + ROWS * 18,
	LENGTH = STRINGS + 4 + 14 + 10
};

static void
put(uint8_t *at, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static void
put_row(uint8_t *image, uint32_t row, const char *name, uint32_t value, int section, uint32_t type,
        uint32_t class, uint32_t auxiliary)
{
	uint8_t *at = image + SYMBOLS + 18 * row;

	memcpy(at, name, strnlen(name, 8));
	put(at + 8, value, 4);
	put(at + 12, (uint64_t)(int64_t)section, 2);
	put(at + 14, type, 2);
	at[16] = (uint8_t) class;
	at[17] = (uint8_t)auxiliary;
}

static void
put_long_name(uint8_t *image, uint32_t row, uint32_t string)
{
	put(image + SYMBOLS + 18 * row, 0, 4);
	put(image + SYMBOLS + 18 * row + 4, string, 4);
}

static const char all[] = "local=140001000/l main=140001010/f long_function=140001020/f "
			  "nested.12=140001030/l";

/* An image for x86-64 with functions in .text at 0x140001000, and data. */
static void
sound_image(uint8_t image[LENGTH])
{
	memset(image, 0, LENGTH);
	memcpy(image, "MZ", 2);
	put(image + 0x3c, PE, 4);
	memcpy(image + PE, "PE\0", 4);
	put(image + PE + 4, 0x8664, 2);
	put(image + PE + 6, 2, 2);
	put(image + PE + 12, SYMBOLS, 4);
	put(image + PE + 16, ROWS, 4);
	put(image + PE + 20, 240, 2);
	put(image + PE + 22, 0x22e, 2);
	put(image + OPTIONAL, 0x20b, 2);
	put(image + OPTIONAL + 16, 0x1000, 4);
	put(image + OPTIONAL + 24, 0x140000000, 8);
	put(image + OPTIONAL + 32, 0x1000, 4);
	put(image + OPTIONAL + 36, 0x200, 4);
	put(image + OPTIONAL + 108, 16, 4);
	for (uint32_t i = 0; i < 2; i++) {
		uint8_t *section = image + SECTIONS + 40 * i;

		memcpy(section, i == 0 ? ".text" : ".data", 5);
		put(section + 8, 0x40, 4);
		put(section + 12, 0x1000 * (i + 1), 4);
		put(section + 16, 0x40, 4);
		put(section + 20, CODE, 4);
		put(section + 36, i == 0 ? 0x60500020 : 0xc0500040, 4);
	}
	put_row(image, 0, ".file", 0, -2, 0, 103, 1);
	memcpy(image + SYMBOLS + 18, "made.c", 6);
	put_row(image, 2, "local", 0, 1, 0x20, 3, 0);
	put_row(image, 3, "main", 0x10, 1, 0x20, 2, 1);
	put_row(image, 5, "", 0x20, 1, 0x20, 2, 0);
	put_long_name(image, 5, 4);
	put_row(image, 6, "", 0x30, 1, 0, 3, 0);
	put_long_name(image, 6, 18);
	put_row(image, 7, "data", 0, 2, 0, 2, 0);
	put(image + STRINGS, 28, 4);
	memcpy(image + STRINGS + 4, "long_function\0nested.12", 24);
}

static void
a_sound_image(void **state)
{
	uint8_t image[LENGTH];
	struct test_host host;

	(void)state;
	sound_image(image);
	assert_int_equal(load_bytes(&host, image, LENGTH), GPROFX_OK);
	assert_string_equal(listing(&host), all);
	assert_int_equal(host.warnings, 0);
	assert_true(host.symtab.has_text);
	assert_int_equal(host.symtab.text_start, 0x140001000);
	assert_int_equal(host.symtab.text_end, 0x140001040);
	assert_int_equal(host.symtab.target.pointer_bytes, 8);
	assert_false(host.symtab.target.big_endian);
	assert_int_equal(host.symtab.target.machine, 62);
	assert_false(host.symtab.leading_underscore);
	assert_false(host.symtab.untyped_format);
	assert_int_equal(host.symtab.code_count, 1);
	assert_int_equal(host.symtab.code[0].address, 0x140001000);
	assert_int_equal(host.symtab.code[0].bytes, 0x40);
	assert_int_equal(host.symtab.code[0].file_offset, CODE);
	assert_string_equal(host.symtab.code[0].name, ".text");
	/* Local symbols know their object file; long names have their neighbors behind them. */
	assert_int_equal(host.symtab.unit[0], 1);
	assert_int_equal(host.symtab.unit[1], 0);
	assert_ptr_equal(host.symtab.rows.name[2], host.symtab.strings + 4);
	assert_ptr_equal(host.symtab.strings, host.file + STRINGS);
	assert_int_equal(host.symtab.strings_bytes, 28);
	forget(&host);
}

static void
other_files(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
		const char *words;
	} cases[] = {
		{"", 0, "the end of the file"},
		{"M", 1, "the end of the file"},
		{"MZ\x90", 3, "a DOS header of 64 bytes"},
		{"\x7f"
	         "ELF",
	         4, "other data"},
		{"\x64\x86\x01", 4, "other data"},
	};
	uint8_t image[LENGTH];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect_load_fails((const uint8_t *)cases[i].bytes, cases[i].length,
		                  "image.not-an-object", cases[i].words);
	sound_image(image);
	memcpy(image + PE, "NE", 2);
	expect_load_fails(image, LENGTH, "image.not-an-object", "a program of another kind");
}

static void
single_numbers(void **state)
{
	static const struct {
		uint32_t at, bytes;
		uint64_t value;
		const char *id, *words;
	} cases[] = {
		{0x3c, 4, LENGTH - 23, "image.not-an-object", "PE header inside the file"},
		{0x3c, 4, UINT32_MAX, "image.not-an-object", "PE header inside the file"},
		{PE + 4, 2, 0x1c0, "image.not-an-object", "found machine 0x1c0"},
		{PE + 6, 2, 0xffff, "image.not-an-object", "65535 section headers"},
		{PE + 20, 2, 0xffff, "image.not-an-object", "2 section headers"},
		{PE + 20, 2, 107, "image.not-an-object", "at least 108 bytes, found 107"},
		{PE + 20, 2, 0, "image.not-an-object", "at least 92 bytes, found 0"},
		{PE + 12, 4, SECTIONS, "image.bad-symtab", "after the headers"},
		{PE + 12, 4, UINT32_MAX, "image.bad-symtab", "symbol table of 8 rows"},
		{PE + 16, 4, 12, "image.bad-symtab", "symbol table of 12 rows"},
		{PE + 16, 4, UINT32_MAX, "image.bad-symtab", "inside the file, found its end"},
		{STRINGS, 4, 29, "image.bad-symtab", "names of 29 bytes"},
		{STRINGS, 4, UINT32_MAX, "image.bad-symtab", "names of 4294967295 bytes"},
		{STRINGS, 4, 3, "image.bad-symtab", "at least 4 bytes, found 3"},
		{SYMBOLS + 17, 1, 8, "image.bad-symtab", "7 auxiliary rows behind symbol row 0"},
		{SYMBOLS + 7 * 18 + 17, 1, 1, "image.bad-symtab", "0 auxiliary rows"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint8_t image[LENGTH];

		sound_image(image);
		put(image + cases[i].at, cases[i].value, cases[i].bytes);
		expect_load_fails(image, LENGTH, cases[i].id, cases[i].words);
	}
}

/* What leads nowhere, but is not needed to read the symbols. */
static void
tolerated(void **state)
{
	static const struct {
		uint32_t at, bytes;
		uint64_t value;
		const char *expected;
		uint32_t warnings;
	} cases[] = {
		{SECTIONS + 24, 4, UINT32_MAX, all, 0}, /* relocations */
		{SECTIONS + 28, 4, 0x100, all, 0},      /* line numbers */
		{SECTIONS + 32, 4, UINT32_MAX, all, 0}, /* their counts */
		{SECTIONS + 36, 4, 0x61501020, all, 0}, /* one of several, many relocations */
		{OPTIONAL + 108, 4, UINT32_MAX, all, 0},
		{OPTIONAL + 112 + 48, 8, UINT64_MAX, all, 0}, /* debug directory */
		{SYMBOLS + 4 * 18, 8, UINT64_MAX, all, 0},    /* auxiliary row of main */
		{SYMBOLS + 18, 8, 0, all, 0},                 /* name of the source file */
		{SYMBOLS + 2 * 18 + 12, 2, 2, all + sizeof "local=140001000/l", 0},
		{SYMBOLS + 2 * 18 + 12, 2, 77, all + sizeof "local=140001000/l", 0},
		{SYMBOLS + 6 * 18 + 4, 4, 28,
	         "local=140001000/l main=140001010/f long_function=140001020/f "
	         "<corrupt>=140001030/l",
	         1},
		{SYMBOLS + 6 * 18 + 4, 4, 3,
	         "local=140001000/l main=140001010/f long_function=140001020/f =140001030/l", 0},
		{STRINGS + 27, 1, 'x',
	         "local=140001000/l main=140001010/f long_function=140001020/f nested.12x=140001030/l",
	         0},
		{STRINGS, 4, 27, all, 0}, /* its last byte is cut off */
		{PE + 16, 4, 0, "", 0},
		{PE + 12, 4, 0, "", 0},
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
		forget(&host);
	}
}

static void
every_length(void **state)
{
	uint8_t image[LENGTH];

	(void)state;
	sound_image(image);
	for (size_t length = 0; length <= LENGTH; length++)
		try_image(image, length);
}

/* As an image, and as an object, whose header is that of the image. */
static void
random_damage(void **state)
{
	uint64_t seed = 4;

	(void)state;
	for (uint32_t i = 0; i < 20000; i++) {
		uint8_t image[LENGTH];
		uint32_t changes = 1 + next_number(&seed) % 6;

		sound_image(image);
		while (changes-- > 0) {
			uint32_t at = next_number(&seed) % LENGTH, how = next_number(&seed);

			/* Most of the bytes are code; the numbers matter. */
			if (at >= CODE && at < SYMBOLS)
				at = SYMBOLS + at % (LENGTH - SYMBOLS);
			damage_byte(&image[at], how);
		}
		try_image(image, LENGTH);
		memmove(image, image + PE + 4, 20);
		put(image + 16, 0, 2);
		memcpy(image + 20, image + SECTIONS, 80);
		try_image(image, LENGTH);
	}
}

/*
 * Small files that would keep libbfd busy for hours, or take terabytes: every section has a name
 * as long as the file, or every symbol is in the last of all sections.
 */
static void
costly(void **state)
{
	enum {
		MANY = 60000,
		NAME = 1 << 20,
		HEADERS = SECTIONS + MANY * 40,
		TABLE = HEADERS + MANY * 18,
		ALL = TABLE + 4 + NAME
	};
	uint8_t small[LENGTH], *image = test_calloc(1, ALL);
	struct test_host host;

	(void)state;
	sound_image(small);
	memcpy(image, small, SECTIONS);
	put(image + PE + 6, MANY, 2);
	put(image + PE + 12, HEADERS, 4);
	put(image + PE + 16, MANY, 4);
	for (uint32_t i = 0; i < MANY; i++) {
		memcpy(image + SECTIONS + 40 * i, small + SECTIONS, 40);
		memcpy(image + SECTIONS + 40 * i, i == 0 ? ".text" : "/4\0\0\0", 5);
		memcpy(image + HEADERS + 18 * i, small + SYMBOLS + 18 * 2, 18);
	}
	put(image + TABLE, 4 + NAME, 4);
	memset(image + TABLE + 4, 'x', NAME);
	assert_int_equal(load_bytes(&host, image, ALL), GPROFX_OK);
	assert_int_equal(host.symtab.count, MANY);
	assert_int_equal(host.symtab.code_count, MANY);
	assert_true(host.allocated < 4 * ALL);
	forget(&host);

	for (uint32_t i = 0; i < MANY; i++)
		put(image + HEADERS + 18 * i + 12, MANY, 2);
	expect_load_fails(image, ALL, "image.bad-symtab", "60000 symbols in 60000 sections");
	test_free(image);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_image),  cmocka_unit_test(other_files),
		cmocka_unit_test(single_numbers), cmocka_unit_test(tolerated),
		cmocka_unit_test(every_length),   cmocka_unit_test(random_damage),
		cmocka_unit_test(costly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
