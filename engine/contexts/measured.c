/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts that stacks have measured: frames of the tree of stacks that are in the same function,
 * below the same context, are one context, unless their places are of interest.
 */
#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/slots.h"
#include "contexts/parts.h"
#include "graph/graph.h"
#include "profile/stacks.h"
#include "select/filters.h"
#include "symbols/symbols.h"

/* What tells siblings apart. */
struct child {
	uint32_t parent, node, flags, place;
};

/* Frames of stacks on their way into contexts. */
struct measuring {
	struct run *run;
	const struct stacks *stacks;
	struct context_tree *tree;
	const bool *counts;   /* per frame whether what ends in it counts; NULL: all does */
	double *whole;        /* per frame: the weight of it and of all below that counts */
	uint32_t *context_of; /* per frame, or GPROFX_NO_CONTEXT: nothing there counts */
	struct slots slots;   /* contexts by what tells them apart */
	uint64_t factor;      /* of hashes */
	double nowhere;       /* weight of stacks without frames that counts */
	uint32_t nowhere_context;
};

static uint64_t
hash_of(const struct measuring *measuring, struct child child)
{
	uint64_t hash = hash_word((uint64_t)child.parent << 32 | child.node, measuring->factor);

	return hash_word(hash ^ ((uint64_t)child.flags << 32 | child.place), measuring->factor) >>
	       32;
}

static struct child
child_at(const struct context_tree *tree, uint32_t context)
{
	return (struct child){tree->parent[context], tree->node[context], tree->flags[context],
	                      tree->place[context]};
}

static inline bool
is_same_child(const void *rows, uint32_t number, const void *wanted)
{
	const struct child left = child_at(rows, number), *right = wanted;

	return left.parent == right->parent && left.node == right->node &&
	       left.flags == right->flags && left.place == right->place;
}

/* The context of a frame below another context. */
static uint32_t
context_of(struct measuring *measuring, struct child child)
{
	struct context_tree *tree = measuring->tree;
	uint32_t *slot;

	if (slots_grow(measuring->run, &measuring->slots, tree->count))
		for (uint32_t i = 0; i < tree->count; i++)
			*slots_find(&measuring->slots, hash_of(measuring, child_at(tree, i)), NULL,
			            NULL, NULL) = i + 1;
	slot = slots_find(&measuring->slots, hash_of(measuring, child), is_same_child, tree,
	                  &child);
	if (*slot == 0)
		*slot = 1 + contexts_add(measuring->run, tree, child.parent, child.node,
		                         child.flags, child.place);
	return *slot - 1;
}

/* The weight of a stack that ends in a frame, as far as it counts. */
static double
weight_of(const struct measuring *measuring, uint32_t frame)
{
	return measuring->counts && !measuring->counts[frame]
	               ? 0
	               : (double)measuring->stacks->weight[frame];
}

/* Callers come before what they called: one sweep up. */
static void
sum_up(struct measuring *measuring)
{
	const struct stacks *stacks = measuring->stacks;

	memory_array(measuring->run, measuring->whole, stacks->count);
	for (uint32_t i = stacks->count; i-- > 0;) {
		measuring->whole[i] += weight_of(measuring, i);
		if (stacks->parent[i] != NO_FRAME)
			measuring->whole[stacks->parent[i]] += measuring->whole[i];
	}
}

/* One sweep down. */
static void
make_contexts(struct measuring *measuring, uint32_t outside)
{
	const struct stacks *stacks = measuring->stacks;
	bool by_place = measuring->tree->by_place;

	memory_array(measuring->run, measuring->context_of, stacks->count);
	for (uint32_t i = 0; i < stacks->count; i++) {
		uint32_t place = stacks->place[i], parent = stacks->parent[i];
		bool is_inlined = (stacks->places[place].flags & GPROFX_PLACE_INLINED) != 0;

		measuring->context_of[i] = GPROFX_NO_CONTEXT;
		if (!(measuring->whole[i] > 0))
			continue;
		measuring->context_of[i] = context_of(
			measuring,
			(struct child){parent == NO_FRAME ? GPROFX_NO_CONTEXT
		                                          : measuring->context_of[parent],
		                       stacks->function[place],
		                       is_inlined ? GPROFX_CONTEXT_INLINED : 0,
		                       by_place ? place : GPROFX_NO_PLACE});
	}
	if (measuring->nowhere > 0)
		measuring->nowhere_context = context_of(
			measuring, (struct child){GPROFX_NO_CONTEXT, outside, 0, GPROFX_NO_PLACE});
}

/* Own times, then sums up the tree. */
static void
set_values(struct measuring *measuring)
{
	const struct stacks *stacks = measuring->stacks;
	struct context_tree *tree = measuring->tree;
	double *self, *below;

	contexts_make_values(measuring->run, tree, 1);
	self = tree->self[0];
	below = tree->below[0];
	for (uint32_t i = 0; i < stacks->count; i++)
		if (measuring->context_of[i] != GPROFX_NO_CONTEXT)
			self[measuring->context_of[i]] += weight_of(measuring, i);
	if (measuring->nowhere > 0)
		self[measuring->nowhere_context] += measuring->nowhere;
	for (uint32_t i = tree->count; i-- > 0;) {
		double total = self[i] + below[i];

		if (tree->parent[i] == GPROFX_NO_CONTEXT)
			tree->whole[0] += total;
		else
			below[tree->parent[i]] += total;
	}
}

void
contexts_measure(struct run *run, const struct graph *graph, struct context_tree *tree)
{
	uint32_t outside = graph->symbols->count;
	struct measuring measuring = {
		.run = run,
		.stacks = graph->stacks,
		.tree = tree,
		.counts = graph_counted_stacks(run, graph),
		.factor = hash_factor(),
	};

	if (filter_selects(graph->filters, ENGINE_FILTER_TIME, outside))
		measuring.nowhere = (double)graph->stacks->nowhere;
	sum_up(&measuring);
	make_contexts(&measuring, outside);
	set_values(&measuring);
	memory_release(run, (void *)measuring.counts);
	memory_release(run, measuring.whole);
	memory_release(run, measuring.context_of);
	slots_release(run, &measuring.slots);
}
