/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/sort.h"
#include "symbols/line-rows.h"

/* By address; those that fit more closely come later. */
static int
compare_candidates(const void *context, uint32_t left, uint32_t right)
{
	const struct gprofx_symbol_rows *rows = context;

	if (rows->address[left] != rows->address[right])
		return rows->address[left] < rows->address[right] ? -1 : 1;
	if (rows->bytes[left] != rows->bytes[right])
		return rows->bytes[left] > rows->bytes[right] ? -1 : 1;
	return left > right ? -1 : left < right;
}

static void
add_cover(struct run *run, struct covers *covers, uint64_t address, uint32_t row)
{
	if (covers->count > 0 && covers->row[covers->count - 1] == row)
		return;
	if (covers->count > 0 && covers->address[covers->count - 1] == address)
		covers->count--;
	covers->address = memory_room(run, covers->address, sizeof *covers->address, covers->count,
	                              &covers->room, 1);
	covers->row = memory_room(run, covers->row, sizeof *covers->row, covers->count,
	                          &covers->row_room, 1);
	covers->address[covers->count] = address;
	covers->row[covers->count++] = row;
}

struct covers
covers_find(struct run *run, const struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	const struct gprofx_symbol_rows *rows = &table->rows;
	struct covers covers = {0};
	uint32_t *ids, *open, count = 0, open_count = 0;

	memory_array(run, ids, table->count);
	memory_array(run, open, table->count);
	for (uint32_t row = 0; row < table->count; row++)
		if (!(rows->flags[row] & GPROFX_SYMBOL_DATA) &&
		    rows->address[row] >= table->text_start && rows->address[row] < table->text_end)
			ids[count++] = row;
	sort_ids(run, ids, count, compare_candidates, rows);
	for (uint32_t i = 0; i <= count; i++) {
		uint64_t address = i < count ? rows->address[ids[i]] : UINT64_MAX;

		while (open_count > 0) {
			uint32_t last = open[open_count - 1];
			uint64_t end = symbols_past(rows->address[last], rows->bytes[last]);

			if (end > address || i == count)
				break;
			open_count--;
			while (open_count > 0 &&
			       symbols_past(rows->address[open[open_count - 1]],
			                    rows->bytes[open[open_count - 1]]) <= end)
				open_count--;
			if (end < address)
				add_cover(run, &covers, end,
				          open_count > 0 ? open[open_count - 1] : ids[i - 1]);
		}
		if (i == count)
			break;
		if (rows->bytes[ids[i]] > 0)
			open[open_count++] = ids[i];
		add_cover(run, &covers, address, open_count > 0 ? open[open_count - 1] : ids[i]);
	}
	memory_release(run, ids);
	memory_release(run, open);
	return covers;
}
