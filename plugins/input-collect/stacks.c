/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks are a tree in the file, and lists of frames in the profile.  They are passed on in the
 * order of the tree, so that consecutive ones share what they begin with.
 */
#include <string.h>

#include "reading.h"

enum {
	DEEPEST = 1024, /* frames that the collector keeps at most */
	BATCH_STACKS = 4096,
	/* So many for an entry of a chunk, since the first stack of each batch shares nothing. */
	BATCH_FRAMES = 32,
	LEAST_FRAMES = 2 * DEEPEST,
	MOST_FRAMES = 1 << 16
};

#define NOWHERE UINT32_MAX

/* The tree of a chunk: of each entry its first child and its next sibling. */
struct tree {
	struct reading *r;
	const struct gxc_view *chunk;
	uint32_t *child, *sibling;
	uint32_t path[DEEPEST]; /* from the root to the entry at hand */
	uint32_t depth;
};

struct batch {
	uint32_t first[BATCH_STACKS + 1];
	uint64_t weight[BATCH_STACKS], squares[BATCH_STACKS];
	uint32_t count, frames, room;
	uint64_t address[]; /* room for so many */
};

static uint64_t
entry_at(const struct tree *tree, uint32_t i)
{
	return tree->chunk->at + (uint64_t)i * tree->chunk->entry_bytes;
}

static uint64_t
pc_of(const struct tree *tree, uint32_t i)
{
	return gxc_u64(&tree->r->walk, entry_at(tree, i) + offsetof(struct gxc_stack, pc));
}

/*
 * Links entries below their parents.  An entry that is its own ancestor is below none that is in
 * the tree, so nothing of it is reached.
 */
static uint32_t
link_entries(struct tree *tree)
{
	uint32_t root = NOWHERE;

	for (uint32_t i = (uint32_t)tree->chunk->count; i-- > 0;) {
		uint32_t parent = gxc_u32(&tree->r->walk,
		                          entry_at(tree, i) + offsetof(struct gxc_stack, parent));
		uint32_t *list = parent == 0 ? &root : NULL;

		if (pc_of(tree, i) == 0)
			continue;
		if (tree->chunk->type != GXC_TIMED)
			tree->r->recorded += gxc_u64(&tree->r->walk,
			                             entry_at(tree, i) +
			                                     offsetof(struct gxc_stack, count));
		if (parent != 0 && parent <= tree->chunk->count)
			list = &tree->child[parent - 1];
		if (!list)
			continue;
		tree->sibling[i] = *list;
		*list = i;
	}
	return root;
}

/* chunk: NULL: samples were taken, whether there are any or not. */
static enum gprofx_result
pass_on(struct reading *r, struct batch *batch, const struct gxc_view *chunk)
{
	struct gprofx_from from = {
		.size = sizeof from,
		.process = r->process,
		.slice = chunk ? threads_slice(r, chunk) : 0,
	};
	struct gprofx_raw_stacks stacks = {
		.size = sizeof stacks,
		.count = batch->count,
		.first = batch->first,
		.address = batch->address,
		.weight = batch->weight,
		.squares = batch->squares,
		.rate = r->rate,
		.dimension = "seconds",
		.abbreviation = 's',
	};
	bool is_wall = r->clock == GXC_CLOCK_WALL;
	enum gprofx_result result = GPROFX_OK;

	batch->first[batch->count] = batch->frames;
	if (is_wall) {
		stacks.metrics =
			&r->metrics[chunk && chunk->type == GXC_WAITS ? METRIC_WAIT : METRIC_CPU];
		/* Without a chunk, there are no weights. */
		stacks.metric_count = chunk ? 1 : 2;
	}
	if (chunk && chunk->type == GXC_TIMED) {
		stacks.metrics = &r->metrics[METRIC_CLOCK];
		stacks.metric_count = 1;
		stacks.squares = NULL;
	}
	if (batch->count > 0 || !chunk)
		result = r->profile->builder->stacks(r->gx, r->profile, r->file, &from, &stacks);
	batch->count = batch->frames = 0;
	return result;
}

/* The path, with a weight. */
static enum gprofx_result
add_path(struct tree *tree, struct batch *batch, uint64_t weight, uint64_t squares)
{
	/* Callers are at the addresses that their calls return to, but those whose calls were
	 * timed. */
	uint64_t behind = tree->chunk->type == GXC_TIMED ? 0 : 1;

	if (batch->count == BATCH_STACKS || batch->frames + tree->depth > batch->room) {
		enum gprofx_result result = pass_on(tree->r, batch, tree->chunk);

		if (result != GPROFX_OK)
			return result;
	}
	batch->first[batch->count] = batch->frames;
	batch->weight[batch->count] = weight;
	batch->squares[batch->count++] = squares;
	for (uint32_t i = tree->depth; i-- > 0;)
		batch->address[batch->frames++] = pc_of(tree, tree->path[i]) -
		                                  (i + 1 < tree->depth ? behind : 0);
	return GPROFX_OK;
}

/* Adds the stack that ends at the end of the path. */
static enum gprofx_result
add_stack(struct tree *tree, struct batch *batch)
{
	struct reading *r = tree->r;
	uint32_t leaf = tree->path[tree->depth - 1];
	uint64_t at = entry_at(tree, leaf), weight;
	enum gprofx_result result;
	uint32_t flags;

	if (tree->chunk->type == GXC_TIMED) {
		weight = timed_weight(r, at);
		return weight != 0 ? add_path(tree, batch, weight, 0) : GPROFX_OK;
	}
	weight = gxc_u64(&r->walk, at + offsetof(struct gxc_stack, count));
	flags = gxc_u32(&r->walk, at + offsetof(struct gxc_stack, flags));
	if (weight == 0)
		return GPROFX_OK;
	result = add_path(tree, batch, weight,
	                  gxc_u64(&r->walk, at + offsetof(struct gxc_stack, squares)));
	if (result != GPROFX_OK)
		return result;
	r->weight += weight;
	if (tree->chunk->type == GXC_WAITS) {
		r->waits += weight;
		r->broken_waits += (flags & (GXC_STACK_CUT | GXC_STACK_BROKEN)) != 0 ? weight : 0;
		return GPROFX_OK;
	}
	r->cut += flags & GXC_STACK_CUT ? weight : 0;
	r->broken += flags & GXC_STACK_BROKEN ? weight : 0;
	return GPROFX_OK;
}

/* Walks the tree; what is deeper than the collector makes it is left out. */
static enum gprofx_result
walk(struct tree *tree, struct batch *batch, uint32_t root)
{
	uint32_t next = root;

	for (;;) {
		enum gprofx_result result;

		if (next == NOWHERE || tree->depth == DEEPEST) {
			if (tree->depth == 0)
				return GPROFX_OK;
			next = tree->sibling[tree->path[--tree->depth]];
			continue;
		}
		tree->path[tree->depth++] = next;
		result = add_stack(tree, batch);
		if (result != GPROFX_OK)
			return result;
		next = tree->child[next];
	}
}

/* For the stacks of a chunk with so many entries. */
static struct batch *
make_batch(struct reading *r, uint64_t entries)
{
	uint64_t room = entries < MOST_FRAMES / BATCH_FRAMES ? entries * BATCH_FRAMES : MOST_FRAMES;
	struct batch *batch;

	if (room < LEAST_FRAMES)
		room = LEAST_FRAMES;
	batch = gprofx_alloc(r->gx, sizeof *batch + room * sizeof *batch->address);
	batch->room = (uint32_t)room;
	return batch;
}

enum gprofx_result
stacks_declare(struct reading *r)
{
	static const char *const names[] = {[METRIC_CPU] = "cpu", [METRIC_WAIT] = "wait"};
	struct batch *batch = make_batch(r, 0);
	enum gprofx_result result;

	for (int i = 0; r->clock == GXC_CLOCK_WALL && i <= METRIC_WAIT; i++) {
		const struct gprofx_raw_metric metric = {
			.size = sizeof metric,
			.name = names[i],
			.unit = "seconds",
			.abbreviation = 's',
			.ticks_per_unit = r->rate,
			.kind = GPROFX_SAMPLED,
		};

		r->metrics[i] = r->profile->builder->metric(r->gx, r->profile, r->file, &metric);
	}
	result = pass_on(r, batch, NULL);

	r->gx->host->release(r->gx, batch);
	return result;
}

enum gprofx_result
stacks_read(struct reading *r, const struct gxc_view *chunk)
{
	struct tree *tree = gprofx_alloc(r->gx, sizeof *tree);
	struct batch *batch = make_batch(r, chunk->count);
	size_t bytes = (size_t)chunk->count * sizeof *tree->child + 1;
	enum gprofx_result result;

	tree->r = r;
	tree->chunk = chunk;
	tree->child = gprofx_alloc(r->gx, bytes);
	tree->sibling = gprofx_alloc(r->gx, bytes);
	memset(tree->child, 0xff, bytes);
	memset(tree->sibling, 0xff, bytes);
	result = walk(tree, batch, link_entries(tree));
	if (result == GPROFX_OK)
		result = pass_on(r, batch, chunk);
	r->gx->host->release(r->gx, tree->child);
	r->gx->host->release(r->gx, tree->sibling);
	r->gx->host->release(r->gx, tree);
	r->gx->host->release(r->gx, batch);
	return result;
}
