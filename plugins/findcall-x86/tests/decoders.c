/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Zydis and capstone agree about the length of every instruction of a whole program: of gcc's own
 * compiler, some 20 MB of code.  The same bytes taken for i386 code are what no compiler writes.
 */
#include "../shared/decoder.h"

#include "testrun.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* In so many instructions one may be that only one of them knows. */
enum { RARITY = 20000 };

struct file {
	uint8_t *bytes;
	size_t length;
};

struct tally {
	uint64_t both, one, other_length;
};

/* The program's file; no bytes: there is none. */
static struct file
read_compiler(void)
{
	FILE *answer = popen("gcc -print-prog-name=cc1 2>/dev/null", "r"), *stream;
	struct file file = {NULL, 0};
	char path[4096] = "";

	assert_non_null(answer);
	if (!fgets(path, sizeof path, answer))
		path[0] = '\0';
	(void)pclose(answer);
	path[strcspn(path, "\n")] = '\0';
	stream = path[0] == '/' ? fopen(path, "rb") : NULL;
	if (!stream)
		return file;
	assert_int_equal(fseek(stream, 0, SEEK_END), 0);
	file.length = (size_t)ftell(stream);
	rewind(stream);
	file.bytes = malloc(file.length);
	assert_non_null(file.bytes);
	assert_int_equal(fread(file.bytes, 1, file.length, stream), file.length);
	(void)fclose(stream);
	return file;
}

/* Its code; no bytes: it is not of this machine. */
static struct file
code_of(struct file file)
{
	Elf64_Ehdr header;
	struct file code = {NULL, 0};

	if (file.length < sizeof header)
		return code;
	memcpy(&header, file.bytes, sizeof header);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_X86_64)
		return code;
	for (unsigned i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr section;

		assert_true(header.e_shoff + (i + 1) * sizeof section <= file.length);
		memcpy(&section, file.bytes + header.e_shoff + i * sizeof section, sizeof section);
		if (section.sh_type != SHT_PROGBITS || !(section.sh_flags & SHF_EXECINSTR) ||
		    section.sh_size <= code.length)
			continue;
		assert_true(section.sh_offset <= file.length);
		assert_true(section.sh_size <= file.length - section.sh_offset);
		code.bytes = file.bytes + section.sh_offset;
		code.length = section.sh_size;
	}
	return code;
}

/* Instructions of no use, whose end is a matter of taste: 0f ff, with operands or without. */
static bool
is_undefined(const uint8_t *bytes, uint32_t length)
{
	for (uint32_t i = 0; i + 1 < length; i++)
		if (bytes[i] == 0x0f)
			return bytes[i + 1] == 0xff;
	return false;
}

static struct tally
compare(const struct decoder *zydis, const struct decoder *capstone, struct file code)
{
	struct tally tally = {0, 0, 0};

	for (size_t at = 0; at < code.length;) {
		const uint8_t *bytes = code.bytes + at;
		uint32_t one = zydis->length(zydis, bytes, code.length - at);
		uint32_t other = capstone->length(capstone, bytes, code.length - at);

		tally.both += one > 0 && other > 0;
		tally.one += (one > 0) != (other > 0);
		if (one > 0 && other > 0 && one != other && !is_undefined(bytes, one)) {
			print_message("at %zx: %u and %u\n", at, one, other);
			tally.other_length++;
		}
		at += one > other ? one : other > 0 ? other : 1;
	}
	return tally;
}

static void
decoders_agree(void **state)
{
	static const enum decoder_code codes[] = {DECODER_X86_64, DECODER_I386};
	struct file file = read_compiler(), code = code_of(file);

	(void)state;
	for (size_t i = 0; code.bytes && i < sizeof codes / sizeof codes[0]; i++) {
		struct decoder zydis = {.state = NULL}, capstone = {.state = NULL};
		struct tally tally;

		if (decoder_open_zydis(&zydis, codes[i]) &&
		    decoder_open_capstone(&capstone, codes[i])) {
			tally = compare(&zydis, &capstone, code);
			print_message("%llu instructions, of which one library alone knows %llu\n",
			              (unsigned long long)(tally.both + tally.one),
			              (unsigned long long)tally.one);
			assert_int_equal(tally.other_length, 0);
			assert_true(tally.both > code.length / 16);
			assert_true(tally.one <= tally.both / RARITY);
		} else {
			code.bytes = NULL;
		}
		decoder_close(&zydis);
		decoder_close(&capstone);
	}
	free(file.bytes);
	if (!code.bytes)
		skip();
}

/* Bytes that end in the middle of an instruction, and ones that are none. */
static void
ends_are_kept(void **state)
{
	static const uint8_t call[] = {0xe8, 1, 2, 3, 4};
	static const uint8_t none[] = {0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0,
	                               0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0};
	bool (*const open[])(struct decoder *, enum decoder_code) = {decoder_open_zydis,
	                                                             decoder_open_capstone};

	(void)state;
	for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
		struct decoder decoder = {.state = NULL};

		if (open[i](&decoder, DECODER_X86_64)) {
			assert_int_equal(decoder.length(&decoder, call, 5), 5);
			for (size_t readable = 0; readable < 5; readable++)
				assert_int_equal(decoder.length(&decoder, call, readable), 0);
			assert_int_equal(decoder.length(&decoder, none, sizeof none), 0);
		}
		decoder_close(&decoder);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(decoders_agree),
	                                   cmocka_unit_test(ends_are_kept)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
