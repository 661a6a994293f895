/* SPDX-License-Identifier: Apache-2.0 */
#include "base/loose.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

bool
loose_grow(struct loose_list *list, size_t item_bytes, size_t more)
{
	size_t most = SIZE_MAX / 4 / item_bytes, room = 2 * list->room + FIRST_ROOM;
	void *items = NULL;

	if (more <= most && list->count <= most - more) {
		if (room < list->count + more)
			room = list->count + more;
		items = realloc(list->items, room * item_bytes);
	}
	list->failed = list->failed || !items;
	if (!items)
		return false;
	list->items = items;
	list->room = room;
	return true;
}

void
loose_free(struct loose_list *list)
{
	free(list->items);
	*list = (struct loose_list){0};
}
