/* SPDX-License-Identifier: Apache-2.0 */
/* Lists outside of the run's memory, as threads make them, which have no service of the run. */
#ifndef ENGINE_BASE_LOOSE_H
#define ENGINE_BASE_LOOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Items of one size.  It begins as zeros. */
struct loose_list {
	void *items;
	size_t count, room;
	bool failed; /* memory was too short for some items, which are missing */
};

/* Makes room for so many more items; false: there is no memory, and the list has failed. */
bool loose_grow(struct loose_list *list, size_t item_bytes, size_t more);

/* Adds copies of items. */
static inline void
loose_add(struct loose_list *list, const void *items, size_t item_bytes, size_t count)
{
	if (count > list->room - list->count && !loose_grow(list, item_bytes, count))
		return;
	if (count > 0)
		memcpy((unsigned char *)list->items + list->count * item_bytes, items,
		       count * item_bytes);
	list->count += count;
}

/* Frees the items. */
void loose_free(struct loose_list *list);

#endif
