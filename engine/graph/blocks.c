/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded basic blocks by the symbols that they lie in. */
#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* GNU gprof has so many places for blocks in a symbol; what does not fit it leaves out. */
enum { PLACES_OF_SYMBOL = 10 };

/* Blocks of which each is in its symbol's list once. */
struct placed {
	struct gprofx_block *blocks;
	uint32_t *symbol; /* per block */
	uint32_t count;
};

static struct placed
place_all(struct run *run, const struct symbols *symbols, struct profile *profile)
{
	struct placed placed = {0};

	profile_merge_repeats(run, profile);
	memory_array(run, placed.blocks, profile->block_count);
	memory_array(run, placed.symbol, profile->block_count);
	for (uint32_t i = 0; i < profile->block_count; i++) {
		const struct gprofx_raw_block *block = &profile->blocks[i];
		uint32_t symbol = symbols_lookup(symbols, block->address);

		if (symbol == NO_SYMBOL)
			continue;
		placed.symbol[placed.count] = symbol;
		placed.blocks[placed.count++] = (struct gprofx_block){block->address, block->count};
	}
	return placed;
}

/*
 * For gprof a place whose block has address 0 is a free one, so that the next block takes it, with
 * what was counted there.
 */
static struct placed
place_some(struct run *run, const struct symbols *symbols, const struct profile *profile)
{
	struct placed placed = {0};
	uint32_t *first, *next;

	/* Numbers of placed blocks plus 1. */
	memory_array(run, first, symbols->count);
	memory_array(run, next, profile->block_count);
	memory_array(run, placed.blocks, profile->block_count);
	memory_array(run, placed.symbol, profile->block_count);
	for (uint32_t i = 0; i < profile->block_count; i++) {
		const struct gprofx_raw_block *block = &profile->blocks[i];
		uint32_t symbol = symbols_lookup(symbols, block->address), *place, used = 0;

		if (symbol == NO_SYMBOL)
			continue;
		for (place = &first[symbol]; *place != 0; place = &next[*place - 1], used++)
			if (placed.blocks[*place - 1].address == block->address ||
			    placed.blocks[*place - 1].address == 0)
				break;
		if (*place == 0) {
			if (used == PLACES_OF_SYMBOL)
				continue;
			placed.symbol[placed.count] = symbol;
			*place = ++placed.count;
		}
		placed.blocks[*place - 1].address = block->address;
		placed.blocks[*place - 1].count += block->count;
	}
	memory_release(run, first);
	memory_release(run, next);
	return placed;
}

void
graph_add_blocks(struct run *run, struct graph *graph, struct profile *profile)
{
	bool has_all = run_corrects(run, GPROFX_CORRECT_BLOCKS);
	const struct symbols *symbols = graph->symbols;
	struct placed placed = has_all ? place_all(run, symbols, profile)
	                               : place_some(run, symbols, profile);
	size_t lists = (size_t)symbols->count + SYMBOL_MORE_ROWS;
	uint32_t *first;

	memory_array(run, first, lists + 2);
	memory_array(run, graph->blocks, placed.count);
	for (uint32_t i = 0; i < placed.count; i++)
		if (has_all || placed.blocks[i].address != 0)
			first[placed.symbol[i] + 2]++;
	for (size_t list = 1; list <= lists; list++)
		first[list + 1] += first[list];
	/* first[s + 1] is the start of a list and becomes its end. */
	for (uint32_t i = 0; i < placed.count; i++)
		if (has_all || placed.blocks[i].address != 0)
			graph->blocks[first[placed.symbol[i] + 1]++] = placed.blocks[i];
	graph->block_first = first;
	memory_release(run, placed.blocks);
	memory_release(run, placed.symbol);
}
