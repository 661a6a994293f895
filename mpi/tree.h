/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of processes: each has a block of ranks that begins with its own, and divides the rest
 * among its children in ascending order.  So profiles that are added from the first child to the
 * last are added in the order of the ranks.
 */
#ifndef MPI_TREE_H
#define MPI_TREE_H

#include <stdint.h>

enum { TREE_RADIX = 8 };

/* Where a process is. */
struct tree_place {
	int parent; /* -1: none */
	int past;   /* its block ends before this rank */
	int child_count;
	int child[TREE_RADIX + 1]; /* their ranks; then the end of the last one's block */
};

/* Finds the place of a rank among so many processes. */
void tree_find(struct tree_place *place, int rank, int size);

/* The first of so many items that is for a process; its last is before that of the next one. */
uint64_t tree_first_item(uint64_t items, int rank, int size);

#endif
