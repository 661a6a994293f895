/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights of stacks while files are read.  Those of the file that is being read wait in entries
 * until the whole file counts.  A stack that this file has made needs no entry, as nothing else
 * weighs it: the file goes with its stacks if it does not count.
 */
#ifndef ENGINE_PROFILE_STACK_WEIGHTS_H
#define ENGINE_PROFILE_STACK_WEIGHTS_H

#include "base/run.h"
#include "profile/stacks.h"

/* The product, which stays at the largest number. */
static inline uint64_t
stack_weights_times(uint64_t weight, uint64_t factor)
{
	return factor > 1 && weight > UINT64_MAX / factor ? UINT64_MAX : weight * factor;
}

/* The first "count" stacks have a weight. */
void stack_weights_extend(struct run *run, struct stacks *stacks, uint32_t count);

/*
 * Adds an entry, whose stack can be NO_STACK.  first_new: stacks from this one on get their weight
 * at once, unless slices are kept; NO_STACK: none does.
 */
void stack_weights_add(struct run *run, struct stacks *stacks, struct stack_entry entry,
                       uint32_t first_new);

/* Makes entries of what the file's own stacks, those from "first_new" on, have at once. */
void stack_weights_spill(struct run *run, struct stacks *stacks, uint32_t first_new);

/* The file does not count: only the first "count" stacks are left. */
void stack_weights_drop(struct stacks *stacks, uint32_t count);

/*
 * The file counts: "grows" brings what it has to the ticks of all files, "factor" what earlier
 * files have.
 */
void stack_weights_grow(struct stacks *stacks, uint32_t first_new, uint64_t factor, uint64_t grows);

/*
 * Adds to what places have themselves, in files with calls, what the file has.  Where all files
 * have calls, the weights say it, too, so that only others need it apart; this comes before
 * entries are added to weights.  False: a sum would have been larger than a number can be.
 */
bool stack_weights_commit_self(struct run *run, struct stacks *stacks, const struct stacks *tree,
                               uint64_t grows);

/*
 * All files were read, and all metrics have their stacks: what places have themselves, in files
 * with calls; NULL: no file has calls.
 */
const uint64_t *stack_weights_self(struct run *run, const struct stacks *stacks);

#endif
