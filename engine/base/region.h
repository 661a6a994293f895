/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for large blocks, taken from the system in regions of large pages.  What is given back is
 * used again: pages that were written to already cost far less than new ones.
 */
#ifndef ENGINE_BASE_REGION_H
#define ENGINE_BASE_REGION_H

#include "base/run.h"

/*
 * A zeroed block, aligned for any type, from one of the regions or from a new one, and the region
 * it is *of.  NULL: the system has no more memory.
 */
void *region_take(struct region **regions, size_t bytes, struct region **of);

/*
 * Makes a block larger or smaller where it is; what is new can hold anything.  False: it has no
 * room, and stays as it was.
 */
bool region_resize(struct region *region, void *block, size_t old_bytes, size_t new_bytes);

/* Gives a block back to its region. */
void region_give(struct region *region, void *block, size_t bytes);

/* Gives all regions back to the system, whatever is in them. */
void region_free_all(struct region **regions);

#endif
