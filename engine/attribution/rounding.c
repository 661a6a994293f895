/* SPDX-License-Identifier: Apache-2.0 */
#include "attribution/rounding.h"

#include "base/memory.h"
#include "base/sort.h"

enum {
	CALLERS_LEAST = 8, /* fewer could be multiples of anything by chance */
	BLOCK_BITS_LEAST = 10,
	BLOCK_BITS_MOST = 32,
	BITS_OF_BLOCK = 16 /* of which one is set */
};

/* Where the histogram of the program begins; false: it has none. */
static bool
find_low(const struct symbols *symbols, const struct profile *profile, uint64_t *low)
{
	bool found = false;

	for (uint32_t i = 0; i < profile->histogram_count; i++) {
		uint64_t begin = profile->histograms[i].low;

		if (symbols_is_program(symbols, begin) && (!found || begin < *low)) {
			*low = begin;
			found = true;
		}
	}
	return found;
}

/*
 * What all call sites are multiples of from "low" on, or, if that is not known, from the first one
 * on: then it is set.
 */
static uint32_t
common_multiple(const struct symbols *symbols, const struct profile *profile, bool has_low,
                uint64_t *low, bool *are_many)
{
	uint64_t sites[CALLERS_LEAST], bits = ROUNDING_USUAL_MOST;
	uint32_t count = 0;

	*are_many = false;
	for (uint32_t i = 0; i < profile->arc_count; i++) {
		uint64_t from = profile->arcs[i].from;
		uint32_t same = 0;

		if (!symbols_is_program(symbols, from))
			continue;
		if (!has_low)
			*low = from;
		has_low = true;
		bits |= from - *low;
		if (bits & 1)
			return 1;
		while (same < count && sites[same] != from)
			same++;
		if (same == count && count < CALLERS_LEAST)
			sites[count++] = from;
	}
	*are_many = count == CALLERS_LEAST;
	return (uint32_t)(bits & -bits);
}

static uint32_t
bit_of(const struct rounding *rounding, uint64_t address)
{
	uint64_t block = (address - rounding->low) >> rounding->quantum_bits;

	return (uint32_t)(block * 0x9e3779b97f4a7c15u >> (64 - rounding->block_bits));
}

static bool
is_set(const struct rounding *rounding, uint64_t address)
{
	uint32_t bit = bit_of(rounding, address);

	return (rounding->blocks[bit / 64] >> bit % 64 & 1) != 0;
}

/*
 * Whether a call that returns to where a symbol begins can be of the one before: that is so with
 * lines, and with functions without a gap before them.  Those can end with a call, of a function
 * that does not return.
 */
static bool
follows_at_once(const struct symbols *symbols, uint32_t symbol)
{
	if (symbols->flags[symbol] & SYMBOL_LINE)
		return true;
	/* Not what a clone is a part of: that lies elsewhere. */
	return symbol > 0 && symbols->bytes[symbol - 1] != 0 &&
	       symbols_past(symbols->address[symbol - 1], symbols->bytes[symbol - 1]) ==
	               symbols->address[symbol];
}

/* Whether a symbol begins where a block does, so that calls from there are its own. */
static bool
begins_block(const struct rounding *rounding, uint32_t symbol)
{
	uint64_t address = rounding->symbols->address[symbol];

	return rounding->is_aligned && ((address - rounding->low) & (rounding->quantum - 1)) == 0 &&
	       !follows_at_once(rounding->symbols, symbol);
}

static void
note_blocks(struct run *run, struct rounding *rounding)
{
	const struct symbols *symbols = rounding->symbols;
	uint32_t count = 0, own = 0;

	for (; own < symbols->count && symbols_is_program(symbols, symbols->address[own]); own++)
		count += !begins_block(rounding, own);
	if (count == 0)
		return;
	while (rounding->quantum >> rounding->quantum_bits > 1)
		rounding->quantum_bits++;
	rounding->block_bits = BLOCK_BITS_LEAST;
	while (rounding->block_bits < BLOCK_BITS_MOST &&
	       (uint64_t)1 << rounding->block_bits < (uint64_t)BITS_OF_BLOCK * count)
		rounding->block_bits++;
	memory_array(run, rounding->blocks, ((size_t)1 << rounding->block_bits) / 64);
	for (uint32_t i = 0; i < own; i++) {
		uint32_t bit = bit_of(rounding, symbols->address[i]);

		if (!begins_block(rounding, i))
			rounding->blocks[bit / 64] |= (uint64_t)1 << bit % 64;
	}
}

struct rounding
rounding_of(struct run *run, const struct symbols *symbols, const struct profile *profile)
{
	struct rounding rounding = {.symbols = symbols};
	uint32_t stated = run->settings->quantum, found = 1, usual;
	bool has_low;

	has_low = find_low(symbols, profile, &rounding.low);
	if (stated != 1)
		found = common_multiple(symbols, profile, has_low, &rounding.low,
		                        &rounding.is_certain);
	/* Of few sites, more than two words in common is chance. */
	usual = 2 * symbols->table.target.pointer_bytes;
	rounding.quantum = stated != 0                            ? stated
	                   : rounding.is_certain || found < usual ? found
	                                                          : usual;
	rounding.is_certain = rounding.is_certain || stated != 0;
	rounding.is_aligned = found >= rounding.quantum;
	if (rounding.quantum > 1)
		note_blocks(run, &rounding);
	return rounding;
}

bool
rounding_may_matter(const struct rounding *rounding, uint64_t from)
{
	if (!symbols_is_program(rounding->symbols, from))
		return false;
	return is_set(rounding, from) ||
	       (!rounding->is_aligned && is_set(rounding, rounding_last(rounding, from)));
}

/* The function that stands for a symbol, or the symbol itself. */
static uint32_t
function_of(const struct symbols *symbols, uint32_t symbol)
{
	return symbols->owner ? symbols->owner[symbol] : symbol;
}

bool
rounding_matters(const struct rounding *rounding, uint64_t from)
{
	const struct symbols *symbols = rounding->symbols;
	uint64_t last = rounding_last(rounding, from);
	uint32_t next = sorted_up_to(symbols->address, symbols->count, from), own;

	own = symbols_lookup(symbols, from);
	if (own != NO_SYMBOL && symbols->address[own] == from && follows_at_once(symbols, own))
		return true;
	for (; next < symbols->count && symbols->address[next] <= last; next++)
		if (own == NO_SYMBOL || (symbols->flags[next] & SYMBOL_LINE) ||
		    function_of(symbols, next) != function_of(symbols, own))
			return true;
	return false;
}
