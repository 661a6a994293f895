/* SPDX-License-Identifier: Apache-2.0 */
/* Texts by number: equal ones have one number. */
#ifndef ENGINE_BASE_NAME_TABLE_H
#define ENGINE_BASE_NAME_TABLE_H

#include "base/run.h"

#define NO_NAME UINT32_MAX

/* Zero is an empty table. */
struct name_table {
	const char **items; /* in the order in which they came; run lifetime */
	uint32_t count;
	uint32_t *hashes; /* of the items */
	uint32_t room, next_room, hash_room;
	uint32_t *next;  /* of the same slot, plus 1; or 0 */
	uint32_t *slots; /* the last one with each hash value, plus 1; or 0 */
	uint32_t slot_count;
	uint64_t factor;
};

/* The number of a text, which is copied if it is new. */
uint32_t name_table_add(struct run *run, struct name_table *names, const char *text);

/* The same for a text that lasts as long as the run, of which no copy is made. */
uint32_t name_table_add_kept(struct run *run, struct name_table *names, const char *text);

/* Makes room for "count" texts in all. */
void name_table_reserve(struct run *run, struct name_table *names, uint32_t count);

/* The number of a text, or NO_NAME. */
uint32_t name_table_lookup(const struct name_table *names, const char *text);

/* Gives the table back; the texts remain. */
void name_table_release(struct run *run, struct name_table *names);

#endif
