/* SPDX-License-Identifier: Apache-2.0 */
/* How stacks get into their tree, and out of it again. */
#ifndef ENGINE_PROFILE_STACK_TREE_H
#define ENGINE_PROFILE_STACK_TREE_H

#include "base/run.h"
#include "profile/stacks.h"
#include "symbols/symbols.h"

/*
 * Returns the number of a stack, which is made if it is not there yet; NO_STACK: it has no frames.
 * placed: see struct stack_batch.
 */
uint32_t
stack_tree_add(struct run *run, struct stacks *stacks, const struct gprofx_raw_stacks *rows,
               uint32_t stack, const struct symbols *placed);

/* Takes back the stacks and places that the file added. */
void stack_tree_take_back(struct run *run, struct stacks *stacks);

/* Frees what only adding needs. */
void stack_tree_finish(struct run *run, struct stacks *stacks);

#endif
