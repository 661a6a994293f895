/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols that come behind all others once these are known: rows of images that lie behind.  What
 * the others are does not change, nor where they end.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* A longer array.  The old one stays, as others can have it. */
static void *
longer(struct run *run, const void *items, size_t item_bytes, size_t old, size_t new)
{
	void *copy = memory_alloc_array(run, item_bytes, new);

	if (items && old > 0)
		memcpy(copy, items, old * item_bytes);
	return copy;
}

#define LONGER(run, items, old, new) \
	((items) = longer((run), (const void *)(items), sizeof *(items), (old), (new)))

/* Decides about the rows of the table from the first one on. */
static void
accept(struct run *run, struct symbols *symbols, uint32_t first)
{
	uint32_t count = symbols->table.count;

	LONGER(run, symbols->fate, symbols->fate ? first : 0, count);
	LONGER(run, symbols->accepted, symbols->accepted_count,
	       (size_t)symbols->accepted_count + (count - first));
	symbols_accept_more(run, symbols, first);
}

static void
make_room(struct run *run, struct symbols *symbols, uint32_t more)
{
	size_t old = symbols->count, whole = old + SYMBOL_MORE_ROWS, new = old + more;
	uint32_t *row;

	LONGER(run, symbols->address, whole, new + SYMBOL_MORE_ROWS);
	LONGER(run, symbols->end, whole, new + SYMBOL_MORE_ROWS);
	LONGER(run, symbols->name, whole, new + SYMBOL_MORE_ROWS);
	LONGER(run, symbols->flags, old, new + SYMBOL_MORE_ROWS);
	LONGER(run, symbols->bytes, old, new);
	memory_array(run, row, new);
	for (size_t i = 0; i < old; i++)
		row[i] = symbols->row ? symbols->row[i] : NO_SYMBOL;
	symbols->row = row;
	if (symbols->owner)
		LONGER(run, symbols->owner, old, new + SYMBOL_MORE_ROWS);
	if (symbols->whole)
		LONGER(run, symbols->whole, old, new + SYMBOL_MORE_ROWS);
	if (symbols->inlined)
		LONGER(run, symbols->inlined, old, new + SYMBOL_MORE_ROWS);
	if (!symbols->file)
		return;
	LONGER(run, symbols->file, old, new + SYMBOL_MORE_ROWS);
	LONGER(run, symbols->line, old, new + SYMBOL_MORE_ROWS);
	LONGER(run, symbols->asked, symbols->asked ? old : 0, new + SYMBOL_MORE_ROWS);
}

/* Where the last symbol of an image ends: with the code that it is in. */
static uint64_t
last_end(const struct symbols *symbols, uint32_t symbol)
{
	uint64_t address = symbols->address[symbol], past = symbols_code_end(symbols, address);

	if (past - address < symbols->bytes[symbol])
		past = symbols_past(address, symbols->bytes[symbol]);
	return past > address ? past - 1 : address;
}

/* A symbol ends before the next one of its image. */
static void
set_ends(struct symbols *symbols, uint32_t first)
{
	uint32_t image = 1;

	for (uint32_t i = first; i < symbols->count; i++) {
		bool is_last = i + 1 == symbols->count;

		while (image < symbols->image_count &&
		       symbols->images[image].past <= symbols->address[i])
			image++;
		if (image < symbols->image_count && !is_last)
			is_last = symbols->address[i + 1] >= symbols->images[image].past;
		symbols->end[i] = is_last ? last_end(symbols, i) : symbols->address[i + 1] - 1;
	}
}

const char *
symbols_without_version(struct run *run, const char *name)
{
	const char *version = strstr(name, "@@");

	return version && version > name && run_corrects(run, GPROFX_CORRECT_PLAIN_NAMES)
	               ? text_format(run, "%.*s", (int)(version - name), name)
	               : name;
}

/* Writes symbols behind those that there are; ids: their rows. */
static void
append(struct run *run, struct symbols *symbols, const uint32_t *ids, uint32_t more)
{
	const struct gprofx_symbol_rows *rows = &symbols->table.rows;
	const char *outside = symbols->name[symbols->count];
	const char *indirect = symbols->name[symbols_indirect(symbols)];
	uint32_t first = symbols->count;

	make_room(run, symbols, more);
	symbols->count += more;
	for (uint32_t i = 0; i < more; i++) {
		uint32_t to = first + i;

		symbols->address[to] = rows->address[ids[i]];
		symbols->bytes[to] = rows->bytes[ids[i]];
		symbols->name[to] = symbols_without_version(run, rows->name[ids[i]]);
		symbols->flags[to] = rows->flags[ids[i]];
		symbols->row[to] = ids[i];
	}
	for (uint32_t i = first; symbols->owner && i < symbols->count + SYMBOL_MORE_ROWS; i++)
		symbols->owner[i] = i;
	for (uint32_t i = first; symbols->whole && i < symbols->count + SYMBOL_MORE_ROWS; i++)
		symbols->whole[i] = i;
	set_ends(symbols, first);
	symbols->address[symbols->count] = symbols->end[symbols->count - 1] + 1;
	symbols->end[symbols->count] = UINT64_MAX;
	symbols->name[symbols->count] = outside;
	symbols->address[symbols->count + 1] = symbols->end[symbols->count + 1] = UINT64_MAX;
	symbols->name[symbols->count + 1] = indirect;
}

void
symbols_append_rows(struct run *run, struct symbols *symbols, uint32_t first)
{
	uint32_t before = symbols->accepted_count, old = symbols->count, count, *ids;
	uint64_t *keys;
	bool has_lines;

	accept(run, symbols, first);
	symbols_sort_variants(symbols);
	count = symbols->accepted_count - before;
	memory_array(run, ids, count);
	memory_array(run, keys, count);
	for (uint32_t i = 0; i < count; i++) {
		ids[i] = symbols->accepted[before + i];
		keys[i] = symbols->table.rows.address[ids[i]];
	}
	count = symbols_resolve(run, &symbols->table, keys, ids, count);
	if (count > 0)
		append(run, symbols, ids, count);
	memory_release(run, keys);
	memory_release(run, ids);
	has_lines = count > 0 && symbols_add_late_lines(run, symbols, old);
	symbols_fold_clones(run, symbols, old);
	symbols_fold_rests(run, symbols);
	if (has_lines) {
		symbols_find_wholes(run, symbols);
		symbols_merge_lines(run, symbols, old);
	}
	symbols_index(run, symbols);
	symbols_trace(run, symbols, old);
}
