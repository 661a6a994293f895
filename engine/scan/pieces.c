/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What code there is to scan: of each function what the image has of it, in whatever section; or,
 * by GNU gprof's rules, of each symbol what .text has of it and the first histogram covers.
 */
#include <string.h>

#include <gprofx/code.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "profile/profile.h"
#include "scan/parts.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

/* Adds what a section has of the addresses from "low" to below "high". */
static void
add_piece(struct run *run, struct scan_pieces *pieces, const struct symbols *symbols,
          const struct gprofx_code_range *code, uint32_t symbol, uint64_t low, uint64_t high)
{
	uint64_t past = symbols_past(code->address, code->bytes), at;

	low = low > code->address ? low : code->address;
	high = high < past ? high : past;
	if (low >= high || !symbols_has_code(symbols, code))
		return;
	at = low - code->address;
	pieces->items = memory_room(run, pieces->items, sizeof *pieces->items, pieces->count,
	                            &pieces->room, 1);
	pieces->items[pieces->count++] = (struct scan_piece){
		.address = low,
		.byte_count = high - low,
		.readable = code->bytes - at,
		.bytes = symbols->image.bytes + code->file_offset + at,
		.symbol = symbol,
		.section = code->name,
	};
}

static const struct gprofx_code_range *
text_of(const struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;

	for (uint32_t i = 0; i < table->code_count; i++)
		if (table->code[i].address == table->text_start &&
		    strcmp(table->code[i].name, ".text") == 0)
			return &table->code[i];
	return NULL;
}

static void
add_profiled(struct run *run, struct scan_pieces *pieces, const struct symbols *symbols,
             const struct profile *profile)
{
	const struct gprofx_code_range *text = text_of(symbols);
	struct scan_profiled profiled;

	if (!text)
		return;
	profiled = scan_profiled(run, profile);
	/* The last symbol has no end. */
	for (uint32_t i = 0; i + 1 < symbols->count; i++) {
		uint64_t low = symbols->address[i], high = symbols->address[i + 1];

		if (scan_profiled_part(&profiled, &low, &high))
			add_piece(run, pieces, symbols, text, i, low, high);
	}
}

/* Adds what all sections have of the addresses from "low" to below "high". */
static void
add_pieces(struct run *run, struct scan_pieces *pieces, const struct symbols *symbols,
           uint32_t *first_code, uint32_t symbol, uint64_t low, uint64_t high)
{
	const struct gprofx_symtab *table = &symbols->table;

	while (*first_code < table->code_count &&
	       symbols_past(table->code[*first_code].address, table->code[*first_code].bytes) <=
	               low)
		++*first_code;
	for (uint32_t i = *first_code; i < table->code_count && table->code[i].address < high; i++)
		add_piece(run, pieces, symbols, &table->code[i], symbol, low, high);
}

/* Functions, each up to the next one, without the code in between that is in none. */
static void
add_functions(struct run *run, struct scan_pieces *pieces, const struct symbols *symbols)
{
	struct symbol_gaps gaps = {0};
	uint32_t gap = 0, first_code = 0, next;

	if (run_corrects(run, GPROFX_CORRECT_GAPS))
		gaps = symbols_gaps(run, symbols);
	for (uint32_t i = 0; i < symbols->count; i = next) {
		uint64_t low = symbols->address[i], high;

		for (next = i + 1; next < symbols->count && (symbols->flags[next] & SYMBOL_LINE);
		     next++)
			;
		high = symbols->address[next];
		for (; gap < gaps.count && gaps.items[gap].start < high; gap++) {
			if (gaps.items[gap].start > low && !symbols_import(symbols, i))
				add_pieces(run, pieces, symbols, &first_code, i, low,
				           gaps.items[gap].start);
			if (gaps.items[gap].end > low)
				low = gaps.items[gap].end;
			if (low >= high)
				break;
		}
		/* What stands in stubs are no calls of theirs. */
		if (low < high && !symbols_import(symbols, i))
			add_pieces(run, pieces, symbols, &first_code, i, low, high);
	}
	memory_release(run, gaps.items);
}

void
scan_find_marks(struct run *run, struct scan_pieces *pieces, const struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint32_t *ids, count = 0;
	uint64_t *keys;

	for (uint32_t i = 0; i < table->count; i++)
		count += gprofx_is_mark(table->rows.name[i]);
	count += table->mark_count;
	if (count == 0)
		return;
	memory_array(run, ids, count);
	memory_array(run, keys, count);
	memory_array(run, pieces->marks, count);
	for (uint32_t i = 0; i < table->count; i++)
		if (gprofx_is_mark(table->rows.name[i])) {
			ids[pieces->mark_count] = i;
			keys[pieces->mark_count++] = table->rows.address[i];
		}
	for (uint32_t i = 0; i < table->mark_count; i++)
		if (gprofx_is_mark(table->marks[i].name)) {
			ids[pieces->mark_count] = table->count + i;
			keys[pieces->mark_count++] = table->marks[i].address;
		}
	count = pieces->mark_count;
	sort_ascending(run, keys, ids, count);
	for (uint32_t i = 0; i < count; i++)
		pieces->marks[i] = (struct gprofx_code_mark){
			keys[i], ids[i] < table->count ? table->rows.name[ids[i]]
						       : table->marks[ids[i] - table->count].name};
	memory_release(run, ids);
	memory_release(run, keys);
}

/* Gives each piece its marks, and the last one before it, which says how it starts. */
static void
hand_out_marks(struct scan_pieces *pieces)
{
	uint32_t mark = 0;

	for (uint32_t i = 0; i < pieces->count; i++) {
		struct scan_piece *piece = &pieces->items[i];
		uint64_t past = piece->address + piece->byte_count;
		uint32_t end;

		while (mark + 1 < pieces->mark_count &&
		       pieces->marks[mark + 1].address <= piece->address)
			mark++;
		for (end = mark; end < pieces->mark_count && pieces->marks[end].address < past;
		     end++)
			;
		piece->mark_first = mark;
		piece->mark_count = end - mark;
	}
}

struct scan_pieces
scan_pieces(struct run *run, const struct symbols *symbols, const struct profile *profile,
            bool strict)
{
	struct scan_pieces pieces = {0};

	if (strict) {
		add_profiled(run, &pieces, symbols, profile);
		return pieces;
	}
	add_functions(run, &pieces, symbols);
	scan_find_marks(run, &pieces, symbols);
	hand_out_marks(&pieces);
	return pieces;
}

struct scan_pieces
scan_pieces_in(struct run *run, const struct symbols *symbols, const struct scan_windows *windows)
{
	struct scan_pieces pieces = {0};
	uint32_t first_code = 0;

	for (uint32_t i = 0; i < windows->count; i++)
		add_pieces(run, &pieces, symbols, &first_code, NO_SYMBOL, windows->first[i],
		           symbols_past(windows->last[i], 1));
	scan_find_marks(run, &pieces, symbols);
	hand_out_marks(&pieces);
	return pieces;
}
