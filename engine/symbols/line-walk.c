/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line begins wherever, along the addresses of code, the answer of the debug information to
 * "which line, function and file is this" changes.
 */
#include "symbols/line-walk.h"

#include "symbols/line-rows.h"
#include "symbols/symbols.h"

void
line_walk_note_file(struct line_walk *walk, uint32_t file)
{
	struct symbols *symbols = walk->symbols;

	if (file == 0 || walk->is_noted[file])
		return;
	walk->is_noted[file] = 1;
	symbols->file_order[symbols->file_order_count++] = file;
}

/* The line that the walk came to last, or NULL. */
static const struct line_symbol *
last_line(const struct line_walk *walk)
{
	return walk->count > 0 ? &walk->lines[walk->count - 1] : NULL;
}

/* Whether a line is static: as the function it is in, or as the line before of the same one. */
static bool
is_local(struct line_walk *walk, uint64_t address, uint32_t name, uint32_t file)
{
	const struct symbols *symbols = walk->symbols;
	const struct line_symbol *last = last_line(walk);
	uint32_t function;

	if (last && last->name == name && last->file == file)
		return last->is_local;
	while (walk->function < symbols->count && symbols->address[walk->function] <= address)
		walk->function++;
	function = walk->function - 1;
	return walk->function > 0 && address <= symbols->end[function] &&
	       (symbols->flags[function] & GPROFX_SYMBOL_LOCAL) != 0;
}

/* Takes the answer for the code of a row from an address on. */
static void
take_answer(struct line_walk *walk, uint64_t address, uint32_t name, uint32_t row)
{
	const struct gprofx_line_rows *rows = &walk->rows->public.rows;
	uint32_t file = rows->file[row], line = rows->line[row];
	uint32_t inlined = rows->inlined ? rows->inlined[row] : 0;

	if (walk->count > 0) {
		const struct line_symbol *last = &walk->lines[walk->count - 1];

		if (last->name == name && last->file == file && last->line == line &&
		    last->inlined == inlined)
			return;
	}
	line_walk_note_file(walk, file);
	walk->lines[walk->count] = (struct line_symbol){
		address, name, file, line, inlined, is_local(walk, address, name, file)};
	walk->count++;
}

/*
 * The end of the code from an address on, at most the given one, that is of one of the image's own
 * symbols, walk->cover.
 */
static uint64_t
find_part(struct line_walk *walk, uint64_t address, uint64_t end)
{
	const struct covers *covers = &walk->rows->covers;
	struct code_name name;

	if (address >= walk->past) {
		while (walk->cover < covers->count && covers->address[walk->cover] <= address)
			walk->cover++;
		if (walk->cover > 0) {
			name = covers_name(walk->symbols, covers->id[walk->cover - 1]);
			walk->past = symbols_past(name.address, name.bytes);
		}
	}
	if (address < walk->past)
		return walk->past < end ? walk->past : end;
	return walk->cover < covers->count && covers->address[walk->cover] < end
	               ? covers->address[walk->cover]
	               : end;
}

/*
 * Takes the answer for code that can be of several of the image's own symbols: they have the names
 * that the debug information does not have, and static ones can be unwanted.
 */
static void
take_parts(struct line_walk *walk, uint64_t address, uint64_t end, uint32_t row)
{
	const struct gprofx_line_rows *rows = &walk->rows->public.rows;
	const uint32_t *ids = walk->rows->covers.id;

	for (uint64_t next; address < end; address = next) {
		struct code_name symbol = {0};
		uint32_t name = rows->name[row];

		next = find_part(walk, address, end);
		if (rows->line[row] == 0)
			continue;
		if (walk->cover > 0)
			symbol = covers_name(walk->symbols, ids[walk->cover - 1]);
		if (name == 0 && symbol.name)
			name = line_rows_number_name(walk->run, walk->rows, symbol.name);
		if (name != 0 && !(walk->drops_static && (symbol.flags & GPROFX_SYMBOL_LOCAL)))
			take_answer(walk, address, name, row);
	}
}

void
line_walk_code(struct line_walk *walk, uint64_t low, uint64_t past)
{
	const struct gprofx_lines *lines = &walk->rows->public;
	const struct gprofx_line_rows *rows = &lines->rows;
	uint64_t first = rows->address[0] < past ? rows->address[0] : past;

	/* What is of no line, too, decides what the code behind it is of. */
	for (uint64_t address = low; address < first;)
		address = find_part(walk, address, first);
	for (uint32_t i = 0; i < lines->count; i++) {
		uint64_t start = rows->address[i];
		uint64_t end = i + 1 < lines->count ? rows->address[i + 1] : past;

		start = start > low ? start : low;
		end = end < past ? end : past;
		if (start >= end)
			continue;
		if (rows->name[i] == 0 || walk->drops_static)
			take_parts(walk, start, end, i);
		else if (rows->line[i] != 0)
			take_answer(walk, start, rows->name[i], i);
	}
}
