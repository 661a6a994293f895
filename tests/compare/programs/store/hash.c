/* SPDX-License-Identifier: Apache-2.0 */
/* The table. `check` is a static function of all three files. */
#include <stdlib.h>
#include "store.h"

struct table {
	unsigned slots, used;
	struct slot {
		unsigned key, value;
	} slot[];
};

static __attribute__((noinline)) unsigned
check(const struct table *table)
{
	return table->used <= table->slots;
}

static __attribute__((noinline)) unsigned
mix(unsigned key) /* @line */
{
	for (int i = 0; i < 8; i++)
		key = (key ^ (key >> 15)) * 0x2c1b3c6du + 12345u;
	return key;
}

static __attribute__((noinline)) unsigned
probe(const struct table *table, unsigned key)
{
	unsigned at = mix(key) % table->slots;
	while (table->slot[at].key != 0 && table->slot[at].key != key)
		at = (at + 1) % table->slots;
	return at;
}

struct table *
table_new(unsigned slots)
{
	struct table *table = calloc(1, sizeof *table + slots * sizeof table->slot[0]);
	if (table == NULL)
		abort();
	table->slots = slots;
	return table;
}

void
table_put(struct table *table, unsigned key, unsigned value)
{
	unsigned at = probe(table, key);
	if (table->slot[at].key == 0 && check(table))
		table->used++;
	table->slot[at].key = key;
	table->slot[at].value = value;
}

unsigned
table_get(const struct table *table, unsigned key)
{
	return table->slot[probe(table, key)].value;
}

void
table_free(struct table *table)
{
	free(table);
}
