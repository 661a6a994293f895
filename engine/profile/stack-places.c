/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/stack-places.h"

#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/sort.h"
#include "profile/made-names.h"
#include "symbols/by-name.h"
#include "symbols/late.h"

/* The key of a function in a table of names.  Functions of one name in several files are several.
 */
static const char *
key_of(struct run *run, const struct stack_names *names)
{
	return names->file ? text_format(run, "%zu %s%s", strlen(names->function), names->function,
	                                 names->file)
	                   : text_format(run, "%s", names->function);
}

/* Functions of all runs have one table of names. */
static void
name_functions(struct run *run, struct profile *first, struct symbols *symbols)
{
	struct name_table keys = {0};
	const char **names;
	uint32_t most = 0;

	for (const struct profile *i = first; i; i = i->next_run)
		most += i->stacks.place_count;
	names = memory_alloc_array(run, sizeof(const char *), most);
	for (struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; i->stacks.is_there && k < i->stacks.place_count; k++) {
			struct stack_names *of = i->stacks.places[k].names;

			if (!of->function)
				continue;
			if (of->number == 0) {
				of->number = name_table_add_kept(run, &keys, key_of(run, of)) + 1;
				names[of->number - 1] = of->function;
			}
			i->stacks.function[k] = of->number - 1;
		}
	symbols_set_names(run, symbols, names, keys.count);
	name_table_release(run, &keys);
	memory_release(run, (void *)names);
}

/* The places with names of all runs, in their order; *count: so many. */
static struct stack_place **
list_named(struct run *run, struct profile *first, uint32_t *count)
{
	struct stack_place **named;
	size_t most = 0;

	for (const struct profile *i = first; i; i = i->next_run)
		most += i->stacks.place_count;
	named = memory_alloc_array(run, sizeof(struct stack_place *), most);
	*count = 0;
	for (struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; i->stacks.is_there && k < i->stacks.place_count; k++)
			if (i->stacks.places[k].names->function)
				named[(*count)++] = &i->stacks.places[k];
	return named;
}

/* Names that are no function of the program get code that lies behind all other. */
static void
place_strangers(struct run *run, struct profile *first, struct symbols *symbols,
                struct stack_place **named, const struct wanted_function *wanted, uint32_t count)
{
	struct made_names made = {.first = first, .symbols = symbols};
	uint32_t *number;

	memory_array(run, number, count);
	for (uint32_t i = 0; i < count; i++)
		if (wanted[i].symbol == NO_SYMBOL)
			number[i] = made_names_add(run, &made, NULL, named[i]->names->function,
			                           named[i]->names->file);
	for (uint32_t i = 0; i < count; i++)
		if (wanted[i].symbol == NO_SYMBOL)
			named[i]->address = made_names_location(run, &made, number[i]);
	made_names_release(run, &made);
	memory_release(run, number);
}

/* What the stacks with names weigh, and those of them that some function of the program is in. */
struct name_weights {
	double all, known;
};

/* wanted: those of the run, in the order of its places. */
static void
weigh_names(struct run *run, const struct stacks *stacks, const struct wanted_function *wanted,
            struct name_weights *weights)
{
	enum { HAS_NAME = 1, IS_KNOWN = 2 };
	struct stack_sweep at = {0};
	uint8_t *of_place, *of_frame;

	memory_array(run, of_place, stacks->place_count);
	memory_array(run, of_frame, stacks->frame_count);
	for (uint32_t i = 0; i < stacks->place_count; i++)
		if (stacks->places[i].names->function)
			of_place[i] = wanted++->symbol == NO_SYMBOL ? HAS_NAME
			                                            : HAS_NAME | IS_KNOWN;
	while (stacks_sweep(stacks, &at)) {
		of_frame[at.frame] = of_place[stacks->place[at.frame]];
		of_frame[at.frame] |= at.above == NO_FRAME ? 0 : of_frame[at.above];
	}
	for (uint32_t i = 0; i < stacks->count; i++) {
		uint8_t has = of_frame[stacks_end(stacks, i)];

		weights->all += has & HAS_NAME ? (double)stacks->weight[i] : 0;
		weights->known += has & IS_KNOWN ? (double)stacks->weight[i] : 0;
	}
	memory_release(run, of_place);
	memory_release(run, of_frame);
}

/* Whether stacks with names are all that there is. */
static bool
are_only_names(const struct profile *first)
{
	for (const struct profile *i = first; i; i = i->next_run) {
		if (i->histogram_count > 0 || i->arc_count > 0)
			return false;
		for (uint32_t k = 0; k < i->stacks.place_count; k++)
			if (!i->stacks.places[k].names->function)
				return false;
	}
	return true;
}

/*
 * Stacks of another program have hardly any names of this one.  Without a single one the program
 * tells nothing about them, or they are a text that only looks like stacks.
 */
static enum gprofx_result
tell_strangers(struct run *run, const struct profile *first, const struct symbols *symbols,
               const struct wanted_function *wanted)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.other-program",
		.file = symbols->image.name,
		.hint = "name the program that the stacks come from; if they come from several, "
			"only stacks of this one are recognized by their names",
	};
	const struct gprofx_diagnostic none = {
		.id = "profile.other-program",
		.file = symbols->image.name,
		.hint = "name the program that the stacks come from, or leave it out; a text with a "
			"number at the end of each line is read as folded stacks",
	};
	const struct wanted_function *end = wanted;
	bool is_known = false, is_only = are_only_names(first);

	for (const struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; k < i->stacks.place_count; k++)
			if (i->stacks.places[k].names->function)
				is_known |= end++->symbol != NO_SYMBOL;
	if (!is_known && is_only)
		return run_fail(run, &none,
		                "expected stacks with functions of the program, found no function "
		                "of the program in any of them");
	for (const struct profile *i = first; i; i = i->next_run) {
		struct name_weights weights = {0, 0};

		if (!i->stacks.is_there)
			continue;
		weigh_names(run, &i->stacks, wanted, &weights);
		for (uint32_t k = 0; k < i->stacks.place_count; k++)
			wanted += i->stacks.places[k].names->function != NULL;
		if (2 * weights.known >= weights.all)
			continue;
		run_warn(
			run, &diagnostic,
			"expected stacks with functions of the program, found none of its names in "
			"%.0f %% of their weight",
			100 - 100 * weights.known / weights.all);
	}
	return GPROFX_OK;
}

enum gprofx_result
stacks_find_names(struct run *run, struct profile *first, struct symbols *symbols)
{
	struct wanted_function *wanted;
	struct stack_place **named;
	enum gprofx_result result;
	uint32_t count;

	named = list_named(run, first, &count);
	if (count == 0)
		return GPROFX_OK;
	memory_array(run, wanted, count);
	for (uint32_t i = 0; i < count; i++)
		wanted[i] = (struct wanted_function){.name = named[i]->names->function,
		                                     .file = named[i]->names->file};
	symbols_find_by_name(run, symbols, wanted, count);
	result = tell_strangers(run, first, symbols, wanted);
	/* Numbers of symbols can change before functions are looked up, addresses cannot. */
	for (uint32_t i = 0; i < count; i++)
		if (wanted[i].symbol != NO_SYMBOL)
			named[i]->address = symbols->address[wanted[i].symbol];
	place_strangers(run, first, symbols, named, wanted, count);
	memory_release(run, (void *)named);
	memory_release(run, wanted);
	return result;
}

static uint64_t
location_of(const struct symbols *symbols, const struct stack_place *place)
{
	bool is_placed = place->names->function || (place->flags & PLACE_IS_PLACED) != 0;

	return is_placed ? place->address : symbols_location(symbols, NULL, place->address);
}

/* Whether a name is one that tools make of the name of a function whose stub it is. */
static bool
is_stub_name(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && memcmp(name + length - 4, "@plt", 4) == 0;
}

struct stack_frames
stacks_frames(struct run *run, struct profile *first, const struct symbols *symbols)
{
	struct stack_frames frames = {0};
	uint32_t named = 0, most = 0, *ids;

	for (const struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; i->stacks.is_there && k < i->stacks.place_count; k++) {
			const struct stack_place *place = &i->stacks.places[k];

			most += !place->names->function;
			named += place->names->function && is_stub_name(place->names->function);
		}
	memory_array(run, frames.location, most);
	memory_array(run, frames.stub, named);
	for (const struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; i->stacks.is_there && k < i->stacks.place_count; k++) {
			const struct stack_place *place = &i->stacks.places[k];

			if (!place->names->function)
				frames.location[frames.count++] = location_of(symbols, place);
			else if (is_stub_name(place->names->function))
				frames.stub[frames.stub_count++].name = place->names->function;
		}
	memory_array(run, ids, most);
	sort_ascending(run, frames.location, ids, frames.count);
	memory_release(run, ids);
	return frames;
}

void
stacks_forget_frames(struct run *run, struct stack_frames *frames)
{
	memory_release(run, frames->location);
	memory_release(run, frames->stub);
}

bool
stacks_have_frame(const struct stack_frames *frames, uint64_t low, uint64_t past)
{
	uint32_t up_to = past > low ? sorted_up_to(frames->location, frames->count, past - 1) : 0;

	return up_to > 0 && frames->location[up_to - 1] >= low;
}

/*
 * The symbol that a frame with an address, or with a name beside a program, is in; the number of
 * symbols: none.
 */
static uint32_t
symbol_at(const struct symbols *symbols, const struct symbol_spaces *spaces,
          const struct stack_place *place)
{
	uint64_t location = location_of(symbols, place);
	uint32_t symbol = symbols_lookup(symbols, location);

	/* A function that was found by its name is itself, whatever size it states. */
	if (!place->names->function && spaces->shows_outside &&
	    symbols_space_owner(spaces, location) == NO_SYMBOL)
		symbol = NO_SYMBOL;
	return symbol == NO_SYMBOL ? symbols->count : symbol;
}

/* Whether frames can be found: those with addresses are of a program or of an image. */
static enum gprofx_result
check_places(struct run *run, struct stacks *stacks, const struct symbols *symbols)
{
	const struct gprofx_diagnostic placed = {
		.id = "profile.frames-by-address",
		.hint = "name the program first, then its profiles",
	};

	memory_array(run, stacks->function, stacks->place_count);
	for (uint32_t i = 0; i < stacks->place_count && !symbols_have_image(symbols); i++)
		if (!stacks->places[i].names->function &&
		    !(stacks->places[i].flags & PLACE_IS_PLACED))
			return run_fail(run, &placed,
			                "frames with addresses need a program, but none was named");
	return GPROFX_OK;
}

/* Finds the functions of the places that have none yet, and the lines where there are such. */
static void
look_up(struct run *run, struct stacks *stacks, const struct symbols *symbols,
        const struct symbol_spaces *spaces)
{
	bool has_image = symbols_have_image(symbols);

	if (symbols->whole)
		memory_array(run, stacks->line, stacks->place_count);
	for (uint32_t i = 0; stacks->is_there && i < stacks->place_count; i++) {
		uint32_t symbol = stacks->function[i];

		if (has_image || !stacks->places[i].names->function) {
			symbol = symbol_at(symbols, spaces, &stacks->places[i]);
			stacks->function[i] = symbols_function(symbols, symbol);
		}
		if (stacks->line)
			stacks->line[i] = symbols_first_piece(symbols, symbol);
	}
}

enum gprofx_result
stacks_find_functions(struct run *run, struct profile *first, struct symbols *symbols)
{
	struct symbol_spaces spaces = {0};
	bool is_there = false;

	for (struct profile *i = first; i; i = i->next_run) {
		is_there = is_there || i->stacks.is_there;
		if (i->stacks.is_there && check_places(run, &i->stacks, symbols) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	if (!is_there)
		return GPROFX_OK;
	if (!symbols_have_image(symbols))
		name_functions(run, first, symbols);
	/* Names come first: what is of images stands behind them. */
	late_add_symbols(run, symbols);
	/* Functions that only profiles name have no code, and so no space. */
	if (symbols_have_image(symbols))
		spaces = symbols_spaces(run, symbols);
	for (struct profile *i = first; i; i = i->next_run)
		look_up(run, &i->stacks, symbols, &spaces);
	for (struct profile *i = first; i; i = i->next_run)
		if (i->stacks.is_there)
			stacks_share_all(&i->stacks);
	return GPROFX_OK;
}
