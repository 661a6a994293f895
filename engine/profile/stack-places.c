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

static void
name_functions(struct run *run, struct stacks *stacks, struct symbols *symbols)
{
	struct name_table keys = {0};
	const char **names = memory_alloc_array(run, sizeof(const char *), stacks->place_count);

	for (uint32_t i = 0; i < stacks->place_count; i++) {
		uint32_t number;

		if (!stacks->places[i].function)
			continue;
		number = name_table_add_kept(run, &keys, key_of(run, &stacks->places[i]));

		names[number] = stacks->places[i].function;
		stacks->function[i] = number;
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

enum gprofx_result
stacks_find_functions(struct run *run, struct profile *profile, struct symbols *symbols)
{
	const struct gprofx_diagnostic named = {
		.id = "profile.frames-by-name",
		.hint = "name the profiles without a program",
	};
	const struct gprofx_diagnostic placed = {
		.id = "profile.frames-by-address",
		.hint = "name the program first, then its profiles",
	};
	struct stacks *stacks = &profile->stacks;
	bool has_image = symbols_have_image(symbols);

	if (!stacks->is_there)
		return GPROFX_OK;
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
	if (!has_image)
		name_functions(run, stacks, symbols);
	/* Names come first: what is of images stands behind them. */
	late_add_symbols(run, symbols);
	for (uint32_t i = 0; i < stacks->place_count; i++)
		if (!stacks->places[i].function)
			stacks->function[i] = function_at(symbols, &stacks->places[i]);
	stacks_share_tree(stacks);
	return GPROFX_OK;
}
