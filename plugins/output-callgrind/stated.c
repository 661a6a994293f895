/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function has a block for its lines, and another one for those of it when it was active already,
 * as the profile distinguishes both.  So readers find the same inclusive costs as in the profile.
 */
#include "stated.h"

#include <gprofx/report.h>
#include "../shared/export-values.h"
#include "body.h"
#include "costs.h"
#include "executions.h"

/* Places by block, and calls by the place of their caller; each in the order of the profile. */
struct order {
	uint32_t *place_first, *place; /* per block: two for each function */
	uint32_t *call_first, *call;   /* per place */
};

/* Sorts numbers by their keys: those of key k are item[first[k]] ... item[first[k + 1] - 1]. */
static void
sort_by_key(struct gprofx *gx, const uint32_t *keys, uint32_t count, uint32_t key_count,
            uint32_t **first, uint32_t **item)
{
	uint32_t *next = gprofx_alloc(gx, ((size_t)key_count + 2) * sizeof *next);

	*item = gprofx_alloc(gx, ((size_t)count + 1) * sizeof **item);
	/* next[k + 1] is where the next one of k goes, and then the end of k. */
	for (uint32_t i = 0; i < count; i++)
		next[(size_t)keys[i] + 2]++;
	for (uint32_t k = 2; k < key_count + 2; k++)
		next[k] += next[k - 1];
	for (uint32_t i = 0; i < count; i++)
		(*item)[next[(size_t)keys[i] + 1]++] = i;
	*first = next;
}

static struct order
make_order(struct gprofx *gx, const struct gprofx_report_stated *stated, uint32_t functions)
{
	uint32_t most = stated->place_count > stated->call_count ? stated->place_count
	                                                         : stated->call_count;
	uint32_t *keys = gprofx_alloc(gx, ((size_t)most + 1) * sizeof *keys);
	struct order order;

	for (uint32_t i = 0; i < stated->place_count; i++)
		keys[i] = 2 * stated->node[i] + (stated->flags[i] & GPROFX_STATED_NESTED ? 1 : 0);
	sort_by_key(gx, keys, stated->place_count, 2 * functions, &order.place_first, &order.place);
	for (uint32_t i = 0; i < stated->call_count; i++)
		keys[i] = gprofx_id(&stated->caller, i);
	sort_by_key(gx, keys, stated->call_count, stated->place_count, &order.call_first,
	            &order.call);
	gx->host->release(gx, keys);
	return order;
}

/* The values of a row, a place or a call, by event; false: all are 0. */
static bool
values_of(const struct work *w, const uint64_t *const *rows, uint32_t row,
          uint64_t values[BODY_MOST_EVENTS])
{
	const struct body *body = w->body;
	bool any = false;

	for (uint32_t i = 0; i < body->event_count; i++) {
		const struct event *event = &body->events[i];
		uint64_t ticks = rows[body->costs.metrics[event->metric].metric][row];
		struct export_sum alone = {0};

		/* Doubles do not hold all integers. */
		values[i] = event->scale.times == event->scale.by
		                    ? ticks
		                    : export_round(&alone,
		                                   export_scaled(&event->scale, (double)ticks));
		any = any || ticks > 0;
	}
	return any;
}

static void
put_calls(struct work *w, const struct order *order, uint32_t place, uint32_t file)
{
	const struct gprofx_report_stated *stated = w->report->stated;
	uint64_t values[BODY_MOST_EVENTS];

	for (uint32_t i = order->call_first[place]; i < order->call_first[place + 1]; i++) {
		uint32_t call = order->call[i];
		uint32_t callee = stated->node[gprofx_id(&stated->callee, call)];
		bool is_nested = (stated->call_flags[call] & GPROFX_STATED_TO_NESTED) != 0;

		values_of(w, stated->cost, call, values);
		lines_put_file(w, file);
		lines_put_call(w, stated->line[place], callee,
		               is_nested ? lines_nested_name(w, callee) : callee,
		               gprofx_count(&stated->calls, call), values);
	}
}

/* The lines of a function, or of it when it was active already. */
static void
put_block(struct work *w, const struct order *order, uint32_t function, bool is_nested)
{
	const struct gprofx_report_stated *stated = w->report->stated;
	uint32_t block = 2 * function + is_nested, end = order->place_first[block + 1];
	uint64_t values[BODY_MOST_EVENTS];
	bool has_begun = false;

	for (uint32_t i = order->place_first[block]; i < end; i++) {
		uint32_t place = order->place[i], file = w->file[w->stated_files + place];
		bool any = values_of(w, stated->self, place, values);
		bool calls = w->body->has_calls &&
		             order->call_first[place] < order->call_first[place + 1];

		if (!any && !calls)
			continue;
		if (!has_begun)
			lines_begin_block(w, function,
			                  is_nested ? lines_nested_name(w, function) : function);
		/* The first line is written without costs, too, so that the order is kept. */
		if (any || !has_begun) {
			lines_put_file(w, file);
			lines_put_costs(w, stated->line[place], values, 0);
		}
		has_begun = true;
		if (calls)
			put_calls(w, order, place, file);
	}
	if (is_nested || !w->body->executions.are_known)
		return;
	if (!has_begun)
		lines_begin_block(w, function, function);
	body_put_executions(w, function);
}

void
stated_measure(struct work *w)
{
	const struct gprofx_report_stated *stated = w->report->stated;
	uint64_t values[BODY_MOST_EVENTS];

	for (uint32_t i = 0; i < stated->place_count; i++) {
		values_of(w, stated->self, i, values);
		for (uint32_t k = 0; k < w->body->event_count; k++)
			w->body->totals[k] += values[k];
	}
}

void
stated_put(struct work *w)
{
	const struct costs *costs = &w->body->costs;
	struct order order = make_order(w->body->gx, w->report->stated, costs->count);

	for (uint32_t i = 0; i < costs->count; i++) {
		if (!costs->is_shown[i])
			continue;
		put_block(w, &order, i, false);
		put_block(w, &order, i, true);
	}
}
