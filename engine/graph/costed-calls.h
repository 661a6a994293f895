/* SPDX-License-Identifier: Apache-2.0 */
/* Times of calls that were measured as a whole, beside those that stacks have measured. */
#ifndef ENGINE_GRAPH_COSTED_CALLS_H
#define ENGINE_GRAPH_COSTED_CALLS_H

#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"

/*
 * Adds what the calls of a metric cost to the times of functions and arcs, which are as stacks have
 * measured them: totals stand in "below".  arc: per call its arc, or UINT32_MAX.
 */
void graph_add_costs(struct run *run, struct graph *graph, const struct stacks *stacks,
                     const uint32_t *arc);

/* Shows what is called by functions that are shown, if symspecs select entries. */
void graph_show_called(struct run *run, struct graph *graph);

#endif
