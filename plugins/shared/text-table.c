/* SPDX-License-Identifier: Apache-2.0 */
#include "text-table.h"

#include <string.h>

#include "grown.h"
#include "hash-factor.h"

enum { FEWEST_SLOTS = 1024 };

static uint64_t
mix(uint64_t hash, uint64_t word, uint64_t factor)
{
	hash = (hash ^ word) * factor;
	return hash ^ hash >> 32;
}

/* Eight bytes at a time.  The last step lets all bits change the lower ones. */
static uint64_t
hash_of(const struct text_table *table, const char *bytes, size_t length)
{
	uint64_t hash = length, word;

	for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word) {
		memcpy(&word, bytes, sizeof word);
		hash = mix(hash, word, table->factor);
	}
	word = 0;
	memcpy(&word, bytes, length);
	return mix(mix(hash, word, table->factor), 0, table->factor);
}

/* The slot of a text, or a free one.  bytes NULL: no item is the text, as all are entered again. */
static struct text_slot *
find_slot(const struct text_table *table, uint64_t hash, const char *bytes, size_t length)
{
	uint32_t mask = table->slot_count - 1, at = (uint32_t)hash & mask;
	uint32_t upper = (uint32_t)(hash >> 32);

	for (; table->slots[at].number != 0; at = (at + 1) & mask) {
		const struct text_item *item = &table->items[table->slots[at].number - 1];

		if (bytes && table->slots[at].hash == upper && item->hash == hash &&
		    item->length == length && memcmp(item->bytes, bytes, length) == 0)
			break;
	}
	return &table->slots[at];
}

static struct text_slot
slot_of(const struct text_table *table, uint32_t item)
{
	return (struct text_slot){item + 1, (uint32_t)(table->items[item].hash >> 32)};
}

static void
add_slots(struct text_table *table)
{
	const struct gprofx_host *host = table->gx->host;

	host->release(table->gx, table->slots);
	if (table->slot_count == 0)
		table->factor = new_hash_factor();
	table->slot_count = table->slot_count == 0 ? FEWEST_SLOTS : 2 * table->slot_count;
	table->slots = host->alloc(table->gx, table->slot_count * sizeof *table->slots);
	for (uint32_t i = 0; i < table->count; i++)
		*find_slot(table, table->items[i].hash, NULL, 0) = slot_of(table, i);
}

/* The bytes of a new text, where they are compared from now on. */
static const char *
copy_of(struct text_table *table, const char *bytes, size_t length)
{
	char *copy;

	if (length > TEXTS_COPIED - table->copied)
		return bytes;
	if (!table->copies)
		table->copies = gprofx_alloc(table->gx, TEXTS_COPIED);
	copy = table->copies + table->copied;
	memcpy(copy, bytes, length);
	table->copied += length;
	return copy;
}

uint32_t *
text_table_find(struct text_table *table, const char *bytes, size_t length, bool *is_new)
{
	struct text_slot *slot;
	uint64_t hash;

	if (table->count >= table->slot_count / 2)
		add_slots(table);
	hash = hash_of(table, bytes, length);
	slot = find_slot(table, hash, bytes, length);
	*is_new = slot->number == 0;
	if (!*is_new)
		return &table->items[slot->number - 1].value;
	table->items = grown(table->gx, table->items, sizeof *table->items, &table->room,
	                     table->count + 1, FEWEST_SLOTS);
	table->items[table->count++] = (struct text_item){copy_of(table, bytes, length), length,
	                                                  hash, 0};
	*slot = slot_of(table, table->count - 1);
	return &table->items[table->count - 1].value;
}

void
text_table_release(struct text_table *table)
{
	table->gx->host->release(table->gx, table->items);
	table->gx->host->release(table->gx, table->slots);
	table->gx->host->release(table->gx, table->copies);
	*table = (struct text_table){.gx = table->gx};
}
