/* SPDX-License-Identifier: Apache-2.0 */
/* What is mapped in address spaces: ranges that never intersect, each found by an address in it. */
#ifndef ENGINE_PROFILE_MAP_TREES_H
#define ENGINE_PROFILE_MAP_TREES_H

#include "base/run.h"

struct mapping {
	uint64_t low, last;           /* first and last address */
	uint64_t offset;              /* in the image, of the first one */
	uint32_t image;               /* of symbols_late(); NO_LATE_IMAGE: nothing */
	bool is_in_file;              /* the offset counts bytes of the file */
	struct mapping *next, **link; /* of the same tree, in any order */
};

struct map_tree {
	void *root;
	struct mapping *items;
	uint32_t count;
	uint32_t users; /* processes */
	struct map_tree *next, **link;
};

/* An empty tree with one user, in front of a list, which is to be forgotten with the run. */
struct map_tree *map_tree_new(struct run *run, struct map_tree **list);

/* The same with all that another one has. */
struct map_tree *
map_tree_copy(struct run *run, struct map_tree **list, const struct map_tree *tree);

/*
 * Puts a mapping in the place of what is there, or nothing.  Returns whether something else than it
 * was there.
 */
bool map_tree_set(struct run *run, struct map_tree *tree, const struct mapping *row);

/* The mapping that holds an address, or NULL. */
const struct mapping *map_tree_find(const struct map_tree *tree, uint64_t address);

/* Takes a tree off its list. */
void map_tree_release(struct run *run, struct map_tree *tree);

/* Gives back what is not the run's memory, of all trees of a list. */
void map_trees_forget(struct map_tree *list);

#endif
