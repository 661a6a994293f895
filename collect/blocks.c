/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Counts of basic blocks: tables like those of calls (arcs.c), with one address as the key, so that
 * a slot is taken in one step.  A thread has none before its first block.
 */
#include "collect.h"
#include "hash.h"
#include "sys.h"

enum {
	FIRST_SLOTS = 256,
	FIRST_KEPT = 64,
	MASK_BITS = 4, /* of what is masked, those that are no part of the number of a slot */
	GROWTH = 4,
	/* A table with this part of its slots in use is larger next time, if the code of blocks
	 * does not look as far as a search would have to. */
	CROWDED = 8,
	LOOKS = 4,
	TRIES = 4
};

_Static_assert(sizeof(struct gxc_block) == 1u << MASK_BITS, "the code of blocks counts on it");
_Static_assert(sizeof(struct gxc_chunk) == 64 && offsetof(struct gxc_chunk, mask) == 40,
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
static void
look_in(struct gxc_block *blocks)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&collect_blocks, __ATOMIC_RELAXED) != blocks)
		__atomic_store_n(&collect_blocks, blocks, __ATOMIC_SEQ_CST);
}

struct gxc_block *
blocks_none(void)
{
	return nothing.slots;
}

static struct gxc_chunk *
chunk_of(struct gxc_block *blocks)
{
	return (struct gxc_chunk *)(void *)blocks - 1;
}

static uint64_t
slots_of(const struct gxc_chunk *chunk)
{
	return (chunk->mask >> MASK_BITS) + 1;
}

/* The first slot where a block can be, as in the code of blocks. */
static uint64_t
place_of(const struct gxc_chunk *chunk, uint64_t address)
{
	return ((COLLECT_SITE_FACTOR * address) & chunk->mask) >> MASK_BITS;
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
	struct gxc_chunk *chunk = chunk_of(blocks);
	uint64_t at = place_of(chunk, address);

	for (uint64_t i = 0; i <= COLLECT_SPARE; i++) {
		struct gxc_block *slot = &blocks[at + i];

		if (slot->address == address) {
			machine_increment(&slot->count);
			return true;
		}
		if (slot->address != 0)
			continue;
		if (i >= LOOKS && chunk->filled * CROWDED > chunk->capacity)
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

static struct gxc_chunk *
make_table(uint64_t slots, uint32_t thread, uint32_t phase)
{
	struct gxc_chunk *chunk = chunk_make(GXC_BLOCKS, sizeof(struct gxc_block),
	                                     slots + COLLECT_SPARE, thread);

	if (!chunk)
		return NULL;
	chunk->phase = phase;
	chunk->used = chunk->capacity;
	chunk->mask = (slots - 1) << MASK_BITS;
	return chunk;
}

/* Puts a table in front that is larger than the one so far. */
static bool
grow(struct tables *tables, uint32_t thread, uint32_t phase)
{
	uint64_t slots = tables->blocks ? slots_of(chunk_of(tables->blocks)) * GROWTH : FIRST_SLOTS;
	struct gxc_chunk *chunk = make_table(slots, thread, phase);

	if (!chunk)
		return false;
	__atomic_store_n(&tables->blocks, (struct gxc_block *)chunk_entries(chunk),
	                 __ATOMIC_RELEASE);
	return true;
}

/* The thread's tables of the phase that the program is in, where its code looks from now on; NULL:
 * no memory. */
static struct tables *
follow(struct thread *thread, uint32_t *phase)
{
	struct tables *tables;

	do {
		*phase = phases_now();
		tables = phases_tables(thread, *phase);
		look_in(tables && tables->blocks ? tables->blocks : nothing.slots);
	} while (*phase != phases_now());
	return tables;
}

void
blocks_follow(void)
{
	if (chunk_of(__atomic_load_n(&collect_blocks, __ATOMIC_RELAXED))->phase != phases_now())
		look_in(nothing.slots);
}

/* Looks at slots beyond those of a search: where there is no memory, it is the only way left. */
static bool
count_anywhere(struct gxc_block *blocks, uint64_t address)
{
	for (uint64_t i = 0; blocks && i < chunk_of(blocks)->capacity; i++)
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

/* Without system calls. */
static void
count_quietly(uint64_t address)
{
	struct tables *tables;
	uint32_t phase;

	if (collect.witness && *collect.witness == 0) {
		collect_restart_in_child();
		return;
	}
	tables = follow(collect_self, &phase);
	if (!tables || !tables->blocks ||
	    !(count_in(tables->blocks, address) || count_anywhere(tables->blocks, address)))
		lose(1);
}

void
blocks_slow(uint64_t address)
{
	struct tables *tables = NULL;
	struct thread *thread;

	if (collect.is_quiet)
		count_quietly(address);
	thread = collect_counting(address, address);
	if (!thread)
		return;
	/* What is here most of the time: the code looks in the right table, but not far enough. */
	if (collect_blocks == thread->tables.blocks && phases_now() == 0 &&
	    count_in(thread->tables.blocks, address))
		return;
	for (int tries = 0; tries < TRIES; tries++) {
		uint32_t phase;

		tables = follow(thread, &phase);
		if (tables && tables->blocks && count_in(tables->blocks, address))
			return;
		if (!tables || !grow(tables, thread->number, phase))
			break;
	}
	if (!tables || !count_anywhere(tables->blocks, address))
		lose(1);
}

void
blocks_make_room(void)
{
	uint32_t phase = phases_now();
	struct tables *tables = phases_tables(collect_self, phase);

	if (tables && tables->blocks)
		(void)grow(tables, collect_self->number, phase);
}

void
blocks_forget_self(void)
{
	look_in(nothing.slots);
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
		uint64_t slots = *in ? slots_of(*in) * GROWTH : FIRST_KEPT;
		struct gxc_chunk *chunk = make_table(slots, 0, phase);

		*in = chunk ? chunk : *in;
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
