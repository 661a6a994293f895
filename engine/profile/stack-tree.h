/* SPDX-License-Identifier: Apache-2.0 */
/* How stacks get into their tree, and out of it again. */
#ifndef ENGINE_PROFILE_STACK_TREE_H
#define ENGINE_PROFILE_STACK_TREE_H

#include "base/run.h"
#include "profile/stacks.h"

/*
 * Walks down from the outermost frame of a stack, and makes what is not there; returns the node of
 * the innermost one.  placed: see struct stack_batch.
 */
uint32_t
stack_tree_add(struct run *run, struct stacks *stacks, const struct gprofx_raw_stacks *rows,
               uint32_t stack, const struct symbols *placed);

/* Takes back the nodes and places that the file added. */
void stack_tree_take_back(struct run *run, struct stacks *stacks);

#endif
