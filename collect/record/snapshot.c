/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies the file of a process while the process goes on to write it.
 *
 * Chunks are never moved and their entries hardly ever change but for growing counts, so most of it
 * is copying.  What takes care:
 *   - entries are copied in words, and their keys looked at again after their counts;
 *   - the caller of a frame is there before the frame, but can have a later place in the table:
 * such a caller is copied once more;
 *   - what tables refer to is copied after them: objects, phases, and the texts last;
 *   - where counts move to another table, since an object was unloaded, all is copied again.
 */
#include "snapshot.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <gprofx/gxc.h>

#include "whole.h"

enum { TRIES = 200, PAUSE = 1000000, WORDS = 4 };

_Static_assert(sizeof(struct gxc_arc) == WORDS * sizeof(uint64_t) &&
                       sizeof(struct gxc_stack) == WORDS * sizeof(uint64_t),
               "entries are copied as words");

struct copy {
	const uint8_t *bytes; /* mapped from the file, which changes */
	uint64_t length;
	struct whole to;
	struct gxc_view *chunks; /* "at" is that of their headers */
	uint64_t *sizes;
	size_t count;
	uint64_t *buffer;
	uint64_t room;
};

static uint64_t
load(const void *word)
{
	return __atomic_load_n((const uint64_t *)word, __ATOMIC_ACQUIRE);
}

static const struct gxc_header *
header_of(const struct copy *copy)
{
	return (const struct gxc_header *)(const void *)copy->bytes;
}

/* Copies an entry whose first two words identify it, so that its count is not that of another one.
 */
static void
load_entry(uint64_t to[WORDS], const uint64_t *from)
{
	do {
		for (int i = 0; i < WORDS; i++)
			to[i] = load(&from[i]);
	} while (to[0] != load(&from[0]) || to[1] != load(&from[1]));
}

/* Calls: a site is written last, after the callee. */
static void
load_arcs(uint64_t *to, const uint64_t *from, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++, to += WORDS, from += WORDS) {
		load_entry(to, from);
		if (to[0] == 0 || to[1] == 0)
			memset(to, 0, WORDS * sizeof *to);
	}
}

static uint32_t
parent_of(const uint64_t *entry)
{
	struct gxc_stack stack;

	memcpy(&stack, entry, sizeof stack);
	return stack.parent;
}

/* An entry that is not used yet has no count: its samples came while this was copied. */
static void
load_stacks(uint64_t *to, const uint64_t *from, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		load_entry(to + i * WORDS, from + i * WORDS);
		if (to[i * WORDS] == 0)
			memset(to + i * WORDS, 0, WORDS * sizeof *to);
	}
	for (uint64_t i = 0; i < count; i++) {
		uint32_t parent = to[i * WORDS] != 0 ? parent_of(to + i * WORDS) : 0;

		while (parent != 0 && parent <= count && to[(parent - 1) * WORDS] == 0) {
			uint64_t at = (uint64_t)(parent - 1) * WORDS;

			load_entry(to + at, from + at);
			parent = to[at] != 0 ? parent_of(to + at) : 0;
		}
	}
}

static bool
copy_chunk(struct copy *copy, size_t i)
{
	enum { HEAD = sizeof(struct gxc_chunk) / sizeof(uint64_t) };
	const struct gxc_view *view = &copy->chunks[i];
	uint64_t words = copy->sizes[i] / sizeof(uint64_t);
	const uint64_t *from = (const uint64_t *)(const void *)(copy->bytes + view->at);
	uint64_t entries = (words - HEAD) / WORDS;
	bool has_words = view->entry_bytes == WORDS * sizeof(uint64_t);
	struct gxc_chunk *head;

	if (!copy->buffer || copy->sizes[i] > copy->room) {
		free(copy->buffer);
		copy->room = copy->sizes[i];
		copy->buffer = malloc(copy->room);
		if (!copy->buffer)
			return false;
	}
	for (uint64_t k = 0; k < HEAD; k++)
		copy->buffer[k] = load(&from[k]);
	head = (struct gxc_chunk *)(void *)copy->buffer;
	head->is_busy = 0;
	if (view->type == GXC_ARCS && has_words)
		load_arcs(copy->buffer + HEAD, from + HEAD, entries);
	else if ((view->type == GXC_STACKS || view->type == GXC_WAITS) && has_words)
		load_stacks(copy->buffer + HEAD, from + HEAD, entries);
	else
		entries = 0;
	for (uint64_t k = HEAD + entries * WORDS; k < words; k++)
		copy->buffer[k] = load(&from[k]);
	return whole_write(&copy->to, copy->buffer, copy->sizes[i], view->at);
}

/* What others refer to comes after them. */
static int
turn_of(uint32_t type)
{
	switch (type) {
	case GXC_STRINGS:
		return 2;
	case GXC_OBJECTS:
	case GXC_PHASES:
		return 1;
	default:
		return 0;
	}
}

/* Finds the chunks that are there now; false: one is being made, or there is no memory. */
static bool
list_chunks(struct copy *copy)
{
	struct gxc_walk walk;
	struct gxc_view view;
	size_t room = 0;
	int found;

	copy->count = 0;
	if (gxc_begin(&walk, copy->bytes, copy->length) != GXC_FINE)
		return false;
	for (;;) {
		uint64_t size;

		found = gxc_next(&walk, &view);
		if (found <= 0)
			return found == 0;
		view.at -= sizeof(struct gxc_chunk);
		size = walk.at - view.at;
		if (copy->count == room) {
			struct gxc_view *chunks;
			uint64_t *sizes;

			room = room * 2 + 256;
			chunks = realloc(copy->chunks, room * sizeof *chunks);
			copy->chunks = chunks ? chunks : copy->chunks;
			sizes = realloc(copy->sizes, room * sizeof *sizes);
			copy->sizes = sizes ? sizes : copy->sizes;
			if (!chunks || !sizes)
				return false;
		}
		copy->sizes[copy->count] = size;
		copy->chunks[copy->count++] = view;
	}
}

static bool
copy_header(const struct copy *copy, bool has_ended)
{
	enum { PAGE = 4096 };
	uint64_t page[PAGE / sizeof(uint64_t)];
	struct gxc_header *header = (struct gxc_header *)(void *)page;
	struct timespec now;

	for (size_t i = 0; i < PAGE / sizeof(uint64_t); i++)
		page[i] = load((const uint64_t *)(const void *)copy->bytes + i);
	header->bytes = copy->length;
	header->moves = 0;
	if (!has_ended) {
		clock_gettime(CLOCK_REALTIME, &now);
		header->flags |= GXC_SNAPSHOT;
		header->end = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	}
	return whole_write(&copy->to, page, sizeof page, 0);
}

static bool
copy_chunks(struct copy *copy)
{
	/* What the copy before this one had elsewhere. */
	if (ftruncate(copy->to.descriptor, 0) != 0 ||
	    ftruncate(copy->to.descriptor, (off_t)copy->length) != 0)
		return false;
	for (int turn = 0; turn < 3; turn++)
		for (size_t i = 0; i < copy->count; i++)
			if (turn_of(copy->chunks[i].type) == turn && !copy_chunk(copy, i))
				return false;
	return true;
}

static bool
has_ended(const struct copy *copy, int pid)
{
	return __atomic_load_n(&header_of(copy)->state, __ATOMIC_ACQUIRE) != GXC_RUNNING ||
	       (kill(pid, 0) != 0 && errno == ESRCH);
}

/* Maps what the file has now. */
static bool
map(struct copy *copy, int source)
{
	struct stat status;
	void *bytes;

	if (copy->bytes)
		munmap((void *)(uintptr_t)copy->bytes, copy->length);
	copy->bytes = NULL;
	if (fstat(source, &status) != 0)
		return false;
	copy->length = (uint64_t)status.st_size & ~UINT64_C(4095);
	if (copy->length < sizeof(struct gxc_header)) {
		errno = EINVAL;
		return false;
	}
	bytes = mmap(NULL, copy->length, PROT_READ, MAP_SHARED, source, 0);
	if (bytes == MAP_FAILED)
		return false;
	copy->bytes = bytes;
	return true;
}

/* Copies until nothing moved meanwhile, and once more if the process ended meanwhile. */
static enum snapshot
copy_whole(struct copy *copy, int source, int pid)
{
	const struct timespec pause = {0, PAUSE};

	errno = EAGAIN;
	for (int i = 0; i < TRIES; i++) {
		uint32_t moves;
		bool is_over;

		if (!map(copy, source))
			return SNAPSHOT_FAILED;
		is_over = has_ended(copy, pid);
		moves = __atomic_load_n(&header_of(copy)->moves, __ATOMIC_ACQUIRE);
		if (list_chunks(copy) && (is_over || moves % 2 == 0)) {
			if (!copy_chunks(copy))
				return SNAPSHOT_FAILED;
			if (is_over ||
			    (__atomic_load_n(&header_of(copy)->moves, __ATOMIC_ACQUIRE) == moves &&
			     !has_ended(copy, pid))) {
				if (!copy_header(copy, is_over))
					return SNAPSHOT_FAILED;
				return is_over ? SNAPSHOT_ENDED : SNAPSHOT_RUNNING;
			}
		} else if (is_over) {
			errno = EINVAL;
			return SNAPSHOT_FAILED;
		}
		nanosleep(&pause, NULL);
		errno = EAGAIN;
	}
	return SNAPSHOT_FAILED;
}

enum snapshot
snapshot_copy(int source, int pid, const char *to)
{
	struct copy copy = {0};
	enum snapshot result;
	int error;

	if (!whole_begin(&copy.to, to))
		return SNAPSHOT_FAILED;
	result = copy_whole(&copy, source, pid);
	if (!whole_end(&copy.to, to, result != SNAPSHOT_FAILED))
		result = SNAPSHOT_FAILED;
	error = errno;
	if (copy.bytes)
		munmap((void *)(uintptr_t)copy.bytes, copy.length);
	free(copy.chunks);
	free(copy.sizes);
	free(copy.buffer);
	errno = error;
	return result;
}
