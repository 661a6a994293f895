/* SPDX-License-Identifier: Apache-2.0 */
/* Finds stabs in a file, and takes single entries apart. */
#include <string.h>

#include <gprofx/symbols.h>

#include "stabs.h"

/* A section of that name that lies inside of the file; NULL: there is none. */
static const struct gprofx_debug_section *
section(const struct gprofx_image *image, const char *name)
{
	for (uint32_t i = 0; i < image->debug_count; i++) {
		const struct gprofx_debug_section *one = &image->debug[i];

		if (strcmp(one->name, name) == 0 && one->file_offset <= image->length &&
		    one->bytes <= image->length - one->file_offset && one->bytes <= UINT32_MAX)
			return one;
	}
	return NULL;
}

/*
 * Whether lines have addresses of their own.  Offsets in functions are below the address of the
 * first one, as most functions are shorter than what is before all of them.
 */
static bool
has_absolute_lines(struct stabs_table *table)
{
	uint32_t first = UINT32_MAX, lines = 0, absolute = 0;

	for (uint32_t i = 0; i < table->count; i++) {
		struct stabs_entry entry = stabs_entry_at(table, i);

		if ((entry.type == STABS_FUNCTION || entry.type == STABS_SOURCE) &&
		    entry.string != 0 && entry.value != 0 && entry.value < first)
			first = entry.value;
	}
	table->base = table->next_base = table->lost = 0;
	for (uint32_t i = 0; i < table->count; i++) {
		const uint8_t *bytes = table->entries + (size_t)i * STABS_ENTRY;

		if (bytes[4] != STABS_LINE)
			continue;
		lines++;
		absolute += gprofx_word_at(bytes + 8, table->big_endian) >= first;
	}
	return absolute > lines / 2;
}

bool
stabs_open(struct stabs_table *table, struct gprofx *gx, const struct gprofx_image *image)
{
	const struct gprofx_debug_section *entries, *strings;
	const char *last;

	table->gx = gx;
	table->image = image;
	if (image->size <= offsetof(struct gprofx_image, debug_count) || !image->target)
		return false;
	entries = section(image, ".stab");
	strings = section(image, ".stabstr");
	if (!entries || !strings || entries->bytes < STABS_ENTRY || strings->bytes == 0)
		return false;
	table->big_endian = image->target->big_endian;
	table->entries = image->bytes + entries->file_offset;
	table->count = (uint32_t)(entries->bytes / STABS_ENTRY);
	table->strings = (const char *)image->bytes + strings->file_offset;
	/* What is behind the last NUL is no string. */
	last = memrchr(table->strings, '\0', strings->bytes);
	if (!last)
		return false;
	table->strings_bytes = (uint32_t)(last - table->strings) + 1;
	table->is_elf = image->length >= 4 && memcmp(image->bytes, "\177ELF", 4) == 0;
	/* Windows programs have offsets, too. */
	if (!table->is_elf && (image->length < 2 || memcmp(image->bytes, "MZ", 2) != 0))
		table->is_absolute = has_absolute_lines(table);
	return true;
}

struct stabs_entry
stabs_entry_at(struct stabs_table *table, uint32_t index)
{
	const uint8_t *bytes = table->entries + (size_t)index * STABS_ENTRY;
	struct stabs_entry entry = {
		.string = gprofx_word_at(bytes, table->big_endian),
		.type = bytes[4],
		.desc = (uint16_t)gprofx_number_at(bytes + 6, 2, table->big_endian),
		.value = gprofx_word_at(bytes + 8, table->big_endian),
	};

	if (entry.type == STABS_HEADER) {
		table->base = table->next_base;
		table->next_base += entry.value;
	}
	if (entry.string == 0)
		return entry;
	if (table->base > table->strings_bytes ||
	    entry.string >= table->strings_bytes - table->base) {
		/* Only these refer to a string; that of a header names a file. */
		table->lost += entry.type == STABS_SOURCE || entry.type == STABS_INCLUDED ||
		               entry.type == STABS_FUNCTION;
		entry.is_lost = true;
		entry.string = 0;
		return entry;
	}
	entry.string += table->base;
	if (table->strings[entry.string] == '\0')
		entry.string = 0;
	return entry;
}

void
stabs_close(struct stabs_table *table)
{
	if (table->lost > 0)
		gprofx_warn(
			table->gx,
			&(struct gprofx_diagnostic){
				.id = "stabs.bad-strings",
				.file = table->image->name,
				.hint = "build the program again; until then, some source files "
					"and lines are unknown",
				.number = {table->lost, table->strings_bytes}},
			"expected strings of stabs inside their %u bytes, found %u beyond the "
			"end",
			table->strings_bytes, table->lost);
	table->gx->host->release(table->gx, table->paths);
	table->gx->host->release(table->gx, table->path_slots);
	table->gx->host->release(table->gx, table->rows);
}
