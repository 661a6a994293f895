/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a run in a list, so that the run can end anywhere without a leak. */
#include "base/memory.h"

#include "base/region.h"
#include "base/compiler.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory_block {
	struct memory_block *next, *previous;
	struct region *region; /* NULL: from malloc() */
	size_t room;           /* in its region, with this */
	void *adopted;         /* to be freed with the run, or NULL */
	alignas(max_align_t) unsigned char bytes[];
};

struct text_chunk {
	struct text_chunk *older;
	size_t used, room;
	char bytes[];
};

enum { TEXT_CHUNK = 16384, LARGE_BLOCK = 1 << 20 };

/* The address sanitizer looks at what lies between blocks of malloc(), not of a region. */
enum { USES_REGIONS = !HAS_ADDRESS_SANITIZER };

void
memory_exhausted(struct run *run, size_t bytes)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "memory.exhausted",
		.hint = "allow the program more memory, or read fewer or smaller files at once",
		.number = {bytes},
	};

	run_give_up(run, &diagnostic, "cannot allocate %zu more bytes", bytes);
}

static void
block_link(struct run *run, struct memory_block *block)
{
	block->next = run->blocks;
	block->previous = NULL;
	if (run->blocks)
		run->blocks->previous = block;
	run->blocks = block;
}

static void
block_unlink(struct run *run, struct memory_block *block)
{
	if (block->next)
		block->next->previous = block->previous;
	if (block->previous)
		block->previous->next = block->next;
	else
		run->blocks = block->next;
}

static struct memory_block *
block_of(void *bytes)
{
	return (struct memory_block *)((unsigned char *)bytes -
	                               offsetof(struct memory_block, bytes));
}

/* What will be done with a block: all of it used, hardly any written, read only where written. */
enum use { USE_ALL, USE_SPARSE, USE_UNSET };

/* A block that is not linked yet, or NULL. */
static struct memory_block *
block_new(struct run *run, size_t bytes, enum use use)
{
	struct region *region = NULL;
	struct memory_block *block = NULL;

	if (use == USE_UNSET) {
		block = malloc(bytes);
		if (block)
			memset(block, 0, sizeof *block);
		return block;
	}
	if (USES_REGIONS && bytes >= LARGE_BLOCK && use != USE_SPARSE)
		block = region_take(&run->regions, bytes, &region);
	if (!block)
		return calloc(1, bytes);
	block->region = region;
	block->room = bytes;
	return block;
}

static void
block_free(struct memory_block *block)
{
	if (block->region)
		region_give(block->region, block, block->room);
	else
		free(block);
}

static void *
try_block(struct run *run, size_t bytes, enum use use)
{
	struct memory_block *block = NULL;

	if (bytes <= PTRDIFF_MAX - sizeof *block)
		block = block_new(run, sizeof *block + bytes, use);
	if (!block)
		return NULL;
	block_link(run, block);
	return block->bytes;
}

void *
memory_try(struct run *run, size_t bytes)
{
	return try_block(run, bytes, USE_ALL);
}

static void *
need_block(struct run *run, size_t bytes, enum use use)
{
	void *block = try_block(run, bytes, use);

	if (!block)
		memory_exhausted(run, bytes);
	return block;
}

void *
memory_alloc(struct run *run, size_t bytes)
{
	return need_block(run, bytes, USE_ALL);
}

void *
memory_alloc_unset(struct run *run, size_t bytes)
{
	return need_block(run, bytes, USE_UNSET);
}

static size_t
bytes_of_array(struct run *run, size_t item_bytes, size_t count)
{
	if (count > SIZE_MAX / 2 / item_bytes)
		memory_exhausted(run, SIZE_MAX);
	return item_bytes * count;
}

void *
memory_alloc_array(struct run *run, size_t item_bytes, size_t count)
{
	return memory_alloc(run, bytes_of_array(run, item_bytes, count));
}

void *
memory_alloc_sparse(struct run *run, size_t item_bytes, size_t count)
{
	return need_block(run, bytes_of_array(run, item_bytes, count), USE_SPARSE);
}

/*
 * Another size for a block; what is new can hold anything.  Growing ones leave their region: the
 * system moves pages elsewhere without copying them.  NULL: the block stays as it was.
 */
static struct memory_block *
block_resize(struct memory_block *block, size_t bytes)
{
	struct memory_block *moved;

	if (!block->region)
		return realloc(block, bytes);
	if (region_resize(block->region, block, block->room, bytes)) {
		block->room = bytes;
		return block;
	}
	moved = malloc(bytes);
	if (!moved)
		return NULL;
	memcpy(moved, block, block->room);
	moved->region = NULL;
	block_free(block);
	return moved;
}

void *
memory_grow(struct run *run, void *bytes, size_t old_bytes, size_t new_bytes)
{
	struct memory_block *block, *moved = NULL;

	if (!bytes)
		return memory_alloc(run, new_bytes);
	block = block_of(bytes);
	block_unlink(run, block);
	if (new_bytes <= PTRDIFF_MAX - sizeof *block)
		moved = block_resize(block, sizeof *block + new_bytes);
	if (!moved) {
		block_link(run, block);
		memory_exhausted(run, new_bytes);
	}
	block_link(run, moved);
	if (new_bytes > old_bytes)
		memset(moved->bytes + old_bytes, 0, new_bytes - old_bytes);
	return moved->bytes;
}

void
memory_release(struct run *run, void *bytes)
{
	if (!bytes)
		return;
	block_unlink(run, block_of(bytes));
	block_free(block_of(bytes));
}

bool
memory_adopt(struct run *run, void *bytes)
{
	void *block = memory_try(run, 0);

	if (block)
		block_of(block)->adopted = bytes;
	return block != NULL;
}

void *
memory_room(struct run *run, void *items, size_t item_bytes, uint32_t count, uint32_t *capacity,
            uint32_t more)
{
	uint64_t wanted = (uint64_t)count + more, grown;

	if (wanted <= *capacity)
		return items;
	if (wanted > UINT32_MAX - 1)
		memory_exhausted(run, SIZE_MAX);
	grown = wanted + wanted / 2 + 16;
	if (grown > UINT32_MAX - 1)
		grown = UINT32_MAX - 1;
	/*
	 * The new part is left to realloc(): it is written before it is read, and touching it here
	 * would double the resident size of large arrays.
	 */
	items = memory_grow(run, items, (size_t)grown * item_bytes, (size_t)grown * item_bytes);
	*capacity = (uint32_t)grown;
	return items;
}

static struct text_chunk *
text_room(struct run *run, size_t bytes)
{
	struct text_chunk *chunk = run->texts;

	if (!chunk || chunk->room - chunk->used < bytes) {
		size_t room = bytes > TEXT_CHUNK / 4 ? bytes : TEXT_CHUNK;

		chunk = memory_alloc_unset(run, sizeof *chunk + room);
		chunk->used = 0;
		chunk->room = room;
		/*
		 * A chunk for one large text goes behind the current one, which may have room left.
		 */
		if (run->texts && bytes > TEXT_CHUNK / 4) {
			chunk->older = run->texts->older;
			run->texts->older = chunk;
		} else {
			chunk->older = run->texts;
			run->texts = chunk;
		}
	}
	return chunk;
}

const char *
text_keep(struct run *run, const char *text, size_t length)
{
	struct text_chunk *chunk = text_room(run, length + 1);
	char *copy = chunk->bytes + chunk->used;

	memcpy(copy, text, length);
	copy[length] = '\0';
	chunk->used += length + 1;
	return copy;
}

const char *
text_format(struct run *run, const char *format, ...)
{
	va_list arguments;
	char small[512];
	int length;
	char *large;

	va_start(arguments, format);
	length = vsnprintf(small, sizeof small, format, arguments);
	va_end(arguments);
	if (length < 0)
		return "";
	if ((size_t)length < sizeof small)
		return text_keep(run, small, (size_t)length);
	large = memory_alloc(run, (size_t)length + 1);
	va_start(arguments, format);
	vsnprintf(large, (size_t)length + 1, format, arguments);
	va_end(arguments);
	return large;
}

void
memory_free_all(struct run *run)
{
	while (run->blocks) {
		struct memory_block *block = run->blocks;

		run->blocks = block->next;
		free(block->adopted);
		if (!block->region)
			free(block);
	}
	region_free_all(&run->regions);
	run->texts = NULL;
}
