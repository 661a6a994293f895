/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-dwarf: source file and line of addresses, from DWARF 2 to 5.
 *
 * libdw finds the units and the addresses they cover; the line tables of those units that cover an
 * asked address are decoded here (line-table.h).  One pass over the units answers all addresses.
 */
#include <gprofx/symbols.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "debug-file.h"
#include "line-search.h"

/* Reports damage, once. */
static void
warn(struct gprofx *gx, const char *file, bool *warned, const char *what, const char *why)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "dwarf.unreadable", .file = file,
		.hint = "source files and lines stay unknown where the debug information is damaged; "
		        "build the program anew to get them"};

	if (!*warned)
		gprofx_warn(gx, &diagnostic, "expected readable debug information, found %s: %s",
		            what, why);
	*warned = true;
}

/*
 * Whether a unit may answer an open address.  One that does not say what it covers may answer any.
 */
static bool
is_wanted(struct dwarfsym_search *search, Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	uint64_t shift = search->sections.shift;
	ptrdiff_t at = 0;
	bool any = false;

	while ((at = dwarf_ranges(unit, at, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		if (dwarfsym_search_wants(search, start - shift, end - shift))
			return true;
		any = true;
	}
	return !any && at == 0 && dwarfsym_search_wants(search, 0, UINT64_MAX);
}

/* Returns NULL, or what is wrong with the unit's line table. */
static const char *
search_unit(struct dwarfsym_search *search, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	const char *folder;

	if (!is_wanted(search, unit) || !dwarf_attr(unit, DW_AT_stmt_list, &attribute) ||
	    dwarf_formudata(&attribute, &offset) != 0)
		return NULL;
	folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	return dwarfsym_search_table(search, offset, folder);
}

/* Finds the sections of line tables; libdw has decompressed and relocated them. */
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
			struct dwarfsym_section *section =
				(void *)((char *)sections + wanted[i].offset);
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

static enum gprofx_result
locate(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_positions *positions,
       const void *options)
{
	struct dwarfsym_search search = {.gx = gx, .positions = positions};
	struct dwarfsym_debug debug;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	bool warned = false;
	int more;

	dwarfsym_open(gx, image, options, &debug);
	if (debug.wrong)
		warn(gx, debug.name, &warned, "a damaged file", debug.wrong);
	if (!debug.dwarf || debug.wrong) {
		dwarfsym_close(gx, &debug);
		return GPROFX_OK;
	}
	search.address_mask = debug.address_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	search.sections.shift = debug.shift;
	find_sections(dwarf_getelf(debug.dwarf), &search.sections);
	dwarfsym_search_start(&search);
	while ((more = dwarf_get_units(debug.dwarf, cu, &cu, NULL, NULL, &unit, NULL)) == 0) {
		const char *wrong = search_unit(&search, &unit);

		if (wrong)
			warn(gx, debug.name, &warned, "a damaged line table", wrong);
	}
	if (more < 0)
		warn(gx, debug.name, &warned, "a damaged unit", dwarf_errmsg(-1));
	dwarfsym_search_finish(&search, positions);
	dwarfsym_close(gx, &debug);
	return GPROFX_OK;
}

static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0 ? 50 : 0;
}

static const struct gprofx_option option_table[] = {
	{.key = "debug-folder", .type = GPROFX_STRING,
	 .offset = offsetof(struct dwarfsym_options, debug_folder),
	 .initial = "/usr/lib/debug:/usr/lib/debug/usr",
	 .help = "where separate debug files are looked for; several folders are joined with colons"},
};

static const struct gprofx_symbols symbols = {
	.size = sizeof symbols, .probe = probe, .locate = locate};

GPROFX_PLUGIN = {
	GPROFX_ABI, .name = "symbols-dwarf", .version = "1.0",
	.summary = "Source files and lines of functions, from DWARF debug information",
	GPROFX_OPTIONS(struct dwarfsym_options, option_table), .symbols = &symbols};
