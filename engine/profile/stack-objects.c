/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that readers know by the names of a function and of the object that has it. */
#include <string.h>

#include "base/run.h"
#include "base/text.h"
#include "profile/made-names.h"
#include "profile/profile.h"
#include "profile/stack-places.h"
#include "symbols/symbols.h"

static bool
is_of_object(const struct symbols *symbols, const struct stack_names *names)
{
	if (!names->function || !names->object)
		return false;
	return !symbols_have_image(symbols) ||
	       strcmp(text_last_name(names->object), text_last_name(symbols->image.name)) != 0;
}

/* Names whose functions were made have numbers. */
static void
place_all(struct run *run, const struct made_names *made, struct stacks *stacks)
{
	for (uint32_t i = 0; stacks->is_there && i < stacks->place_count; i++) {
		struct stack_place *place = &stacks->places[i];

		if (place->names->number == 0)
			continue;
		place->address = made_names_location(run, made, place->names->number - 1);
		place->flags |= PLACE_IS_PLACED;
	}
	for (uint32_t i = 0; stacks->is_there && i < stacks->names_count; i++) {
		struct stack_names *names = stacks->names[i];

		names->object = NULL;
		if (names->number != 0)
			names->function = NULL;
		names->number = 0;
	}
}

void
stacks_place_objects(struct run *run, struct profile *first, struct symbols *symbols)
{
	struct made_names made = {.first = first, .symbols = symbols};

	for (struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; i->stacks.is_there && k < i->stacks.place_count; k++) {
			struct stack_names *names = i->stacks.places[k].names;

			if (names->number == 0 && is_of_object(symbols, names))
				names->number = made_names_add(run, &made, names->object,
				                               names->function, names->file) +
				                1;
		}
	for (struct profile *i = first; i; i = i->next_run)
		place_all(run, &made, &i->stacks);
	made_names_release(run, &made);
}
