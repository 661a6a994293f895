/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other objects beside the program: shared libraries that have profiles of their own.  Their
 * symbols stand in the same table, behind those of the program: see layout.c.
 */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] != '\0' ? slash + 1 : path;
}

static enum gprofx_result
fail_object(struct run *run, const char *name, int error)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "object.cannot-open",
		.file = name,
		.system_error = error,
		.hint = "name the library that wrote the profile: --object=LIB=PROFILE",
	};

	return run_fail(run, &diagnostic, "cannot read the shared library: %s",
	                mapfile_words(error));
}

static enum gprofx_result
fail_machine(struct run *run, const char *name)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "object.other-machine",
		.file = name,
		.hint = "report only objects of one machine together",
	};

	return run_fail(run, &diagnostic,
	                "expected an object for the machine of the program, found one for another");
}

static enum gprofx_result
fail_spread(struct run *run, const char *name)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "object.spread-code",
		.file = name,
		.hint = "the file is damaged; copy or link it again",
	};

	return run_fail(
		run, &diagnostic,
		"expected the code of an object in one place, found parts of it 1 TiB apart");
}

static void
warn_no_room(struct run *run)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "object.no-room",
		.file = run->settings->image,
		.hint = "report each library by itself: name it in the place of the program",
	};

	run_warn(run, &diagnostic,
	         "no addresses are left after the program for other objects: the program is "
	         "reported alone");
}

/* Where the rows of an object go, and what of it is to be appended. */
struct joining {
	struct symbols *to;
	const struct gprofx_symtab *from;
	const struct symbol_image *image;
};

void
symbols_make_room(struct run *run, struct symbols *symbols, uint32_t more)
{
	struct gprofx_symtab *table = &symbols->table;
	struct gprofx_symbol_rows *rows = &table->rows;
	size_t old = table->count, new = old + more;

	if (new <= symbols->reserved)
		return;
	/* Many objects come one after the other. */
	new = symbols_objects(symbols) > 0 && new < 2 * old ? 2 * old : new;
	rows->address = memory_grow(run, rows->address, old * sizeof *rows->address,
	                            new * sizeof *rows->address);
	rows->bytes = memory_grow(run, rows->bytes, old * sizeof *rows->bytes,
	                          new * sizeof *rows->bytes);
	rows->name = memory_grow(run, (void *)rows->name, old * sizeof *rows->name,
	                         new * sizeof *rows->name);
	rows->flags = memory_grow(run, rows->flags, old * sizeof *rows->flags,
	                          new * sizeof *rows->flags);
	table->unit = memory_grow(run, table->unit, old * sizeof *table->unit,
	                          new * sizeof *table->unit);
	symbols->reserved = new < UINT32_MAX ? (uint32_t) new : UINT32_MAX;
}

uint32_t
symbols_highest_unit(const struct gprofx_symtab *table)
{
	uint32_t highest = 0;

	for (uint32_t i = 0; i < table->count; i++)
		highest = table->unit[i] > highest ? table->unit[i] : highest;
	return highest;
}

/* Units are numbered on: *units is the highest so far. */
static void
join_rows(struct run *run, const struct joining *joining, uint32_t *units)
{
	const struct gprofx_symtab *from = joining->from;
	struct gprofx_symtab *to = &joining->to->table;
	struct gprofx_symbol_rows *rows = &to->rows;
	uint32_t before = *units;

	symbols_make_room(run, joining->to, from->count);
	for (uint32_t i = 0; i < from->count; i++) {
		uint32_t row = to->count++, unit = from->unit[i];

		rows->address[row] = symbols_location(joining->to, joining->image,
		                                      from->rows.address[i]);
		rows->bytes[row] = from->rows.bytes[i];
		rows->name[row] = from->rows.name[i];
		rows->flags[row] = from->rows.flags[i];
		if (from->untyped_format)
			rows->flags[row] |= GPROFX_SYMBOL_FUNCTION;
		to->unit[row] = unit != 0 ? unit + before : 0;
		*units = to->unit[row] > *units ? to->unit[row] : *units;
	}
}

/* The code of other objects is not read, whose places in the program's file would be others'. */
static void
join_code(struct run *run, const struct joining *joining, uint64_t nowhere)
{
	const struct gprofx_symtab *from = joining->from;
	struct gprofx_symtab *to = &joining->to->table;
	struct gprofx_code_range *code;

	memory_array(run, code, (size_t)to->code_count + from->code_count);
	if (to->code_count > 0)
		memcpy(code, to->code, to->code_count * sizeof *code);
	for (uint32_t i = 0; i < from->code_count; i++) {
		code[to->code_count + i] = from->code[i];
		code[to->code_count + i].address += joining->image->base;
		code[to->code_count + i].file_offset = nowhere;
	}
	to->code = code;
	to->code_count += from->code_count;
}

static enum gprofx_result
read_object(struct run *run, struct symbols *symbols, struct symbol_image *image, uint32_t *units)
{
	const struct gprofx_symtab program = symbols->table;
	const uint32_t reserved = symbols->reserved;
	struct joining joining = {symbols, NULL, image};
	struct gprofx_symtab own;
	struct mapped_file *file;
	enum gprofx_result result;
	int error = 0;

	file = mapfile_open(run, image->path, 0, &error);
	if (!file)
		return fail_object(run, image->path, error);
	image->bytes = file->length;
	memset(&symbols->table, 0, sizeof symbols->table);
	symbols->reserved = 0;
	symbols->table.wants_exported = !run->settings->strict_lists;
	result = symbols_fill_table(run, symbols,
	                            &(struct gprofx_image){
					    .size = sizeof(struct gprofx_image),
					    .name = image->path,
					    .bytes = file->bytes,
					    .length = file->length,
				    });
	own = symbols->table;
	symbols->table = program;
	symbols->reserved = reserved;
	if (result != GPROFX_OK)
		return result;
	if (own.target.pointer_bytes != program.target.pointer_bytes ||
	    own.target.big_endian != program.target.big_endian ||
	    own.target.machine != program.target.machine)
		return fail_machine(run, image->path);
	image->library_name = own.library_name;
	image->build_id = own.build_id;
	image->build_id_bytes = own.build_id_bytes;
	image->has_source = own.has_source;
	image->debug = symbols_debug_of(&own);
	image->symbols_file = own.symbols_file;
	image->bytes = symbols_past(image->bytes, own.symbols_file_bytes);
	symbols_part_code(run, &own, file->length);
	image->code = own.code;
	image->code_count = own.code_count;
	if (!symbols_place_image(symbols, image, &own))
		return fail_spread(run, image->path);
	joining.from = &own;
	join_rows(run, &joining, units);
	image->rest = text_format(run, "[%s]", image->name);
	symbols_add_rests(run, symbols, image, &own);
	join_code(run, &joining, symbols->image.length);
	return GPROFX_OK;
}

/* What of the program's table is no code of its own cannot stand where other objects are. */
static void
clear_place(struct symbols *symbols, uint32_t count)
{
	for (uint32_t row = 0; row < count; row++)
		symbols->table.rows.address[row] = symbols_location(
			symbols, NULL, symbols->table.rows.address[row]);
}

enum gprofx_result
symbols_read_objects(struct run *run, struct symbols *symbols)
{
	const struct engine_settings *settings = run->settings;
	uint32_t count = symbols->table.count, units;

	memory_array(run, symbols->images, (size_t)settings->object_count + 1);
	symbols->images[symbols->image_count++] = (struct symbol_image){
		.path = symbols->image.name,
		.name = base_name(symbols->image.name),
		.library_name = symbols->table.library_name,
		.bytes = symbols->image.length,
		.code = symbols->table.code,
		.code_count = symbols->table.code_count,
	};
	if (settings->object_count == 0)
		return GPROFX_OK;
	if (!symbols_open_layout(symbols)) {
		warn_no_room(run);
		return GPROFX_OK;
	}
	units = symbols_highest_unit(&symbols->table);
	for (uint32_t i = 0; i < settings->object_count; i++) {
		struct symbol_image *image = &symbols->images[symbols->image_count];
		const char *path = settings->objects[i].library;

		if (symbols_object_by_path(symbols, path))
			continue;
		*image = (struct symbol_image){.path = path, .name = base_name(path)};
		if (read_object(run, symbols, image, &units) != GPROFX_OK)
			return GPROFX_FAILED;
		symbols->image_count++;
	}
	clear_place(symbols, count);
	return GPROFX_OK;
}

const struct symbol_image *
symbols_object_by_path(const struct symbols *symbols, const char *path)
{
	for (uint32_t i = 1; i < symbols->image_count; i++)
		if (strcmp(symbols->images[i].path, path) == 0)
			return &symbols->images[i];
	return NULL;
}
