/* SPDX-License-Identifier: Apache-2.0 */
/* Where the image has code, by what its provider says about sections. */
#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

void
symbols_part_code(struct run *run, struct gprofx_symtab *table, uint64_t file_bytes)
{
	struct gprofx_code_range *parts;
	uint64_t past = 0, left = file_bytes;
	uint32_t count = 0;

	/* GNU gprof knows .text alone, wherever other sections say that they are. */
	if (table->strict || table->code_count == 0)
		return;
	memory_array(run, parts, table->code_count);
	for (uint32_t i = 0; i < table->code_count && left > 0; i++) {
		struct gprofx_code_range part = table->code[i];
		uint64_t end = symbols_past(part.address, part.bytes);
		uint64_t skipped = past > part.address ? past - part.address : 0;

		if (end <= past)
			continue;
		part.bytes = end - part.address - skipped;
		part.bytes = part.bytes < left ? part.bytes : left;
		part.address += skipped;
		part.file_offset += skipped;
		left -= part.bytes;
		past = end;
		parts[count++] = part;
	}
	table->code = parts;
	table->code_count = count;
}

void
symbols_note_overlays(struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	struct symbol_overlays *overlays = &symbols->overlays;
	const struct gprofx_code_range *last = NULL; /* that with the highest end so far */
	uint64_t past = 0;

	for (uint32_t i = 0; i < table->code_count; i++) {
		const struct gprofx_code_range *range = &table->code[i];
		uint64_t end = symbols_past(range->address, range->bytes);

		if (last && range->address < past) {
			if (overlays->sections == 0)
				*overlays = (struct symbol_overlays){.low = range->address,
				                                     .first = last->name,
				                                     .second = range->name,
				                                     .sections = 1};
			overlays->sections++;
			end = end < past ? end : past;
			overlays->past = end > overlays->past ? end : overlays->past;
			end = symbols_past(range->address, range->bytes);
		}
		if (end > past) {
			past = end;
			last = range;
		}
	}
}

/* The last range of code that begins at or below an address, or NULL. */
static const struct gprofx_code_range *
range_from(const struct gprofx_symtab *table, uint64_t address)
{
	uint32_t low = 0, high = table->code_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (table->code[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &table->code[low - 1] : NULL;
}

bool
symbols_table_has_code(const struct gprofx_symtab *table, uint64_t address)
{
	const struct gprofx_code_range *range = range_from(table, address);

	return range && address - range->address < range->bytes;
}

uint64_t
symbols_code_end(const struct symbols *symbols, uint64_t address)
{
	const struct gprofx_code_range *range = range_from(&symbols->table, address);

	if (range && address - range->address < range->bytes)
		return symbols_past(range->address, range->bytes);
	/* Providers need not report sections other than .text. */
	return symbols_text_end(symbols, address);
}

const struct gprofx_code_range *
symbols_code_before(const struct symbols *symbols, uint64_t past)
{
	const struct gprofx_code_range *range = past > 0 ? range_from(&symbols->table, past - 1)
	                                                 : NULL;

	return range && past - range->address <= range->bytes ? range : NULL;
}

/* The first range of code that ends behind an address, or the number of ranges. */
static uint32_t
range_behind(const struct gprofx_symtab *table, uint64_t address)
{
	uint32_t low = 0, high = table->code_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct gprofx_code_range *range = &table->code[middle];

		if (symbols_past(range->address, range->bytes) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
symbols_overlap_code(const struct symbols *symbols, uint64_t first, uint64_t past)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint32_t range;

	if (table->code_count == 0)
		return first < table->text_end && past > table->text_start;
	range = range_behind(table, first);
	return range < table->code_count && table->code[range].address < past;
}

void
symbols_let_go_code(const struct run *run, const struct symbols *symbols)
{
	const struct mapped_file *file = mapfile_of(run, symbols->image.bytes);

	for (uint32_t i = 0; file && i < symbols->table.code_count; i++) {
		const struct gprofx_code_range *code = &symbols->table.code[i];

		if (symbols_has_code(symbols, code))
			mapfile_let_go(file, symbols->image.bytes + code->file_offset, code->bytes);
	}
}
