/* SPDX-License-Identifier: Apache-2.0 */
/* Since mappings never intersect, "intersects" serves as equality in a tree (tsearch). */
#include "profile/map-trees.h"

#include <search.h>

#include "base/memory.h"
#include "symbols/late.h"

struct map_tree *
map_tree_new(struct run *run, struct map_tree **list)
{
	struct map_tree *tree = memory_alloc(run, sizeof *tree);

	tree->users = 1;
	tree->next = *list;
	tree->link = list;
	if (tree->next)
		tree->next->link = &tree->next;
	*list = tree;
	return tree;
}

static int
compare(const void *left, const void *right)
{
	const struct mapping *a = left, *b = right;

	return a->last < b->low ? -1 : b->last < a->low ? 1 : 0;
}

static struct mapping *
find(const struct map_tree *tree, uint64_t low, uint64_t last)
{
	const struct mapping wanted = {.low = low, .last = last};
	struct mapping **found = tfind(&wanted, &tree->root, compare);

	return found ? *found : NULL;
}

static void
insert(struct run *run, struct map_tree *tree, const struct mapping *row)
{
	struct mapping *mapping = memory_alloc(run, sizeof *mapping);

	*mapping = *row;
	mapping->next = tree->items;
	mapping->link = &tree->items;
	if (mapping->next)
		mapping->next->link = &mapping->next;
	tree->items = mapping;
	tree->count++;
	if (!tsearch(mapping, &tree->root, compare))
		memory_exhausted(run, sizeof *mapping);
}

static void
cut_off(struct run *run, struct map_tree *tree, struct mapping *mapping)
{
	tdelete(mapping, &tree->root, compare);
	if (mapping->next)
		mapping->next->link = mapping->link;
	*mapping->link = mapping->next;
	tree->count--;
	memory_release(run, mapping);
}

/* The part of a mapping that begins there. */
static struct mapping
rest_from(const struct mapping *mapping, uint64_t low)
{
	struct mapping rest = *mapping;

	rest.offset += low - mapping->low;
	rest.low = low;
	return rest;
}

/* Makes room for a mapping; returns whether that took the place of others. */
static bool
clear(struct run *run, struct map_tree *tree, const struct mapping *row)
{
	struct mapping *old;
	bool was_other = false;

	while ((old = find(tree, row->low, row->last)) != NULL) {
		struct mapping before = *old;

		/* What shows the same as before changes nothing. */
		was_other = was_other || old->image != row->image ||
		            old->is_in_file != row->is_in_file ||
		            old->offset - old->low != row->offset - row->low;
		if (old->low < row->low) {
			old->last = row->low - 1;
		} else if (old->last > row->last) {
			old->offset += row->last + 1 - old->low;
			old->low = row->last + 1;
			continue;
		} else {
			cut_off(run, tree, old);
			continue;
		}
		if (before.last > row->last) {
			struct mapping rest = rest_from(&before, row->last + 1);

			insert(run, tree, &rest);
		}
	}
	return was_other;
}

bool
map_tree_set(struct run *run, struct map_tree *tree, const struct mapping *row)
{
	bool was_other = clear(run, tree, row);

	if (row->image != NO_LATE_IMAGE)
		insert(run, tree, row);
	return was_other;
}

const struct mapping *
map_tree_find(const struct map_tree *tree, uint64_t address)
{
	return find(tree, address, address);
}

struct map_tree *
map_tree_copy(struct run *run, struct map_tree **list, const struct map_tree *tree)
{
	struct map_tree *copy = map_tree_new(run, list);

	for (const struct mapping *item = tree->items; item; item = item->next)
		insert(run, copy, item);
	return copy;
}

/* Their items belong to the run's memory. */
static void
forget_item(void *item)
{
	(void)item;
}

void
map_tree_release(struct run *run, struct map_tree *tree)
{
	while (tree->items) {
		struct mapping *first = tree->items;

		tree->items = first->next;
		memory_release(run, first);
	}
	tdestroy(tree->root, forget_item);
	if (tree->next)
		tree->next->link = tree->link;
	*tree->link = tree->next;
	memory_release(run, tree);
}

void
map_trees_forget(struct map_tree *list)
{
	for (const struct map_tree *tree = list; tree; tree = tree->next)
		tdestroy(tree->root, forget_item);
}
