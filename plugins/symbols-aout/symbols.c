/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of the symbol table of an a.out image are functions. */
#include <string.h>

#include <gprofx/symbols.h>

#include "headers.h"

/* Types of rows; external symbols have one more bit. */
enum {
	EXTERNAL = 1,
	IN_TEXT = 4,
	TYPE = 0x1e,
	WEAK_TEXT = 0x0f, /* of the GNU tools; older ones use it for files */
	WARNING = 0x1e,
	FILE_NAME = 0x1f,
	STAB = 0xe0,          /* bits that only rows of debug information have */
	STAB_FILE_NAME = 0x64 /* of the main source file of an object */
};

/* Names may share bytes: no name of a file is longer. */
enum { MOST_FILE_NAME = 1024 };

/* What the linker of NetBSD, OpenBSD and FreeBSD writes behind the type: half of it is the kind. */
enum { KIND = 0x0f, KIND_DATA = 1, BINDING_WEAK = 2 };

/* The members of a row. */
struct row {
	uint32_t string, value;
	uint8_t type, other;
	const char *name;
};

struct table {
	const uint8_t *rows;
	const char *strings;
	uint64_t row_count, strings_bytes;
	bool big_endian;
};

static struct row
row_at(const struct table *table, uint64_t index)
{
	const uint8_t *bytes = table->rows + index * AOUT_ROW;
	struct row row = {
		.string = gprofx_word_at(bytes, table->big_endian),
		.value = gprofx_word_at(bytes + 8, table->big_endian),
		.type = bytes[4],
		.other = bytes[5],
	};

	/* The size of the table stands where the first four bytes of it would. */
	if (row.string < 4)
		row.name = "";
	else
		row.name = row.string < table->strings_bytes ? table->strings + row.string : NULL;
	return row;
}

/* Linkers write the name of each object before its local symbols, some as a symbol of its text. */
static bool
is_file(const struct row *row)
{
	size_t length;

	if (row->type == FILE_NAME)
		return true;
	if ((row->type != IN_TEXT && row->type != WEAK_TEXT && row->type != WARNING) ||
	    !row->name || row->name[0] == '_')
		return false;
	length = strnlen(row->name, MOST_FILE_NAME);
	return length > 2 && length < MOST_FILE_NAME && strcmp(row->name + length - 2, ".o") == 0;
}

/* Debug information has the name of a folder, then that of the file; an empty one ends it. */
static bool
is_source_file(const struct row *row)
{
	size_t length = row->type == STAB_FILE_NAME && row->name
	                        ? strnlen(row->name, MOST_FILE_NAME)
	                        : 0;

	return length > 0 && row->name[length - 1] != '/';
}

/* Labels of assemblers; names of C functions start with an underscore. */
static bool
is_label(const struct row *row)
{
	return row->type == IN_TEXT && row->name && row->name[0] == 'L' && row->name[1] >= '0' &&
	       row->name[1] <= '9';
}

static bool
is_function(const struct row *row)
{
	if (is_label(row))
		return false;
	return ((row->type & STAB) == 0 && (row->type & TYPE) == IN_TEXT) || row->type == WEAK_TEXT;
}

static void
add(struct gprofx_symtab *symtab, const struct row *row, uint32_t unit)
{
	bool is_local = (row->type & EXTERNAL) == 0 && row->other >> 4 != BINDING_WEAK;
	uint32_t at = symtab->count++;

	symtab->rows.name[at] = row->name ? row->name : "<corrupt>";
	symtab->rows.address[at] = row->value;
	symtab->rows.flags[at] = (uint8_t)((is_local ? GPROFX_SYMBOL_LOCAL : 0) |
	                                   ((row->other & KIND) == KIND_DATA ? GPROFX_SYMBOL_DATA
	                                                                     : 0));
	symtab->unit[at] = is_local ? unit : 0;
}

static void
warn_nameless(struct gprofx *gx, const struct gprofx_image *image, const struct aout_layout *layout,
              uint32_t nameless)
{
	gprofx_warn(gx,
	            &(struct gprofx_diagnostic){.id = "image.bad-symbol-name",
	                                        .file = image->name,
	                                        .place = GPROFX_AT_OFFSET,
	                                        .offset = layout->strings_at,
	                                        .hint = aoutsym_copy_again,
	                                        .number = {nameless, layout->strings_bytes}},
	            "expected names of symbols inside their table of %llu bytes, found %u beyond "
	            "its end; they are shown as <corrupt>",
	            (unsigned long long)layout->strings_bytes, nameless);
}

/* The symbol table has the stabs, and its names are their strings. */
static void
state_stabs(struct gprofx *gx, const struct aout_layout *layout, struct gprofx_symtab *symtab)
{
	struct gprofx_debug_section *sections = gprofx_alloc(gx, 2 * sizeof *sections);

	sections[0] = (struct gprofx_debug_section){".stab", layout->symbols_at,
	                                            layout->row_count * AOUT_ROW};
	sections[1] = (struct gprofx_debug_section){".stabstr", layout->strings_at,
	                                            layout->strings_bytes};
	symtab->debug = sections;
	symtab->debug_count = 2;
	symtab->has_stabs = true;
}

void
aoutsym_fill(struct gprofx *gx, const struct gprofx_image *image, const struct aout_header *header,
             const struct aout_layout *layout, struct gprofx_symtab *symtab)
{
	struct table table = {
		.rows = image->bytes + layout->symbols_at,
		.strings = (const char *)image->bytes + layout->strings_at,
		.row_count = layout->row_count,
		.strings_bytes = layout->strings_bytes,
		.big_endian = header->big_endian,
	};
	uint32_t functions = 0, files = 0, stabs = 0, unit = 0, nameless = 0;

	/* The last name ends here at the latest. */
	if (table.strings_bytes > 4)
		image->bytes[layout->strings_at + table.strings_bytes - 1] = '\0';
	symtab->strings = table.strings;
	symtab->strings_bytes = table.strings_bytes;
	for (uint64_t i = 0; i < table.row_count; i++) {
		const struct row row = row_at(&table, i);

		files += is_file(&row);
		functions += is_function(&row);
		stabs += (row.type & STAB) != 0;
	}
	if (stabs > 0)
		state_stabs(gx, layout, symtab);
	symtab->builder->reserve(gx, symtab, functions);
	for (uint64_t i = 0; i < table.row_count; i++) {
		const struct row row = row_at(&table, i);

		if (files > 0 ? is_file(&row) : is_source_file(&row)) {
			unit++;
		} else if (is_function(&row)) {
			nameless += !row.name;
			add(symtab, &row, unit);
		}
	}
	if (nameless > 0 && !symtab->facts_only)
		warn_nameless(gx, image, layout, nameless);
}
