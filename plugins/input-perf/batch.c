/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../shared/grown.h"
#include "../shared/stack-batch.h"
#include "records.h"
#include "numbers.h"
#include "reading.h"

/* ROOM: the last sample can be one of each event of a group. */
enum { MOST_SAMPLES = 8192, ROOM = MOST_SAMPLES + UINT16_MAX / 8, MOST_FRAMES = 1 << 17 };

uint64_t *
perfdata_batch_frames(struct perfdata *p, uint32_t count)
{
	struct perfdata_batch *batch = &p->batch;

	batch->address = grown(p->gx, batch->address, sizeof *batch->address, &batch->address_room,
	                       batch->address_count + count, MOST_FRAMES);
	return batch->address + batch->address_count;
}

static void
begin(struct perfdata *p)
{
	struct perfdata_batch *batch = &p->batch;

	batch->samples = gprofx_alloc(p->gx, ROOM * sizeof *batch->samples);
	batch->order = gprofx_alloc(p->gx, ROOM * sizeof *batch->order);
	batch->begin = gprofx_alloc(p->gx, ROOM * sizeof *batch->begin);
	batch->slice = gprofx_alloc(p->gx, ROOM * sizeof *batch->slice);
	batch->first = gprofx_alloc(p->gx, (ROOM + 1) * sizeof *batch->first);
	batch->weight = gprofx_alloc(p->gx, 2 * ROOM * sizeof *batch->weight);
	batch->squares = gprofx_alloc(p->gx, 2 * ROOM * sizeof *batch->squares);
}

enum gprofx_result
perfdata_batch_begin(struct perfdata *p)
{
	const struct perfdata_batch *batch = &p->batch;

	if (!batch->samples)
		begin(p);
	if (batch->count >= MOST_SAMPLES || batch->address_count > MOST_FRAMES)
		return perfdata_batch_pass(p);
	return GPROFX_OK;
}

void
perfdata_batch_add(struct perfdata *p, const struct perfdata_sample *sample)
{
	p->batch.samples[p->batch.count++] = *sample;
	p->processes[sample->process].pending++;
}

/* Passes samples of one process and event, in this order. */
static enum gprofx_result
pass_group(struct perfdata *p, const uint32_t *samples, uint32_t count)
{
	struct perfdata_batch *batch = &p->batch;
	const struct perfdata_sample *one = &batch->samples[samples[0]];
	const struct perfdata_attribute *event = &p->attributes[one->event];
	const struct gprofx_from from = {
		.size = sizeof from,
		.process = perfdata_host_process(p, &p->processes[one->process]),
	};
	struct gprofx_raw_stacks rows = {
		.size = sizeof rows,
		.count = count,
		.first = batch->first,
		.weight = batch->weight,
		.squares = batch->squares,
		.slice = batch->slice,
		.metrics = event->metrics,
		.metric_count = event->metric_count,
	};
	uint32_t frames = 0, k = 0;

	batch->frames = grown(p->gx, batch->frames, sizeof *batch->frames, &batch->frame_room,
	                      batch->address_count, MOST_FRAMES);
	for (uint32_t i = 0; i < count; i++) {
		const struct perfdata_sample *sample = &batch->samples[samples[i]];

		batch->first[i] = frames;
		memcpy(batch->frames + frames, batch->address + sample->first,
		       sample->frames * sizeof *batch->frames);
		frames += sample->frames;
		batch->slice[i] = sample->slice;
		batch->weight[k] = sample->weight / event->divisor;
		batch->squares[k] = stack_batch_square(batch->weight[k]);
		k++;
		if (event->metric_count > 1)
			batch->weight[k] = batch->squares[k] = 1, k++;
	}
	batch->first[count] = frames;
	rows.address = batch->frames;
	return p->profile->builder->stacks(p->gx, p->profile, p->file, &from, &rows);
}

/* Numbers of samples, those of one process and event side by side, in the order of their first. */
static void
group(struct perfdata *p, struct number_table *groups)
{
	struct perfdata_batch *batch = &p->batch;
	uint32_t count = 0, sum = 0;

	for (uint32_t i = 0; i < batch->count; i++) {
		const struct perfdata_sample *sample = &batch->samples[i];
		uint64_t key = (uint64_t)sample->process << 32 | sample->event;
		uint32_t number = perfdata_number(groups, key);

		if (number == 0) {
			number = ++count;
			perfdata_set_number(p->gx, groups, key, number);
			batch->begin[number - 1] = 0;
		}
		batch->begin[number - 1]++;
		/* Until they are in order, the numbers of groups. */
		batch->slice[i] = number - 1;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t own = batch->begin[i];

		batch->begin[i] = sum;
		sum += own;
	}
	for (uint32_t i = 0; i < batch->count; i++)
		batch->order[batch->begin[batch->slice[i]]++] = i;
}

enum gprofx_result
perfdata_batch_pass(struct perfdata *p)
{
	struct perfdata_batch *batch = &p->batch;
	enum gprofx_result result = GPROFX_OK;
	struct number_table groups = {0};

	if (batch->count > 0)
		group(p, &groups);
	for (uint32_t i = 0; i < batch->count && result == GPROFX_OK;) {
		const struct perfdata_sample *one = &batch->samples[batch->order[i]];
		uint32_t past = i;

		for (; past < batch->count; past++) {
			const struct perfdata_sample *other = &batch->samples[batch->order[past]];

			if (other->process != one->process || other->event != one->event)
				break;
		}
		result = pass_group(p, batch->order + i, past - i);
		i = past;
	}
	for (uint32_t i = 0; i < batch->count; i++)
		p->processes[batch->samples[i].process].pending = 0;
	batch->count = batch->address_count = 0;
	perfdata_forget_numbers(p->gx, &groups);
	return result;
}

void
perfdata_release_batch(struct perfdata *p)
{
	const struct gprofx_host *host = p->gx->host;

	host->release(p->gx, p->batch.samples);
	host->release(p->gx, p->batch.address);
	host->release(p->gx, p->batch.order);
	host->release(p->gx, p->batch.begin);
	host->release(p->gx, p->batch.first);
	host->release(p->gx, p->batch.slice);
	host->release(p->gx, p->batch.weight);
	host->release(p->gx, p->batch.squares);
	host->release(p->gx, p->batch.frames);
}
