/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks on their way from a reader to the host, many at a time. */
#ifndef PLUGINS_SHARED_STACK_BATCH_H
#define PLUGINS_SHARED_STACK_BATCH_H

#include <gprofx/reader.h>

#include "grown.h"

enum { STACK_BATCH_STACKS = 4096, STACK_BATCH_FRAMES = 1 << 16 };

struct stack_batch {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	/* For the reader to set: what weights measure, and where addresses are. */
	struct gprofx_raw_stacks rows;
	struct gprofx_from from;
	uint32_t weights;   /* of each stack */
	bool is_by_address; /* frames are addresses, and no places */
	bool has_squares, has_slices;
	/* Stacks that are complete are rows.count. */
	uint32_t *first, *place, *slice;
	uint64_t *address, *weight, *squares;
	uint32_t frame_count, frame_room;
};

/* The first three members are set, and those for the reader, which do not change afterwards. */
void stack_batch_begin(struct stack_batch *batch);

/* Passes what is there to the host. */
enum gprofx_result stack_batch_pass(struct stack_batch *batch);

void stack_batch_release(struct stack_batch *batch);

/* Room for so many more frames of the stack under way; the innermost one comes first. */
static inline void
stack_batch_reserve(struct stack_batch *batch, uint32_t frames)
{
	uint32_t wanted = batch->frame_count + frames;

	if (batch->is_by_address)
		batch->address = grown(batch->gx, batch->address, sizeof *batch->address,
		                       &batch->frame_room, wanted, STACK_BATCH_FRAMES);
	else
		batch->place = grown(batch->gx, batch->place, sizeof *batch->place,
		                     &batch->frame_room, wanted, STACK_BATCH_FRAMES);
}

/* Weights of the stack under way, and the sums of their squares; of the stack before, at first. */
static inline uint64_t *
stack_batch_weights(const struct stack_batch *batch)
{
	return batch->weight + (size_t)batch->rows.count * batch->weights;
}

static inline uint64_t *
stack_batch_squares(const struct stack_batch *batch)
{
	return batch->squares + (size_t)batch->rows.count * batch->weights;
}

/* The square of a weight, which stays at the largest number there is. */
static inline uint64_t
stack_batch_square(uint64_t weight)
{
	return weight > UINT32_MAX ? UINT64_MAX : weight * weight;
}

/* Forgets the frames of the stack under way. */
static inline void
stack_batch_drop(struct stack_batch *batch)
{
	batch->frame_count = batch->first[batch->rows.count];
}

static inline bool
stack_batch_is_empty(const struct stack_batch *batch)
{
	return batch->frame_count == batch->first[batch->rows.count];
}

/* The stack is complete. */
static inline enum gprofx_result
stack_batch_end_stack(struct stack_batch *batch)
{
	batch->first[++batch->rows.count] = batch->frame_count;
	if (batch->rows.count == STACK_BATCH_STACKS || batch->frame_count > STACK_BATCH_FRAMES)
		return stack_batch_pass(batch);
	return GPROFX_OK;
}

#endif
