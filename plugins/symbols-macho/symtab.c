/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the symbol table of a Mach-O image and keeps what lies in code. */
#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "macho.h"

enum { ROW = 12, ROW_64 = 16 };

/* Shown for a symbol whose name lies outside the table of names. */
static const char no_name[] = "<corrupt>";

uint32_t
macho_symbol_bytes(const struct macho *macho)
{
	return macho->target.pointer_bytes == 8 ? ROW_64 : ROW;
}

struct macho_symbol
macho_symbol(const struct macho *macho, uint32_t index)
{
	const uint8_t *row = macho->bytes + macho->symbols.offset +
	                     (size_t)index * macho_symbol_bytes(macho);

	return (struct macho_symbol){
		.name = macho_word(macho, row),
		.value = macho_address(macho, row + 8),
		.type = row[4],
		.section = row[5],
		.properties = (uint16_t)gprofx_number_at(row + 6, 2, macho->target.big_endian),
	};
}

enum gprofx_result
macho_check_symbols(const struct macho *macho)
{
	if (!macho_has(macho, &macho->symbols, macho_symbol_bytes(macho)))
		return MACHO_BAD_TABLE(
			macho, macho->symbols.offset,
			"expected a symbol table of %llu rows inside the file, found "
			"its end",
			(unsigned long long)macho->symbols.count);
	if (!macho_has(macho, &macho->strings, 1))
		return MACHO_BAD_TABLE(
			macho, macho->strings.offset,
			"expected names of %llu bytes inside the file, found its end",
			(unsigned long long)macho->strings.count);
	return GPROFX_OK;
}

void
macho_open_names(struct macho *macho)
{
	const char *strings = (const char *)macho->bytes + macho->strings.offset;
	uint64_t bytes = macho->strings.count;
	char *closed;

	if (bytes == 0 || macho->names)
		return;
	macho->names = strings;
	macho->names_bytes = bytes;
	if (strings[bytes - 1] == '\0')
		return;
	closed = gprofx_alloc(macho->gx, bytes + 1);
	memcpy(closed, strings, bytes);
	macho->names = closed;
	macho->names_bytes = bytes + 1;
}

bool
macho_is_in_code(const struct macho *macho, const struct macho_symbol *symbol)
{
	const struct macho_section *section;

	if ((symbol->type & SYMBOL_DEBUG) != 0 ||
	    (symbol->type & SYMBOL_PLACE) != SYMBOL_IN_SECTION || symbol->section == 0 ||
	    symbol->section > macho->section_count)
		return false;
	section = &macho->sections[symbol->section - 1];
	/* Names of the image's header and of ends are said to be in sections that they are not in.
	 */
	return section->is_code && symbol->value >= section->address &&
	       symbol->value - section->address < section->bytes;
}

/* Labels of compilers and assemblers, which the linker removes. */
static bool
is_private(const struct macho_symbol *symbol, const char *name)
{
	return (symbol->type & SYMBOL_EXTERNAL) == 0 && (name[0] == 'L' || name[0] == 'l');
}

uint32_t
macho_count_functions(const struct macho *macho)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < macho->symbols.count; i++) {
		struct macho_symbol symbol = macho_symbol(macho, i);

		count += macho_is_in_code(macho, &symbol);
	}
	return count;
}

static void
warn_nameless(const struct macho *macho, uint32_t nameless)
{
	gprofx_warn(macho->gx,
	            &(struct gprofx_diagnostic){.id = "image.bad-symbol-name",
	                                        .file = macho->name,
	                                        .place = GPROFX_AT_OFFSET,
	                                        .offset = macho->at + macho->strings.offset,
	                                        .hint = macho_copy_again,
	                                        .number = {nameless, macho->names_bytes}},
	            "expected names of symbols inside their table of %llu bytes, found %u beyond "
	            "its end; they are shown as %s",
	            (unsigned long long)macho->names_bytes, nameless, no_name);
}

static void
fill_named(const struct macho *macho, struct macho_starts *starts, struct gprofx_symtab *symtab)
{
	uint32_t nameless = 0;

	for (uint32_t i = 0; i < macho->symbols.count; i++) {
		struct macho_symbol symbol = macho_symbol(macho, i);
		bool is_thumb = macho->target.machine == EM_ARM &&
		                (symbol.properties & SYMBOL_THUMB) != 0;
		uint32_t at = symtab->count;
		const char *name = no_name;

		if (!macho_is_in_code(macho, &symbol))
			continue;
		if (symbol.name < macho->names_bytes)
			name = macho->names + symbol.name;
		if (is_private(&symbol, name))
			continue;
		nameless += name == no_name;
		symbol.value -= is_thumb ? symbol.value & 1 : 0;
		macho_name_start(starts, symbol.value);
		symtab->rows.name[at] = name;
		symtab->rows.address[at] = symbol.value;
		symtab->rows.flags[at] = GPROFX_SYMBOL_FUNCTION |
		                         (symbol.type & SYMBOL_EXTERNAL ? 0 : GPROFX_SYMBOL_LOCAL);
		symtab->count++;
	}
	if (nameless > 0)
		warn_nameless(macho, nameless);
}

void
macho_fill(const struct macho *macho, const struct macho *named, struct gprofx_symtab *symtab)
{
	struct macho_starts starts;

	symtab->strings = named->names;
	symtab->strings_bytes = named->names_bytes;
	macho_read_starts(macho, symtab, &starts);
	symtab->builder->reserve(macho->gx, symtab, (uint32_t)named->symbols.count + starts.count);
	fill_named(named, &starts, symtab);
	macho_fill_nameless(macho, &starts, symtab);
	macho_find_marks(macho, named, &starts, symtab);
	macho->gx->host->release(macho->gx, starts.address);
	macho->gx->host->release(macho->gx, starts.is_named);
}
