/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by which messages name each other: any but 0, in any order. */
#ifndef INPUT_PPROF_IDS_H
#define INPUT_PPROF_IDS_H

#include <stdbool.h>
#include <stdint.h>

enum { NO_ITEM = UINT32_MAX };

struct id {
	uint64_t id;
	uint32_t item; /* its place in the order of the file */
};

/* items: one for each message, in the order of the file. */
struct ids {
	struct id *items;
	uint32_t count, room;
	bool are_in_order; /* they are 1, 2, 3 ... */
};

/*
 * Makes them ready for being found.  Returns the place in the file of a message whose id is 0 or
 * that of another one; NO_ITEM: there is none.
 */
uint32_t ids_sort(struct ids *ids);

/* The place in the file of a message, or NO_ITEM. */
uint32_t ids_find(const struct ids *ids, uint64_t id);

#endif
