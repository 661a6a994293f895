/* SPDX-License-Identifier: Apache-2.0 */
/* Names that places of stacks share. */
#ifndef ENGINE_PROFILE_STACK_NAMES_H
#define ENGINE_PROFILE_STACK_NAMES_H

#include "base/run.h"
#include "profile/stacks.h"

/* Those with the wanted texts, of which copies are made if they are new. */
struct stack_names *
stack_names_find(struct run *run, struct stacks *stacks, const struct stack_names *wanted);

/* The same for texts that last as long as the run and of which each is there once. */
struct stack_names *
stack_names_find_texts(struct run *run, struct stacks *stacks, const struct stack_names *wanted);

#endif
