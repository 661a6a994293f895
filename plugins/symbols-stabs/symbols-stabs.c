/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-stabs: source file and line of addresses, from stabs, which compilers wrote before there
 * was DWARF.  The provider of the image says where they are.
 */
#include <string.h>

#include <gprofx/symbols.h>

#include "stabs.h"

enum {
	/* All names that the host gets are no longer than that many times the stabs. */
	NAME_TIMES = 16
};

/* What the host gets of a table. */
struct export
{
	struct stabs_table *table;
	struct gprofx_positions *positions;
	struct gprofx_lines *lines; /* or NULL: positions */
	uint64_t left;              /* bytes of names that may still come */
	char *name;                 /* room for one */
	uint32_t name_room, last_name, last_number;
};

static bool
begin(struct stabs_table *table, struct export *export, struct gprofx *gx,
      const struct gprofx_image *image)
{
	if (!stabs_open(table, gx, image))
		return false;
	export->table = table;
	export->left = NAME_TIMES * ((uint64_t)table->count * 12 + table->strings_bytes) + 4096;
	stabs_find_rows(table);
	return true;
}

static void
end(struct export *export)
{
	export->table->gx->host->release(export->table->gx, export->name);
	stabs_close(export->table);
}

static bool
may_take(struct export *export, uint64_t bytes)
{
	if (bytes > export->left)
		return false;
	export->left -= bytes;
	return true;
}

/* The line of a row, 0: not known.  To GNU gprof, code without a function has none. */
static uint32_t
line_of(const struct stabs_table *table, const struct stabs_row *row)
{
	return row->path == 0 || (table->in_order && row->name == 0) ? 0 : row->line;
}

/*
 * The host's number of a row's file, 0: not known.  GNU gprof asks no other debug information where
 * stabs have no line, except in ELF files, where it asks that first.
 */
static uint32_t
file_of(struct export *export, const struct stabs_row *row)
{
	struct stabs_table *table = export->table;
	struct stabs_path *path = &table->paths[row->path];
	bool is_last = table->in_order && !table->is_elf;
	char room[STABS_PATH_ROOM];
	const char *text;

	if (row->path == 0 || (line_of(table, row) == 0 && !is_last))
		return 0;
	if (path->number != 0)
		return path->number;
	text = stabs_path_text(table, row->path, room);
	if (!text || !may_take(export, strlen(text)))
		return 0;
	path->number = export->lines ? export->lines->builder->file(table->gx, export->lines, text)
	                             : export->positions->builder->file(table->gx,
	                                                                export->positions, text);
	return path->number;
}

/* The host's number of a function's name, 0: not known. */
static uint32_t
name_of(struct export *export, const struct stabs_row *row)
{
	struct stabs_table *table = export->table;
	uint32_t length;

	if (row->name == 0 || row->line == 0)
		return 0;
	if (row->name == export->last_name)
		return export->last_number;
	export->last_name = row->name;
	export->last_number = 0;
	length = stabs_name_length(table, row->name, export->left);
	if (!may_take(export, length) || length == 0 || export->left == 0)
		return 0;
	if (length >= export->name_room) {
		export->name = table->gx->host->grow(table->gx, export->name, export->name_room,
		                                     2 * (size_t)length + 64);
		export->name_room = 2 * length + 64;
	}
	memcpy(export->name, table->strings + row->name, length);
	export->name[length] = '\0';
	export->last_number = export->lines->builder->name(table->gx, export->lines, export->name);
	return export->last_number;
}

static enum gprofx_result
locate(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_positions *positions,
       const void *options)
{
	struct stabs_table table = {.in_order = positions->in_order_of_stabs};
	struct export export = {.positions = positions};
	uint64_t mask;
	uint32_t row = 0;

	(void)options;
	if (!begin(&table, &export, gx, image))
		return GPROFX_OK;
	mask = image->target->pointer_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	for (uint32_t i = 0; i < positions->count; i++) {
		uint64_t address = positions->address[i] & mask;
		uint32_t file;

		while (row < table.row_count && table.rows[row].address <= address)
			row++;
		if (row == 0)
			continue;
		file = file_of(&export, &table.rows[row - 1]);
		positions->file[i] = file;
		positions->line[i] = file != 0 ? line_of(&table, &table.rows[row - 1]) : 0;
	}
	end(&export);
	return GPROFX_OK;
}

static enum gprofx_result
read_lines(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_lines *lines,
           const void *options)
{
	struct stabs_table table = {.in_order = lines->in_order_of_stabs, .lines = lines};
	struct export export = {.lines = lines};

	(void)options;
	if (!begin(&table, &export, gx, image))
		return GPROFX_OK;
	lines->builder->reserve(gx, lines, table.row_count);
	for (uint32_t i = 0; i < table.row_count; i++) {
		const struct stabs_row *row = &table.rows[i];
		uint32_t file = file_of(&export, row);

		lines->rows.address[i] = row->address;
		lines->rows.file[i] = file;
		lines->rows.line[i] = file != 0 ? line_of(&table, row) : 0;
		if (lines->rows.name)
			lines->rows.name[i] = file != 0 ? name_of(&export, row) : 0;
	}
	lines->count = table.row_count;
	end(&export);
	return GPROFX_OK;
}

static const struct gprofx_symbols symbols = {.size = sizeof symbols,
                                              .locate = locate,
                                              .lines = read_lines};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-stabs", .version = "1.0",
                 .summary = "Source files and lines of functions, from stabs", .symbols = &symbols};
