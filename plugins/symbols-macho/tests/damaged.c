/* SPDX-License-Identifier: Apache-2.0 */
/* What symbols-macho says about files that are damaged or no images at all. */
#include "code.c"
#include "debug.c"
#include "fat.c"
#include "image.c"
#include "libraries.c"
#include "marks.c"
#include "starts.c"
#include "symtab.c"

/* Behind those that it is made of. */
#include "symbols-macho.c"

#include "damaged-image.h"

enum {
	X86_64 = 0x1000007,
	ROOM = 4096,
	TEXT_AT = 0x400,
	TEXT_BYTES = 0x60,
	STUBS_BYTES = 12,
	BASE = 0x1000
};

/* An image as it is written, and where its commands are. */
struct made {
	uint8_t bytes[ROOM];
	uint32_t length;
	uint32_t text, data, symtab, dysymtab, uuid, starts, data_in_code, library, path;
	uint32_t rows, strings;
};

static void
put(struct made *made, uint32_t at, uint64_t value, uint32_t bytes)
{
	assert_true(at + bytes <= ROOM);
	for (uint32_t i = 0; i < bytes; i++)
		made->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

/* Appends words of 4 bytes. */
static void
words(struct made *made, uint32_t count, ...)
{
	va_list list;

	va_start(list, count);
	for (uint32_t i = 0; i < count; i++, made->length += 4)
		put(made, made->length, va_arg(list, uint32_t), 4);
	va_end(list);
}

static void
text(struct made *made, const char *characters, uint32_t room)
{
	assert_true(strlen(characters) <= room);
	memcpy(made->bytes + made->length, characters, strlen(characters));
	made->length += room;
}

static uint32_t
begin_segment(struct made *made, const char *name, uint32_t address, uint32_t sections)
{
	uint32_t at = made->length;

	words(made, 2, 25u, 72 + 80 * sections);
	text(made, name, 16);
	words(made, 12, address, 0u, 0x1000u, 0u, 0u, 0u, 0x1000u, 0u, 7u, 5u, sections, 0u);
	return at;
}

static void
section(struct made *made, const char *name, const char *segment, uint32_t address, uint32_t bytes,
        uint32_t offset, uint32_t flags, uint32_t indirect)
{
	text(made, name, 16);
	text(made, segment, 16);
	words(made, 12, address, 0u, bytes, 0u, offset, 4u, 0u, 0u, flags, indirect, 6u, 0u);
}

static void
symbol(struct made *made, uint32_t name, uint32_t type, uint32_t number, uint32_t properties,
       uint32_t value)
{
	words(made, 4, name, type | number << 8 | properties << 16, value, 0u);
}

static void
commands(struct made *made)
{
	made->text = begin_segment(made, "__TEXT", BASE, 2);
	section(made, "__text", "__TEXT", BASE + TEXT_AT, TEXT_BYTES, TEXT_AT, 0x80000400u, 0);
	section(made, "__stubs", "__TEXT", BASE + TEXT_AT + TEXT_BYTES, STUBS_BYTES,
	        TEXT_AT + TEXT_BYTES, 0x80000408u, 0);
	made->data = begin_segment(made, "__DATA", 2 * BASE, 2);
	section(made, "__got", "__DATA", 2 * BASE, 16, TEXT_AT, 6, 0);
	section(made, "__debug_str_offs", "__DWARF", 0, 16, TEXT_AT, 0x02000000u, 0);
	made->symtab = made->length;
	words(made, 6, 2u, 24u, 0u, 0u, 0u, 0u);
	made->dysymtab = made->length;
	words(made, 2, 11u, 80u);
	made->length += 72;
	made->uuid = made->length;
	words(made, 6, 27u, 24u, 1u, 2u, 3u, 4u);
	made->starts = made->length;
	words(made, 4, 38u, 16u, 0u, 0u);
	made->data_in_code = made->length;
	words(made, 4, 41u, 16u, 0u, 0u);
	made->library = made->length;
	words(made, 6, 12u, 40u, 24u, 0u, 0u, 0u);
	text(made, "@rpath/libx", 16);
	made->path = made->length;
	words(made, 3, 0x8000001cu, 32u, 12u);
	text(made, "@loader_path/../lib", 20);
}

/* Sets where the table of a command is, which begins here. */
static void
table(struct made *made, uint32_t member, uint32_t count)
{
	put(made, member, made->length, 4);
	put(made, member + 4, count, 4);
}

static void
sound_image(struct made *made)
{
	static const char names[] = "\0_main\0_local\0Lprivate\0_data\0_printf";

	memset(made, 0, sizeof *made);
	words(made, 8, 0xfeedfacfu, (uint32_t)X86_64, 3u, 2u, 9u, 0u, 0x80u, 0u);
	commands(made);
	put(made, 20, made->length - 32, 4);
	assert_true(made->length <= TEXT_AT);
	made->length = TEXT_AT + TEXT_BYTES + STUBS_BYTES + 4;
	table(made, made->symtab + 8, 6);
	made->rows = made->length;
	symbol(made, 1, 0x0f, 1, 0x80, BASE + TEXT_AT);
	symbol(made, 7, 0x0e, 1, 0, BASE + TEXT_AT + 0x20);
	symbol(made, 14, 0x0e, 1, 0, BASE + TEXT_AT + 0x28);
	symbol(made, 23, 0x0f, 3, 0, 2 * BASE);
	symbol(made, 29, 0x01, 0, 0x100, 0);
	symbol(made, 1, 0x24, 1, 0, BASE + TEXT_AT); /* debug information */
	table(made, made->dysymtab + 56, 2);
	words(made, 2, 4u, 0u);
	table(made, made->starts + 8, 8);
	/* At 0x400 and 0x420 of the header, and 0x440, which nothing names. */
	words(made, 2, 0x20200880u, 0u);
	table(made, made->data_in_code + 8, 8);
	words(made, 2, TEXT_AT + 0x10u, 4u | 1u << 16);
	made->strings = made->length;
	table(made, made->symtab + 16, sizeof names);
	memcpy(made->bytes + made->length, names, sizeof names);
	made->length += sizeof names;
}

static const char all[] = "_main=1400/f _local=1420/lf function_1440=1440/lfs";

static void
a_sound_image(void **state)
{
	struct made made;
	struct test_host host;
	const struct gprofx_symtab *symtab = &host.symtab;

	(void)state;
	sound_image(&made);
	assert_int_equal(load_wanting(&host, made.bytes, made.length, true), GPROFX_OK);
	assert_string_equal(listing(&host), all);
	assert_int_equal(host.warnings, 0);
	assert_true(symtab->has_text);
	assert_int_equal(symtab->text_start, BASE + TEXT_AT);
	assert_int_equal(symtab->text_end, BASE + TEXT_AT + TEXT_BYTES);
	assert_int_equal(symtab->target.pointer_bytes, 8);
	assert_int_equal(symtab->target.machine, EM_X86_64);
	assert_false(symtab->target.big_endian);
	assert_true(symtab->leading_underscore);
	assert_true(symtab->untyped_format);
	assert_int_equal(symtab->code_count, 2);
	assert_string_equal(symtab->code[0].name, ".text");
	assert_int_equal(symtab->code[0].address, BASE + TEXT_AT);
	assert_int_equal(symtab->code[0].bytes, TEXT_BYTES);
	assert_int_equal(symtab->code[0].file_offset, TEXT_AT);
	assert_string_equal(symtab->code[1].name, ".plt");
	assert_int_equal(symtab->build_id_bytes, 16);
	assert_int_equal(symtab->build_id[4], 2);
	assert_int_equal(symtab->mark_count, 2);
	assert_int_equal(symtab->marks[0].address, BASE + TEXT_AT + 0x10);
	assert_string_equal(symtab->marks[0].name, "$d");
	assert_int_equal(symtab->marks[1].address, BASE + TEXT_AT + 0x14);
	assert_string_equal(symtab->marks[1].name, "$x");
	assert_int_equal(symtab->library_count, 1);
	assert_string_equal(symtab->libraries[0], "libx");
	assert_string_equal(symtab->run_path, "$ORIGIN/../lib");
	assert_int_equal(symtab->slot_count, 2);
	assert_int_equal(symtab->slots[0].address, 2 * BASE);
	assert_string_equal(symtab->slots[0].name, "_printf");
	assert_string_equal(symtab->slots[0].library, "libx");
	assert_int_equal(symtab->slots[1].function, BASE + TEXT_AT);
	assert_true(symtab->has_source);
	assert_int_equal(symtab->debug_count, 1);
	assert_string_equal(symtab->debug[0].name, ".debug_str_offsets");
	assert_int_equal(symtab->debug[0].file_offset, TEXT_AT);
	forget(&host);
}

static void
single_numbers(void **state)
{
	struct made sound;
	const struct {
		uint32_t at, bytes;
		uint64_t value;
		const char *id, *words;
	} cases[] = {
		{12, 4, 4, "image.not-an-object", "found a core file"},
		{12, 4, 12, "image.not-an-object", "a collection of kernel extensions"},
		{16, 4, 10, "image.not-an-object", "expected 10 load commands, found 9"},
		{16, 4, UINT32_MAX, "image.not-an-object", "4294967295 load commands"},
		{20, 4, ROOM, "image.not-an-object", "load commands of 4096 bytes"},
		{20, 4, 100, "image.not-an-object", "found 0"},
		{36, 4, 7, "image.not-an-object", "found 0"},
		{36, 4, 71, "image.not-an-object", "expected a segment of at least 72 bytes"},
		{32 + 64, 4, 3, "image.not-an-object", "expected 3 sections"},
		{32 + 64, 4, UINT32_MAX, "image.not-an-object", "4294967295 sections"},
	};
	const struct {
		uint32_t member;
		uint64_t value;
		const char *words;
	} tables[] = {
		{8, ROOM, "a symbol table of 6 rows"},
		{12, UINT32_MAX, "a symbol table of 4294967295 rows"},
		{16, UINT32_MAX, "names of 37 bytes"},
		{20, ROOM, "names of 4096 bytes"},
	};

	(void)state;
	sound_image(&sound);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct made made = sound;

		put(&made, cases[i].at, cases[i].value, cases[i].bytes);
		expect_load_fails(made.bytes, made.length, cases[i].id, cases[i].words);
	}
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		struct made made = sound;

		put(&made, made.symtab + tables[i].member, tables[i].value, 4);
		expect_load_fails(made.bytes, made.length, "image.bad-symtab", tables[i].words);
	}
	expect_load_fails(sound.bytes, 27, "image.not-an-object", "header of 28 bytes");
	expect_load_fails(sound.bytes, 31, "image.not-an-object", "header of 32 bytes");
}

/* What is wrong and does not matter, or only to what it is about. */
static void
tolerated(void **state)
{
	struct made sound;
	struct {
		uint32_t at, bytes;
		uint64_t value;
		const char *expected;
		uint32_t warnings;
	} cases[16];
	uint32_t count = 0;

	(void)state;
	sound_image(&sound);
#define CASE(...) memcpy(&cases[count++], &(__typeof__(cases[0])){__VA_ARGS__}, sizeof cases[0])
	CASE(sound.starts + 8, 4, UINT32_MAX, "_main=1400/f _local=1420/lf", 0);
	CASE(sound.starts + 12, 4, 0, "_main=1400/f _local=1420/lf", 0);
	CASE(sound.data_in_code + 12, 4, UINT32_MAX, all, 0);
	CASE(sound.dysymtab + 60, 4, UINT32_MAX, all, 0);
	CASE(sound.rows + 16, 4, 1000, "_main=1400/f <corrupt>=1420/lf function_1440=1440/lfs", 1);
	CASE(sound.rows + 21, 1, 5, "_main=1400/f function_1420=1420/lfs function_1440=1440/lfs",
	     0);
	CASE(sound.rows + 24, 8, BASE + TEXT_AT + TEXT_BYTES,
	     "_main=1400/f function_1420=1420/lfs function_1440=1440/lfs", 0);
	CASE(sound.strings + 36, 1, 'x', all, 0);
	CASE(sound.path + 8, 4, 32, all, 0);
	CASE(sound.strings + 14, 1, 'l', all, 0);
	CASE(sound.strings + 14, 1, 'x',
	     "_main=1400/f _local=1420/lf xprivate=1428/lf function_1440=1440/lfs", 0);
	CASE(sound.symtab + 12, 4, 0,
	     "function_1400=1400/lfs function_1420=1420/lfs function_1440=1440/lfs", 0);
#undef CASE
	for (uint32_t i = 0; i < count; i++) {
		struct made made = sound;
		struct test_host host;

		put(&made, cases[i].at, cases[i].value, cases[i].bytes);
		assert_int_equal(load_wanting(&host, made.bytes, made.length, true), GPROFX_OK);
		assert_string_equal(listing(&host), cases[i].expected);
		assert_int_equal(host.warnings, cases[i].warnings);
		if (cases[i].warnings > 0)
			assert_string_equal(host.id, "image.bad-symbol-name");
		forget(&host);
	}
}

/* Code that cannot be read is not shown to scanners; names are known all the same. */
static void
encrypted(void **state)
{
	struct made made;
	struct test_host host;

	(void)state;
	sound_image(&made);
	put(&made, made.library, 44, 4);
	put(&made, made.library + 8, TEXT_AT + 0x20, 4);
	put(&made, made.library + 12, 0x20, 4);
	put(&made, made.library + 16, 1, 4);
	assert_int_equal(load_bytes(&host, made.bytes, made.length), GPROFX_OK);
	assert_int_equal(host.symtab.code_count, 1);
	assert_string_equal(host.symtab.code[0].name, ".plt");
	assert_int_equal(host.symtab.count, 2);
	assert_true(host.symtab.has_text);
	forget(&host);
	put(&made, made.library + 16, 0, 4);
	assert_int_equal(load_bytes(&host, made.bytes, made.length), GPROFX_OK);
	assert_int_equal(host.symtab.code_count, 2);
	forget(&host);
}

/* The section of code of a kernel extension is in another segment. */
static void
other_segment(void **state)
{
	struct made made;
	struct test_host host;

	(void)state;
	sound_image(&made);
	memcpy(made.bytes + made.text + 72 + 16, "__TEXT_EXEC", 11);
	assert_int_equal(load_bytes(&host, made.bytes, made.length), GPROFX_OK);
	assert_int_equal(host.symtab.text_start, BASE + TEXT_AT);
	forget(&host);
	/* Another section of this name does not count beside that in __TEXT. */
	memcpy(made.bytes + made.text + 72 + 80, "__text\0", 8);
	assert_int_equal(load_bytes(&host, made.bytes, made.length), GPROFX_OK);
	assert_int_equal(host.symtab.text_start, BASE + TEXT_AT + TEXT_BYTES);
	forget(&host);
}

static void
put_big(struct made *made, uint32_t at, uint32_t value)
{
	for (uint32_t i = 0; i < 4; i++)
		made->bytes[at + i] = (uint8_t)(value >> 8 * (3 - i));
}

enum { FIRST_PART = 0x40 };

/* A file of parts, each of which is the image; processors are as Mach-O numbers them. */
static void
fat_image(struct made *fat, const struct made *part, uint32_t count, const uint32_t *numbers)
{
	memset(fat, 0, sizeof *fat);
	put_big(fat, 0, 0xcafebabe);
	put_big(fat, 4, count);
	for (uint32_t i = 0; i < count; i++) {
		put_big(fat, 8 + 20 * i, numbers[i]);
		put_big(fat, 16 + 20 * i, FIRST_PART);
		put_big(fat, 20 + 20 * i, part->length);
	}
	memcpy(fat->bytes + FIRST_PART, part->bytes, part->length);
	fat->length = FIRST_PART + part->length;
}

/* Neither is this machine's: the first one is read. */
static const uint32_t two_processors[] = {18, 12};

static void
several_processors(void **state)
{
	const struct options ppc64 = {12}, armv7 = {5};
	struct made part, fat;
	struct test_host host;

	(void)state;
	sound_image(&part);
	fat_image(&fat, &part, 2, two_processors);
	assert_int_equal(load_bytes(&host, fat.bytes, fat.length), GPROFX_OK);
	assert_string_equal(listing(&host), all);
	assert_int_equal(host.warnings, 1);
	assert_string_equal(host.id, "macho.several-processors");
	assert_non_null(strstr(host.words, "that for ppc is read, not those for arm"));
	assert_int_equal(host.symtab.code[0].file_offset, FIRST_PART + TEXT_AT);
	assert_int_equal(host.symtab.debug[0].file_offset, FIRST_PART + TEXT_AT);
	forget(&host);
	assert_int_equal(load_with(&host, fat.bytes, fat.length, false, &armv7), GPROFX_OK);
	assert_int_equal(host.warnings, 0);
	forget(&host);
	assert_int_equal(load_with(&host, fat.bytes, fat.length, false, &ppc64), GPROFX_FAILED);
	assert_string_equal(host.id, "image.not-an-object");
	assert_string_equal(host.words, "expected an image for ppc64, found only ppc, armv6");
	forget(&host);
	put_big(&fat, 16, ROOM);
	assert_int_equal(load_bytes(&host, fat.bytes, fat.length), GPROFX_OK);
	assert_int_equal(host.warnings, 0);
	forget(&host);
	put_big(&fat, 4, 42);
	expect_load_fails(fat.bytes, 800, "image.not-an-object", "a list of 42 images");
	fat_image(&fat, &fat, 1, two_processors);
	put_big(&fat, FIRST_PART, 0xcafebabf);
	put_big(&fat, FIRST_PART + 4, 1);
	put_big(&fat, 20, 100);
	fat.length = 200;
	expect_load_fails(fat.bytes, fat.length, "image.not-an-object", "found further lists");
	put_big(&fat, FIRST_PART, 0x213c6172);
	expect_load_fails(fat.bytes, fat.length, "image.not-an-object", "none that can be read");
}

/* Every number is within bounds that the file's size sets, whatever the file says. */
static void
try_it(const uint8_t *bytes, size_t length)
{
	struct test_host host;
	enum gprofx_result result = load_wanting(&host, bytes, length, true);
	const struct gprofx_symtab *symtab = &host.symtab;
	size_t library_bytes = 0;

	if (result == GPROFX_DECLINED) {
		forget(&host);
		return;
	}
	assert_int_equal(host.errors, result == GPROFX_FAILED);
	assert_true(host.allocated < 32 * length + 4096);
	check_bounds(&host, length);
	for (uint32_t i = 0; i < symtab->library_count; i++)
		library_bytes += strlen(symtab->libraries[i]);
	assert_true(library_bytes <= length);
	for (uint32_t i = 0; i < symtab->slot_count; i++)
		assert_true(strlen(symtab->slots[i].name) <= length);
	forget(&host);
}

static void
every_length(void **state)
{
	struct made part, fat;

	(void)state;
	sound_image(&part);
	fat_image(&fat, &part, 2, two_processors);
	for (uint32_t length = 0; length <= part.length; length++)
		try_it(part.bytes, length);
	for (uint32_t length = 0; length <= fat.length; length++)
		try_it(fat.bytes, length);
}

static void
random_damage(void **state)
{
	struct made sound, fat;
	uint64_t seed = 7;

	(void)state;
	sound_image(&sound);
	for (uint32_t i = 0; i < 20000; i++) {
		struct made made = sound;
		uint32_t changes = 1 + next_number(&seed) % 6;

		while (changes-- > 0) {
			uint32_t at = next_number(&seed) % made.length, how = next_number(&seed);

			/* Code is not looked at. */
			if (at >= TEXT_AT && at < sound.rows)
				at = sound.rows + at % (made.length - sound.rows);
			damage_byte(&made.bytes[at], how);
		}
		try_it(made.bytes, made.length);
		fat_image(&fat, &made, 2, two_processors);
		put(&fat, next_number(&seed) % FIRST_PART, next_number(&seed), 1);
		try_it(fat.bytes, fat.length);
	}
}

/* Files that are all commands, where each is about all the rest. */
static void
costly(void **state)
{
	enum { ALL = 1 << 20, COMMANDS = (ALL - 32) / 16 };
	uint8_t *bytes = test_calloc(1, ALL);
	struct made made = {.length = 0};
	uint32_t sections = (ALL / 2 - 32 - 72) / 80;
	struct test_host host;

	(void)state;
	words(&made, 8, 0xfeedfacfu, (uint32_t)X86_64, 3u, 2u, (uint32_t)COMMANDS, 16u * COMMANDS,
	      0x80u, 0u);
	memcpy(bytes, made.bytes, 32);
	made.length = 0;
	words(&made, 3, 0x8000001cu, 16u, 12u);
	text(&made, "/ab", 4);
	for (uint32_t i = 0; i < COMMANDS; i++)
		memcpy(bytes + 32 + 16 * (size_t)i, made.bytes, 16);
	assert_int_equal(load_bytes(&host, bytes, ALL), GPROFX_OK);
	assert_int_equal(strlen(host.symtab.run_path), 4 * COMMANDS - 1);
	forget(&host);

	/* All sections have all pointers, which are those of all symbols. */
	memset(&made, 0, sizeof made);
	words(&made, 8, 0xfeedfacfu, (uint32_t)X86_64, 3u, 2u, 3u, 72 + 80 * sections + 24 + 80,
	      0x80u, 0u);
	begin_segment(&made, "__DATA", BASE, sections);
	memcpy(bytes, made.bytes, made.length);
	made.length = 0;
	section(&made, "__got", "__DATA", BASE, ALL, ALL / 2, 6, 0);
	for (uint32_t i = 0; i < sections; i++)
		memcpy(bytes + 32 + 72 + 80 * (size_t)i, made.bytes, 80);
	memset(&made, 0, sizeof made);
	words(&made, 6, 2u, 24u, (uint32_t)ALL / 2 + 128, 10u, (uint32_t)ALL / 2 + 128, 1000u);
	words(&made, 2, 11u, 80u);
	put(&made, 24 + 56, ALL / 2 + 400, 4);
	put(&made, 24 + 60, (ALL / 2 - 400) / 4, 4);
	memcpy(bytes + 32 + 72 + 80 * (size_t)sections, made.bytes, 24 + 80);
	memset(bytes + ALL / 2 + 200, 0, ALL / 2 - 200);
	assert_int_equal(load_wanting(&host, bytes, ALL, true), GPROFX_OK);
	assert_true(host.symtab.slot_count <= (ALL / 2 - 400) / 4);
	assert_true(host.allocated < 32 * (size_t)ALL);
	forget(&host);
	test_free(bytes);
}

/* Big-endian, 32 bits: Thumb, which symbols know, and where data ends. */
static void
other_modes(void **state)
{
	struct made made = {.length = 0};
	struct test_host host;
	const struct gprofx_symtab *symtab = &host.symtab;
	static const uint32_t all_words[] = {0xfeedface, 12, 9, 1, 3, 56 + 68 + 24 + 16, 0,
	                                     /* A segment with one section, of code. */
	                                     1, 56 + 68, 0, 0, 0, 0, 0, 0x100, 0x200, 0x20, 7, 7, 1,
	                                     0, 0x5f5f7465, 0x78740000, 0, 0, 0x5f5f5445,
	                                     0x58540000, 0, 0, 0, 0x20, 0x100, 2, 0, 0, 0x80000400,
	                                     0, 0, 2, 24, 0x120, 2, 0x138, 8, 41, 16, 0x140, 16};
	static const uint32_t tables[] = {1,          0x0f010000, 0,          4,
	                                  0x0f010008, 0x11,       0x005f6100, 0x5f620000,
	                                  0x4,        0x00040001, 0x14,       0x00040001};

	(void)state;
	for (size_t i = 0; i < sizeof all_words / sizeof all_words[0]; i++)
		put_big(&made, (uint32_t)(4 * i), all_words[i]);
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
		put_big(&made, (uint32_t)(0x120 + 4 * i), tables[i]);
	memcpy(made.bytes + 0x138, "\0_a\0_b\0", 8);
	assert_int_equal(load_bytes(&host, made.bytes, 0x150), GPROFX_OK);
	assert_string_equal(listing(&host), "_a=0/f _b=10/f");
	assert_true(symtab->target.big_endian);
	assert_int_equal(symtab->target.machine, EM_ARM);
	assert_int_equal(symtab->mark_count, 6);
	assert_string_equal(symtab->marks[0].name, "$a");
	assert_string_equal(symtab->marks[1].name, "$t");
	assert_int_equal(symtab->marks[1].address, 0x10);
	assert_string_equal(symtab->marks[3].name, "$a");
	assert_int_equal(symtab->marks[5].address, 0x18);
	assert_string_equal(symtab->marks[5].name, "$t");
	forget(&host);
}

static void
other_files(void **state)
{
	static const char java[] = "\xca\xfe\xba\xbe\0\0\0\x34\0\x10";
	struct test_host host;

	(void)state;
	assert_int_equal(load_bytes(&host, (const uint8_t *)"", 0), GPROFX_DECLINED);
	forget(&host);
	assert_int_equal(load_bytes(&host, (const uint8_t *)java, sizeof java), GPROFX_DECLINED);
	forget(&host);
	assert_int_equal(macho_probe((const uint8_t *)"\xca\xfe\xba\xbe\0\0\0\x02", 8), 100);
}

/* The same with a real file: cut short at each 64th byte, and damaged this many times. */
static void
damage_file(const char *path, uint64_t seed, uint32_t count)
{
	enum { STEP = 64, HEADERS = 3000 };
	uint64_t length;
	uint8_t *sound = read_file(path, &length), *bytes;

	assert_non_null(sound);
	bytes = test_malloc(length);
	for (uint64_t cut = 0; cut < length; cut += STEP)
		try_it(sound, cut);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t changes = 1 + next_number(&seed) % 6;

		memcpy(bytes, sound, length);
		/* Half of the damage is where the load commands are. */
		while (changes-- > 0) {
			uint32_t how = next_number(&seed);
			uint64_t most = (how & 1) != 0 && length > HEADERS ? HEADERS : length;
			uint64_t at = next_number(&seed) % most;

			bytes[at] = (uint8_t)((how & 2) != 0 ? how >> 8
			                                     : bytes[at] ^ 1u << (how >> 2) % 8);
		}
		try_it(bytes, length);
	}
	test_free(bytes);
	free(sound);
}

/* Without arguments all tests; or SEED COUNT FILE. */
int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_image), cmocka_unit_test(single_numbers),
		cmocka_unit_test(tolerated),     cmocka_unit_test(several_processors),
		cmocka_unit_test(every_length),  cmocka_unit_test(random_damage),
		cmocka_unit_test(costly),        cmocka_unit_test(other_modes),
		cmocka_unit_test(other_files),   cmocka_unit_test(encrypted),
		cmocka_unit_test(other_segment),
	};

	if (argc == 4) {
		damage_file(argv[3], strtoull(argv[1], NULL, 10),
		            (uint32_t)strtoul(argv[2], NULL, 10));
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
