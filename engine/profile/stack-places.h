/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions the frames of stacks are in. */
#ifndef ENGINE_PROFILE_STACK_PLACES_H
#define ENGINE_PROFILE_STACK_PLACES_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/*
 * Beside a program, finds where each place with a name is: in the program's function of that name,
 * or else in an image of names, whose symbols come with late_add_symbols().  Of all runs.
 */
void stacks_find_names(struct run *run, struct profile *first, struct symbols *symbols);

/*
 * Finds the function of each place of the stacks, of all runs.  Without a program, its symbols
 * become the names that the places have; with one, stacks_find_names() has run.  Fails where frames
 * have addresses and there is no program.
 */
enum gprofx_result
stacks_find_functions(struct run *run, struct profile *first, struct symbols *symbols);

#endif
