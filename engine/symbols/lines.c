/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of reports by line: those of functions, and one wherever another line begins. */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/line-rows.h"
#include "symbols/line-walk.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

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

/* Room for positions, which are not known yet. */
static void
make_positions(struct run *run, struct symbols *symbols)
{
	symbols->is_located = true;
	memory_array(run, symbols->file, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->line, (size_t)symbols->count + SYMBOL_MORE_ROWS);
}

/* The first symbol behind those of an image, by its number. */
static uint32_t
end_of_image(const struct symbols *symbols, uint32_t image)
{
	return image + 1 < symbols->image_count ? sorted_up_to(symbols->address, symbols->count,
	                                                       symbols->images[image + 1].first - 1)
	                                        : symbols->count;
}

/* The positions of functions from "first" to before "end", which are an image's, from its lines. */
static void
take_positions(struct symbols *symbols, const struct gprofx_lines *lines, uint32_t first,
               uint32_t end)
{
	uint64_t named_from = symbols_named_from(symbols);

	for (uint32_t i = first; i < end; i++) {
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

/* By the order of the program's symbol table. */
static void
note_files_of_functions(struct line_walk *walk)
{
	struct symbols *symbols = walk->symbols;
	const struct gprofx_lines *lines = &walk->rows->public;
	uint64_t named_from = symbols_named_from(symbols);

	for (uint32_t i = 0; i < symbols->accepted_count; i++) {
		uint64_t address = symbols->table.rows.address[symbols->accepted[i]];
		uint32_t row = row_of(lines, address);

		if (row < lines->count && symbols_is_program(symbols, address) &&
		    !is_nameless(symbols, lines, address, named_from, row))
			line_walk_note_file(walk, lines->rows.file[row]);
	}
}

/* Room for what lines of an image add. */
static void
make_line_room(struct line_walk *walk)
{
	struct symbols *symbols = walk->symbols;
	struct run *run = walk->run;
	/* Rows can be divided where other functions begin. */
	size_t more = (size_t)walk->rows->public.count + walk->rows->covers.count;

	walk->lines = memory_grow(run, walk->lines, walk->count * sizeof *walk->lines,
	                          (walk->count + more) * sizeof *walk->lines);
	symbols->file_order = memory_grow(run, symbols->file_order,
	                                  symbols->file_order_count * sizeof *symbols->file_order,
	                                  symbols->file_count * sizeof *symbols->file_order);
	walk->is_noted = memory_grow(run, walk->is_noted, walk->file_room, symbols->file_count);
	walk->file_room = symbols->file_count;
}

static bool
find_program_lines(struct line_walk *walk)
{
	struct symbols *symbols = walk->symbols;
	const struct gprofx_symtab *table = &symbols->table;

	line_rows_ask(walk->run, walk->rows, symbols->located, 0);
	/* Debug information is most of a file, and was read. */
	mapfile_let_all_go(walk->run, symbols->located->bytes);
	if (walk->rows->public.count == 0)
		return false;
	take_positions(symbols, &walk->rows->public, 0, end_of_image(symbols, 0));
	make_line_room(walk);
	note_files_of_functions(walk);
	line_walk_code(walk, table->text_start, table->text_end);
	symbols_release_lines(walk->run, &walk->rows->public);
	return true;
}

/* Keeps rows to the range of an image, in which its code is. */
static void
clip_rows(struct gprofx_lines *lines, const struct symbol_image *image)
{
	uint64_t *address = lines->rows.address, least = image->first;
	uint32_t kept = 0;

	/* Moved addresses can be beyond the last one there is, and begin anew. */
	for (; kept < lines->count && address[kept] < image->past; kept++) {
		if (address[kept] < least)
			address[kept] = least;
		least = address[kept];
	}
	lines->count = kept;
}

/* The lines of another object, whose file is read for that alone. */
static void
find_object_lines(struct line_walk *walk, uint32_t number)
{
	struct run *run = walk->run;
	struct symbols *symbols = walk->symbols;
	const struct symbol_image *object = &symbols->images[number];
	struct gprofx_image image;
	uint32_t first = end_of_image(symbols, number - 1), end = end_of_image(symbols, number);
	struct mapped_file *file;

	if (!symbols_has_source(object) || first == end)
		return;
	file = symbols_open_debug(run, object, &image);
	if (!file)
		return;
	line_rows_ask(run, walk->rows, &image, object->base);
	mapfile_close(run, file);
	clip_rows(&walk->rows->public, object);
	if (walk->rows->public.count > 0) {
		take_positions(symbols, &walk->rows->public, first, end);
		make_line_room(walk);
		for (uint32_t i = first; i < end; i++)
			line_walk_note_file(walk, symbols->file[i]);
		line_walk_code(walk, symbols->address[first],
		               symbols_past(symbols->end[end - 1], 1));
	}
	symbols_release_lines(run, &walk->rows->public);
}

/* What asks for lines. */
static struct line_rows
line_rows_of(const struct run *run, struct symbols *symbols)
{
	return (struct line_rows){
		.public = {.size = sizeof(struct gprofx_lines),
	                   .builder = &line_rows_builder,
	                   .strict = !run_corrects(run, GPROFX_CORRECT_SCATTERED),
	                   .begins_in_file_0 = !run_corrects(run, GPROFX_CORRECT_FIRST_FILES),
	                   .in_order_of_stabs = !run_corrects(run, GPROFX_CORRECT_STABS_LINES),
	                   .wants_inlined = run_corrects(run, GPROFX_CORRECT_INLINED)},
		.symbols = symbols,
	};
}

static struct line_walk
line_walk_of(struct run *run, struct line_rows *rows)
{
	return (struct line_walk){
		.run = run,
		.rows = rows,
		.symbols = rows->symbols,
		.drops_static = run->settings->drop_static &&
	                        run_corrects(run, GPROFX_CORRECT_STATIC_LINES),
	};
}

/* Adds what the debug information knows.  *has_lines: it knows those of the program. */
static void
find_lines(struct run *run, struct symbols *symbols, bool *has_lines)
{
	bool has_list = run->settings->symbol_list != NULL;
	struct line_rows rows = line_rows_of(run, symbols);
	struct line_walk walk = line_walk_of(run, &rows);

	*has_lines = false;
	if ((has_list && symbols_objects(symbols) == 0) || !symbols_has_provider(run, symbols))
		return;
	rows.covers = covers_find(run, symbols, true);
	make_positions(run, symbols);
	*has_lines = !has_list && find_program_lines(&walk);
	for (uint32_t i = 1; i < symbols->image_count; i++)
		find_object_lines(&walk, i);
	if (*has_lines || walk.count > 0) {
		line_walk_merge(&walk, 0);
		memory_array(run, symbols->asked, (size_t)symbols->count + SYMBOL_MORE_ROWS);
		memset(symbols->asked, 1, symbols->count);
	} else {
		memory_release(run, symbols->file);
		memory_release(run, symbols->line);
		symbols->file = symbols->line = NULL;
		symbols->is_located = false;
	}
	memory_release(run, walk.lines);
	memory_release(run, walk.is_noted);
	line_rows_release(run, &rows);
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

/* A line ends where the next symbol of its image begins, or with .text, or its section. */
static uint64_t
end_of_line(const struct symbols *symbols, uint32_t line)
{
	uint64_t address = symbols->address[line];
	bool is_program = symbols_is_program(symbols, address), is_last;
	uint64_t past;

	is_last = line + 1 == symbols->count ||
	          (is_program && !symbols_is_program(symbols, symbols->address[line + 1]));
	if (is_program)
		return (is_last ? symbols->table.text_end : symbols->address[line + 1]) - 1;
	past = symbols_code_end(symbols, address);
	if (is_last)
		return past > address ? past - 1 : address;
	/* Behind the code can be another image. */
	return (past > address && past < symbols->address[line + 1] ? past
	                                                            : symbols->address[line + 1]) -
	       1;
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
		.hint = has_list                    ? "leave out -S"
	                : symbols->table.lines_hint ? symbols->table.lines_hint
	                                            : "compile the program with -g, too",
	};

	if ((symbols->table.has_source || symbols->table.has_stabs) && !symbols->has_provider &&
	    !has_list)
		return;
	run_warn(run, &diagnostic, "-l has no effect: %s",
	         has_list ? "a list of symbols has no source lines"
	                  : "the program has no debug information with source lines");
}

/* Says which objects have no lines. */
static void
warn_no_object_lines(struct run *run, const struct symbols *symbols)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "object.no-lines",
		.hint = "compile the library with -g, too",
	};
	uint32_t count = 0;

	for (uint32_t i = 1; i < symbols->image_count; i++) {
		if (symbols_has_source(&symbols->images[i]))
			continue;
		if (count++ == 0)
			diagnostic.file = symbols->images[i].path;
	}
	if (count == 1)
		run_warn(run, &diagnostic,
		         "the library has no debug information with source lines: each of its "
		         "functions is one row");
	else if (count > 1)
		run_warn(run, &diagnostic,
		         "%u libraries, of which this is the first, have no debug information "
		         "with source lines: each of their functions is one row",
		         count);
}

void
symbols_add_lines(struct run *run, struct symbols *symbols)
{
	bool has_lines;

	find_lines(run, symbols, &has_lines);
	/* GNU gprof says nothing. */
	if (!has_lines && !run->settings->strict_layouts)
		warn_no_lines(run, symbols);
	if (!run->settings->strict_layouts)
		warn_no_object_lines(run, symbols);
	set_ends_again(symbols);
}

/* Goes on with what is known of instances and files. */
static void
continue_walk(struct line_walk *walk)
{
	struct symbols *symbols = walk->symbols;
	struct line_rows *rows = walk->rows;

	memory_array(walk->run, rows->next_instance, (size_t)symbols->instance_count + 1);
	rows->next_instance_room = symbols->instance_count + 1;
	walk->file_room = symbols->file_count;
	memory_array(walk->run, walk->is_noted, (size_t)walk->file_room + 1);
	for (uint32_t i = 0; i < symbols->file_order_count; i++)
		walk->is_noted[symbols->file_order[i]] = 1;
}

/* The other arrays that symbols have in the end, for symbols from number "first" on. */
static void
extend_symbols(struct run *run, struct symbols *symbols, uint32_t first)
{
	const uint32_t *owner = symbols->owner;
	const uint8_t *asked = symbols->asked;

	memory_array(run, symbols->asked, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	if (asked)
		memcpy(symbols->asked, asked, first);
	memset(symbols->asked + first, 1, symbols->count - first);
	symbols->owner = NULL;
	if (!owner)
		return;
	symbols_own_each(run, symbols);
	memcpy(symbols->owner, owner, first * sizeof *owner);
}

bool
symbols_add_late_lines(struct run *run, struct symbols *symbols, uint32_t first)
{
	struct line_rows rows = line_rows_of(run, symbols);
	struct line_walk walk = line_walk_of(run, &rows);
	uint32_t image = 1;

	while (image < symbols->image_count &&
	       !(symbols->images[image].late && symbols_has_source(&symbols->images[image])))
		image++;
	if (!run->settings->by_line || image == symbols->image_count ||
	    !symbols_has_provider(run, symbols))
		return false;
	rows.covers = covers_find(run, symbols, true);
	if (!symbols->is_located)
		make_positions(run, symbols);
	continue_walk(&walk);
	for (; image < symbols->image_count; image++)
		if (symbols->images[image].late)
			find_object_lines(&walk, image);
	if (walk.count > 0) {
		line_walk_merge(&walk, first);
		set_ends_again(symbols);
		extend_symbols(run, symbols, first);
	}
	memory_release(run, walk.lines);
	memory_release(run, walk.is_noted);
	line_rows_release(run, &rows);
	return walk.count > 0;
}

void
symbols_read_lines(struct run *run, struct symbols *symbols, struct gprofx_lines *lines)
{
	struct line_rows rows = {
		.public = {.size = sizeof rows.public,
	                   .builder = &line_rows_builder,
	                   .nameless = true,
	                   .begins_in_file_0 = !run_corrects(run, GPROFX_CORRECT_FIRST_FILES),
	                   .in_order_of_stabs = !run_corrects(run, GPROFX_CORRECT_STABS_LINES)},
		.symbols = symbols,
	};

	if (symbols_has_provider(run, symbols))
		line_rows_ask(run, &rows, symbols->located, 0);
	*lines = rows.public;
	/* They have the answers that asking for each function would have. */
	if (lines->count == 0 || symbols->is_located)
		return;
	make_positions(run, symbols);
	take_positions(symbols, lines, 0, symbols->count);
	memory_array(run, symbols->asked, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memset(symbols->asked, 1, symbols->count);
}
