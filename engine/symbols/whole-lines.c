/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One row for each line of source: its code in a function is mostly in several pieces, each of
 * which is a symbol.  The first one stands for all that have the same line, name and inlined calls.
 */
#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* Pieces by what they have in common; open addressing, at most half full. */
struct pieces {
	struct run *run;
	struct symbols *symbols;
	uint32_t *slots; /* a symbol plus 1; those up to "before" are left over: free slots */
	uint32_t bits;   /* of the number of a slot that there is room for */
	uint32_t mask, before;
	bool has_clones; /* they are of several functions */
	uint64_t factor;
};

/* The function whose time has that of a line. */
static uint32_t
function_of(const struct symbols *symbols, uint32_t symbol)
{
	uint32_t whole = symbols->whole[symbol];

	return whole == NO_SYMBOL ? whole : symbols->owner[whole];
}

/* The name that the debug information has; equal ones are one text. */
static const char *
name_of(const struct symbols *symbols, uint32_t symbol)
{
	return symbols->flags[symbol] & SYMBOL_LINE ? symbols->name[symbol]
	                                            : symbols->source_name[symbols->row[symbol]];
}

static uint32_t
inlined_of(const struct symbols *symbols, uint32_t symbol)
{
	return symbols->inlined ? symbols->inlined[symbol] : 0;
}

static bool
is_same(const struct pieces *pieces, uint32_t left, uint32_t right)
{
	const struct symbols *symbols = pieces->symbols;

	return symbols->line[left] == symbols->line[right] &&
	       inlined_of(symbols, left) == inlined_of(symbols, right) &&
	       symbols->file[left] == symbols->file[right] &&
	       name_of(symbols, left) == name_of(symbols, right) &&
	       (!pieces->has_clones || function_of(symbols, left) == function_of(symbols, right));
}

static uint64_t
hash_piece(const struct pieces *pieces, uint32_t symbol)
{
	const struct symbols *symbols = pieces->symbols;
	uint64_t key = (uint64_t)inlined_of(symbols, symbol) << 32 | symbols->line[symbol];

	key ^= symbols->file[symbol] * pieces->factor;
	/* Debug information can put a thousand functions on one line. */
	key ^= (uintptr_t)name_of(symbols, symbol) * ~pieces->factor;
	if (pieces->has_clones)
		key ^= function_of(symbols, symbol) * ~pieces->factor;
	return hash_word(key, pieces->factor);
}

/* The piece that stands for one: an earlier one, or itself. */
static uint32_t
first_of(struct pieces *pieces, uint32_t symbol)
{
	for (uint32_t i = (uint32_t)(hash_piece(pieces, symbol) >> 32) & pieces->mask;;
	     i = (i + 1) & pieces->mask) {
		uint32_t *slot = &pieces->slots[i];

		if (*slot <= pieces->before) {
			*slot = symbol + 1;
			return symbol;
		}
		if (is_same(pieces, *slot - 1, symbol))
			return *slot - 1;
	}
}

/* Merges the pieces of a function; what another function stands for is no piece. */
static void
merge(struct pieces *pieces, uint32_t begin, uint32_t end)
{
	struct symbols *symbols = pieces->symbols;

	for (uint32_t i = begin; i < end; i++) {
		uint32_t first;

		if (symbols->file[i] == 0 || (symbols->flags[i] & SYMBOL_FOLDED))
			continue;
		first = first_of(pieces, i);
		if (first == i)
			continue;
		symbols_own_each(pieces->run, symbols);
		symbols->owner[i] = first;
		symbols->flags[i] |= SYMBOL_FOLDED;
	}
}

/* The first symbol behind the lines of a function. */
static uint32_t
end_of(const struct symbols *symbols, uint32_t function)
{
	uint32_t end = function + 1;

	while (end < symbols->count && (symbols->flags[end] & SYMBOL_LINE) &&
	       symbols->whole[end] == symbols->whole[function])
		end++;
	return end;
}

/* Begins with a number of pieces, which are symbols from "before" on. */
static void
begin(struct pieces *pieces, uint32_t before, uint32_t count)
{
	uint32_t bits = hash_bits(count, 1, 32);

	if (!pieces->slots || bits > pieces->bits) {
		memory_release(pieces->run, pieces->slots);
		memory_array(pieces->run, pieces->slots, (size_t)1 << bits);
		pieces->bits = bits;
	}
	pieces->before = before;
	pieces->mask = (uint32_t)(((uint64_t)1 << bits) - 1);
}

/* Each function by itself, in slots that stay in the processor's caches. */
static void
merge_each(struct pieces *pieces, uint32_t first)
{
	const struct symbols *symbols = pieces->symbols;

	for (uint32_t i = first, end; i < symbols->count; i = end) {
		end = end_of(symbols, i);
		if (end - i < 2)
			continue;
		begin(pieces, i, end - i);
		merge(pieces, i, end);
	}
}

/* A function has the lines of its clones, too, which can be anywhere. */
static void
merge_with_clones(struct pieces *pieces, uint32_t first)
{
	const struct symbols *symbols = pieces->symbols;

	pieces->has_clones = true;
	begin(pieces, 0, symbols->count);
	for (int clones = 0; clones < 2; clones++)
		for (uint32_t i = first, end; i < symbols->count; i = end) {
			end = end_of(symbols, i);
			if (((symbols->flags[i] & SYMBOL_FOLDED) != 0) == (clones == 1))
				merge(pieces, i, end);
		}
}

void
symbols_merge_lines(struct run *run, struct symbols *symbols, uint32_t first)
{
	struct pieces pieces = {.run = run, .symbols = symbols, .factor = hash_factor()};

	if (symbols->source_name && symbols->whole && symbols->owner)
		merge_with_clones(&pieces, first);
	else if (symbols->source_name && symbols->whole)
		merge_each(&pieces, first);
	memory_release(run, pieces.slots);
	memory_release(run, (void *)symbols->source_name);
	symbols->source_name = NULL;
}
