/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-elf: function symbols of ELF images, and the facts about an image that readers of
 * profiles need.  Source positions are not its business.
 */
#include "object.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gprofx/symbols.h>

#include "../shared/code-ranges.h"

static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0 ? 100 : 0;
}

/* The build ID that the linker wrote into a note; NULL: there is none that is sound. */
static const uint8_t *
find_build_id(const struct object *object, uint32_t *count)
{
	bool big_endian = object->target.big_endian;
	const struct section *note = NULL;
	uint64_t name_bytes, id_bytes;
	const uint8_t *bytes;

	for (uint32_t i = 1; i < object->section_count; i++)
		if (object->sections[i].type == SHT_NOTE &&
		    strcmp(object->sections[i].name, ".note.gnu.build-id") == 0)
			note = &object->sections[i];
	if (!note || !note->in_file || note->bytes < 16)
		return NULL;
	bytes = object->image->bytes + note->offset;
	name_bytes = gprofx_number_at(bytes, 4, big_endian);
	id_bytes = gprofx_number_at(bytes + 4, 4, big_endian);
	if (name_bytes != sizeof ELF_NOTE_GNU ||
	    memcmp(bytes + 12, ELF_NOTE_GNU, name_bytes) != 0 ||
	    gprofx_number_at(bytes + 8, 4, big_endian) != NT_GNU_BUILD_ID || id_bytes < 2 ||
	    id_bytes > 64 || id_bytes > note->bytes - 16)
		return NULL;
	*count = (uint32_t)id_bytes;
	return bytes + 16;
}

/* Whether there is a file with the image's debug sections, by its build ID. */
static bool
has_debug_file(const uint8_t *id, uint32_t count)
{
	/* Where symbols-dwarf looks: in the debug folders and, as GNU does, below the current one.
	 */
	static const char *const folders[] = {"/usr/lib/debug/", "", ".debug/",
	                                      "/usr/lib/debug/usr/"};
	static const char start[] = ".build-id/";
	char name[sizeof start + 2 * 64 + sizeof "/.debug"], path[sizeof name + 32];
	size_t at = sizeof start - 1;

	memcpy(name, start, sizeof start);
	for (uint32_t i = 0; i < count; i++)
		at += (size_t)snprintf(name + at, sizeof name - at, i == 0 ? "%02x/" : "%02x",
		                       id[i]);
	memcpy(name + at, ".debug", sizeof ".debug");
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s%s", folders[i], name);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

/* Cheap: names of sections only, a few looks at the file system at most. */
static bool
has_source(const struct object *object, const struct gprofx_symtab *symtab)
{
	static const char *const carriers[] = {".debug_info", ".zdebug_info", ".debug_line",
	                                       ".zdebug_line", ".gnu_debuglink"};

	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];

		if (section->name[0] != '.' || section->type == SHT_NULL)
			continue;
		for (size_t k = 0; k < sizeof carriers / sizeof carriers[0]; k++) {
			if (strcmp(section->name, carriers[k]) == 0 && section->in_file)
				return true;
		}
	}
	return symtab->build_id && has_debug_file(symtab->build_id, symtab->build_id_bytes);
}

/* The part of a section that stands in the file; a damaged image may state more. */
static uint64_t
bytes_in_file(const struct object *object, const struct section *section)
{
	uint64_t length = object->image->length;

	if (section->offset >= length)
		return 0;
	return section->bytes < length - section->offset ? section->bytes
	                                                 : length - section->offset;
}

static bool
holds_code(const struct object *object, const struct section *section)
{
	return symelf_is_code(section) && (section->flags & SHF_ALLOC) != 0 &&
	       section->type != SHT_NOBITS && bytes_in_file(object, section) > 0;
}

static void
find_code(const struct object *object, struct gprofx_symtab *symtab)
{
	struct gprofx_code_range *ranges;
	uint32_t count = 0, at = 0;

	for (uint32_t i = 1; i < object->section_count; i++)
		count += holds_code(object, &object->sections[i]);
	if (count == 0)
		return;
	ranges = gprofx_alloc(object->gx, count * sizeof *ranges);
	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];

		if (holds_code(object, section))
			ranges[at++] = (struct gprofx_code_range){section->address,
			                                          bytes_in_file(object, section),
			                                          section->offset, section->name};
	}
	sort_code_ranges(ranges, count);
	symtab->code = ranges;
	symtab->code_count = count;
}

static void
state_facts(const struct object *object, struct gprofx_symtab *symtab)
{
	const struct section *text = symelf_section(object, ".text");

	if (!text)
		text = symelf_section(object, "$CODE$");
	if (text) {
		symtab->has_text = true;
		symtab->text_start = text->address;
		symtab->text_end = text->address + text->bytes;
	}
	symtab->target = object->target;
	symtab->build_id = find_build_id(object, &symtab->build_id_bytes);
	symtab->has_source = has_source(object, symtab);
	symtab->machine_flags = object->flags;
	symtab->architecture = symelf_architecture(object);
	find_code(object, symtab);
	symelf_find_libraries(object, symtab);
	if (symtab->wants_slots)
		symelf_find_slots(object, symtab);
}

static enum gprofx_result
fill(const struct object *object, struct symbol_table *table, struct gprofx_symtab *symtab)
{
	const struct section *opd = symelf_opd(object);
	uint32_t descriptors = 0;
	enum gprofx_result result = symelf_open_table(object, table);

	if (result != GPROFX_OK)
		return result;
	if (opd)
		descriptors = symelf_opd_count(object, table, opd);
	symtab->strings = table->strings;
	symtab->strings_bytes = table->strings_bytes;
	symtab->builder->reserve(object->gx, symtab, table->count - 1 + descriptors);
	symelf_modes(object, table, symtab);
	result = symelf_fill(object, table, symtab);
	if (result == GPROFX_OK && descriptors > 0)
		result = symelf_opd_fill(object, table, opd, symtab);
	return result;
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	struct symbol_table table = {0};
	struct object object;
	enum gprofx_result result = symelf_open(&object, gx, image);

	(void)options;
	/* For GNU gprof a file whose symbol table is impossible is no image at all. */
	if (result == GPROFX_OK && (symtab->strict || !symtab->facts_only))
		result = symelf_find_table(&object, &table);
	if (result == GPROFX_OK) {
		state_facts(&object, symtab);
		/* Without .text the host refuses the image, whatever else is wrong with it. */
		if (symtab->has_text && table.section && !symtab->facts_only)
			result = fill(&object, &table, symtab);
	}
	symelf_close(&object);
	return result;
}

static const struct gprofx_symbols symbols = {.size = sizeof symbols, .probe = probe, .load = load};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-elf", .version = "1.0",
                 .summary = "Function symbols of ELF images", .symbols = &symbols};
