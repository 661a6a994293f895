/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The tree of calls of a thread, by function.  A larger table takes the place of one that is full,
 * empty; the old one remains in the file.
 *
 * Recursion would make the tree as deep as the calls are.  But what a report says of a chain of
 * callers is which functions and which calls between two of them are in it, and which function is
 * the last.  So a call that is in the chain already leads to an entry with the same functions and
 * calls in its chain, with the function as the last: one that is there, or a child of the caller's,
 * which is then found from all of these entries.
 */
#include "exact.h"

#include "collect.h"
#include "sys.h"

enum {
	FIRST_ENTRIES = 84, /* a page */
	FIRST_EDGES = 256,
	GROWTH = 4,
	DEEPEST = 1000,          /* entries of a chain; readers take 1024 frames */
	SHARE = 2,               /* of the memory, that trees may have */
	TURN = UINT32_C(1) << 31 /* of the number of an entry: a way from all entries that share its
	                            functions and calls */
};

_Static_assert(sizeof(struct gxc_chunk) + FIRST_ENTRIES * sizeof(struct gxc_timed) <= 4096,
               "a page");

static struct gxc_timed *
entry_of(const struct exact_tree *tree, uint32_t number)
{
	return &tree->entries[number - 1];
}

/* Where a way is, or can be. */
static struct exact_edge *
place_of(struct exact_edge *edges, uint32_t mask, uint32_t from, uint64_t function)
{
	uint64_t hash = (function ^ (uint64_t)from << 40 ^ from) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 32) & mask;

	while (edges[at].function != 0 &&
	       (edges[at].function != function || edges[at].from != from))
		at = (at + 1) & mask;
	return &edges[at];
}

static bool
has_memory_for(uint64_t bytes)
{
	return !collect.is_quiet &&
	       collect.header->bytes + bytes <= collect.settings.memory / SHARE;
}

static struct exact_edge *
make_edges(uint32_t count)
{
	return has_memory_for(count * sizeof(struct exact_edge))
	               ? chunks_private(count * sizeof(struct exact_edge))
	               : NULL;
}

static void
release_edges(struct exact_edge *edges, uint32_t count)
{
	SYS2(munmap, edges, count * sizeof *edges);
}

static void
put(struct exact_edge *edges, uint32_t mask, uint32_t from, uint64_t function, uint32_t to)
{
	struct exact_edge *edge = place_of(edges, mask, from, function);

	edge->from = from;
	edge->to = to;
	edge->function = function;
}

/* Notes a way; without memory, it is looked for again each time. */
static void
add_edge(struct exact_tree *tree, uint32_t from, uint64_t function, uint32_t to)
{
	uint32_t count = tree->edge_mask + 1;

	if (tree->edge_count * 2 >= count) {
		struct exact_edge *larger = make_edges(count * GROWTH), *old = tree->edges;

		if (!larger)
			return;
		for (uint32_t i = 0; i < count; i++)
			if (old[i].function != 0)
				put(larger, count * GROWTH - 1, old[i].from, old[i].function,
				    old[i].to);
		tree->edges = larger;
		tree->edge_mask = count * GROWTH - 1;
		release_edges(old, count);
	}
	put(tree->edges, tree->edge_mask, from, function, to);
	tree->edge_count++;
}

/* An empty table that is larger than the one so far. */
static bool
grow(struct exact_tree *tree, const struct thread *thread, uint32_t phase)
{
	uint32_t room = tree->chunk ? tree->room * GROWTH : FIRST_ENTRIES;
	struct gxc_chunk *chunk = NULL;

	if (!tree->edges) {
		tree->edges = make_edges(FIRST_EDGES);
		tree->edge_mask = FIRST_EDGES - 1;
	}
	if (tree->edges && room < TURN && has_memory_for(room * sizeof(struct gxc_timed)))
		chunk = chunk_make(GXC_TIMED, sizeof(struct gxc_timed), room, thread->number);
	if (!chunk)
		return false;
	chunk->phase = phase;
	for (uint32_t i = 0; i <= tree->edge_mask; i++)
		tree->edges[i] = (struct exact_edge){0};
	tree->edge_count = 0;
	tree->chunk = chunk;
	tree->entries = chunk_entries(chunk);
	tree->room = (uint32_t)chunk->capacity;
	tree->used = 0;
	return true;
}

/* What is known of a chain that ends in an entry. */
struct chain {
	uint32_t depth;
	bool has_call; /* of a function by the last one */
};

static struct chain
look(const struct exact_tree *tree, uint32_t last, uint64_t function)
{
	struct chain chain = {0};
	uint64_t caller = last != 0 ? entry_of(tree, last)->function : 0, below = 0;

	for (uint32_t at = last; at != 0; at = entry_of(tree, at)->parent) {
		const struct gxc_timed *entry = entry_of(tree, at);

		chain.depth++;
		if (below == function && entry->function == caller)
			chain.has_call = true;
		below = entry->function;
	}
	return chain;
}

/* A new entry; 0: no room. */
static uint32_t
add(struct exact_tree *tree, uint32_t parent, uint64_t function, uint32_t same)
{
	struct gxc_timed *entry;

	if (tree->used == tree->room)
		return 0;
	entry = &tree->entries[tree->used++];
	entry->parent = parent;
	entry->same = same;
	__atomic_store_n(&entry->function, function, __ATOMIC_RELEASE);
	/* Readers of a running program's file go by it. */
	__atomic_store_n(&tree->chunk->used, tree->used, __ATOMIC_RELEASE);
	/* Where code was loaded meanwhile, it is noted while it is there. */
	objects_meet(function, true);
	return tree->used;
}

/* The entry of a call that is in no way yet; 0: no room. */
static uint32_t
find(struct exact_tree *tree, uint32_t from, uint64_t function)
{
	struct chain chain = look(tree, from, function);
	uint32_t same, to;

	if (chain.depth >= DEEPEST)
		return 0;
	if (!chain.has_call) {
		to = add(tree, from, function, 0);
		if (to != 0)
			add_edge(tree, from, function, to);
		return to;
	}
	/* The entry that was the first one with these functions and calls. */
	same = entry_of(tree, from)->same != 0 ? entry_of(tree, from)->same : from;
	if (entry_of(tree, same)->function == function) {
		to = same;
	} else {
		const struct exact_edge *turn = place_of(tree->edges, tree->edge_mask, same | TURN,
		                                         function);

		to = turn->function != 0 ? turn->to : 0;
		if (to == 0) {
			to = add(tree, from, function, same);
			if (to != 0)
				add_edge(tree, same | TURN, function, to);
		}
	}
	if (to != 0)
		add_edge(tree, from, function, to);
	return to;
}

uint32_t
exact_child(struct exact_tree *tree, struct thread *thread, uint32_t phase, uint32_t from,
            uint64_t function, bool *has_grown)
{
	const struct exact_edge *edge;
	uint32_t to;

	*has_grown = false;
	if (tree->chunk) {
		edge = place_of(tree->edges, tree->edge_mask, from, function);
		if (edge->function != 0)
			return edge->to;
		to = find(tree, from, function);
		if (to != 0 || tree->used < tree->room)
			return to;
	}
	*has_grown = grow(tree, thread, phase);
	return 0;
}

void
exact_tree_renew(struct exact_tree *tree)
{
	for (uint32_t i = 0; tree->chunk && i <= tree->edge_mask; i++)
		tree->edges[i] = (struct exact_edge){0};
	tree->edge_count = 0;
	for (uint32_t i = 1; i <= tree->used; i++) {
		const struct gxc_timed *entry = entry_of(tree, i);

		if (entry->same == 0)
			add_edge(tree, entry->parent, entry->function, i);
		else
			add_edge(tree, entry->same | TURN, entry->function, i);
	}
}
