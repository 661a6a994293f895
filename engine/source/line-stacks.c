/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times of lines of source that stacks have measured: of a line itself, the weight of the stacks
 * that end in its code; in all, the weight of the stacks in which it is active, each once, however
 * many of its frames are there.  A line is active if a frame is in its code, or in that of a
 * subroutine that was inlined where it calls it.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "profile/profile.h"
#include "select/filters.h"
#include "source/source.h"
#include "symbols/inlined.h"
#include "symbols/symbols.h"

enum { NO_LINE = UINT32_MAX };

/* The lines that are active at the places of stacks: those of p are line[first[p]] … . */
struct active_lines {
	uint32_t *first; /* one more than there are places */
	uint32_t *line;  /* number of a line, by ascending key; while they are gathered, of a key */
	uint64_t *key;   /* see source_key() */
	uint32_t *own;   /* per place the line whose code is there, or NO_LINE */
	uint32_t count, key_room;
	uint32_t different; /* lines */
};

/* Where frames are in code of libraries, ascending, and the lines there; 0: not known. */
struct library_code {
	uint64_t *location;
	uint32_t *file, *line;
	uint32_t count;
};

/* A frame on the way to the one at hand. */
struct way_frame {
	uint32_t frame, place;
	double whole; /* weight of the stacks that end in it or below it */
};

struct walk {
	const struct stacks *stacks;
	const struct active_lines *lines;
	struct way_frame *way; /* the outermost frame first */
	uint32_t depth, room;
	uint32_t *times_on_way; /* per line: how often it is there */
	double *ticks, *total;  /* per line */
};

/* Returns its number. */
static uint32_t
add_line(struct run *run, struct active_lines *lines, uint32_t place, uint64_t key)
{
	for (uint32_t i = lines->first[place]; i < lines->count; i++)
		if (lines->key[i] == key)
			return i;
	lines->key = memory_room(run, lines->key, sizeof *lines->key, lines->count,
	                         &lines->key_room, 1);
	lines->key[lines->count] = key;
	return lines->count++;
}

/* In reports by line: the line that the symbol at a place is. */
static void
add_symbol_line(struct run *run, struct active_lines *lines, uint32_t place,
                const struct symbols *symbols, const struct stacks *stacks)
{
	uint32_t symbol = stacks->line ? stacks->line[place] : stacks->function[place];

	if (symbol < symbols->count && symbols->file && symbols->file[symbol] != 0 &&
	    symbols->line[symbol] != 0)
		lines->own[place] = add_line(
			run, lines, place,
			source_key(symbols->file[symbol], symbols->line[symbol]));
}

/* Of code of the program, what its debug information says. */
static void
add_code_lines(struct run *run, struct active_lines *lines, uint32_t place,
               const struct symbols *symbols, const struct inlined_code *code, uint64_t address)
{
	struct code_frame frames[INLINED_AT_MOST + 1];
	uint32_t depth = inlined_frames(code, inlined_row_at(code, address), frames);

	for (uint32_t i = 0; i < depth; i++) {
		uint32_t line;

		if (frames[i].file == 0 || frames[i].file >= symbols->file_count ||
		    frames[i].line == 0)
			continue;
		line = add_line(run, lines, place, source_key(frames[i].file, frames[i].line));
		if (i + 1 == depth)
			lines->own[place] = line;
	}
}

static bool
is_in_library(const struct symbols *symbols, const struct stack_place *place)
{
	return !place->names->function && (place->flags & PLACE_IS_PLACED) != 0 &&
	       !symbols_is_program(symbols, place->address) &&
	       !symbols_is_nowhere(symbols, place->address);
}

static struct library_code
find_library_code(struct run *run, struct symbols *symbols, const struct filters *filters,
                  const struct stacks *stacks)
{
	struct library_code code = {.count = 0};
	uint32_t *ids, different = 0;

	memory_array(run, code.location, stacks->place_count);
	memory_array(run, ids, stacks->place_count);
	for (uint32_t p = 0; p < stacks->place_count; p++)
		if (source_is_wanted(filters, symbols, stacks->function[p]) &&
		    is_in_library(symbols, &stacks->places[p]))
			code.location[code.count++] = stacks->places[p].address;
	sort_ascending(run, code.location, ids, code.count);
	for (uint32_t i = 0; i < code.count; i++)
		if (i == 0 || code.location[i] != code.location[i - 1])
			code.location[different++] = code.location[i];
	code.count = different;
	memory_release(run, ids);
	memory_array(run, code.file, code.count);
	memory_array(run, code.line, code.count);
	symbols_locate_code(
		run, symbols,
		&(struct located_code){code.location, code.file, code.line, code.count});
	return code;
}

static void
add_library_line(struct run *run, struct active_lines *lines, uint32_t place,
                 const struct library_code *code, uint64_t location)
{
	uint32_t at = sorted_up_to(code->location, code->count, location);

	/* It is one of them. */
	if (at > 0 && code->line[at - 1] != 0)
		lines->own[place] = add_line(run, lines, place,
		                             source_key(code->file[at - 1], code->line[at - 1]));
}

/* The line that a reader stated with a name. */
static void
add_stated_line(struct run *run, struct active_lines *lines, uint32_t place,
                struct symbols *symbols, const struct stack_place *stated)
{
	lines->own[place] = add_line(
		run, lines, place,
		source_key(symbols_intern_file(run, symbols, stated->names->source), stated->line));
}

static struct active_lines
find_active(struct run *run, struct symbols *symbols, const struct filters *filters,
            const struct stacks *stacks)
{
	bool by_line = run->settings->by_line;
	struct inlined_code *code = by_line ? NULL : symbols_read_inlined(run, symbols);
	struct library_code libraries = {.count = 0};
	struct active_lines lines = {.count = 0};

	if (!by_line)
		libraries = find_library_code(run, symbols, filters, stacks);
	memory_array(run, lines.first, (size_t)stacks->place_count + 1);
	memory_array(run, lines.own, stacks->place_count);
	for (uint32_t p = 0; p < stacks->place_count; p++) {
		const struct stack_place *place = &stacks->places[p];

		lines.first[p] = lines.count;
		lines.own[p] = NO_LINE;
		if (!source_is_wanted(filters, symbols, stacks->function[p]))
			continue;
		if (place->names->source && place->line != 0)
			add_stated_line(run, &lines, p, symbols, place);
		else if (by_line)
			add_symbol_line(run, &lines, p, symbols, stacks);
		else if (code && !place->names->function &&
		         symbols_is_program(symbols, place->address))
			add_code_lines(run, &lines, p, symbols, code, place->address);
		else if (is_in_library(symbols, place))
			add_library_line(run, &lines, p, &libraries, place->address);
	}
	lines.first[stacks->place_count] = lines.count;
	memory_release(run, libraries.location);
	memory_release(run, libraries.file);
	memory_release(run, libraries.line);
	if (code)
		symbols_release_inlined(run, code);
	return lines;
}

/* Numbers the different lines; key has each once then. */
static void
number_lines(struct run *run, struct active_lines *lines)
{
	uint64_t *key;
	uint32_t *ids, *number;

	memory_array(run, key, lines->count);
	memory_array(run, ids, lines->count);
	memory_array(run, number, lines->count);
	for (uint32_t i = 0; i < lines->count; i++) {
		key[i] = lines->key[i];
		ids[i] = i;
	}
	sort_ascending(run, key, ids, lines->count);
	for (uint32_t i = 0; i < lines->count; i++) {
		if (i == 0 || key[i] != key[i - 1])
			lines->key[lines->different++] = key[i];
		number[ids[i]] = lines->different - 1;
	}
	lines->line = number;
	memory_release(run, key);
	memory_release(run, ids);
}

static void
enter(struct run *run, struct walk *walk, uint32_t frame)
{
	const struct active_lines *lines = walk->lines;
	uint32_t place = walk->stacks->place[frame];

	walk->way = memory_room(run, walk->way, sizeof *walk->way, walk->depth, &walk->room, 1);
	walk->way[walk->depth++] = (struct way_frame){frame, place, 0};
	for (uint32_t i = lines->first[place]; i < lines->first[place + 1]; i++)
		walk->times_on_way[lines->line[i]]++;
}

/* The last frame of the way is left: lines that are not on it any more have the weight of all below
 * it. */
static void
leave(struct walk *walk)
{
	const struct active_lines *lines = walk->lines;
	const struct way_frame *last = &walk->way[--walk->depth];

	for (uint32_t i = lines->first[last->place]; i < lines->first[last->place + 1]; i++)
		if (--walk->times_on_way[lines->line[i]] == 0)
			walk->total[lines->line[i]] += last->whole;
	if (walk->depth > 0)
		walk->way[walk->depth - 1].whole += last->whole;
}

static void
end_stack(struct walk *walk, uint32_t stack)
{
	struct way_frame *end = &walk->way[walk->depth - 1];
	uint32_t own = walk->lines->own[end->place];
	double weight = (double)walk->stacks->weight[stack];

	end->whole += weight;
	if (own != NO_LINE)
		walk->ticks[walk->lines->line[own]] += weight;
}

/* Stacks share the frames that they begin with, so that one sweep along all of them is enough. */
static void
measure(struct run *run, struct walk *walk)
{
	const struct stacks *stacks = walk->stacks;

	for (uint32_t s = 0; s < stacks->count; s++) {
		while (walk->depth > 0 && walk->way[walk->depth - 1].frame != stacks->above[s])
			leave(walk);
		for (uint32_t i = stacks_first(stacks, s); i < stacks->past[s]; i++)
			enter(run, walk, i);
		if (walk->depth > 0)
			end_stack(walk, s);
	}
	while (walk->depth > 0)
		leave(walk);
}

/*
 * Adds what calls cost that lines make.  Where a function is active more than once, what its lines
 * have then can be a part of what they called before: what is shown is what they have at least.
 */
static void
add_calls(struct run *run, const struct walk *walk)
{
	const struct stacks *stacks = walk->stacks;
	uint32_t different = walk->lines->different;
	bool *is_recursive;
	double *below;

	if (!stacks->costs.weight)
		return;
	memory_array(run, is_recursive, different);
	memory_array(run, below, different);
	for (uint32_t i = 0; i < stacks->calls.count; i++) {
		const struct costed_call *call = &stacks->calls.items[i];
		uint32_t own = walk->lines->own[call->caller];
		bool is_inside = call->flags != 0 ||
		                 stacks->function[call->caller] == stacks->function[call->callee];

		if (own == NO_LINE)
			continue;
		is_recursive[walk->lines->line[own]] |= is_inside;
		if ((call->flags & GPROFX_CALL_FROM_NESTED) == 0)
			below[walk->lines->line[own]] += (double)stacks->costs.weight[i];
	}
	for (uint32_t i = 0; i < different; i++)
		if (!is_recursive[i])
			walk->total[i] += below[i];
		else if (walk->total[i] < below[i])
			walk->total[i] = below[i];
	memory_release(run, is_recursive);
	memory_release(run, below);
}

struct source_pieces
source_credit_stacks(struct run *run, struct symbols *symbols, const struct filters *filters,
                     const struct profile *profile)
{
	const struct stacks *stacks = &profile->stacks;
	struct active_lines lines = find_active(run, symbols, filters, stacks);
	struct walk walk = {.stacks = stacks, .lines = &lines};
	struct source_pieces pieces = {0};

	number_lines(run, &lines);
	/* Names of functions alone say nothing about lines. */
	if (lines.different > 0)
		pieces.total = (double)stacks->total;
	memory_array(run, walk.times_on_way, lines.different);
	memory_array(run, walk.ticks, lines.different);
	memory_array(run, walk.total, lines.different);
	measure(run, &walk);
	add_calls(run, &walk);
	/* What has no time in all has none itself. */
	for (uint32_t i = 0; i < lines.different; i++) {
		if (walk.total[i] == 0)
			continue;
		walk.ticks[pieces.count] = walk.ticks[i];
		walk.total[pieces.count] = walk.total[i];
		lines.key[pieces.count++] = lines.key[i];
	}
	pieces.key = lines.key;
	pieces.ticks = walk.ticks;
	pieces.in_all = walk.total;
	memory_release(run, walk.way);
	memory_release(run, walk.times_on_way);
	memory_release(run, lines.first);
	memory_release(run, lines.line);
	memory_release(run, lines.own);
	return pieces;
}
