/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stacks of a thread: a tree of frames, hashed by the frame of the caller and the address.  Only
 * the handler of the thread's samples adds to it, and no other handler interrupts that.
 *
 * When an object is unloaded, the thread that does so looks through all trees and moves the stacks
 * with a frame in that object to a tree of the process.  A handler cannot wait for that: it uses a
 * second tree of its thread meanwhile.  Entries that become free are given to other frames.
 */
#include "collect.h"

#include "sys.h"

enum {
	FIRST_SLOTS = 128,
	GROWTH = 4,
	SLOT_BITS = 5,
	/* Slots behind those that hashes lead to: a table has no room when it is three quarters
	   full. */
	SPARE = 63,
	TRIES = 8,
	/* Flag of an entry, while its tree is looked through: it will be free. */
	LEAVING = 0x10000
};

_Static_assert(sizeof(struct gxc_stack) == 1u << SLOT_BITS, "masks count on it");

/* Stacks with frames in objects that are gone, by phase; one thread at a time uses these. */
static struct gxc_chunk *kept[COLLECT_PHASES + 1], *kept_waits[COLLECT_PHASES + 1];

/* How often that happened to a table of waits. */
static uint32_t epoch;

/* A table in place of one that has no room, or NULL, for stacks of so many frames. */
static struct gxc_chunk *
make_table(enum gxc_type type, const struct gxc_chunk *former, uint32_t frames, uint32_t thread,
           uint32_t phase)
{
	uint64_t slots = former ? ((former->mask >> SLOT_BITS) + 1) * GROWTH : FIRST_SLOTS;
	struct gxc_chunk *chunk;

	while (slots < 4 * (uint64_t)frames)
		slots *= 2;
	chunk = chunk_make(type, sizeof(struct gxc_stack), slots + SPARE, thread);
	if (!chunk)
		return NULL;
	chunk->phase = phase;
	chunk->used = chunk->capacity;
	chunk->mask = (slots - 1) << SLOT_BITS;
	return chunk;
}

/* Claims a table for one thread; false: another one has it. */
static bool
enter(struct gxc_chunk *chunk)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&chunk->is_busy, &nobody, 1, false, __ATOMIC_ACQUIRE,
	                                   __ATOMIC_RELAXED);
}

static void
leave(struct gxc_chunk *chunk)
{
	__atomic_store_n(&chunk->is_busy, 0, __ATOMIC_RELEASE);
}

static uint64_t
hash_of(uint32_t parent, uint64_t pc)
{
	uint64_t hash = (pc ^ ((uint64_t)parent << 32 | parent)) * UINT64_C(0x9e3779b97f4a7c15);

	return hash >> 32;
}

/* The number of a frame's entry, from 1; 0: no room. */
static uint32_t
find(struct gxc_chunk *chunk, uint32_t parent, uint64_t pc)
{
	struct gxc_stack *stacks = chunk_entries(chunk);
	uint64_t at = hash_of(parent, pc) & chunk->mask >> SLOT_BITS, end = at + SPARE;
	struct gxc_stack *free = NULL;

	for (; at <= end; at++) {
		if (stacks[at].pc == pc && stacks[at].parent == parent) {
			if (stacks[at].flags & GXC_STACK_FREE)
				stacks[at].flags = 0;
			return (uint32_t)at + 1;
		}
		if (!free && (stacks[at].pc == 0 || stacks[at].flags & GXC_STACK_FREE))
			free = &stacks[at];
		if (stacks[at].pc == 0)
			break;
	}
	if (!free)
		return 0;
	/* Readers of a running program's file go by the address; those of free ones by the count.
	 */
	free->flags = 0;
	free->parent = parent;
	__atomic_store_n(&free->pc, pc, __ATOMIC_RELEASE);
	return (uint32_t)(free - (struct gxc_stack *)chunk_entries(chunk)) + 1;
}

/* The entry, from 1; 0: no room. */
static uint32_t
add_to(struct gxc_chunk *chunk, const struct frames *frames, uint64_t weight, uint64_t squares)
{
	struct gxc_stack *stack;
	uint32_t entry = 0;

	for (uint32_t i = frames->count; i-- > 0;) {
		entry = find(chunk, entry, frames->pc[i] != 0 ? frames->pc[i] : 1);
		if (entry == 0)
			return 0;
	}
	stack = (struct gxc_stack *)chunk_entries(chunk) + entry - 1;
	stack->flags |= frames->flags;
	stack->squares += squares;
	stack->count += weight;
	return entry;
}

void
stacks_add(struct thread *thread, const struct frames *frames, uint64_t weight)
{
	uint32_t phase = phases_now();
	struct tables *tables = phases_tables(thread, phase);

	if (frames->count == 0)
		return;
	for (int tries = 0; tables && tries < TRIES; tries++) {
		struct gxc_chunk **table = &tables->stacks, *chunk;
		bool is_added;

		if (*table && !enter(*table))
			table = &tables->spare;
		if (table == &tables->spare && *table && !enter(*table))
			continue;
		is_added = *table && add_to(*table, frames, weight, weight * weight) != 0;
		if (*table)
			leave(*table);
		if (is_added)
			return;
		/* By now it mostly has its name; a program that is killed says none later. */
		if (!*table)
			thread_note_name(thread);
		chunk = make_table(GXC_STACKS, *table, frames->count, thread->number, phase);
		if (!chunk)
			break;
		*table = chunk;
	}
	__atomic_fetch_add(&collect.header->lost_samples, weight, __ATOMIC_RELAXED);
}

/* Of those who use a table, all but handlers can wait for others. */
static void
wait_to_enter(struct gxc_chunk *chunk)
{
	const struct timespec pause = {0, 20000};

	while (!enter(chunk))
		SYS2(nanosleep, &pause, NULL);
}

/*
 * How long a wait takes is known to an interval at each end, however many samples it has: its
 * square counts once.
 */
uint32_t
stacks_add_wait(struct gxc_chunk **table, const struct frames *frames, uint64_t weight,
                uint32_t thread, uint32_t phase)
{
	for (int tries = 0; tries < TRIES; tries++) {
		struct gxc_chunk *chunk;
		uint32_t entry = 0;

		if (*table) {
			wait_to_enter(*table);
			entry = add_to(*table, frames, weight, weight * weight);
			leave(*table);
		}
		if (entry != 0)
			return entry;
		chunk = make_table(GXC_WAITS, *table, frames->count, thread, phase);
		if (!chunk)
			break;
		*table = chunk;
	}
	__atomic_fetch_add(&collect.header->lost_samples, weight, __ATOMIC_RELAXED);
	return 0;
}

bool
stacks_add_again(const struct watched *watched, uint64_t weight, uint64_t squares)
{
	struct gxc_stack *stack = (struct gxc_stack *)chunk_entries(watched->table) +
	                          watched->entry - 1;
	bool is_same;

	wait_to_enter(watched->table);
	is_same = watched->epoch == __atomic_load_n(&epoch, __ATOMIC_RELAXED);
	if (is_same) {
		stack->squares += squares;
		stack->count += weight;
	}
	leave(watched->table);
	return is_same;
}

uint32_t
stacks_epoch(void)
{
	return __atomic_load_n(&epoch, __ATOMIC_RELAXED);
}

static bool
is_gone(const struct gone *gone, uint64_t pc)
{
	return pc - gone->low < gone->bytes;
}

/* The frames of an entry, with the addresses that they have from now on; says if one is another. */
static bool
follow(const struct gxc_stack *stacks, uint64_t entry, const struct gone *gone,
       struct frames *frames)
{
	bool has_any = false;

	frames->count = 0;
	for (uint64_t i = entry + 1; i != 0 && frames->count < COLLECT_FRAMES;
	     i = stacks[i - 1].parent) {
		uint64_t pc = stacks[i - 1].pc;
		bool is_in_it = is_gone(gone, pc);

		frames->pc[frames->count++] = pc + (is_in_it ? gone->distance : 0);
		has_any = has_any || is_in_it;
	}
	return has_any;
}

static void
keep(enum gxc_type type, const struct frames *frames, const struct gxc_stack *stack, uint32_t phase)
{
	struct gxc_chunk **in = type == GXC_WAITS ? &kept_waits[phase] : &kept[phase];

	for (int tries = 0; tries < TRIES; tries++) {
		struct gxc_chunk *chunk;

		if (*in && add_to(*in, frames, stack->count, stack->squares) != 0)
			return;
		chunk = make_table(type, *in, frames->count, 0, phase);
		if (!chunk)
			break;
		*in = chunk;
	}
	__atomic_fetch_add(&collect.header->lost_samples, stack->count, __ATOMIC_RELAXED);
}

/* Moves what a table has of an object that is gone. */
static void
put_away(struct gxc_chunk *chunk, const struct gone *gone)
{
	static uint64_t pcs[COLLECT_FRAMES] = {0}; /* one thread at a time is here */
	struct gxc_stack *stacks = chunk_entries(chunk);
	struct frames frames = {.pc = pcs};

	for (uint64_t i = 0; i < chunk->capacity; i++) {
		if (stacks[i].pc == 0 || stacks[i].flags & (GXC_STACK_FREE | LEAVING) ||
		    !follow(stacks, i, gone, &frames))
			continue;
		frames.flags = stacks[i].flags;
		if (stacks[i].count != 0)
			keep(chunk->type, &frames, &stacks[i], chunk->phase);
		stacks[i].count = stacks[i].squares = 0;
		stacks[i].flags = LEAVING;
	}
	/* Not before: the frames of others were followed through them. */
	for (uint64_t i = 0; i < chunk->capacity; i++)
		if (stacks[i].flags & LEAVING)
			stacks[i].flags = GXC_STACK_FREE;
}

static bool
has_any_of(const struct gxc_chunk *chunk, const struct gone *gone)
{
	const struct gxc_stack *stacks = (const struct gxc_stack *)(chunk + 1);

	for (uint64_t i = 0; i < chunk->capacity; i++)
		if (is_gone(gone, stacks[i].pc) && !(stacks[i].flags & GXC_STACK_FREE))
			return true;
	return false;
}

bool
stacks_put_away(const struct gone *gone)
{
	bool has_any = false;

	for (const struct chunk_list *list = chunks_all(); list; list = list->next) {
		if (list->chunk->type != GXC_STACKS && list->chunk->type != GXC_WAITS)
			continue;
		/* A handler that adds to it does not wait for anything. */
		wait_to_enter(list->chunk);
		if (has_any_of(list->chunk, gone)) {
			put_away(list->chunk, gone);
			if (list->chunk->type == GXC_WAITS)
				__atomic_fetch_add(&epoch, 1, __ATOMIC_RELAXED);
			has_any = true;
		}
		leave(list->chunk);
	}
	return has_any;
}

void
stacks_forget(void)
{
	for (uint32_t phase = 0; phase <= COLLECT_PHASES; phase++)
		kept[phase] = kept_waits[phase] = NULL;
}
