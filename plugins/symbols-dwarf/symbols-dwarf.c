/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-dwarf: source file and line of addresses, from DWARF 2 to 5.
 *
 * libdw finds the units and the addresses they cover; the line tables of those units that cover an
 * asked address are decoded here (line-table.h).  One pass over the units answers all addresses.
 */
#include <gprofx/symbols.h>

#include <elf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "all-lines.h"
#include "debug-file.h"
#include "entries.h"
#include "functions.h"
#include "line-search.h"
#include "line-table.h"
#include "reading.h"
#include "units.h"

/* Reports damage, once. */
static void
warn(struct gprofx *gx, const char *file, bool *warned, const char *what, const char *why)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "dwarf.unreadable",
		.file = file,
		.hint = "rebuild the program or install its debug information again; until then, "
			"source files and lines are unknown",
	};

	if (!*warned)
		gprofx_warn(gx, &diagnostic, "expected readable debug information, found %s: %s",
		            what, why);
	*warned = true;
}

/* The sections of a debug file by what follows ".debug_" in their names. */
static const struct wanted_section {
	const char *name;
	size_t offset;
} own_sections[] =
	{
		{"line", offsetof(struct dwarfsym_sections, line)},
		{"line_str", offsetof(struct dwarfsym_sections, line_strings)},
		{"str", offsetof(struct dwarfsym_sections, strings)},
		{"info", offsetof(struct dwarfsym_sections, info)},
		{"abbrev", offsetof(struct dwarfsym_sections, abbreviations)},
		{"ranges", offsetof(struct dwarfsym_sections, ranges)},
		{"rnglists", offsetof(struct dwarfsym_sections, range_lists)},
		{"addr", offsetof(struct dwarfsym_sections, addresses)},
		{"str_offsets", offsetof(struct dwarfsym_sections, string_offsets)},
},
  shared_sections[] = {
	  {"str", offsetof(struct dwarfsym_sections, shared_strings)},
};

static void
take_section(struct dwarfsym_section *section, const void *bytes, size_t length)
{
	const uint8_t *last = length > 0 ? memrchr(bytes, 0, length) : NULL;

	section->bytes = bytes;
	section->length = length;
	section->closed = last ? (uint64_t)(last - section->bytes) + 1 : 0;
}

/* Finds sections; libdw has decompressed and relocated them. */
static void
find_sections(Elf *elf, const struct wanted_section *wanted, size_t wanted_count,
              struct dwarfsym_sections *sections)
{
	size_t names;
	Elf_Scn *scn = NULL;

	sections->big_endian = elf_getident(elf, NULL)[EI_DATA] == ELFDATA2MSB;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr shdr;
		const char *name;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, shdr.sh_name);
		if (!name)
			continue;
		if (strncmp(name, ".debug_", 7) == 0)
			name += 7;
		else if (strncmp(name, ".zdebug_", 8) == 0)
			name += 8;
		else
			continue;
		for (size_t i = 0; i < wanted_count; i++) {
			struct dwarfsym_section *section = (void *)((char *)sections +
			                                            wanted[i].offset);
			Elf_Data *data;

			if (strcmp(name, wanted[i].name) != 0 || section->bytes)
				continue;
			data = elf_getdata(scn, NULL);
			if (data && data->d_buf)
				take_section(section, data->d_buf, data->d_size);
		}
	}
}

static uint32_t
number_file(struct dwarfsym_search *search, const char *path)
{
	struct dwarfsym_asked *asked = (struct dwarfsym_asked *)search;

	return asked->lines ? asked->lines->builder->file(search->gx, asked->lines, path)
	                    : search->positions->builder->file(search->gx, search->positions, path);
}

/* Opens the debug information for a search; false: there is none, or it cannot be read. */
static bool
begin(struct gprofx *gx, const struct gprofx_image *image, const void *options,
      struct dwarfsym_debug *debug, struct dwarfsym_asked *asked)
{
	struct dwarfsym_search *search = &asked->search;
	size_t file_bytes = 0;
	bool warned = false;

	search->gx = gx;
	search->number_file = number_file;
	dwarfsym_open(gx, image, options, debug);
	if (debug->wrong)
		warn(gx, debug->name, &warned, debug->found, debug->wrong);
	if (!debug->dwarf || debug->wrong)
		return false;
	search->address_mask = debug->address_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	search->sections.shift = debug->shift;
	if (elf_rawfile(dwarf_getelf(debug->dwarf), &file_bytes))
		search->sections.file_bytes = file_bytes;
	find_sections(dwarf_getelf(debug->dwarf), own_sections,
	              sizeof own_sections / sizeof own_sections[0], &search->sections);
	if (debug->shared_dwarf)
		find_sections(dwarf_getelf(debug->shared_dwarf), shared_sections,
		              sizeof shared_sections / sizeof shared_sections[0],
		              &search->sections);
	dwarfsym_search_start(search);
	return true;
}

/* Walks over the units and answers what their line tables know. */
static void
search_units(struct gprofx *gx, const struct dwarfsym_debug *debug, struct dwarfsym_search *search)
{
	struct dwarfsym_units units = {.dwarf = debug->dwarf, .sections = &search->sections};
	const char *wrong = NULL, *folder;
	bool warned = false;
	uint64_t offset;

	while (dwarfsym_next_unit(&units, &wrong)) {
		if (dwarfsym_unit_is_wanted(&units, search, &wrong) &&
		    dwarfsym_unit_lines(&units, &offset, &folder, &wrong)) {
			wrong = dwarfsym_search_table(search, offset, folder);
			if (wrong)
				warn(gx, debug->name, &warned, "a damaged line table", wrong);
		} else if (wrong) {
			warn(gx, debug->name, &warned, "a damaged unit", wrong);
		}
		wrong = NULL;
	}
	if (wrong)
		warn(gx, debug->name, &warned, "a damaged unit", wrong);
}

static enum gprofx_result
locate(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_positions *positions,
       const void *options)
{
	struct dwarfsym_asked asked = {
		.search = {.positions = positions,
	                   .sections = {.begins_in_file_0 = positions->begins_in_file_0}}};
	struct dwarfsym_debug debug;

	if (begin(gx, image, options, &debug, &asked)) {
		if (positions->strict && debug.wrapped)
			dwarfsym_locate_biased(gx, &debug, &asked);
		else
			search_units(gx, &debug, &asked.search);
		dwarfsym_search_finish(&asked.search);
	}
	dwarfsym_close(gx, &debug);
	return GPROFX_OK;
}

void
dwarfsym_read_units(struct gprofx *gx, const struct dwarfsym_debug *debug,
                    struct dwarfsym_rows *rows, struct dwarfsym_functions *functions)
{
	struct dwarfsym_units units = {.dwarf = debug->dwarf, .sections = &rows->search->sections};
	const char *wrong = NULL, *folder;
	bool warned = false;
	uint64_t offset;

	while (dwarfsym_next_unit(&units, &wrong)) {
		struct dwarfsym_unit unit = units.unit;

		if (dwarfsym_unit_lines(&units, &offset, &folder, &wrong)) {
			unit.has_lines = true;
			unit.lines = offset;
			unit.folder = folder;
			wrong = dwarfsym_add_rows(rows, offset, folder);
			if (wrong)
				warn(gx, debug->name, &warned, "a damaged line table", wrong);
		}
		if (functions->number_name) {
			wrong = dwarfsym_add_unit(functions->info, &unit, units.abbreviations);
			if (wrong)
				warn(gx, debug->name, &warned, "a damaged unit", wrong);
		}
		wrong = NULL;
	}
	if (wrong)
		warn(gx, debug->name, &warned, "a damaged unit", wrong);
	/* Entries refer to others, in units that can come later. */
	for (uint32_t i = 0; i < functions->info->unit_count; i++) {
		wrong = dwarfsym_add_functions(functions, &functions->info->units[i]);
		if (wrong)
			warn(gx, debug->name, &warned, "a damaged unit", wrong);
	}
	dwarfsym_settle_rows(rows);
	dwarfsym_settle_functions(functions);
}

uint32_t
dwarfsym_join(const struct dwarfsym_rows *rows, const struct dwarfsym_functions *functions,
              struct gprofx_line_rows *joined)
{
	const struct dwarfsym_change *changes = functions->changes;
	uint32_t change = 0, count = 0, name = 0, inlined = 0;

	for (uint32_t row = 0; row < rows->count; row++) {
		const struct dwarfsym_row_of_file *at = &rows->rows[row];
		uint64_t end = row + 1 < rows->count ? at[1].address : at->address;

		for (; change < functions->change_count && changes[change].address <= at->address;
		     change++) {
			name = changes[change].name;
			inlined = changes[change].inlined;
		}
		/* Names count only where there are lines. */
		for (uint64_t address = at->address;;) {
			if (joined) {
				joined->address[count] = address;
				joined->file[count] = at->file;
				joined->line[count] = at->line;
				if (joined->name)
					joined->name[count] = at->line != 0 ? name : 0;
				if (joined->inlined)
					joined->inlined[count] = at->line != 0 ? inlined : 0;
			}
			count++;
			if (change == functions->change_count || changes[change].address >= end)
				break;
			address = changes[change].address;
			inlined = changes[change].inlined;
			name = changes[change++].name;
		}
	}
	return count;
}

static uint32_t
number_name(void *opaque, const char *name)
{
	struct dwarfsym_asked *asked = opaque;

	return asked->lines->builder->name(asked->search.gx, asked->lines, name);
}

static uint32_t
number_name_at(void *opaque, uint64_t address)
{
	struct dwarfsym_asked *asked = opaque;

	return asked->lines->builder->name_at(asked->search.gx, asked->lines, address);
}

/* The number of an inlined instance; a file is one of the unit's line table. */
static uint32_t
number_inlined(void *opaque, const struct dwarfsym_unit *unit, struct dwarfsym_scope into,
               uint64_t file, uint64_t line)
{
	struct dwarfsym_asked *asked = opaque;
	struct dwarfsym_search *search = &asked->search;
	uint32_t number = 0;

	if (file != UINT64_MAX && line > 0 && line <= UINT32_MAX && unit->has_lines &&
	    dwarfsym_search_reopen(search, unit->lines, unit->folder))
		number = dwarfsym_search_file(search, file);
	return asked->lines->builder->inlined(search->gx, asked->lines, into.name, number,
	                                      number ? (uint32_t)line : 0, into.inlined);
}

/* Reads the lines of all code with their functions. */
static void
read_rows(struct gprofx *gx, const struct dwarfsym_debug *debug, struct dwarfsym_asked *asked)
{
	struct gprofx_lines *lines = asked->lines;
	struct dwarfsym_info info = {.gx = gx, .sections = &asked->search.sections};
	struct dwarfsym_functions functions = {
		.info = &info,
		.number_name = lines->nameless ? NULL : number_name,
		.number_name_at = number_name_at,
		.number_inlined = lines->wants_inlined ? number_inlined : NULL,
		.opaque = asked,
		.strict = lines->strict};
	struct dwarfsym_rows rows = {.search = &asked->search};

	dwarfsym_read_units(gx, debug, &rows, &functions);
	lines->count = dwarfsym_join(&rows, &functions, NULL);
	lines->builder->reserve(gx, lines, lines->count);
	dwarfsym_join(&rows, &functions, &lines->rows);
	dwarfsym_free_rows(&rows);
	dwarfsym_free_functions(&functions);
	dwarfsym_free_info(&info);
}

static enum gprofx_result
read_lines(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_lines *lines,
           const void *options)
{
	struct dwarfsym_asked asked = {
		.lines = lines,
		.search = {.sections = {.begins_in_file_0 = lines->begins_in_file_0}}};
	struct dwarfsym_debug debug;

	if (begin(gx, image, options, &debug, &asked)) {
		if (lines->strict && debug.wrapped && !lines->wants_inlined)
			dwarfsym_read_biased(gx, &debug, &asked);
		else
			read_rows(gx, &debug, &asked);
		dwarfsym_search_finish(&asked.search);
	}
	dwarfsym_close(gx, &debug);
	return GPROFX_OK;
}

static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0 ? 50 : 0;
}

static const struct gprofx_option option_table[] = {
	{.key = "debug-folder",
         .type = GPROFX_STRING,
         .offset = offsetof(struct dwarfsym_options, debug_folder),
         .initial = "/usr/lib/debug:/usr/lib/debug/usr",
         .help = "folders to search for separate debug files, separated by colons"},
};

static const struct gprofx_symbols symbols = {.size = sizeof symbols,
                                              .probe = probe,
                                              .locate = locate,
                                              .lines = read_lines};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "symbols-dwarf",
                 .version = "1.0",
                 .summary = "Source files and lines of functions, from DWARF debug information",
                 GPROFX_OPTIONS(struct dwarfsym_options, option_table),
                 .symbols = &symbols};
