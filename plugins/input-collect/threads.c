/* SPDX-License-Identifier: Apache-2.0 */
/* Threads, and the slice that the rows of a chunk are of. */
#include <stdlib.h>
#include <string.h>

#include "reading.h"

enum { NAME_BYTES = 16 };

static int
compare(const void *left, const void *right)
{
	const struct thread *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static void
declare(struct reading *r, const struct gxc_view *chunk, uint64_t at)
{
	struct gprofx_raw_thread row = {
		.size = sizeof row,
		.process = r->process,
		.number = gxc_u32(&r->walk, at + offsetof(struct gxc_thread, tid)),
		.cpu_ns = gxc_u64(&r->walk, at + offsetof(struct gxc_thread, cpu_ns)),
	};
	uint32_t number = gxc_u32(&r->walk, at + offsetof(struct gxc_thread, number));
	char name[NAME_BYTES + 1] = "";

	if (number == 0)
		return;
	memcpy(name, r->file->bytes + at + offsetof(struct gxc_thread, name), NAME_BYTES);
	row.name = name;
	if (chunk->entry_bytes >= offsetof(struct gxc_thread, reserved))
		row.threads = gxc_u32(&r->walk, at + offsetof(struct gxc_thread, threads));
	r->threads[r->thread_count++] = (struct thread){
		.number = number,
		.thread = r->profile->builder->thread(r->gx, r->profile, r->file, &row),
	};
}

void
threads_declare(struct reading *r)
{
	uint64_t room = 0;

	for (uint32_t i = 0; i < r->chunk_count; i++)
		if (r->chunks[i].type == GXC_THREADS)
			room += r->chunks[i].count;
	if (room > UINT32_MAX)
		return;
	r->threads = gprofx_alloc(r->gx, (size_t)(room + 1) * sizeof *r->threads);
	for (uint32_t i = 0; i < r->chunk_count; i++)
		for (uint64_t k = 0; r->chunks[i].type == GXC_THREADS && k < r->chunks[i].count;
		     k++)
			declare(r, &r->chunks[i], r->chunks[i].at + k * r->chunks[i].entry_bytes);
	qsort(r->threads, r->thread_count, sizeof *r->threads, compare);
}

/* The first thread of this number, or NULL. */
static struct thread *
find(const struct reading *r, uint32_t number)
{
	uint32_t low = 0, high = r->thread_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->threads[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->thread_count && r->threads[low].number == number ? &r->threads[low] : NULL;
}

uint32_t
threads_slice(struct reading *r, const struct gxc_view *chunk)
{
	const struct gprofx_profile_builder *builder = r->profile->builder;
	const struct gprofx_raw_thread unknown = {
		.size = sizeof unknown,
		.process = r->process,
		.is_unknown = 1,
	};
	struct thread *thread = find(r, chunk->thread);
	uint32_t phase = phases_of(r, chunk);

	/* The tables of all threads have what was in objects that are gone. */
	if (!thread)
		thread = &r->unknown;
	if (thread->thread == 0)
		thread->thread = builder->thread(r->gx, r->profile, r->file, &unknown);
	if (thread->slice == 0 || thread->phase != phase) {
		thread->slice = builder->slice(r->gx, r->profile, r->file, thread->thread, phase);
		thread->phase = phase;
	}
	return thread->slice;
}
