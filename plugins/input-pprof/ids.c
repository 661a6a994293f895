/* SPDX-License-Identifier: Apache-2.0 */
#include "ids.h"

#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
	const struct id *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->item < y->item ? -1 : 1;
}

uint32_t
ids_sort(struct ids *ids)
{
	ids->are_in_order = true;
	for (uint32_t i = 0; i < ids->count; i++)
		if (ids->items[i].id != (uint64_t)i + 1)
			ids->are_in_order = false;
	if (ids->are_in_order)
		return NO_ITEM;
	qsort(ids->items, ids->count, sizeof *ids->items, compare);
	if (ids->items[0].id == 0)
		return ids->items[0].item;
	for (uint32_t i = 1; i < ids->count; i++)
		if (ids->items[i].id == ids->items[i - 1].id)
			return ids->items[i].item;
	return NO_ITEM;
}

uint32_t
ids_find(const struct ids *ids, uint64_t id)
{
	uint32_t low = 0, past = ids->count;

	if (ids->are_in_order)
		return id > 0 && id <= ids->count ? (uint32_t)id - 1 : NO_ITEM;
	while (low < past) {
		uint32_t middle = low + (past - low) / 2;

		if (ids->items[middle].id == id)
			return ids->items[middle].item;
		if (ids->items[middle].id < id)
			low = middle + 1;
		else
			past = middle;
	}
	return NO_ITEM;
}
