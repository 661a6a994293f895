/* SPDX-License-Identifier: Apache-2.0 */
/* Source files, which entries name again and again, and names of functions. */
#include <string.h>

#include <gprofx/plugin.h>

#include "stabs.h"

#include "../shared/grown.h"
#include "../shared/hash-factor.h"

static uint32_t *
slot_of(struct stabs_table *table, uint32_t folder, uint32_t name)
{
	uint64_t hash = ((uint64_t)folder << 32 | name) * table->hash_factor;

	for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
		uint32_t *slot = &table->path_slots[i & (table->path_slot_count - 1)];
		const struct stabs_path *path = &table->paths[*slot];

		if (*slot == 0 || (path->folder == folder && path->name == name))
			return slot;
	}
}

static void
make_room(struct stabs_table *table)
{
	if (2 * (table->path_count + 1) < table->path_slot_count)
		return;
	if (table->path_slot_count == 0) {
		table->hash_factor = new_hash_factor();
		table->path_count = 1;
		table->paths = grown(table->gx, NULL, sizeof *table->paths, &table->path_room, 1,
		                     64);
	}
	table->gx->host->release(table->gx, table->path_slots);
	table->path_slot_count = table->path_slot_count ? 2 * table->path_slot_count : 128;
	table->path_slots = gprofx_alloc(table->gx,
	                                 table->path_slot_count * sizeof *table->path_slots);
	for (uint32_t i = 1; i < table->path_count; i++)
		*slot_of(table, table->paths[i].folder, table->paths[i].name) = i;
}

uint32_t
stabs_path(struct stabs_table *table, uint32_t folder, uint32_t name)
{
	uint32_t *slot;

	if (name == 0)
		return 0;
	if (table->strings[name] == '/')
		folder = 0;
	make_room(table);
	slot = slot_of(table, folder, name);
	if (*slot == 0) {
		table->paths = grown(table->gx, table->paths, sizeof *table->paths,
		                     &table->path_room, table->path_count + 1, 64);
		table->paths[table->path_count] = (struct stabs_path){folder, name, 0};
		*slot = table->path_count++;
	}
	return *slot;
}

const char *
stabs_path_text(const struct stabs_table *table, uint32_t path, char room[STABS_PATH_ROOM])
{
	const struct stabs_path *one = &table->paths[path];
	const char *folder = one->folder ? table->strings + one->folder : "";
	size_t folder_bytes = strnlen(folder, STABS_PATH_ROOM);
	size_t name_bytes = strnlen(table->strings + one->name, STABS_PATH_ROOM);

	if (folder_bytes + name_bytes >= STABS_PATH_ROOM)
		return NULL;
	memcpy(room, folder, folder_bytes);
	memcpy(room + folder_bytes, table->strings + one->name, name_bytes);
	room[folder_bytes + name_bytes] = '\0';
	return room;
}

uint32_t
stabs_name_length(const struct stabs_table *table, uint32_t name, uint64_t most)
{
	size_t length = 0;

	/* Names that share their ends would cost their length each time. */
	while (length < most && table->strings[name + length] != '\0' &&
	       table->strings[name + length] != ':')
		length++;
	return (uint32_t)length;
}
