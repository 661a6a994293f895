/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A provider of symbols and source positions as it was built against the headers in include/.  An
 * image is the word FROZEN and code of three functions of an invented machine.
 */
#include <gprofx/symbols.h>

enum { BASE = 0x10000, STEP = 0x100, FUNCTIONS = 3, HEAD = 6, MACHINE = 4660 };

static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= HEAD && memcmp(head, "FROZEN", HEAD) == 0 ? 100 : 0;
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	static const char *const names[FUNCTIONS] = {"main", "work", "idle"};
	static const struct gprofx_code_range code = {BASE, FUNCTIONS * STEP, HEAD, ".text"};

	(void)options;
	if (image->length != HEAD + FUNCTIONS * STEP || symtab->size < sizeof *symtab)
		return GPROFX_DECLINED;
	symtab->target.pointer_bytes = 4;
	symtab->target.machine = MACHINE;
	symtab->has_text = symtab->has_source = true;
	symtab->text_start = BASE;
	symtab->text_end = BASE + FUNCTIONS * STEP;
	symtab->code = &code;
	symtab->code_count = 1;
	symtab->build_id = image->bytes;
	symtab->build_id_bytes = HEAD;
	symtab->builder->reserve(gx, symtab, FUNCTIONS);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		symtab->rows.name[i] = names[i];
		symtab->rows.address[i] = BASE + i * STEP;
		symtab->rows.bytes[i] = STEP;
		symtab->rows.flags[i] = GPROFX_SYMBOL_FUNCTION;
	}
	symtab->count = FUNCTIONS;
	return GPROFX_OK;
}

static enum gprofx_result
locate(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_positions *positions,
       const void *options)
{
	(void)image;
	(void)options;
	for (uint32_t i = 0; i < positions->count; i++) {
		positions->file[i] = positions->builder->file(gx, positions, "frozen.x");
		positions->line[i] = 1 + (uint32_t)(positions->address[i] - BASE) / STEP;
	}
	return GPROFX_OK;
}

static enum gprofx_result
lines(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_lines *found,
      const void *options)
{
	uint32_t file = found->builder->file(gx, found, "frozen.x");

	(void)image;
	(void)options;
	found->builder->reserve(gx, found, FUNCTIONS);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		found->rows.address[i] = BASE + i * STEP;
		found->rows.file[i] = file;
		found->rows.line[i] = 1 + i;
		if (!found->nameless)
			found->rows.name[i] = found->builder->name_at(gx, found, BASE + i * STEP);
	}
	found->count = FUNCTIONS;
	return GPROFX_OK;
}

static const struct gprofx_symbols symbols = {.size = sizeof symbols,
                                              .probe = probe,
                                              .load = load,
                                              .locate = locate,
                                              .lines = lines};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-frozen", .version = "1", .summary = "Frozen images",
                 .symbols = &symbols};
