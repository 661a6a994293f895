/* SPDX-License-Identifier: Apache-2.0 */
/* Calling contexts in the order of a walk: each is followed by what it called. */
#ifndef PLUGINS_SHARED_EXPORT_TREE_H
#define PLUGINS_SHARED_EXPORT_TREE_H

#include <string.h>

#include <gprofx/emitter.h>

/* Links of the tree, per context; GPROFX_NO_CONTEXT: there is none. */
struct export_tree {
	const uint32_t *parent;
	uint32_t *child, *sibling; /* the first child, and the next one of the same parent */
	uint32_t root;             /* the first one */
};

/* Children follow in the order of their numbers: of estimated contexts the heaviest first. */
static inline struct export_tree
export_tree(struct gprofx *gx, const struct gprofx_report_contexts *contexts)
{
	size_t bytes = ((size_t)contexts->count + 1) * sizeof(uint32_t);
	struct export_tree tree = {.parent = contexts->parent,
	                           .child = gprofx_alloc(gx, bytes),
	                           .sibling = gprofx_alloc(gx, bytes),
	                           .root = GPROFX_NO_CONTEXT};

	memset(tree.child, 0xff, bytes);
	for (uint32_t i = contexts->count; i-- > 0;) {
		uint32_t parent = contexts->parent[i];
		uint32_t *first = parent == GPROFX_NO_CONTEXT ? &tree.root : &tree.child[parent];

		tree.sibling[i] = *first;
		*first = i;
	}
	return tree;
}

/* The context behind this one in the order of the walk, or GPROFX_NO_CONTEXT. */
static inline uint32_t
export_next(const struct export_tree *tree, uint32_t context)
{
	if (tree->child[context] != GPROFX_NO_CONTEXT)
		return tree->child[context];
	while (context != GPROFX_NO_CONTEXT && tree->sibling[context] == GPROFX_NO_CONTEXT)
		context = tree->parent[context];
	return context != GPROFX_NO_CONTEXT ? tree->sibling[context] : GPROFX_NO_CONTEXT;
}

/* What a context has inclusive in a metric, in ticks. */
static inline double
export_inclusive(const struct gprofx_column *column, uint32_t context)
{
	return gprofx_real(&column->self, context) + gprofx_real(&column->below, context);
}

/*
 * What each context has below it that is in no other one, in ticks: it was left out.  To be
 * released.
 */
static inline double *
export_rest(struct gprofx *gx, const struct gprofx_report_contexts *contexts,
            const struct gprofx_column *column)
{
	double *rest = gprofx_alloc(gx, ((size_t)contexts->count + 1) * sizeof *rest);

	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t parent = contexts->parent[i];

		rest[i] += gprofx_real(&column->below, i);
		if (parent != GPROFX_NO_CONTEXT)
			rest[parent] -= export_inclusive(column, i);
	}
	return rest;
}

static inline void
export_tree_release(struct gprofx *gx, const struct export_tree *tree)
{
	gx->host->release(gx, tree->child);
	gx->host->release(gx, tree->sibling);
}

#endif
