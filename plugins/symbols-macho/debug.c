/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the debug information of a Mach-O image is: in the image, as in objects, or in the file
 * that dsymutil makes beside it.
 */
#include <stdio.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "macho.h"

enum { DEBUG_NAME = 24 };

/* The name of a section as ELF has it, which Mach-O cuts off after 16 bytes. */
static bool
elf_name(const struct macho_section *section, char name[DEBUG_NAME])
{
	static const char *const whole[] = {"debug_str_offsets",  "debug_gnu_pubnames",
	                                    "debug_gnu_pubtypes", "debug_line_str",
	                                    "debug_rnglists",     "debug_loclists"};
	const char *own = section->name + 2;
	bool is_compressed = strncmp(section->name, "__zdebug_", 9) == 0;

	if (!is_compressed && strncmp(section->name, "__debug_", 8) != 0)
		return false;
	own += is_compressed;
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		if (strlen(section->name) == MACHO_NAME && strncmp(whole[i], own, strlen(own)) == 0)
			own = whole[i];
	snprintf(name, DEBUG_NAME, is_compressed ? ".z%s" : ".%s", own);
	return true;
}

/* Lists the sections of an image with debug information; false: it has none. */
static bool
list_sections(const struct macho *macho, struct gprofx_symtab *symtab)
{
	struct gprofx_debug_section *sections;
	char found[DEBUG_NAME], (*names)[DEBUG_NAME];
	uint32_t count = 0;

	for (uint32_t i = 0; i < macho->section_count; i++)
		count += macho->sections[i].file_bytes > 0 && elf_name(&macho->sections[i], found);
	if (count == 0)
		return false;
	sections = gprofx_alloc(macho->gx, count * sizeof *sections);
	names = gprofx_alloc(macho->gx, count * sizeof *names);
	for (uint32_t i = 0; i < macho->section_count; i++) {
		const struct macho_section *section = &macho->sections[i];
		uint32_t at = symtab->debug_count;

		if (section->file_bytes == 0 || !elf_name(section, names[at < count ? at : 0]))
			continue;
		sections[symtab->debug_count++] = (struct gprofx_debug_section){
			names[at], section->file_offset, section->file_bytes};
	}
	symtab->debug = sections;
	symtab->has_source = true;
	return true;
}

/*
 * "PROGRAM.dSYM/Contents/Resources/DWARF/PROGRAM", beside the program; of one in a bundle, beside
 * that: "NAME.app.dSYM/…/PROGRAM".  NULL: it is in none.
 */
static char *
debug_path(const struct macho *macho, bool is_in_bundle)
{
	static const char inside[] = ".dSYM/Contents/Resources/DWARF/",
			  in_bundle[] = "/Contents/MacOS";
	const char *slash = strrchr(macho->name, '/'), *base = slash ? slash + 1 : macho->name;
	size_t length = strlen(macho->name), bytes;
	char *path;

	if (is_in_bundle) {
		length = (size_t)(base - macho->name);
		if (length <= sizeof in_bundle ||
		    strncmp(slash - (sizeof in_bundle - 1), in_bundle, sizeof in_bundle - 1) != 0)
			return NULL;
		length -= sizeof in_bundle;
	}
	bytes = length + sizeof inside + strlen(base);
	path = gprofx_alloc(macho->gx, bytes);
	snprintf(path, bytes, "%.*s%s%s", (int)length, macho->name, inside, base);
	return path;
}

/* Opens the first of these files that is there; its name lasts as long as the run. */
static void
open_file(const struct macho *macho, struct gprofx_image *file)
{
	for (int is_in_bundle = 0; is_in_bundle < 2 && !file->bytes; is_in_bundle++) {
		file->name = debug_path(macho, is_in_bundle);
		if (file->name)
			file->bytes = macho->gx->host->map_file(macho->gx, file->name,
			                                        &file->length);
	}
}

bool
macho_find_debug(const struct macho *macho, struct gprofx_symtab *symtab, struct macho *other)
{
	struct gprofx *gx = macho->gx;
	struct gprofx_image file = {.size = sizeof file};

	*other = (struct macho){.gx = gx, .is_other = true};
	if (list_sections(macho, symtab) || macho->kind == MACHO_OBJECT || !macho->uuid)
		return false;
	symtab->lines_hint = "make its file of debug information, from objects that were compiled "
			     "with -g: dsymutil PROGRAM";
	open_file(macho, &file);
	if (!file.bytes)
		return false;
	other->name = file.name;
	if (macho_find_other(other, &file, macho)) {
		if (list_sections(other, symtab))
			symtab->debug_file = file.name;
		return true;
	}
	if (!symtab->facts_only)
		gprofx_warn(
			gx,
			MACHO_AT(other, "macho.other-debug-file", 0,
		                 "make it again: dsymutil PROGRAM"),
			"expected the debug information of %s, found no image with its UUID and "
			"machine",
			macho->name);
	gx->host->unmap_file(gx, file.bytes);
	return false;
}
