/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for texts of a file, so that each different one is looked into once. */
#ifndef SHARED_TEXT_TABLE_H
#define SHARED_TEXT_TABLE_H

#include <gprofx/reader.h>

enum { TEXTS_COPIED = 1 << 18 }; /* bytes */

struct text_item {
	const char *bytes; /* of the file, or copied */
	size_t length;
	uint64_t hash;
	uint32_t value;
};

struct text_slot {
	uint32_t number, hash; /* of an item, plus 1; 0: free */
};

/* Zero, but for the first member, is an empty table. */
struct text_table {
	struct gprofx *gx;
	struct text_item *items;
	uint32_t count, room;
	struct text_slot *slots;
	uint32_t slot_count;
	/* The first texts, side by side: in the file each would be in a page of its own. */
	char *copies;
	size_t copied;
	uint64_t factor; /* of hashes */
};

/*
 * Where the number of a text is, until the next call; a new text has 0.  Its bytes last as long as
 * the table.
 */
uint32_t *text_table_find(struct text_table *table, const char *bytes, size_t length, bool *is_new);

/* Gives the table back. */
void text_table_release(struct text_table *table);

#endif
