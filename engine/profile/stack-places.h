/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions the frames of stacks are in. */
#ifndef ENGINE_PROFILE_STACK_PLACES_H
#define ENGINE_PROFILE_STACK_PLACES_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* Frames of all runs that can be in PLT stubs of the program. */
struct stack_frames {
	uint64_t *location; /* of frames by address, ascending */
	uint32_t count;
	struct wanted_function *stub; /* frames by name that are stubs, as "exp@plt" */
	uint32_t stub_count;
};

struct stack_frames
stacks_frames(struct run *run, struct profile *first, const struct symbols *symbols);
void stacks_forget_frames(struct run *run, struct stack_frames *frames);

/* Whether any frame by address is from "low" to below "past". */
bool stacks_have_frame(const struct stack_frames *frames, uint64_t low, uint64_t past);

/*
 * Gives places with a name and an object an address in an image of that object, whose symbols come
 * with late_add_symbols().  The object of the program is forgotten: its names are to be found.  Of
 * all runs.
 */
void stacks_place_objects(struct run *run, struct profile *first, struct symbols *symbols);

/*
 * Beside a program, finds where each place with a name is: in the program's function of that name,
 * or else in an image of names, whose symbols come with late_add_symbols().  Of all runs.
 * Fails where no name is the program's and there is nothing but names.
 */
enum gprofx_result
stacks_find_names(struct run *run, struct profile *first, struct symbols *symbols);

/*
 * Finds the function of each place of the stacks, of all runs.  Without a program, its symbols
 * become the names that the places have; with one, stacks_find_names() has run.  Fails where frames
 * have addresses and there is no program.
 */
enum gprofx_result
stacks_find_functions(struct run *run, struct profile *first, struct symbols *symbols);

#endif
