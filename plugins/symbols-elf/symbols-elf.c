/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-elf: function symbols of ELF images, and the facts about an image that readers of
 * profiles need.  Source positions are not its business.
 */
#include "object.h"

#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "../shared/code-ranges.h"
#include "../shared/separate-file.h"

struct options {
	const char *debug_folder; /* of separate debug files; colon-separated list */
};

static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0 ? 100 : 0;
}

/* Cheap: names of sections only, a few looks at the file system at most. */
static bool
has_source(const struct object *object, const struct gprofx_symtab *symtab,
           const struct options *options)
{
	static const char *const carriers[] = {".debug_info", ".zdebug_info", ".debug_line",
	                                       ".zdebug_line", ".gnu_debuglink"};
	struct separate_finder finder;

	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];

		if (section->name[0] != '.' || section->type == SHT_NULL)
			continue;
		for (size_t k = 0; k < sizeof carriers / sizeof carriers[0]; k++) {
			if (strcmp(section->name, carriers[k]) == 0 && section->in_file)
				return true;
		}
	}
	finder = (struct separate_finder){.gx = object->gx,
	                                  .folders = options ? options->debug_folder : ""};
	return symtab->build_id &&
	       separate_find_by_build_id(&finder, symtab->build_id, symtab->build_id_bytes);
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

/* The section of a name, whatever it has; NULL: none with bytes in the file. */
static const struct section *
any_section(const struct object *object, const char *name)
{
	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];

		if (strcmp(section->name, name) == 0 && section->type != SHT_NOBITS &&
		    bytes_in_file(object, section) > 0)
			return section;
	}
	return NULL;
}

/* States where stabs are.  Those of relocatable objects have no addresses yet. */
static void
state_stabs(const struct object *object, struct gprofx_symtab *symtab)
{
	static const char *const names[] = {".stab", ".stabstr"};
	enum { NAMES = sizeof names / sizeof names[0] };
	struct gprofx_debug_section *found;

	if (object->type == ET_REL || !any_section(object, names[0]) ||
	    !any_section(object, names[1]))
		return;
	found = gprofx_alloc(object->gx, NAMES * sizeof *found);
	for (size_t i = 0; i < NAMES; i++) {
		const struct section *section = any_section(object, names[i]);

		found[i] = (struct gprofx_debug_section){names[i], section->offset,
		                                         bytes_in_file(object, section)};
	}
	symtab->has_stabs = true;
	symtab->debug = found;
	symtab->debug_count = NAMES;
}

/*
 * The largest section with code, where none has the usual name, as in images for some boards; or
 * NULL.
 */
static const struct section *
largest_code(const struct object *object)
{
	const struct section *largest = NULL;

	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];

		if (holds_code(object, section) && (!largest || section->bytes > largest->bytes))
			largest = section;
	}
	return largest;
}

static void
state_facts(const struct object *object, struct gprofx_symtab *symtab,
            const struct options *options)
{
	const struct section *text = symelf_section(object, ".text");

	if (!text)
		text = symelf_section(object, "$CODE$");
	if (!text && !symtab->strict)
		text = largest_code(object);
	if (text) {
		symtab->has_text = true;
		symtab->text_start = text->address;
		symtab->text_end = text->address + text->bytes;
	}
	symtab->target = object->target;
	symtab->build_id = symelf_build_id(object, &symtab->build_id_bytes);
	symtab->has_source = has_source(object, symtab, options);
	symtab->machine_flags = object->flags;
	symtab->architecture = symelf_architecture(object);
	find_code(object, symtab);
	state_stabs(object, symtab);
	symelf_find_libraries(object, symtab);
	if (symtab->wants_slots)
		symelf_find_slots(object, symtab);
}

enum gprofx_result
symelf_fill_all(const struct object *object, struct symbol_table *table,
                struct gprofx_symtab *symtab)
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

/* What is left of the functions of a stripped library: those that others can call. */
static enum gprofx_result
read_exported(const struct object *object, struct gprofx_symtab *symtab)
{
	struct symbol_table table = {0};
	enum gprofx_result result = symelf_find_table(object, SHT_DYNSYM, &table);

	if (result != GPROFX_OK || !table.section)
		return result;
	result = symelf_fill_all(object, &table, symtab);
	symtab->has_exported = result == GPROFX_OK && symtab->count > 0;
	return result;
}

static enum gprofx_result
read_symbols(const struct object *object, struct symbol_table *table, struct gprofx_symtab *symtab,
             const struct options *options)
{
	if (!table->section) {
		/* GNU gprof looks for lines in another file, but not for symbols. */
		if (!symtab->strict && options)
			symelf_fill_separate(object, symtab, options->debug_folder);
		if (symtab->wants_exported && symtab->count == 0)
			return read_exported(object, symtab);
		return GPROFX_OK;
	}
	return symelf_fill_all(object, table, symtab);
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	struct symbol_table table = {0};
	struct object object;
	enum gprofx_result result = symelf_open(&object, gx, image);

	/* For GNU gprof a file whose symbol table is impossible is no image at all. */
	if (result == GPROFX_OK && (symtab->strict || !symtab->facts_only))
		result = symelf_find_table(&object, SHT_SYMTAB, &table);
	if (result == GPROFX_OK) {
		state_facts(&object, symtab, options);
		/* Without .text the host refuses the image, whatever else is wrong with it. */
		if (symtab->has_text && !symtab->facts_only)
			result = read_symbols(&object, &table, symtab, options);
	}
	symelf_close(&object);
	return result;
}

static const struct gprofx_option option_table[] = {
	{.key = "debug-folder",
         .type = GPROFX_STRING,
         .offset = offsetof(struct options, debug_folder),
         .initial = "/usr/lib/debug:/usr/lib/debug/usr",
         .help = "folders to search for separate debug files, separated by colons"},
};

static const struct gprofx_symbols symbols = {.size = sizeof symbols, .probe = probe, .load = load};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "symbols-elf",
                 .version = "1.0",
                 .summary = "Function symbols of ELF images",
                 GPROFX_OPTIONS(struct options, option_table),
                 .symbols = &symbols};
