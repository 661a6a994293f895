/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-aout: function symbols of a.out images, which programs of BSD were before there was ELF;
 * doc/howto-symbols.md explains it.
 */
#include <gprofx/symbols.h>

/* The words that an image begins with: all but the first and ENTRY are lengths of its parts. */
enum { MAGIC, TEXT, DATA, BSS, SYMBOLS, ENTRY, TEXT_RELOCATIONS, DATA_RELOCATIONS, WORDS };
enum { OMAGIC = 0407, NMAGIC = 0410, ZMAGIC = 0413, ZMAGIC_TEXT_AT = 1024 };
enum { ROW = 12, EXTERNAL = 1, IN_TEXT = 4 };

/* The magic if it is in this byte order, else 0.  Its upper half tells the machine. */
static uint32_t
magic_in(const uint8_t *bytes, bool big_endian)
{
	uint32_t magic = gprofx_word_at(bytes, big_endian) & 0xffff;

	return magic == OMAGIC || magic == NMAGIC || magic == ZMAGIC ? magic : 0;
}

/* Two bytes are no proof: a provider that knows the file better may have it. */
static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= 4 * WORDS && (magic_in(head, false) || magic_in(head, true)) ? 60 : 0;
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	bool big_endian = image->length >= 4 && magic_in(image->bytes, true);
	struct gprofx_cursor cursor = {image->bytes, image->length, .big_endian = big_endian};
	struct gprofx_code_range *code = gprofx_alloc(gx, sizeof *code);
	struct gprofx_diagnostic bad = {0, "aout.cut-short", image->name, .hint = "copy it again"};
	uint64_t word[WORDS], names, names_bytes;
	const uint8_t *row;

	(void)options;
	for (int i = 0; i < WORDS; i++)
		word[i] = gprofx_number(&cursor, 4);
	if ((word[MAGIC] & 0xffff) == ZMAGIC)
		gprofx_take(&cursor, ZMAGIC_TEXT_AT - cursor.at);
	*code = (struct gprofx_code_range){0, word[TEXT], cursor.at, ".text"};
	gprofx_take(&cursor, word[TEXT] + word[DATA]);
	gprofx_take(&cursor, word[TEXT_RELOCATIONS] + word[DATA_RELOCATIONS]);
	row = gprofx_take(&cursor, word[SYMBOLS]);
	names = cursor.at;
	names_bytes = gprofx_number(&cursor, 4);
	gprofx_take(&cursor, names_bytes - 4);
	if (cursor.short_by > 0)
		return gprofx_fail(gx, &bad, "expected %llu more bytes of the image",
		                   (unsigned long long)cursor.short_by);

	symtab->target.pointer_bytes = 4;
	symtab->target.big_endian = big_endian;
	symtab->has_text = symtab->leading_underscore = symtab->untyped_format = true;
	symtab->text_end = word[TEXT];
	symtab->code = code;
	symtab->code_count = 1;
	symtab->builder->reserve(gx, symtab, (uint32_t)(word[SYMBOLS] / ROW));
	/* The last name ends here at the latest.  The bytes of an image may be written to. */
	image->bytes[cursor.at - 1] = '\0';
	for (uint64_t left = word[SYMBOLS] / ROW; left > 0; left--, row += ROW) {
		uint32_t name = gprofx_word_at(row, big_endian);

		if ((row[4] & ~EXTERNAL) != IN_TEXT || name >= names_bytes)
			continue;
		symtab->rows.name[symtab->count] = (const char *)image->bytes + names + name;
		symtab->rows.address[symtab->count] = gprofx_word_at(row + 8, big_endian);
		symtab->rows.flags[symtab->count++] = row[4] & EXTERNAL ? 0 : GPROFX_SYMBOL_LOCAL;
	}
	return GPROFX_OK;
}

static const struct gprofx_symbols symbols = {.size = sizeof symbols, .probe = probe, .load = load};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-aout", .version = "1.0",
                 .summary = "Function symbols of a.out images of BSD", .symbols = &symbols};
