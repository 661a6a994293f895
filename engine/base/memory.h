/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a run: blocks that are freed with the run at the latest, zeroed unless the name of the
 * function says otherwise.  Only memory_try() returns NULL; elsewhere, when memory is exhausted,
 * the run gives up with a message.
 */
#ifndef ENGINE_BASE_MEMORY_H
#define ENGINE_BASE_MEMORY_H

#include "base/run.h"

void *memory_alloc(struct run *run, size_t bytes);
/* As memory_alloc(), but NULL when memory is exhausted: for callers that hold what is not the
 * run's. */
void *memory_try(struct run *run, size_t bytes);
/* For buffers, of which only what was written is read: unused pages cost nothing. */
void *memory_alloc_unset(struct run *run, size_t bytes);
/* Bytes from old_bytes to new_bytes are zero. */
void *memory_grow(struct run *run, void *bytes, size_t old_bytes, size_t new_bytes);
void memory_release(struct run *run, void *bytes);
/* Makes what malloc() returned live as long as the run.  False: there is no memory for that. */
bool memory_adopt(struct run *run, void *bytes);
/* Frees every block of the run. */
void memory_free_all(struct run *run);
_Noreturn void memory_exhausted(struct run *run, size_t bytes);

/* An array of count items of the size of *pointer. */
#define memory_array(run, pointer, count) \
	((pointer) = memory_alloc_array((run), sizeof *(pointer), (count)))
void *memory_alloc_array(struct run *run, size_t item_bytes, size_t count);

/* As memory_array(), for an array of which hardly anything is written: the rest costs no memory. */
#define memory_sparse_array(run, pointer, count) \
	((pointer) = memory_alloc_sparse((run), sizeof *(pointer), (count)))
void *memory_alloc_sparse(struct run *run, size_t item_bytes, size_t count);

/*
 * Makes room for one more item in an array of "count" items with room for *capacity; returns the
 * array's new place.
 */
void *memory_room(struct run *run, void *items, size_t item_bytes, uint32_t count,
                  uint32_t *capacity, uint32_t more);

/* Copies of texts, packed; run lifetime. */
const char *text_keep(struct run *run, const char *text, size_t length);
const char *text_format(struct run *run, const char *format, ...) GPROFX_PRINTF(2, 3);

#endif
