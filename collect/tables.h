/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What tables of calls (arcs.c) and of basic blocks (blocks.c) have in common: hashed slots behind
 * the header of a chunk, for one thread in one phase of the program.  A larger table takes the
 * place of one that is crowded, empty; the old one remains in the file.  Anywhere.
 */
#ifndef COLLECT_TABLES_H
#define COLLECT_TABLES_H

#include "collect.h"

enum {
	TABLE_MASK_BITS = 4, /* of what is masked, those that are no part of the number of a slot */
	/* A table with this part of its slots in use is larger next time, if a search takes long.
	 */
	TABLE_CROWDED = 8,
	TABLE_TRIES = 4
};

_Static_assert(sizeof(struct gxc_chunk) == 64 && offsetof(struct gxc_chunk, mask) == 40,
               "mcount and the code of blocks count on it");

/* The chunk that has these slots. */
static inline struct gxc_chunk *
table_of(void *slots)
{
	return (struct gxc_chunk *)slots - 1;
}

/* The first slot where something with this hash can be. */
static inline uint64_t
table_place(const struct gxc_chunk *chunk, uint64_t hash)
{
	return (hash & chunk->mask) >> TABLE_MASK_BITS;
}

/* A table that is larger than the one with these slots (NULL: there is none yet); NULL: no memory.
 */
struct gxc_chunk *table_larger(enum gxc_type type, void *slots, uint32_t thread, uint32_t phase);

/* The same of a table of objects that are gone, whose place it takes if there is memory. */
void table_keep_larger(struct gxc_chunk **kept, enum gxc_type type, uint32_t phase);

/*
 * The thread's tables of the phase that the program is in; NULL: no memory.  From now on, mcount
 * and the code of blocks look there.  A handler of the thread can have done so in between, with a
 * later phase.
 */
struct tables *tables_follow(struct thread *thread, uint32_t *phase);

/* The same of the running thread; NULL also if it is not registered. */
struct tables *tables_of_self(uint32_t *phase);

#endif
