/* SPDX-License-Identifier: Apache-2.0 */
#include "stack-batch.h"

void
stack_batch_begin(struct stack_batch *batch)
{
	const size_t weights = (size_t)STACK_BATCH_STACKS * batch->weights;

	batch->rows.size = sizeof batch->rows;
	batch->from.size = sizeof batch->from;
	batch->first = gprofx_alloc(batch->gx, (STACK_BATCH_STACKS + 1) * sizeof *batch->first);
	batch->weight = gprofx_alloc(batch->gx, weights * sizeof *batch->weight);
	batch->squares = gprofx_alloc(batch->gx, weights * sizeof *batch->squares);
	if (batch->has_slices)
		batch->slice = gprofx_alloc(batch->gx, STACK_BATCH_STACKS * sizeof *batch->slice);
}

enum gprofx_result
stack_batch_pass(struct stack_batch *batch)
{
	enum gprofx_result result = GPROFX_OK;

	batch->rows.first = batch->first;
	batch->rows.place = batch->place;
	batch->rows.address = batch->address;
	batch->rows.slice = batch->slice;
	batch->rows.weight = batch->weight;
	batch->rows.squares = batch->has_squares ? batch->squares : NULL;
	if (batch->rows.count > 0)
		result = batch->profile->builder->stacks(batch->gx, batch->profile, batch->file,
		                                         &batch->from, &batch->rows);
	batch->rows.count = 0;
	batch->frame_count = 0;
	return result;
}

void
stack_batch_release(struct stack_batch *batch)
{
	const struct gprofx_host *host = batch->gx->host;

	host->release(batch->gx, batch->first);
	host->release(batch->gx, batch->place);
	host->release(batch->gx, batch->address);
	host->release(batch->gx, batch->slice);
	host->release(batch->gx, batch->weight);
	host->release(batch->gx, batch->squares);
}
