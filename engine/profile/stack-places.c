/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/stack-places.h"

#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "symbols/late.h"

/* The key of a function in a table of names.  Functions of one name in several files are several.
 */
static const char *
key_of(struct run *run, const struct stack_place *place)
{
	return place->file ? text_format(run, "%zu %s%s", strlen(place->function), place->function,
	                                 place->file)
	                   : text_format(run, "%s", place->function);
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
		for (uint32_t k = 0; k < i->stacks.place_count; k++) {
			const struct stack_place *place = &i->stacks.places[k];
			uint32_t number;

			if (!place->function)
				continue;
			number = name_table_add_kept(run, &keys, key_of(run, place));

			names[number] = place->function;
			i->stacks.function[k] = number;
		}
	symbols_set_names(run, symbols, names, keys.count);
	name_table_release(run, &keys);
	memory_release(run, (void *)names);
}

/* The function that a frame with an address is in, or what stands for none. */
static uint32_t
function_at(const struct symbols *symbols, const struct stack_place *place)
{
	uint64_t location = place->flags & PLACE_IS_PLACED
	                            ? place->address
	                            : symbols_location(symbols, NULL, place->address);
	uint32_t symbol = symbols_lookup(symbols, location);

	return symbol == NO_SYMBOL ? symbols->count : symbols_function(symbols, symbol);
}

/* Whether frames can be found: with a program by addresses, without one by names. */
static enum gprofx_result
check_places(struct run *run, struct stacks *stacks, const struct symbols *symbols)
{
	const struct gprofx_diagnostic named = {
		.id = "profile.frames-by-name",
		.hint = "name the profiles without a program",
	};
	const struct gprofx_diagnostic placed = {
		.id = "profile.frames-by-address",
		.hint = "name the program first, then its profiles",
	};
	bool has_image = symbols_have_image(symbols);

	memory_array(run, stacks->function, stacks->place_count);
	for (uint32_t i = 0; i < stacks->place_count; i++) {
		const struct stack_place *place = &stacks->places[i];

		if (place->function && has_image)
			return run_fail(run, &named,
			                "expected frames with addresses of the "
			                "program, found frames with names alone");
		if (!place->function && !has_image && !(place->flags & PLACE_IS_PLACED))
			return run_fail(run, &placed,
			                "expected a program that has the addresses "
			                "of frames, found none");
	}
	return GPROFX_OK;
}

enum gprofx_result
stacks_find_functions(struct run *run, struct profile *first, struct symbols *symbols)
{
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
	for (struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; k < i->stacks.place_count; k++)
			if (!i->stacks.places[k].function)
				i->stacks.function[k] = function_at(symbols, &i->stacks.places[k]);
	for (struct profile *i = first; i; i = i->next_run)
		if (i->stacks.is_there)
			stacks_share_tree(&i->stacks);
	return GPROFX_OK;
}
