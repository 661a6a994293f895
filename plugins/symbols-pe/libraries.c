/* SPDX-License-Identifier: Apache-2.0 */
/* Which libraries (DLLs) a Windows program imports from. */
#include <string.h>

#include <gprofx/symbols.h>

#include "headers.h"

enum {
	IMPORT_ROW = 20,
	IMPORTS = 1, /* number of the directory */
	LONGEST_NAME = 260
};

/* The bytes of the section that the imports are in, by their address less the image's base. */
struct part {
	const uint8_t *bytes;
	uint32_t address, length;
};

static uint32_t
number_at(const uint8_t *bytes)
{
	return (uint32_t)gprofx_number_at(bytes, 4, false);
}

/* Linkers put the table and its names into one section. */
static bool
find_part(const struct pe_headers *headers, uint32_t address, struct part *part)
{
	const struct gprofx_image *image = headers->image;

	for (uint32_t i = 0; i < headers->section_count; i++) {
		const uint8_t *section = image->bytes + headers->sections +
		                         (uint64_t)i * SECTION_HEADER;
		uint32_t start = number_at(section + 12), bytes = number_at(section + 16);
		uint32_t offset = number_at(section + 20);

		if (address < start || address - start >= bytes)
			continue;
		if (offset > image->length || bytes > image->length - offset)
			return false;
		*part = (struct part){image->bytes + offset, start, bytes};
		return true;
	}
	return false;
}

/* The address of the table of imports, or 0. */
static uint32_t
imports_at(const struct pe_headers *headers)
{
	uint64_t optional = headers->at + COFF_HEADER, past = headers->sections;

	if (headers->directories == 0 || headers->directories < optional ||
	    past - headers->directories < 4 + (IMPORTS + 1) * 8 ||
	    number_at(headers->image->bytes + headers->directories) <= IMPORTS)
		return 0;
	return number_at(headers->image->bytes + headers->directories + 4 + IMPORTS * 8);
}

/* The name at an address, or NULL. */
static const char *
name_in(const struct part *part, uint32_t address)
{
	const char *name;
	uint32_t room;

	if (address < part->address || address - part->address >= part->length)
		return NULL;
	name = (const char *)part->bytes + (address - part->address);
	room = part->length - (address - part->address);
	if (name[0] == '\0' || !memchr(name, '\0', room < LONGEST_NAME ? room : LONGEST_NAME))
		return NULL;
	return name;
}

void
sympe_find_libraries(const struct pe_headers *headers, struct gprofx_symtab *symtab)
{
	uint32_t table = imports_at(headers), most, left;
	const char **names;
	struct part part;

	if (table == 0 || !find_part(headers, table, &part))
		return;
	most = (part.length - (table - part.address)) / IMPORT_ROW;
	names = gprofx_alloc(headers->gx, ((size_t)most + 1) * sizeof *names);
	/* Names of a sound image do not overlap. */
	left = part.length;
	for (uint32_t i = 0; i < most; i++) {
		const uint8_t *row = part.bytes + (table - part.address) + (size_t)i * IMPORT_ROW;
		const char *name = name_in(&part, number_at(row + 12));

		/* A row without a name is the last one. */
		if (!name || strlen(name) >= left)
			break;
		left -= (uint32_t)strlen(name) + 1;
		names[symtab->library_count++] = name;
	}
	symtab->libraries = names;
}
