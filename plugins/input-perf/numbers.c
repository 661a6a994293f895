/* SPDX-License-Identifier: Apache-2.0 */
#include "numbers.h"

#include "../shared/hash-factor.h"

enum { FEWEST_ITEMS = 64 };

/* The item of a key, or a free one. */
static struct number_item *
find(const struct number_table *table, uint64_t key)
{
	uint64_t hash = (key ^ key >> 32) * table->factor;
	uint32_t mask = table->room - 1, at;

	hash = (hash ^ hash >> 32) * table->factor;
	for (at = (uint32_t)(hash >> 32) & mask;
	     table->items[at].value != 0 && table->items[at].key != key; at = (at + 1) & mask)
		;
	return &table->items[at];
}

uint32_t
perfdata_number(const struct number_table *table, uint64_t key)
{
	return table->room > 0 ? find(table, key)->value : 0;
}

static void
enlarge(struct gprofx *gx, struct number_table *table)
{
	struct number_table larger = {.room = table->room > 0 ? 2 * table->room : FEWEST_ITEMS,
	                              .count = table->count,
	                              .factor = table->room > 0 ? table->factor
	                                                        : new_hash_factor()};

	larger.items = gprofx_alloc(gx, (size_t)larger.room * sizeof *larger.items);
	for (uint32_t i = 0; i < table->room; i++)
		if (table->items[i].value != 0)
			*find(&larger, table->items[i].key) = table->items[i];
	gx->host->release(gx, table->items);
	*table = larger;
}

void
perfdata_set_number(struct gprofx *gx, struct number_table *table, uint64_t key, uint32_t value)
{
	struct number_item *item;

	if (table->count >= table->room / 2)
		enlarge(gx, table);
	item = find(table, key);
	table->count += item->value == 0;
	*item = (struct number_item){key, value};
}

void
perfdata_forget_numbers(struct gprofx *gx, struct number_table *table)
{
	gx->host->release(gx, table->items);
	*table = (struct number_table){0};
}
