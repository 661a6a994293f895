/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions the frames of stacks are in. */
#ifndef ENGINE_PROFILE_STACK_PLACES_H
#define ENGINE_PROFILE_STACK_PLACES_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/*
 * Finds the function of each place of the stacks, of all runs.  Without a program, its symbols
 * become the names that the places have.  Fails where frames have names only and there is a
 * program, or addresses and there is none.
 */
enum gprofx_result
stacks_find_functions(struct run *run, struct profile *first, struct symbols *symbols);

#endif
