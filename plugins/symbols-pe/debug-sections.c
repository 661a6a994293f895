/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of Windows images with debug information, which the GNU tools put there. */
#include <string.h>

#include <gprofx/symbols.h>

#include "headers.h"

enum { NAME_BYTES = 32, MOST_DEBUG = 32 };

/* The name of a section, as long as it can be one of debug information. */
static bool
read_name(const struct pe_headers *headers, const uint8_t *section, char name[NAME_BYTES])
{
	const char *strings = (const char *)headers->image->bytes + headers->strings;
	uint64_t offset, left;
	size_t length;

	if (!sympe_name_offset(section, &offset)) {
		memcpy(name, section, 8);
		name[8] = '\0';
		return true;
	}
	if (offset < 4 || offset >= headers->strings_bytes)
		return false;
	left = headers->strings_bytes - offset;
	length = strnlen(strings + offset, left < NAME_BYTES ? left : NAME_BYTES);
	if (length == NAME_BYTES || length == left)
		return false;
	memcpy(name, strings + offset, length + 1);
	return true;
}

void
sympe_find_debug(const struct pe_headers *headers, struct gprofx_symtab *symtab)
{
	const uint8_t *section = headers->image->bytes + headers->sections;
	struct gprofx_debug_section *found;
	bool has_stab = false, has_strings = false;
	uint32_t count = 0;

	/* Addresses in objects are not those of code yet. */
	if (headers->directories == 0 || headers->section_count == 0)
		return;
	found = gprofx_alloc(headers->gx, MOST_DEBUG * sizeof *found);
	for (uint32_t i = 0; i < headers->section_count && count < MOST_DEBUG;
	     i++, section += SECTION_HEADER) {
		uint64_t used = gprofx_number_at(section + 8, 4, false);
		uint64_t bytes = gprofx_number_at(section + 16, 4, false);
		uint64_t offset = gprofx_number_at(section + 20, 4, false);
		bool is_stab, is_stabstr, is_dwarf;
		char name[NAME_BYTES], *kept;

		/* What is in the file is filled up to a multiple of the alignment. */
		if (used > 0 && used < bytes)
			bytes = used;
		if (offset >= headers->image->length || bytes == 0 ||
		    bytes > headers->image->length - offset || !read_name(headers, section, name))
			continue;
		is_stab = strcmp(name, ".stab") == 0;
		is_stabstr = strcmp(name, ".stabstr") == 0;
		is_dwarf = strncmp(name, ".debug_", 7) == 0 || strncmp(name, ".zdebug_", 8) == 0;
		if (!is_stab && !is_stabstr && !is_dwarf)
			continue;
		kept = gprofx_alloc(headers->gx, NAME_BYTES);
		memcpy(kept, name, NAME_BYTES);
		found[count++] = (struct gprofx_debug_section){kept, offset, bytes};
		has_stab = has_stab || is_stab;
		has_strings = has_strings || is_stabstr;
		symtab->has_source = symtab->has_source || strcmp(name, ".debug_line") == 0 ||
		                     strcmp(name, ".zdebug_line") == 0;
	}
	symtab->has_stabs = has_stab && has_strings;
	symtab->debug = found;
	symtab->debug_count = count;
}
