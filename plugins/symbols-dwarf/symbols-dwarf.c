/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-dwarf: source file and line of addresses, from DWARF 2 to 5.
 *
 * libdw finds the units and the addresses they cover; the line tables of those units that cover an
 * asked address are decoded here (line-table.h).  One pass over the units answers all addresses.
 */
#include <gprofx/symbols.h>

#include <elfutils/libdw.h>
#include <string.h>

#include "debug-file.h"
#include "line-search.h"
#include "units.h"

/* Reports damage, once. */
static void
warn(struct gprofx *gx, const char *file, bool *warned, const char *what, const char *why)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "dwarf.unreadable",
		.file = file,
		.hint = "source files and lines stay unknown; to see them, build the program anew or "
			"install its debug information again",
	};

	if (!*warned)
		gprofx_warn(gx, &diagnostic, "expected readable debug information, found %s: %s",
		            what, why);
	*warned = true;
}

/* Finds the sections; libdw has decompressed and relocated them. */
static void
find_sections(Elf *elf, struct dwarfsym_sections *sections)
{
	static const struct {
		const char *name;
		size_t offset;
	} wanted[] = {
		{"line", offsetof(struct dwarfsym_sections, line)},
		{"line_str", offsetof(struct dwarfsym_sections, line_strings)},
		{"str", offsetof(struct dwarfsym_sections, strings)},
		{"info", offsetof(struct dwarfsym_sections, info)},
		{"abbrev", offsetof(struct dwarfsym_sections, abbreviations)},
		{"ranges", offsetof(struct dwarfsym_sections, ranges)},
		{"rnglists", offsetof(struct dwarfsym_sections, range_lists)},
		{"addr", offsetof(struct dwarfsym_sections, addresses)},
	};
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
		for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
			struct dwarfsym_section *section = (void *)((char *)sections +
			                                            wanted[i].offset);
			Elf_Data *data;

			if (strcmp(name, wanted[i].name) != 0 || section->bytes)
				continue;
			data = elf_getdata(scn, NULL);
			if (data && data->d_buf) {
				section->bytes = data->d_buf;
				section->length = data->d_size;
			}
		}
	}
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
	struct dwarfsym_search search = {.gx = gx, .positions = positions};
	struct dwarfsym_debug debug;
	bool warned = false;

	dwarfsym_open(gx, image, options, &debug);
	if (debug.wrong)
		warn(gx, debug.name, &warned, debug.found, debug.wrong);
	if (debug.dwarf && !debug.wrong) {
		search.address_mask = debug.address_bytes == 4 ? UINT32_MAX : UINT64_MAX;
		search.sections.shift = debug.shift;
		find_sections(dwarf_getelf(debug.dwarf), &search.sections);
		dwarfsym_search_start(&search);
		search_units(gx, &debug, &search);
		dwarfsym_search_finish(&search);
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
         .help = "where separate debug files are looked for; several folders are joined with colons"},
};

static const struct gprofx_symbols symbols = {.size = sizeof symbols,
                                              .probe = probe,
                                              .locate = locate};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "symbols-dwarf",
                 .version = "1.0",
                 .summary = "Source files and lines of functions, from DWARF debug information",
                 GPROFX_OPTIONS(struct dwarfsym_options, option_table),
                 .symbols = &symbols};
