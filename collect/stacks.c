/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stacks of a thread: a tree of frames, hashed by the frame of the caller and the address.  Only
 * the handler of the thread's samples changes it, and no other handler interrupts that.
 */
#include "collect.h"

enum { FIRST_SLOTS = 128, GROWTH = 4, SLOT_BITS = 5 };

_Static_assert(sizeof(struct gxc_stack) == 1u << SLOT_BITS, "masks count on it");

static struct gxc_chunk *
make_table(struct thread *thread, uint64_t slots)
{
	struct gxc_chunk *chunk = chunk_make(GXC_STACKS, sizeof(struct gxc_stack),
	                                     slots + COLLECT_SPARE, thread->number);

	if (!chunk)
		return NULL;
	chunk->used = chunk->capacity;
	chunk->mask = (slots - 1) << SLOT_BITS;
	__atomic_store_n(&thread->stacks, chunk, __ATOMIC_RELAXED);
	return chunk;
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
	uint64_t at = hash_of(parent, pc) & chunk->mask >> SLOT_BITS;

	for (uint64_t i = at; i <= at + COLLECT_SPARE; i++) {
		if (stacks[i].pc == pc && stacks[i].parent == parent)
			return (uint32_t)i + 1;
		if (stacks[i].pc != 0)
			continue;
		/* Readers of a running program's file go by the address. */
		stacks[i].parent = parent;
		__atomic_store_n(&stacks[i].pc, pc, __ATOMIC_RELEASE);
		return (uint32_t)i + 1;
	}
	return 0;
}

static bool
add_to(struct gxc_chunk *chunk, const struct frames *frames, uint64_t weight)
{
	struct gxc_stack *stack;
	uint32_t entry = 0;

	for (uint32_t i = frames->count; i-- > 0;) {
		entry = find(chunk, entry, frames->pc[i] != 0 ? frames->pc[i] : 1);
		if (entry == 0)
			return false;
	}
	stack = (struct gxc_stack *)chunk_entries(chunk) + entry - 1;
	stack->flags |= frames->flags;
	stack->squares += weight * weight;
	stack->count += weight;
	return true;
}

void
stacks_add(struct thread *thread, const struct frames *frames, uint64_t weight)
{
	struct gxc_chunk *chunk = thread->stacks;
	uint64_t slots = FIRST_SLOTS;

	if (frames->count == 0)
		return;
	if (chunk && add_to(chunk, frames, weight))
		return;
	for (int tries = 0; tries < 2; tries++) {
		if (chunk)
			slots = ((chunk->mask >> SLOT_BITS) + 1) * GROWTH;
		while (slots < 4 * (uint64_t)frames->count)
			slots *= 2;
		chunk = make_table(thread, slots);
		if (!chunk)
			break;
		if (add_to(chunk, frames, weight))
			return;
	}
	__atomic_fetch_add(&collect.header->lost_samples, weight, __ATOMIC_RELAXED);
}

bool
stacks_have(uint64_t low, uint64_t high)
{
	for (const struct thread *thread = collect.threads; thread; thread = thread->next) {
		struct gxc_chunk *chunk = __atomic_load_n(&thread->stacks, __ATOMIC_ACQUIRE);
		const struct gxc_stack *stacks;

		if (!chunk)
			continue;
		stacks = chunk_entries(chunk);
		for (uint64_t i = 0; i < chunk->capacity; i++)
			if (stacks[i].pc - low < high - low)
				return true;
	}
	return false;
}
