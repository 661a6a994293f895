/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of plugins that get longer. */
#ifndef PLUGINS_SHARED_GROWN_H
#define PLUGINS_SHARED_GROWN_H

#include <gprofx/plugin.h>

/*
 * Room for "count" items of an array that has it for *room, which doubles as often as needed, from
 * "first" on.  Returns the array.
 */
static inline void *
grown(struct gprofx *gx, void *items, size_t item_bytes, uint32_t *room, uint32_t count,
      uint32_t first)
{
	uint32_t old = *room;

	if (count <= old)
		return items;
	*room = old == 0 ? first : old;
	while (*room < count)
		*room *= 2;
	return gx->host->grow(gx, items, old * item_bytes, *room * item_bytes);
}

#endif
