/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of reports by line: one wherever, along the addresses of .text, the answer of the debug
 * information to "which line, function and file is this" changes.
 */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/line-rows.h"
#include "symbols/symbols.h"

/* A symbol of a line. */
struct line_symbol {
	uint64_t address;
	uint32_t name, file, line, inlined;
	bool is_local;
};

/* The walk over .text. */
struct walk {
	struct run *run;
	struct line_rows *rows;
	struct symbols *symbols;
	uint32_t cover;    /* what the code at hand is of, plus 1 */
	uint64_t past;     /* the first address behind that, by its size */
	uint32_t function; /* the last one at or below the address at hand, plus 1 */
	struct line_symbol *lines;
	uint32_t count;
	uint8_t *is_noted; /* files that are in the order of files */
	bool drops_static; /* lines of static functions count for the line before */
};

static void
note_file(struct walk *walk, uint32_t file)
{
	struct symbols *symbols = walk->symbols;

	if (file == 0 || walk->is_noted[file])
		return;
	walk->is_noted[file] = 1;
	symbols->file_order[symbols->file_order_count++] = file;
}

/* The line that the walk came to last, or NULL. */
static const struct line_symbol *
last_line(const struct walk *walk)
{
	return walk->count > 0 ? &walk->lines[walk->count - 1] : NULL;
}

/* Whether a line is static: as the function it is in, or as the line before of the same one. */
static bool
is_local(struct walk *walk, uint64_t address, uint32_t name, uint32_t file)
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
take_answer(struct walk *walk, uint64_t address, uint32_t name, uint32_t row)
{
	const struct gprofx_line_rows *rows = &walk->rows->public.rows;
	const struct line_symbol *last = last_line(walk);
	uint32_t file = rows->file[row], line = rows->line[row];
	uint32_t inlined = rows->inlined ? rows->inlined[row] : 0;

	if (last && last->name == name && last->file == file && last->line == line &&
	    last->inlined == inlined)
		return;
	note_file(walk, file);
	walk->lines[walk->count] = (struct line_symbol){
		address, name, file, line, inlined, is_local(walk, address, name, file)};
	walk->count++;
}

/*
 * The end of the code from an address on, at most the given one, that is of one of the image's own
 * symbols, walk->cover.
 */
static uint64_t
find_part(struct walk *walk, uint64_t address, uint64_t end)
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
take_parts(struct walk *walk, uint64_t address, uint64_t end, uint32_t row)
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

static void
walk_text(struct walk *walk)
{
	const struct gprofx_lines *lines = &walk->rows->public;
	const struct gprofx_line_rows *rows = &lines->rows;
	const struct gprofx_symtab *table = &walk->symbols->table;
	uint64_t first = rows->address[0] < table->text_end ? rows->address[0] : table->text_end;

	/* What is of no line, too, decides what the code behind it is of. */
	for (uint64_t address = table->text_start; address < first;)
		address = find_part(walk, address, first);
	for (uint32_t i = 0; i < lines->count; i++) {
		uint64_t start = rows->address[i];
		uint64_t end = i + 1 < lines->count ? rows->address[i + 1] : table->text_end;

		start = start > table->text_start ? start : table->text_start;
		end = end < table->text_end ? end : table->text_end;
		if (start >= end)
			continue;
		if (rows->name[i] == 0 || walk->drops_static)
			take_parts(walk, start, end, i);
		else if (rows->line[i] != 0)
			take_answer(walk, start, rows->name[i], i);
	}
}

/*
 * The position of a function that starts with an inlined subroutine: of its own source, where the
 * outermost call stands.
 */
static void
locate_outermost(struct symbols *symbols, uint32_t function, uint32_t inlined)
{
	const struct inlined_instance *instances = symbols->instances;

	while (instances[inlined].parent != 0)
		inlined = instances[inlined].parent;
	if (instances[inlined].file == 0)
		return;
	symbols->file[function] = instances[inlined].file;
	symbols->line[function] = instances[inlined].line;
}

/* The row that an address is in, or the number of rows. */
static uint32_t
row_of(const struct gprofx_lines *lines, uint64_t address)
{
	uint32_t count = sorted_up_to(lines->rows.address, lines->count, address);

	return count > 0 ? count - 1 : lines->count;
}

/* Whether nothing names the code at an address, which is in a row: then it has no position. */
static bool
is_nameless(const struct symbols *symbols, const struct gprofx_lines *lines, uint64_t address,
            uint64_t named_from, uint32_t row)
{
	return address < named_from && address >= symbols->table.text_start &&
	       (!lines->rows.name || lines->rows.name[row] == 0);
}

/* The positions of all functions, from the lines of all code. */
static void
take_positions(struct run *run, struct symbols *symbols, const struct gprofx_lines *lines)
{
	uint64_t named_from = symbols_named_from(symbols);

	symbols->is_located = true;
	memory_array(run, symbols->file, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->line, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < symbols->count; i++) {
		uint32_t row = row_of(lines, symbols->address[i]);

		if (row == lines->count || lines->rows.line[row] == 0 ||
		    is_nameless(symbols, lines, symbols->address[i], named_from, row))
			continue;
		symbols->file[i] = lines->rows.file[row];
		symbols->line[i] = lines->rows.line[row];
		if (lines->rows.inlined && lines->rows.inlined[row] != 0)
			locate_outermost(symbols, i, lines->rows.inlined[row]);
	}
}

static void
note_files_of_functions(struct walk *walk)
{
	struct symbols *symbols = walk->symbols;
	const struct gprofx_lines *lines = &walk->rows->public;
	uint64_t named_from = symbols_named_from(symbols);

	for (uint32_t i = 0; i < symbols->accepted_count; i++) {
		uint64_t address = symbols->table.rows.address[symbols->accepted[i]];
		uint32_t row = row_of(lines, address);

		if (row < lines->count && !is_nameless(symbols, lines, address, named_from, row))
			note_file(walk, lines->rows.file[row]);
	}
}

/* The name that the debug information has for the function that a line is in. */
static const char *
outermost_name(const struct walk *walk, const struct line_symbol *line)
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
put_line(struct symbols *to, const struct walk *walk, const struct line_symbol *line, uint64_t end)
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
line_wins(const struct walk *walk, const struct line_symbol *line, const struct symbols *from,
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
note_source_name(struct walk *walk, const struct line_symbol *line)
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
name_as_line(struct symbols *to, const struct walk *walk, const struct line_symbol *line)
{
	to->name[to->count - 1] = line_rows_name(walk->rows, line->name);
	to->file[to->count - 1] = line->file;
	to->line[to->count - 1] = line->line;
	to->inlined[to->count - 1] = line->inlined;
	if (to->source_name)
		to->source_name[to->row[to->count - 1]] = to->name[to->count - 1];
}

/* Puts functions and lines together, by address. */
static void
merge_lines(struct walk *walk)
{
	struct symbols *symbols = walk->symbols, old = *symbols;
	uint32_t function = 0, line = 0;
	uint64_t end = 0;

	make_room(walk->run, symbols, (size_t)old.count + walk->count);
	symbols->count = 0;
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

/* Adds what the debug information knows.  False: there is none. */
static bool
find_lines(struct run *run, struct symbols *symbols)
{
	struct line_rows rows = {
		.public = {.size = sizeof rows.public,
	                   .builder = &line_rows_builder,
	                   .strict = !run_corrects(run, GPROFX_CORRECT_SCATTERED),
	                   .begins_in_file_0 = !run_corrects(run, GPROFX_CORRECT_FIRST_FILES),
	                   .wants_inlined = run_corrects(run, GPROFX_CORRECT_INLINED)},
		.symbols = symbols,
	};
	struct walk walk = {
		.run = run,
		.rows = &rows,
		.symbols = symbols,
		.drops_static = run->settings->drop_static &&
	                        run_corrects(run, GPROFX_CORRECT_STATIC_LINES),
	};
	const struct mapped_file *file;

	if (!symbols_has_provider(run, symbols))
		return false;
	rows.covers = covers_find(run, symbols);
	line_rows_ask(run, &rows);
	/* Debug information is most of a file, and was read. */
	file = mapfile_of(run, symbols->located->bytes);
	if (file)
		mapfile_let_go(file, file->bytes, file->length);
	if (rows.public.count == 0) {
		line_rows_release(run, &rows);
		return false;
	}
	take_positions(run, symbols, &rows.public);
	memory_array(run, symbols->file_order, symbols->file_count);
	memory_array(run, walk.is_noted, symbols->file_count);
	/* Rows can be divided where other functions begin. */
	memory_array(run, walk.lines, (size_t)rows.public.count + rows.covers.count);
	note_files_of_functions(&walk);
	walk_text(&walk);
	symbols_release_lines(run, &rows.public);
	merge_lines(&walk);
	memory_array(run, symbols->asked, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memset(symbols->asked, 1, symbols->count);
	memory_release(run, walk.lines);
	memory_release(run, walk.is_noted);
	line_rows_release(run, &rows);
	return true;
}

static void
move_symbol(struct symbols *symbols, uint32_t to, uint32_t from)
{
	symbols->address[to] = symbols->address[from];
	symbols->end[to] = symbols->end[from];
	symbols->bytes[to] = symbols->bytes[from];
	symbols->name[to] = symbols->name[from];
	symbols->flags[to] = symbols->flags[from];
	symbols->row[to] = symbols->row[from];
	if (symbols->file) {
		symbols->file[to] = symbols->file[from];
		symbols->line[to] = symbols->line[from];
	}
	if (symbols->inlined)
		symbols->inlined[to] = symbols->inlined[from];
}

/* A line ends where the next symbol of the program begins, or with .text. */
static uint64_t
end_of_line(const struct symbols *symbols, uint32_t line)
{
	bool is_last = line + 1 == symbols->count ||
	               !symbols_is_program(symbols, symbols->address[line + 1]);

	return (is_last ? symbols->table.text_end : symbols->address[line + 1]) - 1;
}

/* Functions keep their ends, whatever lies inside of them; one without any space is gone. */
static void
set_ends_again(struct symbols *symbols)
{
	const char *outside = symbols->name[symbols->count];
	const char *indirect = symbols->name[symbols_indirect(symbols)];
	uint32_t kept = 0;

	for (uint32_t i = 0; i < symbols->count; i++) {
		/* gprof takes an end of 0 for one that is not known. */
		if (symbols->end[i] == 0)
			symbols->end[i] = end_of_line(symbols, i);
		if (symbols->end[i] == 0)
			symbols->end[i] = UINT64_MAX;
		if (symbols->end[i] >= symbols->address[i])
			move_symbol(symbols, kept++, i);
	}
	if (kept > 0 && kept < symbols->count) {
		symbols->address[kept] = symbols->end[kept - 1] + 1;
		symbols->end[kept] = UINT64_MAX;
		symbols->name[kept] = outside;
		symbols->name[kept + 1] = indirect;
	}
	symbols->count = kept;
}

/* Says that the program has no lines, unless it was said that their provider is missing. */
static void
warn_no_lines(struct run *run, const struct symbols *symbols)
{
	bool has_list = run->settings->symbol_list != NULL;
	const struct gprofx_diagnostic diagnostic = {
		.id = "symbols.no-lines",
		.file = symbols->image.name,
		.hint = has_list ? "leave out -S" : "compile the program with -g, too",
	};

	if (symbols->table.has_source && !symbols->has_provider && !has_list)
		return;
	run_warn(run, &diagnostic, "-l has no effect: %s",
	         has_list ? "a list of symbols has no source lines"
	                  : "the program has no debug information with source lines");
}

static void
warn_no_object_lines(struct run *run, const struct symbols *symbols)
{
	const struct symbol_image *object = &symbols->images[1];
	const struct gprofx_diagnostic diagnostic = {
		.id = "object.no-lines",
		.file = object->path,
		.hint = text_format(run, "report the library by itself: gprofx -l %s PROFILE",
	                            object->path),
	};

	run_warn(run, &diagnostic,
	         "-l is for the program alone: functions of the %s are whole rows",
	         symbols_objects(symbols) > 1 ? "libraries" : "library");
}

void
symbols_add_lines(struct run *run, struct symbols *symbols)
{
	bool has_lines = !run->settings->symbol_list && find_lines(run, symbols);

	/* GNU gprof says nothing. */
	if (!has_lines && !run->settings->strict_layouts)
		warn_no_lines(run, symbols);
	if (!run->settings->strict_layouts && symbols_objects(symbols) > 0)
		warn_no_object_lines(run, symbols);
	set_ends_again(symbols);
}

void
symbols_read_lines(struct run *run, struct symbols *symbols, struct gprofx_lines *lines)
{
	struct line_rows rows = {
		.public = {.size = sizeof rows.public,
	                   .builder = &line_rows_builder,
	                   .nameless = true,
	                   .begins_in_file_0 = !run_corrects(run, GPROFX_CORRECT_FIRST_FILES)},
		.symbols = symbols,
	};

	if (symbols_has_provider(run, symbols))
		line_rows_ask(run, &rows);
	*lines = rows.public;
	/* They have the answers that asking for each function would have. */
	if (lines->count == 0 || symbols->is_located)
		return;
	take_positions(run, symbols, lines);
	memory_array(run, symbols->asked, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memset(symbols->asked, 1, symbols->count);
}
