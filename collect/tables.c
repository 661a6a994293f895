/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tables.h"

enum { FIRST_SLOTS = 256, FIRST_KEPT = 64, GROWTH = 4 };

static struct gxc_chunk *
make(enum gxc_type type, const struct gxc_chunk *former, uint64_t first, uint32_t thread,
     uint32_t phase)
{
	uint64_t slots = former ? ((former->mask >> TABLE_MASK_BITS) + 1) * GROWTH : first;
	struct gxc_chunk *chunk = chunk_make(type, gxc_entry_bytes(type), slots + COLLECT_SPARE,
	                                     thread);

	if (!chunk)
		return NULL;
	chunk->phase = phase;
	chunk->used = chunk->capacity;
	chunk->mask = (slots - 1) << TABLE_MASK_BITS;
	return chunk;
}

struct gxc_chunk *
table_larger(enum gxc_type type, void *slots, uint32_t thread, uint32_t phase)
{
	return make(type, slots ? table_of(slots) : NULL, FIRST_SLOTS, thread, phase);
}

void
table_keep_larger(struct gxc_chunk **kept, enum gxc_type type, uint32_t phase)
{
	struct gxc_chunk *chunk = make(type, *kept, FIRST_KEPT, 0, phase);

	*kept = chunk ? chunk : *kept;
}

struct tables *
tables_follow(struct thread *thread, uint32_t *phase)
{
	struct tables *tables;

	do {
		*phase = phases_now();
		tables = phases_tables(thread, *phase);
		arcs_look_in(tables ? tables->arcs : NULL);
		blocks_look_in(tables ? tables->blocks : NULL);
	} while (*phase != phases_now());
	return tables;
}

struct tables *
tables_of_self(uint32_t *phase)
{
	return collect_is_nobody(collect_self) ? NULL : tables_follow(collect_self, phase);
}
