/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines make the calls of an arc, where arcs are between whole functions. */
#ifndef ENGINE_GRAPH_SITES_H
#define ENGINE_GRAPH_SITES_H

#include "base/run.h"
#include "graph/graph.h"

/* Calls as they were recorded, in any order. */
struct sites {
	struct site_calls {
		uint32_t line, caller, callee;
		uint64_t calls;
	} * items;
	uint32_t count, room;
};

void sites_add(struct run *run, struct sites *sites, uint32_t line, uint32_t caller,
               uint32_t callee, uint64_t calls);

/* Takes the graph's sites back, to be finished once it has more arcs. */
void sites_begin_again(struct run *run, struct graph *graph, struct sites *sites);

/* Sets the graph's sites, once its arcs are there; the calls are used up. */
void sites_finish(struct run *run, struct graph *graph, struct sites *sites);

#endif
