/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of debug information name the innermost subroutine that code is of, and the instance that it
 * is; the rest of the chain are the parents of that one.
 */
#include "symbols/inlined.h"

#include "base/memory.h"
#include "base/name-table.h"
#include "base/sort.h"

/* A parent was numbered before what was inlined into it; another one ends the chain. */
static uint32_t
parent_of(const struct inlined_code *code, uint32_t instance)
{
	uint32_t parent = code->instances[instance].parent;

	return parent < instance ? parent : 0;
}

static void
set_depths(struct run *run, struct inlined_code *code)
{
	memory_array(run, code->depth, code->instance_count);
	for (uint32_t i = 1; i < code->instance_count; i++)
		code->depth[i] = 1 + code->depth[parent_of(code, i)];
}

static void
release(struct run *run, struct inlined_code *code)
{
	symbols_release_lines(run, &code->rows.public);
	line_rows_release(run, &code->rows);
	memory_release(run, code->instances);
	memory_release(run, code->depth);
	memory_release(run, code);
}

static struct inlined_code *
read_code(struct run *run, struct symbols *symbols)
{
	struct inlined_instance *kept = symbols->instances;
	uint32_t kept_count = symbols->instance_count, kept_room = symbols->instance_room;
	struct inlined_code *code = memory_alloc(run, sizeof *code);
	struct line_rows *rows = &code->rows;

	rows->public = (struct gprofx_lines){
		.size = sizeof rows->public,
		.builder = &line_rows_builder,
		.begins_in_file_0 = !run_corrects(run, GPROFX_CORRECT_FIRST_FILES),
		.in_order_of_stabs = !run_corrects(run, GPROFX_CORRECT_STABS_LINES),
		.wants_inlined = true,
	};
	rows->symbols = symbols;
	if (!symbols_has_provider(run, symbols))
		return NULL;
	rows->covers = covers_find(run, symbols, false);
	/* In reports by line the symbols have instances of their own, by other numbers. */
	symbols->instances = NULL;
	symbols->instance_count = symbols->instance_room = 0;
	line_rows_ask(run, rows, symbols->located, 0);
	code->instances = symbols->instances;
	code->instance_count = symbols->instance_count;
	symbols->instances = kept;
	symbols->instance_count = kept_count;
	symbols->instance_room = kept_room;
	if (rows->public.count == 0) {
		release(run, code);
		return NULL;
	}
	set_depths(run, code);
	return code;
}

struct inlined_code *
symbols_read_inlined(struct run *run, struct symbols *symbols)
{
	struct inlined_code *code = symbols->kept_inlined;

	if (code)
		return code;
	code = read_code(run, symbols);
	if (code && symbols->keeps_inlined) {
		symbols->kept_inlined = code;
		code->is_kept = true;
	}
	return code;
}

struct inlined_code *
symbols_read_inlined_apart(struct run *run, const struct symbols *symbols)
{
	struct symbols own = *symbols;
	bool was_silent = run->is_silent;
	uint32_t silenced = run->silenced;
	struct inlined_code *code;

	own.files = NULL;
	own.file_hash = NULL;
	own.file_count = own.file_room = own.file_hash_size = 0;
	run->is_silent = true;
	code = read_code(run, &own);
	run->is_silent = was_silent;
	if (!code)
		return NULL;
	code->files = own.files;
	code->file_count = own.file_count;
	code->has_messages = run->silenced > silenced;
	/* What it refers to ends with this call. */
	code->rows.symbols = NULL;
	return code;
}

/* Providers number files as they like. */
static uint32_t
file_number(const struct inlined_code *code, const uint32_t *numbers, uint32_t file)
{
	return file < code->file_count ? numbers[file] : 0;
}

/* Gives the files of what was read apart the symbols' numbers. */
static void
adopt_files(struct run *run, struct inlined_code *code, struct symbols *symbols)
{
	const struct gprofx_lines *lines = &code->rows.public;
	uint32_t *number;

	if (code->files) {
		memory_array(run, number, code->file_count);
		/* In the order in which they were met, as if the symbols' had been used. */
		for (uint32_t i = 1; i < code->file_count; i++)
			number[i] = symbols_intern_file(run, symbols, code->files[i].path);
		for (uint32_t i = 0; i < lines->count; i++)
			lines->rows.file[i] = file_number(code, number, lines->rows.file[i]);
		for (uint32_t i = 1; i < code->instance_count; i++)
			code->instances[i].file = file_number(code, number,
			                                      code->instances[i].file);
		memory_release(run, number);
	}
	code->files = NULL;
	code->file_count = 0;
	code->rows.symbols = symbols;
}

void
symbols_keep_inlined(struct run *run, struct symbols *symbols, struct inlined_code *code)
{
	symbols->keeps_inlined = true;
	if (!code)
		return;
	adopt_files(run, code, symbols);
	code->is_kept = true;
	symbols->kept_inlined = code;
}

void
symbols_drop_inlined(struct run *run, struct symbols *symbols)
{
	if (symbols->kept_inlined)
		release(run, symbols->kept_inlined);
	symbols->kept_inlined = NULL;
	symbols->keeps_inlined = false;
}

bool
inlined_is_read_quickly(const struct symbols *symbols)
{
	const uint64_t MOST_BYTES = 32 << 20; /* about half a second */

	return symbols_have_image(symbols) && symbols->images[0].bytes <= MOST_BYTES;
}

uint32_t
inlined_row_at(const struct inlined_code *code, uint64_t address)
{
	const struct gprofx_lines *lines = &code->rows.public;
	uint32_t count = sorted_up_to(lines->rows.address, lines->count, address);

	return count > 0 ? count - 1 : lines->count;
}

/* A number that the provider was given, or 0. */
static uint32_t
known_name(const struct inlined_code *code, uint32_t name)
{
	return name <= code->rows.names.count ? name : 0;
}

uint32_t
inlined_frames(const struct inlined_code *code, uint32_t row, struct code_frame *frames)
{
	const struct gprofx_lines *lines = &code->rows.public;
	uint32_t instance, depth;

	frames[0] = (struct code_frame){0};
	if (row >= lines->count)
		return 1;
	instance = lines->rows.inlined[row];
	if (instance >= code->instance_count || code->depth[instance] > INLINED_AT_MOST)
		instance = 0;
	depth = instance != 0 ? code->depth[instance] : 0;
	frames[depth] = (struct code_frame){depth > 0 ? known_name(code, lines->rows.name[row]) : 0,
	                                    lines->rows.file[row], lines->rows.line[row]};
	for (uint32_t i = depth; i-- > 0; instance = parent_of(code, instance)) {
		const struct inlined_instance *from = &code->instances[instance];

		/* What it was inlined into has a name of its own, but for functions by number. */
		frames[i] = (struct code_frame){0, from->file, from->line};
		if (i > 0 && from->into)
			frames[i].name = 1 + name_table_lookup(&code->rows.names, from->into);
	}
	return depth + 1;
}

bool *
inlined_find_copies(struct run *run, const struct inlined_code *code)
{
	const struct gprofx_lines *lines = &code->rows.public;
	bool *is_used, *has_copies;

	memory_array(run, is_used, code->instance_count);
	memory_array(run, has_copies, code->rows.names.count + 1);
	for (uint32_t row = 0; row < lines->count; row++) {
		uint32_t instance = lines->rows.inlined[row];

		if (instance == 0 || instance >= code->instance_count ||
		    code->depth[instance] > INLINED_AT_MOST)
			continue;
		is_used[instance] = true;
		has_copies[known_name(code, lines->rows.name[row])] = true;
	}
	/* Each instance once, not once for each row that it has code in; parents come first. */
	for (uint32_t i = code->instance_count; i-- > 1;) {
		if (!is_used[i] || code->depth[i] < 2)
			continue;
		is_used[parent_of(code, i)] = true;
		if (code->instances[i].into)
			has_copies[1 + name_table_lookup(&code->rows.names,
			                                 code->instances[i].into)] = true;
	}
	memory_release(run, is_used);
	return has_copies;
}

void
symbols_release_inlined(struct run *run, struct inlined_code *code)
{
	if (!code->is_kept)
		release(run, code);
}
