/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code of images beside the program that lies in no function, by the sizes that symbols state: it
 * is one function that has the name of its image, however many pieces it is in.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/late.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* What of an image's own table can be in code, by address. */
struct named_code {
	uint64_t *address;
	uint32_t *row;
	uint32_t count;
};

static struct named_code
find_named(struct run *run, const struct gprofx_symtab *table)
{
	struct named_code named = {0};

	memory_array(run, named.address, table->count);
	memory_array(run, named.row, table->count);
	for (uint32_t row = 0; row < table->count; row++) {
		uint64_t address = table->rows.address[row];

		if ((table->rows.flags[row] & GPROFX_SYMBOL_DATA) &&
		    !symbols_table_has_code(table, address))
			continue;
		named.address[named.count] = address;
		named.row[named.count++] = row;
	}
	sort_ascending(run, named.address, named.row, named.count);
	return named;
}

/* Where the code of a symbol ends; reach: where that before it does; end: that of its section. */
static uint64_t
code_past(const struct gprofx_symtab *table, const struct named_code *named, uint32_t i,
          uint64_t reach, uint64_t end)
{
	uint64_t address = named->address[i], bytes = table->rows.bytes[named->row[i]];
	uint32_t next = i + 1;

	if (bytes > 0)
		return symbols_past(address, bytes);
	/* What is behind it can be of functions that are not exported. */
	if (table->has_exported)
		return symbols_past(address, 1);
	/* A label inside of a function is no end of it. */
	if (address < reach || address >= end)
		return reach;
	while (next < named->count && named->address[next] == address &&
	       table->rows.bytes[named->row[next]] == 0)
		next++;
	/* Another name of the same code can state its size. */
	return next == named->count || named->address[next] > end ? end : named->address[next];
}

/* Between functions that are exported there mostly are others, between all functions fill. */
static void
add_rest(struct run *run, struct symbol_gaps *rests, const struct gprofx_symtab *table,
         uint64_t start, uint64_t end)
{
	if (table->has_exported)
		symbols_add_hidden(run, rests, start, end);
	else
		symbols_add_gap(run, rests, start, end);
}

/* What the symbols of a table leave of its code. */
static struct symbol_gaps
find_rests(struct run *run, const struct gprofx_symtab *table)
{
	struct named_code named = find_named(run, table);
	struct symbol_gaps rests = {0};
	uint64_t reach = 0;
	uint32_t next = 0;

	for (uint32_t i = 0; i < table->code_count; i++) {
		uint64_t start = table->code[i].address;
		uint64_t end = symbols_past(start, table->code[i].bytes);

		for (; next < named.count && named.address[next] < end; next++) {
			uint64_t address = named.address[next];
			uint64_t from = reach > start ? reach : start;
			uint64_t past = code_past(table, &named, next, reach, end);

			if (address > from)
				add_rest(run, &rests, table, from, address);
			reach = past > reach ? past : reach;
		}
		if (reach < end)
			add_rest(run, &rests, table, reach > start ? reach : start, end);
	}
	memory_release(run, named.address);
	memory_release(run, named.row);
	return rests;
}

void
symbols_add_rests(struct run *run, struct symbols *symbols, struct symbol_image *image,
                  const struct gprofx_symtab *from)
{
	struct gprofx_symtab *table = &symbols->table;
	struct symbol_gaps rests;

	if (!run_corrects(run, GPROFX_CORRECT_GAPS))
		return;
	rests = find_rests(run, from);
	symbols_make_room(run, symbols, rests.count);
	for (uint32_t i = 0; i < rests.count; i++) {
		uint64_t start = rests.items[i].start;
		uint64_t location = symbols_location(symbols, image, start);
		uint32_t row = table->count;

		if (symbols_is_nowhere(symbols, location))
			continue;
		table->rows.address[row] = location;
		table->rows.bytes[row] = rests.items[i].end - start;
		table->rows.name[row] = image->rest;
		table->rows.flags[row] = GPROFX_SYMBOL_FUNCTION;
		table->unit[row] = 0;
		table->count++;
		image->bytes = symbols_past(image->bytes, strlen(image->rest));
	}
	memory_release(run, rests.items);
}

/* The image that a symbol is of; image: that of one before it. */
static uint32_t
walk_images(const struct symbols *symbols, uint32_t image, uint32_t symbol)
{
	while (image + 1 < symbols->image_count &&
	       symbols->images[image + 1].first <= symbols->address[symbol])
		image++;
	return image;
}

/* Where the first row of an image is noted; one that a reader brought can be in several places. */
static uint32_t *
rest_of(const struct symbols *symbols, uint32_t *rests, uint32_t image)
{
	const struct late_image *late = symbols->images[image].late;

	return late && symbols->late
	               ? &rests[symbols->image_count + (uint32_t)(late - symbols->late->items)]
	               : &rests[image];
}

void
symbols_fold_rests(struct run *run, struct symbols *symbols)
{
	uint32_t late_count = symbols->late ? symbols->late->count : 0, image = 1;
	uint32_t *rests; /* the first row, plus 1 */

	if (symbols->image_count < 2)
		return;
	memory_array(run, rests, (size_t)symbols->image_count + late_count);
	for (uint32_t i =
	             sorted_up_to(symbols->address, symbols->count, symbols->images[1].first - 1);
	     i < symbols->count; i++) {
		uint32_t *rest;

		image = walk_images(symbols, image, i);
		if (symbols->name[i] != symbols->images[image].rest)
			continue;
		rest = rest_of(symbols, rests, image);
		if (*rest == 0) {
			*rest = i + 1;
			continue;
		}
		symbols_own_each(run, symbols);
		symbols->owner[i] = *rest - 1;
		symbols->flags[i] |= SYMBOL_FOLDED;
	}
	memory_release(run, rests);
}
