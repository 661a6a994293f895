/* SPDX-License-Identifier: Apache-2.0 */
/* Where a Mach-O image has code. */
#include <string.h>

#include <gprofx/symbols.h>

#include "macho.h"

#include "../shared/code-ranges.h"

static bool
is_named_text(const struct macho_section *section)
{
	return strcmp(section->name, "__text") == 0;
}

/* The main section of code; kernel extensions can have it in a segment of its own. */
static const struct macho_section *
find_text(const struct macho *macho)
{
	const struct macho_section *found = NULL;

	for (uint32_t i = 0; i < macho->section_count; i++) {
		const struct macho_section *section = &macho->sections[i];

		if (!is_named_text(section))
			continue;
		if (!found || (strcmp(found->segment, "__TEXT") != 0 &&
		               strcmp(section->segment, "__TEXT") == 0))
			found = section;
	}
	return found;
}

/* Encrypted code is none to look into. */
static bool
is_hidden(const struct macho *macho, const struct macho_section *section)
{
	uint64_t at = section->file_offset - macho->at;

	return at < macho->hidden_at + macho->hidden_bytes &&
	       macho->hidden_at < at + section->file_bytes;
}

/* By the names of ELF, the host and call scanners know which code is which. */
static const char *
host_name(const struct macho_section *section, const struct macho_section *text)
{
	if (section == text)
		return ".text";
	return (section->flags & SECTION_TYPE) == SECTION_STUBS ? ".plt" : section->name;
}

void
macho_find_code(const struct macho *macho, struct gprofx_symtab *symtab)
{
	const struct macho_section *text = find_text(macho);
	struct gprofx_code_range *ranges;
	uint32_t count = 0;

	if (text) {
		symtab->has_text = true;
		symtab->text_start = text->address;
		symtab->text_end = text->address + text->bytes;
	}
	ranges = gprofx_alloc(macho->gx, (macho->section_count + (size_t)1) * sizeof *ranges);
	for (uint32_t i = 0; i < macho->section_count; i++) {
		const struct macho_section *section = &macho->sections[i];

		if (section->is_code && section->file_bytes > 0 && !is_hidden(macho, section))
			ranges[count++] = (struct gprofx_code_range){
				.address = section->address,
				.bytes = section->file_bytes,
				.file_offset = section->file_offset,
				.name = host_name(section, text)};
	}
	sort_code_ranges(ranges, count);
	symtab->code = ranges;
	symtab->code_count = count;
}
