/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-gemdos: function symbols of programs of the Atari ST, in the format of GEMDOS;
 * doc/howto-symbols.md explains it.
 */
#include <gprofx/symbols.h>

#include <string.h>

/* A program begins with a branch over its header, of a word and the lengths of its parts. */
enum { MAGIC = 0x601a, TEXT_AT = 28, ROW = 14, SHORT_NAME = 8, NAME_ROOM = SHORT_NAME + ROW + 1 };
/* Types of symbols, and a mark: the next row has the rest of the name. */
enum { DEFINED = 0x8000, GLOBAL = 0x2000, IN_TEXT = 0x0200, LONG_NAME = 0x48 };
enum { EM_68K = 4 };

/* Two bytes are no proof: a provider that knows the file better may have it. */
static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= TEXT_AT && gprofx_number_at(head, 2, true) == MAGIC ? 60 : 0;
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	struct gprofx_cursor cursor = {image->bytes, image->length, .big_endian = true};
	struct gprofx_code_range *code = gprofx_alloc(gx, sizeof *code);
	struct gprofx_diagnostic bad = {0, "gemdos.cut-short", image->name,
	                                .hint = "copy it again"};
	uint64_t text, data, symbols;
	char(*names)[NAME_ROOM];
	const uint8_t *row;

	(void)options;
	gprofx_number(&cursor, 2);
	text = gprofx_number(&cursor, 4);
	data = gprofx_number(&cursor, 4);
	gprofx_number(&cursor, 4);
	symbols = gprofx_number(&cursor, 4) / ROW;
	gprofx_take(&cursor, TEXT_AT - cursor.at + text + data);
	row = gprofx_take(&cursor, symbols * ROW);
	if (cursor.short_by > 0)
		return gprofx_fail(gx, &bad, "expected %llu more bytes of the image",
		                   (unsigned long long)cursor.short_by);

	*code = (struct gprofx_code_range){0, text, TEXT_AT, ".text"};
	symtab->target.pointer_bytes = 4;
	symtab->target.big_endian = true;
	symtab->target.machine = EM_68K;
	symtab->has_text = symtab->leading_underscore = symtab->untyped_format = true;
	symtab->text_end = text;
	symtab->code = code;
	symtab->code_count = 1;
	symtab->builder->reserve(gx, symtab, (uint32_t)symbols);
	names = gprofx_alloc(gx, symbols * sizeof *names);
	for (const uint8_t *end = row + symbols * ROW; row < end; row += ROW) {
		uint64_t type = gprofx_number_at(row + SHORT_NAME, 2, true);
		bool is_long = (type & LONG_NAME) == LONG_NAME && row + ROW < end;
		char *name = names[symtab->count];

		if ((type & DEFINED) && (type & IN_TEXT)) {
			/* No NUL ends a name of 8 or 22 letters in the image. */
			memcpy(name, row, SHORT_NAME);
			if (is_long)
				memcpy(name + SHORT_NAME, row + ROW, ROW);
			symtab->rows.name[symtab->count] = name;
			symtab->rows.address[symtab->count] = gprofx_word_at(row + 10, true);
			symtab->rows.flags[symtab->count++] = type & GLOBAL ? 0
			                                                    : GPROFX_SYMBOL_LOCAL;
		}
		row += is_long ? ROW : 0;
	}
	return GPROFX_OK;
}

static const struct gprofx_symbols symbols = {.size = sizeof symbols, .probe = probe, .load = load};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-gemdos", .version = "1.0",
                 .summary = "Function symbols of programs of the Atari ST", .symbols = &symbols};
