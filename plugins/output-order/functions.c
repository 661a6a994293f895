/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of functions.  First come those that many others call, as no place near all of these
 * can be found for them; then chains; then what was called otherwise, and what was not.
 *
 * GNU gprof leaves out one of the first kind and lists some functions twice; here each stands once,
 * where gprof lists it first, and the one that is left out stands behind its like.
 */
#include <stdlib.h>

#include <gprofx/emitter.h>

#include "order.h"

static const double frequent_part = 0.90;

enum {
	POPULAR_ONE_IN = 80, /* so many of the functions that were called are looked at */
	POPULAR_STOP = 5     /* number of busy callers that ends the look */
};

struct popularity {
	uint32_t callers, function;
};

static int
compare_popularity(const void *left_row, const void *right_row)
{
	const struct popularity *left = left_row, *right = right_row;

	if (left->callers != right->callers)
		return left->callers > right->callers ? -1 : 1;
	return left->function < right->function ? -1 : left->function > right->function;
}

/* Functions that were called, by the number of their arcs among the busiest. */
static struct popularity *
rank(struct gprofx *gx, const struct gprofx_report *r, const struct arc_list *busiest_first,
     uint32_t *count)
{
	uint32_t functions = order_function_count(r);
	uint32_t *callers = order_array(gx, sizeof *callers, r->functions->count);
	struct popularity *rows = order_array(gx, sizeof *rows, functions);
	uint64_t total = 0, running = 0;

	for (uint32_t i = 0; i < busiest_first->count; i++)
		total += order_calls(&r->graph->arcs, busiest_first->items[i]);
	for (uint32_t i = 0; i < busiest_first->count; i++) {
		uint32_t arc = busiest_first->items[i];

		running += order_calls(&r->graph->arcs, arc);
		if ((double)running / (double)total > frequent_part)
			break;
		callers[gprofx_id(&r->graph->arcs.callee, arc)]++;
	}
	*count = 0;
	for (uint32_t f = 0; f < functions; f++)
		if (gprofx_calls_of(r, f) != 0)
			rows[(*count)++] = (struct popularity){callers[f], f};
	qsort(rows, *count, sizeof *rows, compare_popularity);
	gx->host->release(gx, callers);
	return rows;
}

/* Adds the arcs of a function in one of its lists to those of popular ones. */
static void
take_arcs(struct chaining *chaining, const struct gprofx_lists *lists, uint32_t function,
          struct arc_list *taken)
{
	const struct gprofx_report *r = chaining->report;

	for (uint32_t i = lists->first[function]; i < lists->first[function + 1]; i++) {
		chaining->consumed[lists->item[i]] = 1;
		if (order_counts_arc(r, lists->item[i]))
			taken->items[taken->count++] = lists->item[i];
	}
}

/*
 * Lists the popular functions, but those that call each other, or are called by what is never
 * called: their arcs go to *near.
 */
static void
list_popular(struct chaining *chaining, struct gprofx *gx, const struct arc_list *busiest_first,
             struct arc_list *near)
{
	const struct gprofx_report *r = chaining->report;
	uint32_t used, count, popular = 0;
	struct popularity *rows = rank(gx, r, busiest_first, &used);
	struct arc_list taken = {NULL, 0};

	count = used / POPULAR_ONE_IN;
	/* An arc can stand in the lists of two functions. */
	if (count > 0)
		taken.items = order_array(gx, 2 * sizeof(uint32_t), r->graph->arcs.count);
	for (; popular < count && rows[popular].callers != POPULAR_STOP; popular++) {
		uint32_t function = rows[popular].function;

		chaining->emitted[function] = 1;
		take_arcs(chaining, &r->graph->callees, function, &taken);
		take_arcs(chaining, &r->graph->callers, function, &taken);
	}
	for (uint32_t i = 0; i < taken.count; i++) {
		const struct gprofx_arc arc = gprofx_arc_at(&r->graph->arcs, taken.items[i]);

		if (!chaining->emitted[arc.caller] || !chaining->emitted[arc.callee])
			continue;
		chaining->emitted[arc.caller] = chaining->emitted[arc.callee] = 0;
		near->items[near->count++] = taken.items[i];
	}
	for (uint32_t i = 0; i < popular; i++)
		if (chaining->emitted[rows[i].function])
			chaining_list(chaining, rows[i].function);
	gx->host->release(gx, taken.items);
	gx->host->release(gx, rows);
}

struct order
order_functions(struct gprofx *gx, const struct gprofx_report *r)
{
	uint32_t functions = order_function_count(r);
	struct chaining chaining;
	struct arc_list arcs, near, left;

	chaining_begin(&chaining, gx, r);
	for (uint32_t f = 0; f < functions; f++)
		chaining.emitted[f] = gprofx_calls_of(r, f) == 0;
	if (r->graph->arcs.count > 0) {
		arcs = arcs_by_creation(gx, r);
		arcs_sort(gx, r, &arcs);
		near = (struct arc_list){order_array(gx, sizeof(uint32_t), arcs.count), 0};
		left = (struct arc_list){order_array(gx, sizeof(uint32_t), arcs.count), 0};
		list_popular(&chaining, gx, &arcs, &near);
		arcs_sort(gx, r, &near);
		chaining_place(&chaining, &near, CHAIN_ALL, NULL);
		chaining_place(&chaining, &arcs, CHAIN_BUSIEST, &left);
		chaining_place(&chaining, &left, CHAIN_ALL, NULL);
	}
	for (uint32_t f = 0; f < functions; f++)
		if (gprofx_calls_of(r, f) != 0)
			chaining_list(&chaining, f);
	for (uint32_t f = 0; f < functions; f++)
		chaining_list(&chaining, f);
	return chaining.order;
}
