/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address to symbol.  A table of blocks of addresses says where to begin; about two blocks per
 * symbol make the search within a block short.
 */
#include "base/memory.h"
#include "base/run.h"
#include "symbols/symbols.h"

enum { BLOCKS_PER_SYMBOL = 2 };

void
symbols_index(struct run *run, struct symbols *symbols)
{
	uint64_t span, first;
	uint32_t shift = 0, symbol = 0;

	if (symbols->count == 0)
		return;
	first = symbols->address[0];
	span = symbols->address[symbols->count - 1] - first;
	while (span >> shift >= (uint64_t)symbols->count * BLOCKS_PER_SYMBOL + 16)
		shift++;
	symbols->bucket_shift = shift;
	symbols->bucket_count = (uint32_t)(span >> shift) + 1;
	memory_array(run, symbols->bucket, (size_t)symbols->bucket_count + 1);
	for (uint32_t block = 0; block < symbols->bucket_count; block++) {
		uint64_t begin = first + ((uint64_t)block << shift);

		while (symbol + 1 < symbols->count && symbols->address[symbol + 1] <= begin)
			symbol++;
		symbols->bucket[block] = symbol;
	}
	symbols->bucket[symbols->bucket_count] = symbols->count - 1;
}

/* The last symbol that begins at or below an address, or NO_SYMBOL. */
static inline uint32_t
last_up_to(const struct symbols *symbols, uint64_t address)
{
	uint32_t low, high;
	uint64_t block;

	if (symbols->count == 0 || address < symbols->address[0])
		return NO_SYMBOL;
	block = (address - symbols->address[0]) >> symbols->bucket_shift;
	if (block >= symbols->bucket_count) {
		low = symbols->count - 1;
	} else {
		low = symbols->bucket[block];
		high = symbols->bucket[block + 1];
		/* Symbols can crowd in one block; halve before stepping. */
		while (high - low > 8) {
			uint32_t middle = low + (high - low) / 2;

			if (symbols->address[middle] <= address)
				low = middle;
			else
				high = middle - 1;
		}
		while (low < high && symbols->address[low + 1] <= address)
			low++;
	}
	return low;
}

uint32_t
symbols_lookup(const struct symbols *symbols, uint64_t address)
{
	uint32_t symbol = last_up_to(symbols, address);

	return symbol != NO_SYMBOL && address <= symbols->end[symbol] ? symbol : NO_SYMBOL;
}

uint32_t
symbols_at(const struct symbols *symbols, uint64_t address)
{
	uint32_t symbol = last_up_to(symbols, address);

	if (symbol == NO_SYMBOL || symbols->address[symbol] != address)
		return NO_SYMBOL;
	/* All but the last one have some addresses. */
	return symbol + 1 < symbols->count || address <= symbols->end[symbol] ? symbol : NO_SYMBOL;
}

void
symbols_find_wholes(struct run *run, struct symbols *symbols)
{
	uint32_t function = NO_SYMBOL;
	bool has_lines = false;

	/* A sum in GNU gprof's way has the calls of each line. */
	if (!run_corrects(run, GPROFX_CORRECT_LINE_GRAPH) || run->settings->sum_as_gprof)
		return;
	for (uint32_t i = 0; i < symbols->count && !has_lines; i++)
		has_lines = (symbols->flags[i] & SYMBOL_LINE) != 0;
	if (!has_lines)
		return;
	memory_array(run, symbols->whole, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < symbols->count; i++) {
		if (!(symbols->flags[i] & SYMBOL_LINE)) {
			function = i;
			symbols->whole[i] = i;
			continue;
		}
		/* Lines can lie in code that is of no function of the report. */
		symbols->whole[i] = function != NO_SYMBOL &&
		                                    symbols->address[i] <= symbols->end[function]
		                            ? function
		                            : NO_SYMBOL;
	}
	for (uint32_t i = symbols->count; i < symbols->count + SYMBOL_MORE_ROWS; i++)
		symbols->whole[i] = i;
}
