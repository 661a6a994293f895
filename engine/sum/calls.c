/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and basic blocks of a sum: as they were read, or as GNU gprof knows them. */
#include "base/memory.h"
#include "sum/parts.h"

/* GNU gprof writes callers by address, and the calls of each the newest first. */
static bool
next_of_graph(struct arc_walk *walk, struct gprofx_raw_arc *arc)
{
	const struct graph *graph = walk->sum->graph;
	const uint64_t *address = walk->sum->symbols->address;
	const struct gprofx_arc *next;

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
	const struct profile *profile = walk->sum->profile;

	if (walk->sum->graph)
		return next_of_graph(walk, arc);
	if (walk->at == profile->arc_count)
		return false;
	*arc = profile->arcs[walk->at++];
	return true;
}

/* GNU gprof has room for so many blocks in a function; further ones it leaves out. */
enum { BLOCKS_OF_FUNCTION = 10 };

/*
 * The blocks of known functions, by function, the first ones of each.  The profile's blocks are
 * merged, so each is here once.
 */
static const struct gprofx_raw_block *
blocks_of_functions(const struct sum *sum, uint32_t *count)
{
	const struct profile *profile = sum->profile;
	const struct symbols *symbols = sum->symbols;
	uint32_t *function, *used, kept = 0;
	struct gprofx_raw_block *blocks;

	memory_array(sum->run, function, profile->block_count);
	memory_array(sum->run, used, (size_t)symbols->count + 1);
	for (uint32_t i = 0; i < profile->block_count; i++) {
		uint32_t symbol = symbols_lookup(symbols, profile->blocks[i].address);

		if (symbol != NO_SYMBOL && used[symbol] == BLOCKS_OF_FUNCTION)
			symbol = NO_SYMBOL;
		function[i] = symbol;
		if (symbol != NO_SYMBOL)
			used[symbol]++;
	}
	/* Where the blocks of each function begin. */
	for (uint32_t f = 0; f <= symbols->count; f++) {
		uint32_t own = used[f];

		used[f] = kept;
		kept += own;
	}
	memory_array(sum->run, blocks, kept);
	for (uint32_t i = 0; i < profile->block_count; i++)
		if (function[i] != NO_SYMBOL)
			blocks[used[function[i]]++] = profile->blocks[i];
	memory_release(sum->run, function);
	memory_release(sum->run, used);
	*count = kept;
	return blocks;
}

const struct gprofx_raw_block *
sum_blocks(const struct sum *sum, uint32_t *count)
{
	if (sum->graph)
		return blocks_of_functions(sum, count);
	*count = sum->profile->block_count;
	return sum->profile->blocks;
}
