/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches names through a hash of the names asked for, so that a thousand symspecs cost one pass
 * over the symbols.
 */
#include "select/match.h"

#include <string.h>

#include "base/memory.h"

static uint32_t
hash_name(const char *name, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)name[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static void
add_symbol(struct run *run, const struct symbols *symbols, struct match_half *half, uint32_t symbol)
{
	struct select_ranges *ranges = &half->ranges;

	if (ranges->count > 0 && half->last + 1 == symbol) {
		ranges->items[ranges->count - 1].end = symbols->end[symbol];
	} else {
		ranges->items = memory_room(run, ranges->items, sizeof *ranges->items,
		                            ranges->count, &ranges->room, 1);
		ranges->items[ranges->count++] = (struct select_range){symbols->address[symbol],
		                                                       symbols->end[symbol]};
	}
	half->last = symbol;
}

static bool
position_fits(const struct symbols *symbols, const struct match_half *half, uint32_t symbol)
{
	if (half->is_hopeless)
		return false;
	if (half->spec.file && symbols->file[symbol] != half->file)
		return false;
	return half->spec.line == 0 || symbols->line[symbol] == half->spec.line;
}

/* The symbol that starts at an address that one does start at. */
static uint32_t
symbol_at(const struct symbols *symbols, uint64_t address)
{
	uint32_t low = 0, high = symbols->count - 1;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (symbols->address[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Gives each half the number of the file it names.  Several files can have that base name; the one
 * that appeared last, by the symbol table's own order, is meant.
 */
static void
find_files(struct run *run, struct symbols *symbols, struct match_half *halves, uint32_t count)
{
	uint32_t *order, order_count = 0;
	uint8_t *seen;

	memory_array(run, order, (size_t)symbols->file_count + 1);
	memory_array(run, seen, (size_t)symbols->file_count + 1);
	if (symbols->file_order) {
		order_count = symbols->file_order_count;
		memcpy(order, symbols->file_order, order_count * sizeof *order);
	}
	for (uint32_t i = 0;
	     symbols->file_count > 0 && !symbols->file_order && i < symbols->accepted_count; i++) {
		uint64_t address = symbols->table.rows.address[symbols->accepted[i]];
		uint32_t file = symbols->file[symbol_at(symbols, address)];

		if (file == 0 || seen[file])
			continue;
		seen[file] = 1;
		order[order_count++] = file;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!halves[i].spec.file)
			continue;
		for (uint32_t k = order_count; k-- > 0 && halves[i].file == 0;)
			if (strcmp(symbols->files[order[k]].base, halves[i].spec.file) == 0)
				halves[i].file = order[k];
		halves[i].is_hopeless = halves[i].file == 0;
		if (run_traces(run, GPROFX_TRACE_SOURCE_FILES))
			run_trace(run, "source file %s: %s", halves[i].spec.file,
			          halves[i].is_hopeless ? "unknown"
			                                : symbols->files[halves[i].file].path);
	}
	memory_release(run, order);
	memory_release(run, seen);
}

/* Halves without a name: everything, or everything of a file or line. */
static void
match_positions(struct run *run, const struct symbols *symbols, struct match_half *half)
{
	if (!half->spec.file && half->spec.line == 0) {
		add_symbol(run, symbols, half, 0);
		half->ranges.items[0].end = symbols->end[symbols->count - 1];
		return;
	}
	for (uint32_t symbol = 0; symbol < symbols->count; symbol++)
		if (position_fits(symbols, half, symbol))
			add_symbol(run, symbols, half, symbol);
}

/* longest: of the names asked for; of a symbol's name no more is looked at. */
static void
match_names(struct run *run, const struct symbols *symbols, struct match_half *halves,
            const uint32_t *slots, uint32_t mask, size_t longest)
{
	for (uint32_t symbol = 0; symbol < symbols->count; symbol++) {
		const char *name = symbols->name[symbol];
		size_t length;

		if (symbols->table.leading_underscore && name[0] == '_')
			name++;
		length = strnlen(name, longest + 1);
		if (length > longest)
			continue;
		for (uint32_t i = slots[hash_name(name, length) & mask]; i != 0;
		     i = halves[i - 1].next) {
			struct match_half *half = &halves[i - 1];

			if (strcmp(half->spec.name, name) == 0 &&
			    position_fits(symbols, half, symbol))
				add_symbol(run, symbols, half, symbol);
		}
	}
}

void
match_symbols(struct run *run, struct symbols *symbols, struct match_half *halves, uint32_t count)
{
	bool needs_positions = false, needs_names = false;
	uint32_t slot_count = 16, *slots;
	size_t longest = 0;

	if (symbols->count == 0)
		return;
	for (uint32_t i = 0; i < count; i++) {
		needs_positions = needs_positions || halves[i].spec.file ||
		                  halves[i].spec.line != 0;
		needs_names = needs_names || halves[i].spec.name;
	}
	if (needs_positions) {
		symbols_locate(run, symbols, NULL, 0);
		find_files(run, symbols, halves, count);
	}
	while (slot_count < count * 2 && slot_count < 1u << 24)
		slot_count *= 2;
	memory_array(run, slots, slot_count);
	for (uint32_t i = 0; i < count; i++) {
		struct match_half *half = &halves[i];

		if (half->spec.name) {
			size_t length = strlen(half->spec.name);
			uint32_t *slot =
				&slots[hash_name(half->spec.name, length) & (slot_count - 1)];

			longest = length > longest ? length : longest;
			half->next = *slot;
			*slot = i + 1;
		} else {
			match_positions(run, symbols, half);
		}
	}
	if (needs_names)
		match_names(run, symbols, halves, slots, slot_count - 1, longest);
	memory_release(run, slots);
}
