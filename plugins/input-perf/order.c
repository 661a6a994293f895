/* SPDX-License-Identifier: Apache-2.0 */
#include "../shared/grown.h"
#include "records.h"
#include "reading.h"

bool
perfdata_time(const struct perfdata *p, const struct perfdata_record *record, uint64_t *time)
{
	const struct perfdata_attribute *attribute = perfdata_attribute_of(p, record);
	uint32_t at;

	if (!attribute || attribute->time_at == 0)
		return false;
	if (record->type == RECORD_SAMPLE)
		at = attribute->time_at;
	else if (attribute->time_back != 0 && record->bytes >= RECORD_BYTES + attribute->time_back)
		at = record->bytes - attribute->time_back;
	else
		return false;
	if (record->bytes < at + 8)
		return false;
	*time = perfdata_u64(p, record->at + at);
	return *time != 0 && *time != UINT64_MAX;
}

static bool
is_before(const struct perfdata_run *left, const struct perfdata_run *right)
{
	return left->time != right->time ? left->time < right->time
	                                 : left->position < right->position;
}

static void
sink(struct perfdata_order *order)
{
	struct perfdata_run *runs = order->runs, moved = runs[0];
	uint32_t at = 0, child;

	while ((child = 2 * at + 1) < order->count) {
		if (child + 1 < order->count && is_before(&runs[child + 1], &runs[child]))
			child++;
		if (!is_before(&runs[child], &moved))
			break;
		runs[at] = runs[child];
		at = child;
	}
	runs[at] = moved;
}

/* The run that grew joins the others. */
static void
close_run(struct perfdata *p)
{
	struct perfdata_order *order = &p->order;
	uint32_t at = order->count;

	if (!order->last.at)
		return;
	order->runs = grown(p->gx, order->runs, sizeof *order->runs, &order->room, order->count + 1,
	                    64);
	while (at > 0 && is_before(&order->last, &order->runs[(at - 1) / 2])) {
		order->runs[at] = order->runs[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	order->runs[at] = order->last;
	order->count++;
	order->last.at = NULL;
}

void
perfdata_order_add(struct perfdata *p, struct perfdata_block *block,
                   const struct perfdata_record *record, uint64_t time)
{
	struct perfdata_order *order = &p->order;

	order->latest = time > order->latest ? time : order->latest;
	if (order->last.at && (order->last.block != block || time < order->last_time))
		close_run(p);
	if (!order->last.at) {
		order->last = (struct perfdata_run){.at = record->at,
		                                    .time = time,
		                                    .position = order->next_position++,
		                                    .block = block};
		block->users++;
	}
	order->last.end = record->at + record->bytes;
	order->last_time = time;
}

/* Goes on to the next record of the first run that has a time; false: there is none. */
static bool
advance(struct perfdata *p, struct perfdata_run *run)
{
	struct perfdata_record record;

	while (perfdata_record_at(p, run->at, run->end, &record)) {
		if (record.type <= RECORD_LAST_OF_KERNEL && perfdata_time(p, &record, &run->time))
			return true;
		run->at += record.bytes + perfdata_behind(p, &record, run->end);
	}
	return false;
}

/* Passes on records of the first run that no other one has earlier ones than, up to a time. */
static enum gprofx_result
pass_run(struct perfdata *p, uint64_t limit)
{
	struct perfdata_order *order = &p->order;
	struct perfdata_run *run = order->runs;
	const struct perfdata_run *second = order->count > 1 ? &order->runs[1] : NULL;
	struct perfdata_block *block = run->block;

	if (order->count > 2 && is_before(&order->runs[2], second))
		second = &order->runs[2];
	do {
		struct perfdata_record record;
		enum gprofx_result result;

		if (!perfdata_record_at(p, run->at, run->end, &record))
			break;
		result = perfdata_take_record(p, &record);
		if (result != GPROFX_OK)
			return result;
		run->at += record.bytes;
		if (!advance(p, run)) {
			order->runs[0] = order->runs[--order->count];
			sink(order);
			return perfdata_leave_block(p, block);
		}
	} while (run->time <= limit && (!second || is_before(run, second)));
	sink(order);
	return GPROFX_OK;
}

static enum gprofx_result
pass_up_to(struct perfdata *p, uint64_t limit)
{
	close_run(p);
	while (p->order.count > 0 && p->order.runs[0].time <= limit) {
		enum gprofx_result result = pass_run(p, limit);

		if (result != GPROFX_OK)
			return result;
	}
	return GPROFX_OK;
}

enum gprofx_result
perfdata_end_round(struct perfdata *p)
{
	uint64_t limit = p->order.delivered;

	p->order.delivered = p->order.latest;
	return pass_up_to(p, limit);
}

enum gprofx_result
perfdata_end_order(struct perfdata *p)
{
	return pass_up_to(p, UINT64_MAX);
}

void
perfdata_release_order(struct perfdata *p)
{
	p->gx->host->release(p->gx, p->order.runs);
}
