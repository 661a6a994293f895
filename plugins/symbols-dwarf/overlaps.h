/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For walks over things that cover addresses, such as sequences of rows or ranges of functions,
 * where each address belongs to one of them: things by their starts, and those that are open.
 */
#ifndef DWARFSYM_OVERLAPS_H
#define DWARFSYM_OVERLAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Where a thing begins. */
struct dwarfsym_begin {
	uint64_t address;
	uint32_t number; /* of the thing */
};

static inline int
dwarfsym_compare_begins(const void *left, const void *right)
{
	const struct dwarfsym_begin *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

/* Sorts by address; what begins together stays in order. */
static inline void
dwarfsym_sort_begins(struct dwarfsym_begin *begins, uint32_t count)
{
	if (count > 1)
		qsort(begins, count, sizeof *begins, dwarfsym_compare_begins);
}

/* Things that cover an address, as a heap: the innermost one is items[0]. */
struct dwarfsym_open {
	const void *things; /* for goes_before() */
	uint32_t *items, count;
};

/* Whether an address goes to one thing rather than to another. */
typedef bool dwarfsym_goes_before(const void *things, uint32_t left, uint32_t right);

/* There must be room in items. */
static inline void
dwarfsym_push_open(struct dwarfsym_open *open, uint32_t item, dwarfsym_goes_before *goes_before)
{
	uint32_t at = open->count++;

	for (; at > 0 && goes_before(open->things, item, open->items[(at - 1) / 2]);
	     at = (at - 1) / 2)
		open->items[at] = open->items[(at - 1) / 2];
	open->items[at] = item;
}

/* Takes away the first one. */
static inline void
dwarfsym_pop_open(struct dwarfsym_open *open, dwarfsym_goes_before *goes_before)
{
	uint32_t last = open->items[--open->count], at = 0;

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= open->count)
			break;
		if (child + 1 < open->count &&
		    goes_before(open->things, open->items[child + 1], open->items[child]))
			child++;
		if (!goes_before(open->things, open->items[child], last))
			break;
		open->items[at] = open->items[child];
		at = child;
	}
	if (open->count > 0)
		open->items[at] = last;
}

#endif
