/* SPDX-License-Identifier: Apache-2.0 */
/* What symbols-elf says about files that are damaged or no images at all. */
#include "image.h"

static const uint8_t code[64];

enum { TEXT = 1, SYMTAB, STRTAB, SHSTRTAB, SECTIONS };
/* Members of a section header, in the order of the file. */
enum member { NAME, TYPE, FLAGS, ADDRESS, OFFSET, SIZE, LINK, INFO, ALIGNMENT, ITEM_BYTES };

/* A sound 64-bit image with three functions: "a" local, "b" and "c" global. */
static void
sound_image(struct bytes *image)
{
	struct plan plan;

	plan_start(&plan, true, false, EM_X86_64);
	plan_section(&plan, &(struct plan_section){.name = ".text",
	                                           .type = SHT_PROGBITS,
	                                           .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                           .address = 0x1000,
	                                           .bytes = code,
	                                           .length = sizeof code});
	plan_symbol(&plan, "a", 0x1000, STB_LOCAL, STT_FUNC, TEXT);
	plan_symbol(&plan, "b", 0x1010, STB_GLOBAL, STT_FUNC, TEXT);
	plan_symbol(&plan, "c", 0x1020, STB_GLOBAL, STT_FUNC, TEXT);
	plan_tables(&plan);
	write_image(&plan, image);
}

static uint8_t *
member_at(struct bytes *image, uint32_t section, enum member member)
{
	static const uint8_t at[] = {0, 4, 8, 16, 24, 32, 40, 44, 48, 56};

	return image->data + image->section_headers + section * sizeof(Elf64_Shdr) + at[member];
}

static void
set_member(struct bytes *image, uint32_t section, enum member member, uint64_t value)
{
	bool is_word = member == NAME || member == TYPE || member == LINK || member == INFO;

	put(member_at(image, section, member), value, is_word ? 4 : 8, false);
}

static uint64_t
get_member(struct bytes *image, uint32_t section, enum member member)
{
	return gprofx_number_at(member_at(image, section, member), 8, false);
}

static void
expect_failure(const struct bytes *image, const char *id, const char *words)
{
	expect_load_fails(image->data, image->length, id, words);
}

static void
expect_listing(const struct bytes *image, const char *symbols_expected, uint32_t warnings)
{
	struct test_host host;

	assert_int_equal(load_bytes(&host, image->data, image->length), GPROFX_OK);
	assert_string_equal(listing(&host), symbols_expected);
	assert_int_equal(host.errors, 0);
	assert_int_equal(host.warnings, warnings);
	forget(&host);
}

static void
other_files(void **state)
{
	static const struct {
		const char *bytes, *words;
	} cases[] = {
		{"", "an empty file"},
		{"!<arch>\n/   ", "an archive"},
		{"#!/bin/sh\n", "a script"},
		{"gmon\1", "a profile"},
		{"MZ\x90", "other data"},
		{"\x7f"
	         "EL",
	         "other data"},
		{"\x7f"
	         "ELF",
	         "the end of the file"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes image = {.length = strlen(cases[i].bytes)};

		memcpy(image.data, cases[i].bytes, image.length);
		expect_failure(&image, "image.not-an-object", cases[i].words);
	}
}

static void
file_header(void **state)
{
	static const struct {
		uint32_t at, bytes;
		uint64_t value;
		const char *words;
	} cases[] = {
		{EI_CLASS, 1, 0, "expected ELF class 1 or 2, found 0"},
		{EI_CLASS, 1, 3, "found 3"},
		{EI_DATA, 1, 0, "expected ELF byte order 1 or 2, found 0"},
		{EI_VERSION, 1, 2, "expected ELF version 1, found 2"},
		{offsetof(Elf64_Ehdr, e_type), 2, ET_CORE, "a core file"},
		{offsetof(Elf64_Ehdr, e_phnum), 2, 5000, "expected 5000 program headers"},
		{offsetof(Elf64_Ehdr, e_shoff), 8, 0, "found them at offset 0"},
		{offsetof(Elf64_Ehdr, e_shoff), 8, 10, "found them at offset 10"},
		{offsetof(Elf64_Ehdr, e_shoff), 8, UINT64_MAX, "beyond its end"},
		{offsetof(Elf64_Ehdr, e_shoff), 8, UINT64_MAX - 63, "beyond its end"},
		{offsetof(Elf64_Ehdr, e_shnum), 2, SECTIONS + 1, "expected 6 section headers"},
		{offsetof(Elf64_Ehdr, e_shnum), 2, 0xffff, "beyond its end"},
		{offsetof(Elf64_Ehdr, e_shnum), 2, 0, "expected 0 section headers"},
		{offsetof(Elf64_Ehdr, e_shentsize), 2, 40, "of 64 bytes, found 40 bytes"},
		{offsetof(Elf64_Ehdr, e_shstrndx), 2, STRTAB, "name of section"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes image;

		sound_image(&image);
		put(image.data + cases[i].at, cases[i].value, cases[i].bytes, false);
		expect_failure(&image, "image.not-an-object", cases[i].words);
	}
}

static void
section_headers(void **state)
{
	static const struct {
		uint32_t section;
		enum member member;
		uint64_t value;
		const char *id, *words;
	} cases[] = {
		{TEXT, NAME, 5000, "image.not-an-object", "name of section 1"},
		{TEXT, LINK, SECTIONS, "image.not-an-object", "link to section 5"},
		{TEXT, LINK, 0xfffffff, "image.not-an-object", "link to section"},
		{SHSTRTAB, SIZE, 3, "image.not-an-object", "expected a NUL"},
		{SHSTRTAB, SIZE, 0, "image.not-an-object", "section names"},
		{SHSTRTAB, OFFSET, MOST_BYTES, "image.not-an-object", "section names"},
		{SHSTRTAB, OFFSET, UINT64_MAX, "image.not-an-object", "section names"},
		{SYMTAB, ITEM_BYTES, 0, "image.not-an-object", "of 24 bytes"},
		{SYMTAB, ITEM_BYTES, 23, "image.not-an-object", "found 23 bytes"},
		{SYMTAB, SIZE, 23, "image.not-an-object", "among 0 symbols"},
		{SYMTAB, INFO, 5, "image.not-an-object", "among 4 symbols, found it at 5"},
		{SYMTAB, SIZE, MOST_BYTES, "image.bad-symtab", "symbol table"},
		{SYMTAB, SIZE, UINT64_MAX, "image.bad-symtab", "symbol table"},
		{SYMTAB, OFFSET, UINT64_MAX - 95, "image.bad-symtab", "symbol table"},
		{SYMTAB, OFFSET, UINT64_C(1) << 63, "image.bad-symtab", "symbol table"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes image;

		sound_image(&image);
		set_member(&image, cases[i].section, cases[i].member, cases[i].value);
		expect_failure(&image, cases[i].id, cases[i].words);
	}
}

/* Harmless oddities: gprof reads such images, so they must not be refused. */
static void
tolerated(void **state)
{
	static const char all[] = "a=1000/lf b=1010/f c=1020/f";
	static const struct {
		uint32_t section;
		enum member member;
		uint64_t value;
		const char *expected;
	} cases[] = {
		{0, NAME, 5000, all},
		{0, LINK, 5000, all},
		{TEXT, SIZE, UINT64_MAX, all},
		{TEXT, OFFSET, UINT64_MAX, all},
		{TEXT, LINK, 0xff00, all},
		{TEXT, INFO, 5000, all},
		{SYMTAB, SIZE, 95, "a=1000/lf b=1010/f"},
		{SYMTAB, SIZE, 0, ""},
		{SYMTAB, TYPE, SHT_PROGBITS, ""},
		{STRTAB, TYPE, 0x70000001, all},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes image;

		sound_image(&image);
		set_member(&image, cases[i].section, cases[i].member, cases[i].value);
		expect_listing(&image, cases[i].expected, 0);
	}
}

/* Whatever .text claims, ranges of code stay inside the file. */
static void
code_stays_in_the_file(void **state)
{
	struct test_host host;
	struct bytes image;
	uint64_t offset;

	(void)state;
	sound_image(&image);
	offset = get_member(&image, TEXT, OFFSET);
	set_member(&image, TEXT, SIZE, UINT64_MAX);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_int_equal(host.symtab.code_count, 1);
	assert_int_equal(host.symtab.code[0].bytes, image.length - offset);
	forget(&host);
	set_member(&image, TEXT, OFFSET, image.length);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_int_equal(host.symtab.code_count, 0);
	forget(&host);
}

static void
no_text(void **state)
{
	struct test_host host;
	struct bytes image;

	(void)state;
	/* A name like any other, as in images for some boards. */
	sound_image(&image);
	set_member(&image, TEXT, NAME, 0);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_true(host.symtab.has_text);
	assert_int_equal(host.symtab.text_start, host.symtab.code[0].address);
	assert_true(host.symtab.count > 0);
	forget(&host);

	sound_image(&image);
	set_member(&image, TEXT, NAME, 0);
	set_member(&image, TEXT, FLAGS, SHF_ALLOC);
	/* Distinguished from a broken symbol table by the host, which looks for .text first. */
	set_member(&image, SYMTAB, OFFSET, MOST_BYTES);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_false(host.symtab.has_text);
	assert_int_equal(host.symtab.count, 0);
	forget(&host);

	/* No section headers at all. */
	sound_image(&image);
	put(image.data + offsetof(Elf64_Ehdr, e_shoff), 0, 8, false);
	put(image.data + offsetof(Elf64_Ehdr, e_shnum), 0, 2, false);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_false(host.symtab.has_text);
	assert_int_equal(host.symtab.target.pointer_bytes, 8);
	forget(&host);
}

static void
names_of_symbols(void **state)
{
	struct bytes image;
	uint64_t symbols_at, strings_at;

	(void)state;
	/* "c" beyond the table. */
	sound_image(&image);
	symbols_at = get_member(&image, SYMTAB, OFFSET);
	put(image.data + symbols_at + 3 * sizeof(Elf64_Sym), 7, 4, false);
	expect_listing(&image, "a=1000/lf b=1010/f (null)=1020/f", 1);
	put(image.data + symbols_at + 3 * sizeof(Elf64_Sym), UINT32_MAX, 4, false);
	expect_listing(&image, "a=1000/lf b=1010/f (null)=1020/f", 1);

	/* A table that ends without a NUL: bytes 0 a 0 b 0 c 0. */
	sound_image(&image);
	strings_at = get_member(&image, STRTAB, OFFSET);
	image.data[strings_at + 6] = 'X';
	expect_listing(&image, "a=1000/lf b=1010/f cX=1020/f", 0);

	/* No table. */
	sound_image(&image);
	set_member(&image, SYMTAB, LINK, TEXT);
	expect_listing(&image, "(null)=1000/lf (null)=1010/f (null)=1020/f", 1);
	set_member(&image, SYMTAB, LINK, 0xff00);
	expect_listing(&image, "(null)=1000/lf (null)=1010/f (null)=1020/f", 1);
	sound_image(&image);
	set_member(&image, STRTAB, SIZE, MOST_BYTES);
	expect_listing(&image, "(null)=1000/lf (null)=1010/f (null)=1020/f", 1);
}

static void
missing_section_numbers(void **state)
{
	struct test_host host;
	struct bytes image;
	uint64_t row;

	(void)state;
	sound_image(&image);
	row = get_member(&image, SYMTAB, OFFSET) + 2 * sizeof(Elf64_Sym);
	put(image.data + row + offsetof(Elf64_Sym, st_shndx), SHN_XINDEX, 2, false);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_FAILED);
	assert_string_equal(host.id, "image.bad-symtab");
	assert_string_equal(host.library_words, "no error");
	assert_int_equal(host.offset, row);
	forget(&host);
}

/* Only as many section numbers are read as there are symbols; those must lie in the file. */
static void
section_numbers_beyond_the_file(void **state)
{
	const uint8_t numbers[8] = {0, 0, 0, 0, 1, 0, 0, 0};
	struct plan plan;
	struct bytes image;
	uint16_t table;

	(void)state;
	plan_start(&plan, true, false, EM_X86_64);
	plan_section(&plan, &(struct plan_section){.name = ".text",
	                                           .type = SHT_PROGBITS,
	                                           .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                           .address = 0x1000,
	                                           .bytes = code,
	                                           .length = sizeof code});
	plan_symbol(&plan, "far", 0x1000, STB_GLOBAL, STT_FUNC, SHN_XINDEX);
	table = plan_tables(&plan);
	plan_section(&plan, &(struct plan_section){.name = ".symtab_shndx",
	                                           .type = SHT_SYMTAB_SHNDX,
	                                           .link = table,
	                                           .bytes = numbers,
	                                           .length = sizeof numbers});
	write_image(&plan, &image);
	set_member(&image, (uint32_t)table + 2, SIZE, UINT64_MAX);
	expect_listing(&image, "far=1000/f", 0);
	set_member(&image, (uint32_t)table + 2, OFFSET, image.length - 7);
	expect_failure(&image, "image.bad-symtab", "section numbers");
}

/* Names that are all ends of one long name must not cost the square of the file's size. */
static void
descriptors_with_overlapping_names(void **state)
{
	enum { NAMES = 30 };
	char long_name[800];
	uint8_t opd[NAMES * 8] = {0};
	struct plan plan;
	struct bytes image;

	(void)state;
	memset(long_name, 'x', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	plan_start(&plan, true, true, EM_PPC64);
	plan_section(&plan, &(struct plan_section){.name = ".text",
	                                           .type = SHT_PROGBITS,
	                                           .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                           .bytes = code,
	                                           .length = sizeof code});
	plan_section(&plan, &(struct plan_section){.name = ".opd",
	                                           .type = SHT_PROGBITS,
	                                           .address = 0x20000,
	                                           .bytes = opd,
	                                           .length = sizeof opd});
	plan_symbol(&plan, long_name, 0x20000, STB_GLOBAL, STT_FUNC, 2);
	for (uint64_t i = 1; i < NAMES; i++) {
		plan_symbol(&plan, "", 0x20000 + 8 * i, STB_GLOBAL, STT_FUNC, 2);
		put(plan.symbols + (i + 1) * sizeof(Elf64_Sym), i, 4, true);
	}
	plan_tables(&plan);
	write_image(&plan, &image);
	assert_true(image.length < NAMES * 700);
	expect_failure(&image, "image.bad-symtab", "names of functions");
}

/* The host asks for source positions only if there may be some; a broken note promises none. */
static void
broken_build_id(void **state)
{
	static const uint8_t note_bytes[] = {4, 0, 0, 0,   20,  0,   0, 0, 3,
	                                     0, 0, 0, 'G', 'N', 'U', 0, 1, 2};
	static const uint64_t offsets[] = {0, MOST_BYTES, UINT64_MAX, UINT64_C(1) << 63};
	struct test_host host;
	struct plan plan;
	struct bytes image;

	(void)state;
	plan_start(&plan, true, false, EM_X86_64);
	plan_section(&plan, &(struct plan_section){.name = ".note.gnu.build-id",
	                                           .type = SHT_NOTE,
	                                           .bytes = note_bytes,
	                                           .length = sizeof note_bytes});
	write_image(&plan, &image);
	for (size_t i = 0; i <= sizeof offsets / sizeof offsets[0]; i++) {
		if (i > 0)
			set_member(&image, 1, OFFSET, offsets[i - 1]);
		assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
		assert_false(host.symtab.has_source);
		forget(&host);
	}
}

/* Accepted or refused with one diagnostic; memory in proportion to the file. */
static void
survives(const uint8_t *bytes, size_t length)
{
	struct test_host host;
	enum gprofx_result result = load_bytes(&host, bytes, length);

	assert_true(result == GPROFX_OK || result == GPROFX_FAILED);
	assert_int_equal(host.errors, result == GPROFX_FAILED);
	assert_true(host.allocated <= 32 * length + 64);
	if (result == GPROFX_OK)
		listing(&host);
	for (uint32_t i = 0; i < host.symtab.code_count; i++) {
		assert_true(host.symtab.code[i].file_offset <= length);
		assert_true(host.symtab.code[i].bytes <= length - host.symtab.code[i].file_offset);
	}
	forget(&host);
}

static void
every_truncation(void **state)
{
	struct bytes image;

	(void)state;
	sound_image(&image);
	for (size_t length = 0; length <= image.length; length++)
		survives(image.data, length);
}

/* Each byte of the headers and of the symbol table, with the values most likely to hurt. */
static void
every_byte(void **state)
{
	static const uint8_t values[] = {0, 1, 2, 4, 7, 8, 0x0b, 0x12, 0x7f, 0x80, 0xff};
	struct bytes image;

	(void)state;
	sound_image(&image);
	for (size_t at = 0; at < image.length; at++) {
		uint8_t old = image.data[at];

		for (size_t i = 0; i < sizeof values; i++) {
			image.data[at] = values[i];
			survives(image.data, image.length);
		}
		image.data[at] = old;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_files),
		cmocka_unit_test(file_header),
		cmocka_unit_test(section_headers),
		cmocka_unit_test(tolerated),
		cmocka_unit_test(code_stays_in_the_file),
		cmocka_unit_test(no_text),
		cmocka_unit_test(names_of_symbols),
		cmocka_unit_test(missing_section_numbers),
		cmocka_unit_test(section_numbers_beyond_the_file),
		cmocka_unit_test(descriptors_with_overlapping_names),
		cmocka_unit_test(broken_build_id),
		cmocka_unit_test(every_truncation),
		cmocka_unit_test(every_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
