/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name-table.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { FEWEST_SLOTS = 64 };

static uint32_t
hash_of(const struct name_table *names, const char *text)
{
	return (uint32_t)(hash_text(text, names->factor) >> 32);
}

static void
enter(struct name_table *names, uint32_t number)
{
	uint32_t *slot = &names->slots[names->hashes[number] & (names->slot_count - 1)];

	names->next[number] = *slot;
	*slot = number + 1;
}

/* A power of two as the number of slots. */
static void
set_slots(struct run *run, struct name_table *names, uint32_t count)
{
	memory_release(run, names->slots);
	names->slot_count = count;
	memory_array(run, names->slots, names->slot_count);
	for (uint32_t i = 0; i < names->count; i++)
		enter(names, i);
}

static uint32_t
find(const struct name_table *names, uint32_t hash, const char *text)
{
	uint32_t at = names->slots[hash & (names->slot_count - 1)];

	while (at != 0 &&
	       (names->hashes[at - 1] != hash || strcmp(names->items[at - 1], text) != 0))
		at = names->next[at - 1];
	return at != 0 ? at - 1 : NO_NAME;
}

void
name_table_reserve(struct run *run, struct name_table *names, uint32_t count)
{
	uint32_t slots = names->slot_count ? names->slot_count : FEWEST_SLOTS;

	if (names->slot_count == 0)
		names->factor = hash_factor();
	while (slots < count && slots <= UINT32_MAX / 2)
		slots *= 2;
	if (slots != names->slot_count)
		set_slots(run, names, slots);
}

uint32_t
name_table_lookup(const struct name_table *names, const char *text)
{
	return names->slot_count > 0 ? find(names, hash_of(names, text), text) : NO_NAME;
}

/* The number of a text; one that is new lasts as long as the run, or is copied. */
static uint32_t
add(struct run *run, struct name_table *names, const char *text, bool is_kept)
{
	uint32_t number, hash;

	if (names->slot_count == 0)
		name_table_reserve(run, names, FEWEST_SLOTS);
	if (names->count >= names->slot_count && names->slot_count <= UINT32_MAX / 2)
		set_slots(run, names, 2 * names->slot_count);
	/* Long texts cost much: each is hashed once. */
	hash = hash_of(names, text);
	number = find(names, hash, text);
	if (number != NO_NAME)
		return number;
	number = names->count;
	names->items = memory_room(run, names->items, sizeof *names->items, number, &names->room,
	                           1);
	names->next = memory_room(run, names->next, sizeof *names->next, number, &names->next_room,
	                          1);
	names->hashes = memory_room(run, names->hashes, sizeof *names->hashes, number,
	                            &names->hash_room, 1);
	names->items[number] = is_kept ? text : text_keep(run, text, strlen(text));
	names->hashes[number] = hash;
	names->count++;
	enter(names, number);
	return number;
}

uint32_t
name_table_add(struct run *run, struct name_table *names, const char *text)
{
	return add(run, names, text, false);
}

uint32_t
name_table_add_kept(struct run *run, struct name_table *names, const char *text)
{
	return add(run, names, text, true);
}

void
name_table_release(struct run *run, struct name_table *names)
{
	memory_release(run, names->items);
	memory_release(run, names->next);
	memory_release(run, names->hashes);
	memory_release(run, names->slots);
	*names = (struct name_table){0};
}
