/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains of functions.  A function that has no chain yet is put to the nearer end of the chain of
 * the one that it calls, or that calls it.  So chains only grow by one function at an end, and with
 * places counted from the first one the nearer end is known without a walk.
 */
#include <stdlib.h>

#include <gprofx/emitter.h>

#include "order.h"

static const double busiest_part = 0.99;

void *
order_array(struct gprofx *gx, size_t item, size_t count)
{
	return gprofx_alloc(gx, item * (count > 0 ? count : 1));
}

uint32_t
order_function_count(const struct gprofx_report *report)
{
	uint32_t count = report->functions->count;

	while (count > 0 &&
	       (report->graph->flags[count - 1] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_INDIRECT)))
		count--;
	return count;
}

bool
order_counts_arc(const struct gprofx_report *report, uint32_t arc)
{
	bool is_static = report->graph->arc_static && report->graph->arc_static[arc] != 0;

	return gprofx_id(&report->graph->arcs.caller, arc) !=
	               gprofx_id(&report->graph->arcs.callee, arc) &&
	       gprofx_id(&report->graph->arcs.caller, arc) < order_function_count(report) &&
	       !(is_static && (report->compatibility->corrections & GPROFX_CORRECT_STATIC_CALLS));
}

void
chaining_begin(struct chaining *chaining, struct gprofx *gx, const struct gprofx_report *report)
{
	/* In GNU gprof's orders there can be one more for indirect calls. */
	uint32_t functions = report->functions->count;

	*chaining = (struct chaining){
		.report = report,
		.order.items = order_array(gx, sizeof(uint32_t), functions),
		.emitted = order_array(gx, 1, functions),
		.listed = order_array(gx, 1, functions),
		.consumed = order_array(gx, 1, report->graph->arcs.count),
		/* One that is begun has two functions. */
		.chains = order_array(gx, sizeof(struct chain), functions / 2),
		.chain = order_array(gx, sizeof(uint32_t), functions),
		.right = order_array(gx, sizeof(uint32_t), functions),
		.place = order_array(gx, sizeof(int64_t), functions),
	};
	for (uint32_t f = 0; f < functions; f++)
		chaining->chain[f] = NOT_CHAINED;
}

struct arc_list
arcs_by_creation(struct gprofx *gx, const struct gprofx_report *report)
{
	struct arc_list list = {order_array(gx, sizeof(uint32_t), report->graph->arcs.count), 0};

	for (uint32_t i = 0; i < report->graph->arcs.count; i++)
		if (order_counts_arc(report, report->graph->arc_order[i]))
			list.items[list.count++] = report->graph->arc_order[i];
	return list;
}

struct arc_row {
	uint64_t calls;
	uint32_t position, arc;
};

static int
compare_rows(const void *left_row, const void *right_row)
{
	const struct arc_row *left = left_row, *right = right_row;

	if (left->calls != right->calls)
		return left->calls > right->calls ? -1 : 1;
	return left->position < right->position ? -1 : left->position > right->position;
}

void
arcs_sort(struct gprofx *gx, const struct gprofx_report *report, struct arc_list *arcs)
{
	struct arc_row *rows = order_array(gx, sizeof *rows, arcs->count);

	for (uint32_t i = 0; i < arcs->count; i++)
		rows[i] = (struct arc_row){order_calls(&report->graph->arcs, arcs->items[i]), i,
		                           arcs->items[i]};
	qsort(rows, arcs->count, sizeof *rows, compare_rows);
	for (uint32_t i = 0; i < arcs->count; i++)
		arcs->items[i] = rows[i].arc;
	gx->host->release(gx, rows);
}

void
chaining_list(struct chaining *chaining, uint32_t function)
{
	if (!chaining->listed[function])
		chaining->order.items[chaining->order.count++] = function;
	chaining->listed[function] = 1;
}

/*
 * Puts a function that has no chain to the nearer end of another's chain; where both are as near,
 * callers go to the left, callees to the right.
 */
static void
extend(struct chaining *chaining, uint32_t function, uint32_t other, bool is_caller)
{
	uint32_t number = chaining->chain[other];
	struct chain *chain = &chaining->chains[number];
	int64_t at = chaining->place[other], to_right = chain->high - at;
	int64_t to_left = at - chain->low;

	chaining->chain[function] = number;
	if (to_right < to_left || (to_right == to_left && !is_caller)) {
		chaining->right[chain->right_end] = function;
		chain->right_end = function;
		chaining->place[function] = ++chain->high;
	} else {
		chaining->right[function] = chain->left_end;
		chain->left_end = function;
		chaining->place[function] = --chain->low;
	}
}

/* Makes the ends of an arc neighbors, or brings them near; false: both have chains already. */
static bool
join(struct chaining *chaining, const struct gprofx_arc *arc)
{
	uint32_t *chain = chaining->chain;

	if (chain[arc->caller] == NOT_CHAINED && chain[arc->callee] == NOT_CHAINED) {
		chain[arc->callee] = chaining->chain_count;
		chaining->place[arc->callee] = 0;
		chaining->chains[chaining->chain_count++] = (struct chain){
			.left_end = arc->callee,
			.right_end = arc->callee};
	}
	if (chain[arc->caller] == NOT_CHAINED)
		extend(chaining, arc->caller, arc->callee, true);
	else if (chain[arc->callee] == NOT_CHAINED)
		extend(chaining, arc->callee, arc->caller, false);
	else
		return false;
	return true;
}

static void
list_chain(struct chaining *chaining, const struct chain *chain)
{
	for (uint32_t f = chain->left_end;; f = chaining->right[f]) {
		chaining->emitted[f] = 1;
		chaining_list(chaining, f);
		if (f == chain->right_end)
			return;
	}
}

static bool
is_emitted(const struct chaining *chaining, const struct gprofx_arc *arc)
{
	return chaining->emitted[arc->caller] || chaining->emitted[arc->callee];
}

void
chaining_place(struct chaining *chaining, const struct arc_list *arcs, enum chaining_mode mode,
               struct arc_list *left)
{
	const struct gprofx_arcs *rows = &chaining->report->graph->arcs;
	uint64_t total = 0, running = 0;

	for (uint32_t i = 0; i < arcs->count; i++)
		total += order_calls(rows, arcs->items[i]);
	for (uint32_t i = 0; i < arcs->count; i++) {
		uint32_t number = arcs->items[i];
		const struct gprofx_arc arc = gprofx_arc_at(rows, number);
		bool is_rare;

		running += order_calls(rows, number);
		if (chaining->consumed[number])
			continue;
		is_rare = mode == CHAIN_BUSIEST && (double)running / (double)total > busiest_part;
		if (!is_rare && !is_emitted(chaining, &arc) && join(chaining, &arc))
			chaining->consumed[number] = 1;
		else if (left)
			left->items[left->count++] = number;
	}
	for (uint32_t i = 0; i < arcs->count; i++) {
		const struct gprofx_arc arc = gprofx_arc_at(rows, arcs->items[i]);
		uint32_t chain = chaining->chain[arc.caller];

		if (!is_emitted(chaining, &arc) && chain != NOT_CHAINED)
			list_chain(chaining, &chaining->chains[chain]);
	}
	for (uint32_t i = 0; mode == CHAIN_ALL && i < arcs->count; i++) {
		const struct gprofx_arc arc = gprofx_arc_at(rows, arcs->items[i]);

		if (is_emitted(chaining, &arc))
			continue;
		chaining->emitted[arc.caller] = 1;
		chaining_list(chaining, arc.caller);
	}
}
