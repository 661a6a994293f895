/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that lies in no function: behind the size that a symbol states and before the next one. What
 * only aligns the next function is no gap, and neither is the space of a symbol that the report
 * leaves out: that counts for the function before it.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/symbols.h"

enum { FUNCTION_ALIGNMENT = 16, LARGEST_ALIGNMENT = 64 };

/* Walks code sections along with ascending addresses. */
struct code_walk {
	const struct symbols *symbols;
	uint32_t section;
};

/*
 * Where the space of a symbol ends that states no size, as those of assembler code: at the next
 * symbol, but not behind its section.
 */
static uint64_t
unsized_end(struct code_walk *walk, uint64_t address, uint64_t next)
{
	const struct gprofx_symtab *table = &walk->symbols->table;
	uint64_t end;

	while (walk->section < table->code_count &&
	       symbols_past(table->code[walk->section].address, table->code[walk->section].bytes) <=
	               address)
		walk->section++;
	if (walk->section < table->code_count && table->code[walk->section].address <= address)
		end = symbols_past(table->code[walk->section].address,
		                   table->code[walk->section].bytes);
	else
		end = symbols_text_end(walk->symbols, address);
	return end < next ? end : next;
}

/* Whether so short a stretch before an address that is so round only aligns what is there. */
static bool
is_alignment(uint64_t start, uint64_t end)
{
	uint64_t alignment = end & (~end + 1);

	return end - start < (alignment < LARGEST_ALIGNMENT ? alignment : LARGEST_ALIGNMENT);
}

static void
add_gap(struct run *run, struct symbol_gaps *gaps, uint64_t start, uint64_t end)
{
	gaps->items = memory_room(run, gaps->items, sizeof *gaps->items, gaps->count, &gaps->room,
	                          1);
	gaps->items[gaps->count++] = (struct symbol_gap){start, end};
}

/* What the symbols of the report leave, by their sizes. */
static void
find_gaps(struct run *run, const struct symbols *symbols, struct symbol_gaps *gaps)
{
	struct code_walk walk = {symbols, 0};
	uint64_t reach = 0;

	for (uint32_t i = 0; i < symbols->count; i++) {
		uint64_t address = symbols->address[i];
		uint64_t bytes = symbols->bytes[i], end;
		uint64_t next = i + 1 < symbols->count ? symbols->address[i + 1] : UINT64_MAX;

		if (bytes > 0)
			end = symbols_past(address, bytes);
		else
			/* A label inside of a function is no end of it. */
			end = address < reach ? reach : unsized_end(&walk, address, next);
		reach = end > reach ? end : reach;
		if (reach < next && !is_alignment(reach, next))
			add_gap(run, gaps, reach, next);
	}
}

/* The first gap that ends above an address, or the number of gaps. */
static uint32_t
gap_above(const struct symbol_gaps *gaps, uint64_t address)
{
	uint32_t low = 0, high = gaps->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (gaps->items[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Symbols that the report leaves out and that lie in gaps, by ascending address. */
struct left_out {
	uint64_t *address;
	uint32_t *row;
	uint32_t count;
};

static uint32_t
shown_rows(const struct symbols *symbols)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < symbols->count; i++)
		count += symbols->row[i] != NO_SYMBOL;
	return count;
}

static struct left_out
find_left_out(struct run *run, const struct symbols *symbols, const struct symbol_gaps *gaps)
{
	const struct gprofx_symbol_rows *rows = &symbols->table.rows;
	struct left_out found = {0};
	bool *is_shown;

	if (gaps->count == 0 || symbols->table.count == shown_rows(symbols))
		return found;
	memory_array(run, is_shown, symbols->table.count);
	memory_array(run, found.address, symbols->table.count);
	memory_array(run, found.row, symbols->table.count);
	for (uint32_t i = 0; i < symbols->count; i++)
		if (symbols->row[i] != NO_SYMBOL)
			is_shown[symbols->row[i]] = true;
	for (uint32_t row = 0; row < symbols->table.count; row++) {
		uint64_t address = rows->address[row];
		bool is_code = !is_shown[row] && symbols->fate[row] != FATE_DATA;
		uint32_t gap = is_code ? gap_above(gaps, address) : gaps->count;

		if (gap == gaps->count)
			continue;
		if (address < gaps->items[gap].start &&
		    symbols_past(address, rows->bytes[row]) <= gaps->items[gap].start)
			continue;
		found.address[found.count] = address;
		found.row[found.count++] = row;
	}
	memory_release(run, is_shown);
	sort_ascending(run, found.address, found.row, found.count);
	return found;
}

void
symbols_add_hidden(struct run *run, struct symbol_gaps *gaps, uint64_t start, uint64_t end)
{
	uint64_t round = symbols_past(start, FUNCTION_ALIGNMENT - 1) &
	                 ~(uint64_t)(FUNCTION_ALIGNMENT - 1);

	if (round < end)
		add_gap(run, gaps, round, end);
}

void
symbols_add_gap(struct run *run, struct symbol_gaps *gaps, uint64_t start, uint64_t end)
{
	if (!is_alignment(start, end))
		symbols_add_hidden(run, gaps, start, end);
}

struct symbol_gaps
symbols_gaps(struct run *run, const struct symbols *symbols)
{
	const uint64_t *bytes = symbols->table.rows.bytes;
	struct symbol_gaps found = {0}, gaps = {0};
	struct code_walk walk = {symbols, 0};
	struct left_out out;
	uint64_t reach = 0;
	uint32_t k = 0;

	find_gaps(run, symbols, &found);
	out = find_left_out(run, symbols, &found);
	for (uint32_t i = 0; i < found.count; i++) {
		uint64_t start = found.items[i].start, end = found.items[i].end;

		for (; k < out.count && out.address[k] < end; k++) {
			uint64_t address = out.address[k],
				 past = symbols_past(address, bytes[out.row[k]]);
			uint64_t next = k + 1 < out.count && out.address[k + 1] < end
			                        ? out.address[k + 1]
			                        : end;

			start = reach > start ? reach : start;
			if (address > start)
				symbols_add_gap(run, &gaps, start, address);
			if (past == address && address >= reach)
				past = unsized_end(&walk, address, next);
			reach = past > reach ? past : reach;
		}
		start = reach > start ? reach : start;
		if (start < end)
			symbols_add_gap(run, &gaps, start, end);
	}
	memory_release(run, found.items);
	memory_release(run, out.address);
	memory_release(run, out.row);
	return gaps;
}
