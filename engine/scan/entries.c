/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where functions begin, for scanners, which ask about every address that something in the code
 * could lead to.  One bit for each address at which one may begin answers that; where addresses are
 * too far apart for so many bits, the symbols are searched.
 */
#include "base/memory.h"
#include "base/run.h"
#include "profile/profile.h"
#include "scan/parts.h"
#include "symbols/symbols.h"

enum { BITS = 64 };

/* However large the image is. */
static const uint64_t most_bits = (uint64_t)1 << 30;

/* Such a row stands for a function, but nothing begins there. */
static bool
is_slot_row(const struct symbols *symbols, uint32_t symbol)
{
	const struct symbol_import *import = symbols_import(symbols, symbol);

	return import && import->is_slot;
}

static bool
is_slot(const struct gprofx_entries *public, uint64_t address)
{
	return symbols_slot(((const struct scan_entries *)public)->symbols, address) != NULL;
}

static bool
counts(const struct scan_entries *entries, uint32_t symbol)
{
	const struct symbols *symbols = entries->symbols;

	/* The last one can be of no address. */
	if (symbols->end[symbol] < symbols->address[symbol])
		return false;
	if (is_slot_row(symbols, symbol))
		return false;
	if (entries->strict)
		return scan_is_profiled(&entries->profiled, symbols->address[symbol]);
	return !(symbols->flags[symbol] & SYMBOL_LINE);
}

static bool
begins_by_search(const struct gprofx_entries *public, uint64_t address)
{
	const struct scan_entries *entries = (const struct scan_entries *)public;
	uint32_t symbol = symbols_at(entries->symbols, address);

	return symbol != NO_SYMBOL && counts(entries, symbol);
}

static bool
begins_by_bit(const struct gprofx_entries *public, uint64_t address)
{
	return gprofx_has_begin(&((const struct scan_entries *)public)->begin_bits, address);
}

struct scan_entries
scan_entries(struct run *run, const struct symbols *symbols, const struct profile *profile)
{
	struct scan_entries entries = {
		.public = {.begins = begins_by_search,
	                   .is_slot = symbols->slot_count > 0 ? is_slot : NULL},
		.symbols = symbols,
		.strict = profile != NULL,
	};
	struct gprofx_begin_bits *begins = &entries.begin_bits;
	uint64_t distances = 0, *bits;

	if (symbols->count == 0)
		return entries;
	if (profile)
		entries.profiled = scan_profiled(run, profile);
	begins->low = symbols->address[0];
	begins->span = symbols->address[symbols->count - 1] - begins->low;
	for (uint32_t i = 0; i < symbols->count; i++)
		distances |= symbols->address[i] - begins->low;
	while (distances != 0 && !(distances >> begins->shift & 1))
		begins->shift++;
	/* So an image never asks for more memory than it has bytes. */
	if (begins->span >> begins->shift >= most_bits ||
	    begins->span >> begins->shift >= symbols->image.length)
		return entries;
	memory_array(run, bits, (size_t)((begins->span >> begins->shift) + 1) / BITS + 1);
	for (uint32_t i = 0; i < symbols->count; i++) {
		uint64_t place = (symbols->address[i] - begins->low) >> begins->shift;

		if (counts(&entries, i))
			bits[place / BITS] |= (uint64_t)1 << place % BITS;
	}
	begins->bits = bits;
	entries.public.begins = begins_by_bit;
	return entries;
}
