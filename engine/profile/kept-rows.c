/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/kept-rows.h"

#include "base/memory.h"
#include "profile/parts.h"

enum { MOST_REPEATED = 4096 };

void *
kept_rows_add(struct run *run, struct kept_rows *rows, size_t row_bytes, uint32_t more)
{
	uint32_t count = rows->count;

	rows->items = memory_room(run, rows->items, row_bytes, count, &rows->room, more);
	rows->count += more;
	/* Of no rows there may be no array. */
	return more > 0 ? (char *)rows->items + count * row_bytes : rows->items;
}

void
kept_rows_merge(struct run *run, struct kept_rows *rows, size_t row_bytes, bool is_all)
{
	uint32_t newer = rows->count - rows->merged;
	struct repeats repeats;

	if (newer == 0 || (!is_all && (newer <= MOST_REPEATED || newer <= rows->merged)))
		return;
	repeats = repeats_prepare(run, rows->items, row_bytes, rows->count);
	repeats.wrap = false;
	repeats_merge(&repeats);
	memory_release(run, repeats.slots);
	rows->count = rows->merged = repeats.count;
}
