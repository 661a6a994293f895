/* SPDX-License-Identifier: Apache-2.0 */
/* Which files the values of a metric are from. */
#ifndef ENGINE_PROFILE_FILE_NAMES_H
#define ENGINE_PROFILE_FILE_NAMES_H

#include <string.h>

#include "base/memory.h"
#include "base/run.h"

struct file_names {
	const char **items; /* in the order of the files, each once; run lifetime */
	uint32_t count, room;
};

/* Adds the file that is being read, which may be there already; name: NULL for none. */
static inline void
file_names_add(struct run *run, struct file_names *names, const char *name)
{
	if (!name || (names->count > 0 && strcmp(names->items[names->count - 1], name) == 0))
		return;
	names->items = memory_room(run, names->items, sizeof *names->items, names->count,
	                           &names->room, 1);
	names->items[names->count++] = name;
}

/* Adds those of other values that became values of the same metric. */
static inline void
file_names_join(struct run *run, struct file_names *names, const struct file_names *others)
{
	uint32_t own = names->count;

	for (uint32_t i = 0; i < others->count; i++) {
		uint32_t k = 0;

		while (k < own && strcmp(names->items[k], others->items[i]) != 0)
			k++;
		if (k == own)
			file_names_add(run, names, others->items[i]);
	}
}

#endif
