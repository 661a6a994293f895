/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that never ran: they count their calls, as the called ones do, and none was recorded of
 * them or by them.
 */
#ifndef ENGINE_GRAPH_NEVER_RAN_H
#define ENGINE_GRAPH_NEVER_RAN_H

#include "base/run.h"
#include "profile/profile.h"
#include "scan/scan.h"

/* IWYU pragma: no_include "graph/shares.h" */
struct never_ran;

/*
 * What a profile says about it; the first time before its arcs are used up.  Kept for later stages.
 * NULL: nothing.
 */
struct never_ran *never_ran_of(struct run *run, struct scan *scan, const struct profile *profile);

/* Whether that is so of the function that begins at an address.  By one thread at a time. */
bool never_ran_at(struct never_ran *never_ran, uint64_t address);

#endif
