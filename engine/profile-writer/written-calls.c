/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and basic blocks of a sum: as they were read, or as GNU gprof knows them. */
#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "profile-writer/parts.h"
#include "symbols/symbols.h"

/* GNU gprof writes callers by address, and the calls of each the newest first. */
static bool
next_of_graph(struct arc_walk *walk, struct gprofx_raw_arc *arc)
{
	const struct graph *graph = walk->sum->graph;
	const uint64_t *address = walk->sum->symbols->address;
	const struct graph_arc *next;

	if (walk->at == graph->arc_count)
		return false;
	while (walk->at == graph->callees.first[walk->caller + 1])
		walk->caller++;
	next = &graph->arcs[graph->callees.item[walk->at++]];
	*arc = (struct gprofx_raw_arc){address[next->caller], address[next->callee], next->calls};
	return true;
}

bool
sum_next_arc(struct arc_walk *walk, struct gprofx_raw_arc *arc)
{
	if (walk->sum->graph)
		return next_of_graph(walk, arc);
	if (walk->at == walk->sum->arc_count)
		return false;
	*arc = walk->sum->arcs[walk->at++];
	return true;
}

const struct gprofx_block *
sum_blocks(const struct sum *sum, uint32_t *count)
{
	const struct profile *profile = sum->profile;
	struct gprofx_block *blocks;

	if (sum->graph) {
		*count = sum->graph->block_first[sum->symbols->count];
		return sum->graph->blocks;
	}
	*count = profile->block_count;
	memory_array(sum->run, blocks, profile->block_count);
	for (uint32_t i = 0; i < profile->block_count; i++)
		blocks[i] = (struct gprofx_block){profile->blocks[i].address,
		                                  profile->blocks[i].count};
	return blocks;
}
