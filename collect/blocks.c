/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Counts of basic blocks: tables like those of calls (arcs.c), with one address as the key, so that
 * a slot is taken in one step.  A thread has none before its first block.
 */
#include "collect.h"
#include "hash.h"
#include "sys.h"
#include "tables.h"

enum { LOOKS = 4 }; /* of the code of blocks, before a search goes on */

_Static_assert(sizeof(struct gxc_block) == 1u << TABLE_MASK_BITS,
               "the code of blocks counts on it");

/* A table in which nothing is ever found, and into which nothing is written. */
static struct {
	struct gxc_chunk chunk;
	struct gxc_block slots[LOOKS];
} nothing __attribute__((aligned(64)));

/* Where the code of blocks looks: the table of the thread, or an older one, or that without room.
 */
__thread struct gxc_block *collect_blocks
	__attribute__((tls_model("initial-exec"))) = nothing.slots;

/* A handler must not see this before what came before; as for calls, a thread that begins a phase
 * writes here, too. */
void
blocks_look_in(struct gxc_block *blocks)
{
	if (!blocks)
		blocks = nothing.slots;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&collect_blocks, __ATOMIC_RELAXED) != blocks)
		__atomic_store_n(&collect_blocks, blocks, __ATOMIC_SEQ_CST);
}

struct gxc_block *
blocks_none(void)
{
	return nothing.slots;
}

/* The first slot where a block can be, as in the code of blocks. */
static uint64_t
place_of(const struct gxc_chunk *chunk, uint64_t address)
{
	return table_place(chunk, COLLECT_SITE_FACTOR * address);
}

/* Writes a slot's address if nobody has; only code of one thread competes. */
static bool
take(struct gxc_block *slot, uint64_t address)
{
	uint64_t none = 0;

	return __atomic_compare_exchange_n(&slot->address, &none, address, false, __ATOMIC_RELAXED,
	                                   __ATOMIC_RELAXED) ||
	       none == address;
}

/* Counts a block in a table if it has the address, or room for it. */
static bool
count_in(struct gxc_block *blocks, uint64_t address)
{
	struct gxc_chunk *chunk = table_of(blocks);
	uint64_t at = place_of(chunk, address);

	for (uint64_t i = 0; i <= COLLECT_SPARE; i++) {
		struct gxc_block *slot = &blocks[at + i];

		if (slot->address == address) {
			machine_increment(&slot->count);
			return true;
		}
		if (slot->address != 0)
			continue;
		if (i >= LOOKS && chunk->filled * TABLE_CROWDED > chunk->capacity)
			return false;
		if (!take(slot, address))
			continue;
		machine_increment(&slot->count);
		chunk->filled++;
		/* Where code was loaded meanwhile, it is noted while it is there. */
		objects_meet(address, true);
		return true;
	}
	return false;
}

/* Puts a table in front that is larger than the one so far. */
static bool
grow(struct tables *tables, uint32_t thread, uint32_t phase)
{
	struct gxc_chunk *chunk = table_larger(GXC_BLOCKS, tables->blocks, thread, phase);

	if (!chunk)
		return false;
	__atomic_store_n(&tables->blocks, (struct gxc_block *)chunk_entries(chunk),
	                 __ATOMIC_RELEASE);
	return true;
}

/* Looks at slots beyond those of a search: where there is no memory, it is the only way left. */
static bool
count_anywhere(struct gxc_block *blocks, uint64_t address)
{
	for (uint64_t i = 0; blocks && i < table_of(blocks)->capacity; i++)
		if (blocks[i].address == address) {
			machine_increment(&blocks[i].count);
			return true;
		}
	return false;
}

static void
lose(uint64_t count)
{
	__atomic_fetch_add(&collect.header->lost_blocks, count, __ATOMIC_RELAXED);
}

/* Counts in the tables that there are, or that the block is lost. */
static void
count_or_lose(struct tables *tables, uint64_t address)
{
	if (!tables || !tables->blocks ||
	    !(count_in(tables->blocks, address) || count_anywhere(tables->blocks, address)))
		lose(1);
}

/* Without system calls. */
static void
count_quietly(uint64_t address)
{
	uint32_t phase;

	count_or_lose(tables_of_self(&phase), address);
}

void
blocks_slow(uint64_t address)
{
	struct tables *tables = NULL;
	struct thread *thread;

	if (collect_keeps_quiet()) {
		count_quietly(address);
		return;
	}
	thread = collect_counting(address, address);
	if (!thread)
		return;
	/* What is here most of the time: the code looks in the right table, but not far enough. */
	if (collect_blocks == thread->tables.blocks && phases_now() == 0 &&
	    count_in(thread->tables.blocks, address))
		return;
	for (int tries = 0; tries < TABLE_TRIES; tries++) {
		uint32_t phase;

		tables = tables_follow(thread, &phase);
		if (tables && tables->blocks && count_in(tables->blocks, address))
			return;
		if (!tables || !grow(tables, thread->number, phase))
			break;
	}
	/* Where phases begin faster than their tables are made, it was in the last one, too. */
	count_or_lose(tables, address);
}

void
blocks_make_room(void)
{
	uint32_t phase;
	struct tables *tables = tables_of_self(&phase);

	if (tables && tables->blocks)
		(void)grow(tables, collect_self->number, phase);
}

/* Blocks of objects that are gone, by phase; one thread at a time uses these tables. */
static struct gxc_chunk *kept[COLLECT_PHASES + 1];

/* The slot of a block, or one that is free; NULL: no room. */
static struct gxc_block *
find_kept(struct gxc_chunk *chunk, uint64_t address)
{
	struct gxc_block *slots;
	uint64_t at;

	if (!chunk)
		return NULL;
	slots = chunk_entries(chunk);
	at = place_of(chunk, address);
	for (uint64_t i = at; i <= at + COLLECT_SPARE; i++)
		if (slots[i].address == 0 || slots[i].address == address)
			return &slots[i];
	return NULL;
}

static void
keep(struct gxc_block *slot, uint64_t address, uint32_t phase)
{
	struct gxc_chunk **in = &kept[phase];
	struct gxc_block *to = find_kept(*in, address);

	if (!to) {
		table_keep_larger(in, GXC_BLOCKS, phase);
		to = find_kept(*in, address);
	}
	if (to) {
		to->address = address;
		to->count += slot->count;
	} else {
		lose(slot->count);
	}
	/* A search ends here now, so what is behind can get a second slot. */
	slot->count = 0;
	__atomic_store_n(&slot->address, 0, __ATOMIC_RELEASE);
}

bool
blocks_put_away(const struct gone *gone)
{
	bool has_any = false;

	for (const struct chunk_list *list = chunks_all(); list; list = list->next) {
		struct gxc_block *slots = chunk_entries(list->chunk);

		if (list->chunk->type != GXC_BLOCKS)
			continue;
		for (uint64_t i = 0; i < list->chunk->capacity; i++) {
			if (slots[i].count == 0 || slots[i].address - gone->low >= gone->bytes)
				continue;
			keep(&slots[i], slots[i].address + gone->distance, list->chunk->phase);
			has_any = true;
		}
	}
	return has_any;
}

void
blocks_forget(void)
{
	for (uint32_t phase = 0; phase <= COLLECT_PHASES; phase++)
		kept[phase] = NULL;
}
