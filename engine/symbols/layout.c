/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where objects beside the program are: side by side, behind it, since where they were loaded says
 * nothing.  Each has the addresses of its code and some around it: profiles state 0 for an unknown
 * caller, and ends that are rounded up.
 */
#include "base/run.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* An object whose code is spread over so many units is unsound. */
enum { UNIT_BITS = LAYOUT_UNIT_BITS, MOST_UNITS = 256 };

static const uint64_t highest_unit = UINT64_MAX >> UNIT_BITS;

struct extent {
	uint64_t first, past;
};

/* The range in which a table knows of code. */
static struct extent
code_extent(const struct gprofx_symtab *table)
{
	struct extent extent = {table->text_start, table->text_end};

	for (uint32_t i = 0; i < table->code_count; i++) {
		uint64_t first = table->code[i].address;
		uint64_t past = symbols_past(first, table->code[i].bytes);

		if (i == 0 || first < extent.first)
			extent.first = first;
		if (i == 0 || past > extent.past)
			extent.past = past;
	}
	if (extent.past <= extent.first)
		extent.first = extent.past = 0;
	return extent;
}

bool
symbols_open_layout(struct symbols *symbols)
{
	return symbols_open_layout_from(symbols, 0);
}

bool
symbols_open_layout_from(struct symbols *symbols, uint64_t least)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint64_t past = code_extent(table).past;

	past = past > least ? past : least;
	past = past > table->text_end ? past : table->text_end;
	/* Where no table knows of code, any symbol may be of some. */
	for (uint32_t row = 0; table->code_count == 0 && row < table->count; row++) {
		uint64_t end = symbols_past(table->rows.address[row], table->rows.bytes[row]);

		past = end > past ? end : past;
	}
	if (past > (uint64_t)1 << 63)
		return false;
	symbols->others_first = ((past >> UNIT_BITS) + 2) << UNIT_BITS;
	symbols->others_bytes = (uint64_t)1 << UNIT_BITS;
	return true;
}

void
symbols_keep_free(struct symbols *symbols, uint64_t past)
{
	uint64_t end = symbols->others_first + symbols->others_bytes;

	/* So high there will be no images. */
	if (symbols->others_bytes > 0 && past > end && past <= (uint64_t)1 << 63)
		symbols->others_bytes += (((past - end - 1) >> UNIT_BITS) + 1) << UNIT_BITS;
}

bool
symbols_place_units(struct symbols *symbols, struct symbol_image *image, uint64_t low,
                    uint64_t high)
{
	uint64_t next = symbols->others_first + symbols->others_bytes, units = high - low + 1;

	if (units > highest_unit - (next >> UNIT_BITS))
		return false;
	image->first = next;
	image->past = next + (units << UNIT_BITS);
	image->base = next - (low << UNIT_BITS);
	symbols->others_bytes += units << UNIT_BITS;
	return true;
}

bool
symbols_place_image(struct symbols *symbols, struct symbol_image *image,
                    const struct gprofx_symtab *table)
{
	struct extent code = code_extent(table);
	uint64_t low = code.first >> UNIT_BITS, high = code.past >> UNIT_BITS;

	if (high - low >= MOST_UNITS)
		return false;
	low -= low > 0;
	high += high < highest_unit;
	return symbols_place_units(symbols, image, low, high);
}

uint64_t
symbols_location(const struct symbols *symbols, const struct symbol_image *image, uint64_t address)
{
	uint64_t location = image ? address + image->base : address;
	/* Behind the program there can be more images later. */
	bool is_there = image ? location - image->first < image->past - image->first
	                      : symbols->others_bytes == 0 || location < symbols->others_first;

	return is_there ? location : symbols_nowhere(symbols, address);
}

bool
symbols_move_range(const struct symbols *symbols, const struct symbol_image *image, uint64_t *low,
                   uint64_t *past)
{
	uint64_t bytes = *past - *low, others_past = symbols->others_first + symbols->others_bytes;
	bool is_empty = *low >= *past, fits;

	if (!image)
		return is_empty || *past <= symbols->others_first || *low >= others_past;
	fits = *low + image->base - image->first <= image->past - image->first &&
	       *past + image->base - image->first <= image->past - image->first;
	*low = fits ? *low + image->base : symbols_nowhere(symbols, *low);
	*past = fits ? *low + bytes : *low;
	return fits || is_empty;
}
