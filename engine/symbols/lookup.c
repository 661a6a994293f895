/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address to symbol.  A table of blocks of addresses says where to begin; about two blocks per
 * symbol make the search within a block short.  Each image has blocks of its own, and the images
 * have some, too: a lookup costs the same however many there are, and however far apart.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/symbols.h"

enum { BLOCKS_PER_ITEM = 2 };

static struct address_blocks
index_addresses(struct run *run, const uint64_t *address, uint32_t count)
{
	struct address_blocks blocks = {.address = address, .count = count};
	uint64_t span;
	uint32_t item = 0;

	if (count == 0)
		return blocks;
	blocks.origin = address[0];
	span = address[count - 1] - address[0];
	while (span >> blocks.shift >= (uint64_t)count * BLOCKS_PER_ITEM + 16)
		blocks.shift++;
	blocks.block_count = (uint32_t)(span >> blocks.shift) + 1;
	memory_array(run, blocks.first, (size_t)blocks.block_count + 1);
	for (uint32_t block = 0; block < blocks.block_count; block++) {
		uint64_t begin = address[0] + ((uint64_t)block << blocks.shift);

		while (item + 1 < count && address[item + 1] <= begin)
			item++;
		blocks.first[block] = item;
	}
	blocks.first[blocks.block_count] = count - 1;
	return blocks;
}

/* The last item at or below an address, or NO_SYMBOL. */
static inline uint32_t
last_up_to(const struct address_blocks *blocks, uint64_t address)
{
	uint32_t low, high;
	uint64_t block;

	if (blocks->count == 0 || address < blocks->origin)
		return NO_SYMBOL;
	block = (address - blocks->origin) >> blocks->shift;
	if (block >= blocks->block_count)
		return blocks->count - 1;
	low = blocks->first[block];
	high = blocks->first[block + 1];
	/* Items can crowd in one block; halve before stepping. */
	while (high - low > 8) {
		uint32_t middle = low + (high - low) / 2;

		if (blocks->address[middle] <= address)
			low = middle;
		else
			high = middle - 1;
	}
	while (low < high && blocks->address[low + 1] <= address)
		low++;
	return low;
}

void
symbols_index(struct run *run, struct symbols *symbols)
{
	uint32_t first = 0;
	uint64_t *starts;

	if (symbols->image_count == 0) {
		memory_array(run, symbols->images, 1);
		symbols->image_count = 1;
	}
	memory_array(run, starts, symbols->image_count);
	for (uint32_t i = 0; i < symbols->image_count; i++) {
		struct symbol_image *image = &symbols->images[i];
		uint32_t past = i + 1 < symbols->image_count
		                        ? sorted_up_to(symbols->address, symbols->count,
		                                       symbols->images[i + 1].first - 1)
		                        : symbols->count;

		image->first_symbol = first;
		image->blocks = index_addresses(run, symbols->address + first, past - first);
		starts[i] = image->first;
		first = past;
	}
	symbols->others = index_addresses(run, starts + 1, symbols->image_count - 1);
	symbols->program = symbols->images->blocks;
}

const struct symbol_image *
symbols_other_image_at(const struct symbols *symbols, uint64_t address)
{
	uint32_t other = last_up_to(&symbols->others, address);

	return &symbols->images[other == NO_SYMBOL ? 0 : other + 1];
}

static uint32_t
last_symbol_of_other(const struct symbols *symbols, uint64_t address)
{
	const struct symbol_image *image = symbols_other_image_at(symbols, address);
	uint32_t item = last_up_to(&image->blocks, address);

	return item == NO_SYMBOL ? item : image->first_symbol + item;
}

/* The last symbol of an image that begins at or below one of its addresses, or NO_SYMBOL. */
static inline uint32_t
last_symbol(const struct symbols *symbols, uint64_t address)
{
	if (symbols_is_program(symbols, address))
		return last_up_to(&symbols->program, address);
	return last_symbol_of_other(symbols, address);
}

uint32_t
symbols_lookup(const struct symbols *symbols, uint64_t address)
{
	uint32_t symbol = last_symbol(symbols, address);

	return symbol != NO_SYMBOL && address <= symbols->end[symbol] ? symbol : NO_SYMBOL;
}

uint32_t
symbols_at(const struct symbols *symbols, uint64_t address)
{
	uint32_t symbol = last_symbol(symbols, address);

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
	if (!run_corrects(run, GPROFX_CORRECT_LINE_GRAPH) ||
	    (run->settings->sum_file && run->settings->sum_as_gprof))
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
