/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name-table.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { FEWEST_SLOTS = 64 };

static uint32_t
slot_of(const struct name_table *names, const char *text)
{
	return (uint32_t)(hash_text(text, names->factor) >> 32) & (names->slot_count - 1);
}

static void
enter(struct name_table *names, uint32_t number)
{
	uint32_t *slot = &names->slots[slot_of(names, names->items[number])];

	names->next[number] = *slot;
	*slot = number + 1;
}

static void
add_slots(struct run *run, struct name_table *names)
{
	memory_release(run, names->slots);
	names->factor = hash_factor();
	names->slot_count = names->slot_count ? 2 * names->slot_count : FEWEST_SLOTS;
	memory_array(run, names->slots, names->slot_count);
	for (uint32_t i = 0; i < names->count; i++)
		enter(names, i);
}

uint32_t
name_table_lookup(const struct name_table *names, const char *text)
{
	uint32_t at;

	if (names->slot_count == 0)
		return NO_NAME;
	for (at = names->slots[slot_of(names, text)]; at != 0; at = names->next[at - 1])
		if (strcmp(names->items[at - 1], text) == 0)
			return at - 1;
	return NO_NAME;
}

/* Text that is not in the table; it lasts as long as the run. */
static uint32_t
append(struct run *run, struct name_table *names, const char *text)
{
	uint32_t number;

	if (names->count >= names->slot_count && names->slot_count <= UINT32_MAX / 2)
		add_slots(run, names);
	number = names->count;
	names->items = memory_room(run, names->items, sizeof *names->items, number, &names->room,
	                           1);
	names->next = memory_room(run, names->next, sizeof *names->next, number, &names->next_room,
	                          1);
	names->items[names->count++] = text;
	enter(names, number);
	return number;
}

uint32_t
name_table_add(struct run *run, struct name_table *names, const char *text)
{
	uint32_t number = name_table_lookup(names, text);

	return number != NO_NAME ? number : append(run, names, text_keep(run, text, strlen(text)));
}

uint32_t
name_table_add_kept(struct run *run, struct name_table *names, const char *text)
{
	uint32_t number = name_table_lookup(names, text);

	return number != NO_NAME ? number : append(run, names, text);
}

void
name_table_release(struct run *run, struct name_table *names)
{
	memory_release(run, names->items);
	memory_release(run, names->next);
	memory_release(run, names->slots);
	*names = (struct name_table){0};
}
