/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

/* Divides what is behind a process in its block. */
static void
divide(struct tree_place *place, int rank, int past)
{
	int behind = past - rank - 1;
	int count = behind < TREE_RADIX ? behind : TREE_RADIX;

	place->past = past;
	place->child_count = count;
	for (int i = 0; i <= count; i++)
		place->child[i] = count == 0 ? past : rank + 1 + (int)((int64_t)behind * i / count);
}

void
tree_find(struct tree_place *place, int rank, int size)
{
	int at = 0;

	place->parent = -1;
	divide(place, at, size);
	while (at != rank) {
		int i = place->child_count - 1;

		while (place->child[i] > rank)
			i--;
		place->parent = at;
		at = place->child[i];
		divide(place, at, place->child[i + 1]);
	}
}

uint64_t
tree_first_item(uint64_t items, int rank, int size)
{
	/* There are less than 2^32 of both. */
	return items * (uint64_t)rank / (uint64_t)size;
}
