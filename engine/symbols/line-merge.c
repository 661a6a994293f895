/* SPDX-License-Identifier: Apache-2.0 */
/* Puts functions and the lines that were found together, by address. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "symbols/line-rows.h"
#include "symbols/line-walk.h"
#include "symbols/symbols.h"

/* The name that the debug information has for the function that a line is in. */
static const char *
outermost_name(const struct line_walk *walk, const struct line_symbol *line)
{
	const struct inlined_instance *instances = walk->symbols->instances;
	uint32_t inlined = line->inlined;

	if (inlined == 0)
		return line_rows_name(walk->rows, line->name);
	while (instances[inlined].parent != 0)
		inlined = instances[inlined].parent;
	return instances[inlined].into;
}

/* Symbols in their new arrays. */
static void
put_symbol(struct symbols *to, uint64_t address, uint64_t end, const char *name, uint8_t flags)
{
	to->address[to->count] = address;
	to->end[to->count] = end;
	to->name[to->count] = name;
	to->flags[to->count] = flags;
	to->count++;
}

static void
put_function(struct symbols *to, const struct symbols *from, uint32_t i)
{
	to->bytes[to->count] = from->bytes[i];
	to->row[to->count] = from->row[i];
	to->file[to->count] = from->file[i];
	to->line[to->count] = from->line[i];
	if (to->inlined)
		to->inlined[to->count] = 0;
	put_symbol(to, from->address[i], from->end[i], from->name[i], from->flags[i]);
}

/* end: of what the function before the line states as its space, or 0. */
static void
put_line(struct symbols *to, const struct line_walk *walk, const struct line_symbol *line,
         uint64_t end)
{
	to->bytes[to->count] = end > line->address ? end - line->address : 0;
	to->row[to->count] = NO_SYMBOL;
	to->file[to->count] = line->file;
	to->line[to->count] = line->line;
	if (to->inlined)
		to->inlined[to->count] = line->inlined;
	put_symbol(to, line->address, 0, line_rows_name(walk->rows, line->name),
	           (uint8_t)(SYMBOL_LINE | (line->is_local ? GPROFX_SYMBOL_LOCAL : 0)));
}

/* Whether the line takes the place of the function at its address. */
static bool
line_wins(const struct line_walk *walk, const struct line_symbol *line, const struct symbols *from,
          uint32_t function)
{
	uint8_t flags = line->is_local ? GPROFX_SYMBOL_LOCAL : 0;
	uint8_t others = from->flags[function];
	const char *name = line_rows_name(walk->rows, line->name), *other = from->name[function];
	bool is_first = !(others & GPROFX_SYMBOL_FUNCTION) &&
	                (flags & GPROFX_SYMBOL_LOCAL) <= (others & GPROFX_SYMBOL_LOCAL);

	/* A function that is gone cannot be a whole. */
	if (run_corrects(walk->run, GPROFX_CORRECT_LINE_GRAPH))
		return false;

	return is_first ? !symbols_is_better(others, other, flags, name)
	                : symbols_is_better(flags, name, others, other);
}

static void
make_room(struct run *run, struct symbols *symbols, size_t count)
{
	memory_array(run, symbols->address, count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->end, count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->name, count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->flags, count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->bytes, count);
	memory_array(run, symbols->row, count);
	memory_array(run, symbols->file, count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->line, count + SYMBOL_MORE_ROWS);
	if (symbols->instance_count > 0)
		memory_array(run, symbols->inlined, count + SYMBOL_MORE_ROWS);
	if (run_corrects(run, GPROFX_CORRECT_WHOLE_LINES) &&
	    run_corrects(run, GPROFX_CORRECT_LINE_GRAPH))
		symbols->source_name = memory_alloc_array(run, sizeof(const char *),
		                                          symbols->table.count);
}

static void
release_symbols(struct run *run, struct symbols *symbols)
{
	memory_release(run, symbols->address);
	memory_release(run, symbols->end);
	memory_release(run, symbols->name);
	memory_release(run, symbols->flags);
	memory_release(run, symbols->bytes);
	memory_release(run, symbols->row);
	memory_release(run, symbols->file);
	memory_release(run, symbols->line);
}

/* Notes what the debug information calls the function that was put last, which begins in a line. */
static void
note_source_name(struct line_walk *walk, const struct line_symbol *line)
{
	struct symbols *symbols = walk->symbols;
	uint32_t function = symbols->count - 1;
	bool is_there = line->inlined != 0 || (line->file == symbols->file[function] &&
	                                       line->line == symbols->line[function]);

	if (symbols->source_name && is_there)
		symbols->source_name[symbols->row[function]] = outermost_name(walk, line);
}

/* Whether a function is what a compiler moved out of another one, for it hardly ever runs. */
static bool
is_cold_part(const char *name)
{
	const char *suffix = strstr(name, ".cold");

	return suffix && suffix != name && (suffix[5] == '\0' || suffix[5] == '.');
}

/*
 * Gives the function that was put last the name and place of the inlined line that it begins with.
 * A part of cold code has no first line of its own: nothing calls it, and calls are made from its
 * very start.
 */
static void
name_as_line(struct symbols *to, const struct line_walk *walk, const struct line_symbol *line)
{
	to->name[to->count - 1] = line_rows_name(walk->rows, line->name);
	to->file[to->count - 1] = line->file;
	to->line[to->count - 1] = line->line;
	to->inlined[to->count - 1] = line->inlined;
	if (to->source_name)
		to->source_name[to->row[to->count - 1]] = to->name[to->count - 1];
}

/* Symbols from number 0 to before "first" stay as they are. */
static void
keep_first(struct symbols *to, const struct symbols *from, uint32_t first)
{
	if (first == 0)
		return;
	memcpy(to->address, from->address, first * sizeof *to->address);
	memcpy(to->end, from->end, first * sizeof *to->end);
	memcpy((void *)to->name, (const void *)from->name, first * sizeof *to->name);
	memcpy(to->flags, from->flags, first * sizeof *to->flags);
	memcpy(to->bytes, from->bytes, first * sizeof *to->bytes);
	memcpy(to->row, from->row, first * sizeof *to->row);
	memcpy(to->file, from->file, first * sizeof *to->file);
	memcpy(to->line, from->line, first * sizeof *to->line);
	if (to->inlined && from->inlined && to->inlined != from->inlined)
		memcpy(to->inlined, from->inlined, first * sizeof *to->inlined);
}

void
line_walk_merge(struct line_walk *walk, uint32_t first)
{
	struct symbols *symbols = walk->symbols, old = *symbols;
	uint32_t function = first, line = 0;
	uint64_t end = 0;

	make_room(walk->run, symbols, (size_t)old.count + walk->count);
	keep_first(symbols, &old, first);
	symbols->count = first;
	while (function < old.count || line < walk->count) {
		const struct line_symbol *next = &walk->lines[line];
		bool has_both = function < old.count && line < walk->count;

		if (has_both && old.address[function] == next->address) {
			end = old.bytes[function] ? symbols_past(next->address, old.bytes[function])
			                          : 0;
			if (line_wins(walk, next, &old, function)) {
				put_line(symbols, walk, next, end);
			} else {
				put_function(symbols, &old, function);
				note_source_name(walk, next);
				if (next->inlined != 0 && is_cold_part(old.name[function]))
					name_as_line(symbols, walk, next);
			}
			function++;
			line++;
		} else if (line == walk->count ||
		           (has_both && old.address[function] < next->address)) {
			end = old.bytes[function]
			              ? symbols_past(old.address[function], old.bytes[function])
			              : 0;
			put_function(symbols, &old, function++);
			/* It can go on with the line of the function before, its own clone. */
			if (line > 0 && walk->lines[line - 1].inlined == 0)
				note_source_name(walk, &walk->lines[line - 1]);
		} else {
			put_line(symbols, walk, next, end);
			line++;
		}
	}
	for (uint32_t i = 0; i < SYMBOL_MORE_ROWS; i++) {
		symbols->address[symbols->count + i] = old.address[old.count + i];
		symbols->name[symbols->count + i] = old.name[old.count + i];
		symbols->end[symbols->count + i] = UINT64_MAX;
	}
	release_symbols(walk->run, &old);
}
