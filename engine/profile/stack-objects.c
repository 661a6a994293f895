/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that readers know by the names of a function and of the object that has it. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/text.h"
#include "profile/made-names.h"
#include "profile/profile.h"
#include "profile/stack-places.h"
#include "symbols/symbols.h"

static bool
is_of_object(const struct symbols *symbols, const struct stack_place *place)
{
	if (!place->function || !place->object)
		return false;
	return !symbols_have_image(symbols) ||
	       strcmp(text_last_name(place->object), text_last_name(symbols->image.name)) != 0;
}

static void
place_all(struct run *run, const struct made_names *made, struct stacks *stacks)
{
	for (uint32_t i = 0; stacks->is_there && i < stacks->place_count; i++) {
		struct stack_place *place = &stacks->places[i];

		if (place->object)
			*place = (struct stack_place){
				.address = made_names_location(run, made, (uint32_t)place->address),
				.file = place->file,
				.source = place->source,
				.line = place->line,
				.flags = place->flags | PLACE_IS_PLACED};
	}
}

enum { KNOWN_FUNCTIONS = 4096 /* a power of two */ };

/* The number that a function was given last, where its texts are there only once. */
struct known_function {
	const char *function, *file, *object; /* function NULL: none */
	uint32_t number;
};

/* Files with lines have many places in each function, most of them side by side. */
static uint32_t
number_of(struct run *run, struct made_names *made, struct known_function *known,
          const struct stack_place *place)
{
	uintptr_t bits = (uintptr_t)place->function / sizeof(uint64_t);

	known += (bits ^ bits / KNOWN_FUNCTIONS) % KNOWN_FUNCTIONS;
	if (known->function != place->function || known->file != place->file ||
	    known->object != place->object)
		*known = (struct known_function){
			place->function, place->file, place->object,
			made_names_add(run, made, place->object, place->function, place->file)};
	return known->number;
}

void
stacks_place_objects(struct run *run, struct profile *first, struct symbols *symbols)
{
	struct made_names made = {.first = first, .symbols = symbols};
	struct known_function *known;

	memory_array(run, known, KNOWN_FUNCTIONS);
	for (struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; i->stacks.is_there && k < i->stacks.place_count; k++) {
			struct stack_place *place = &i->stacks.places[k];

			/* Until all are known, the number stands for the address. */
			if (is_of_object(symbols, place))
				place->address = number_of(run, &made, known, place);
			else
				place->object = NULL;
		}
	for (struct profile *i = first; i; i = i->next_run)
		place_all(run, &made, &i->stacks);
	made_names_release(run, &made);
	memory_release(run, known);
}
