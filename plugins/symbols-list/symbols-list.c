/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-list: function symbols from text, as nm prints it for a program and Linux has it for its
 * kernel.  What the image itself says besides names is not its business.
 */
#include "list.h"

#include <string.h>

#include <gprofx/symbols.h>

enum {
	LEAST_LINE = 4, /* bytes: "0 Ta" */
	NAMES_AT_ONCE = 1 << 16
};

void
symlist_add(struct list *list, const struct entry *entry)
{
	const struct gprofx_symbol_rows *rows = &list->symtab->rows;
	size_t length = (size_t)(entry->name.end - entry->name.at);
	uint32_t at = list->symtab->count++;

	if (list->room_bytes <= length) {
		list->room_bytes = length < NAMES_AT_ONCE ? NAMES_AT_ONCE : length + 1;
		list->room = gprofx_alloc(list->gx, list->room_bytes);
	}
	/* The room is all zero: the name ends by itself. */
	memcpy(list->room, entry->name.at, length);
	rows->name[at] = list->room;
	list->room += length + 1;
	list->room_bytes -= length + 1;
	rows->address[at] = entry->address;
	rows->bytes[at] = entry->bytes;
	rows->flags[at] = entry->flags;
}

/* As many symbols as the file can hold at most, however its lines are divided. */
static uint64_t
most_symbols(struct stretch text)
{
	uint64_t bytes = (uint64_t)(text.end - text.at), lines = 1 + bytes / STRICT_PIECE;

	for (; text.at < text.end; text.at++)
		lines += *text.at == '\n';
	return lines < bytes / LEAST_LINE ? lines : bytes / LEAST_LINE;
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *file, struct gprofx_symtab *symtab,
     const void *options)
{
	struct list list = {.gx = gx, .file = file, .symtab = symtab};

	(void)options;
	if (file->length == 0)
		return GPROFX_OK;
	if (file->length / LEAST_LINE >= UINT32_MAX)
		return gprofx_fail(
			gx,
			&(struct gprofx_diagnostic){
				.id = "list.too-large",
				.file = file->name,
				.hint = "name a list of symbols as printed by nm PROGRAM",
				.number = {file->length},
			},
			"expected a list of at most %u symbols, found a file of %llu bytes",
			UINT32_MAX, (unsigned long long)file->length);
	symtab->builder->reserve(gx, symtab, (uint32_t)most_symbols(list_text(&list)));
	if (!symtab->strict)
		return symlist_read(&list);
	symlist_read_strict(&list);
	return GPROFX_OK;
}

static const struct gprofx_symbols symbols = {.size = sizeof symbols, .load = load};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-list", .version = "1.0",
                 .summary = "Function symbols from lists of nm, System.map and /proc/kallsyms",
                 .symbols = &symbols};
