/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded basic blocks by the symbols that they lie in. */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

/* GNU gprof has so many places for blocks in a symbol; what does not fit it leaves out. */
enum { PLACES_OF_SYMBOL = 10 };

/* Blocks of which each is in its symbol's list once. */
struct placed {
	struct gprofx_block *blocks;
	uint32_t *symbol; /* per block */
	uint32_t count;
};

/* Blocks by the addresses that they were recorded at, each once. */
struct recorded {
	uint64_t *address; /* ascending */
	uint32_t *number;  /* in the profile */
	uint32_t count;
};

static struct recorded
sort_recorded(struct run *run, const struct profile *profile)
{
	struct recorded recorded = {.count = profile->block_count};

	memory_array(run, recorded.address, recorded.count);
	memory_array(run, recorded.number, recorded.count);
	for (uint32_t i = 0; i < recorded.count; i++) {
		recorded.address[i] = profile->blocks[i].address;
		recorded.number[i] = i;
	}
	sort_ascending(run, recorded.address, recorded.number, recorded.count);
	return recorded;
}

/* The number in the profile of the block whose call returns to an address; NO_SYMBOL: none. */
static uint32_t
find_recorded(const struct recorded *recorded, uint64_t back)
{
	uint32_t up_to = sorted_up_to(recorded->address, recorded->count, back - 1);

	return up_to > 0 && recorded->address[up_to - 1] == back - 1 ? recorded->number[up_to - 1]
	                                                             : NO_SYMBOL;
}

/* With what every function and line of it begins: that of the last row of its code. */
static uint64_t *
find_beginnings(struct run *run, const struct symbols *symbols, const struct scan_blocks *known,
                const struct recorded *recorded, const struct profile *profile)
{
	uint64_t *begins_with;
	uint32_t row = 0;

	memory_array(run, begins_with, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < symbols->count + SYMBOL_MORE_ROWS; i++) {
		uint64_t back;
		uint32_t number;

		while (i < symbols->count && row < known->count &&
		       known->rows[row].address <= symbols->address[i])
			row++;
		back = i < symbols->count && row > 0 ? known->rows[row - 1].back : 0;
		number = back != 0 ? find_recorded(recorded, back) : NO_SYMBOL;
		begins_with[i] = back == 0             ? GPROFX_CALLS_UNKNOWN
		                 : number == NO_SYMBOL ? 0
		                                       : profile->blocks[number].count;
	}
	return begins_with;
}

/*
 * The blocks of the profile, at the addresses of their calls, and those of the code that did not
 * run.  What the profile has at other addresses stays there.
 */
static struct gprofx_raw_block *
complete(struct run *run, const struct scan_blocks *known, const struct recorded *recorded,
         const struct profile *profile, uint32_t *count)
{
	struct gprofx_raw_block *blocks;

	blocks = memory_alloc_array(run, sizeof *blocks,
	                            (size_t)profile->block_count + known->count);
	*count = profile->block_count;
	for (uint32_t i = 0; i < profile->block_count; i++)
		blocks[i] = profile->blocks[i];
	for (uint32_t i = 0; i < known->count; i++) {
		uint32_t number;

		if (!known->rows[i].is_block)
			continue;
		number = find_recorded(recorded, known->rows[i].back);
		if (number == NO_SYMBOL)
			blocks[(*count)++] = (struct gprofx_raw_block){known->rows[i].address, 0};
		else
			blocks[number].address = known->rows[i].address;
	}
	return blocks;
}

/* Where a block's count stops to hold; 0: it is none of the code that is known. */
static uint64_t
end_of_block(const struct scan_blocks *known, uint64_t address)
{
	uint32_t low = 0, high = known->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (known->rows[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == known->count || known->rows[low].address != address)
		return 0;
	return low + 1 < known->count ? known->rows[low + 1].address : UINT64_MAX;
}

/*
 * Whose a block is.  One that begins amid the code of a line and goes on with another line is that
 * one's: compilers give the block in which all returns of a function come together no line of its
 * own, so that it looks like one of the line before.  Where it is one of that line, other blocks
 * of the line ran as often.
 */
static uint32_t
symbol_of(const struct symbols *symbols, const struct scan_blocks *known, uint64_t address)
{
	uint32_t symbol = symbols_lookup(symbols, address), next = symbol + 1;

	if (symbol == NO_SYMBOL || next >= symbols->count || symbols->address[symbol] == address ||
	    !(symbols->flags[next] & SYMBOL_LINE))
		return symbol;
	return end_of_block(known, address) > symbols->address[next] ? next : symbol;
}

static struct placed
place_all(struct run *run, const struct symbols *symbols, const struct scan_blocks *known,
          const struct gprofx_raw_block *blocks, uint32_t count)
{
	struct placed placed = {0};

	memory_array(run, placed.blocks, count);
	memory_array(run, placed.symbol, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_raw_block *block = &blocks[i];
		uint32_t symbol = symbol_of(symbols, known, block->address);

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

/* All that were recorded, and, where they are known, those that never ran. */
static struct placed
place_known(struct run *run, struct graph *graph, struct profile *profile)
{
	static const struct scan_blocks nothing = {0};
	const struct scan_blocks *known = graph->scan ? &graph->scan->blocks : &nothing;
	struct gprofx_raw_block *blocks;
	struct recorded recorded;
	struct placed placed;
	uint32_t count;

	profile_merge_repeats(run, profile);
	/* Without the code, no count is known to hold anywhere but where it was taken. */
	if (!known->is_known && !profile_has_block_calls(profile))
		return place_all(run, graph->symbols, known, profile->blocks, profile->block_count);
	recorded = sort_recorded(run, profile);
	blocks = complete(run, known, &recorded, profile, &count);
	placed = place_all(run, graph->symbols, known, blocks, count);
	graph->begins_with = find_beginnings(run, graph->symbols, known, &recorded, profile);
	memory_release(run, blocks);
	memory_release(run, recorded.address);
	memory_release(run, recorded.number);
	return placed;
}

void
graph_add_blocks(struct run *run, struct graph *graph, struct profile *profile)
{
	bool has_all = run_corrects(run, GPROFX_CORRECT_BLOCKS);
	const struct symbols *symbols = graph->symbols;
	struct placed placed = has_all ? place_known(run, graph, profile)
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
