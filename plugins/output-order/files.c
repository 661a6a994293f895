/* SPDX-License-Identifier: Apache-2.0 */
/* The order of files: of the functions that stand for them. */
#include <gprofx/emitter.h>

#include "order.h"

static bool
is_file(const struct gprofx_report *r, uint32_t function)
{
	return (r->graph->flags[function] & GPROFX_NODE_FILE) != 0;
}

struct order
order_files(struct gprofx *gx, const struct gprofx_report *r)
{
	uint32_t functions = order_function_count(r);
	struct chaining chaining;

	chaining_begin(&chaining, gx, r);
	if (r->graph->arcs.count > 0) {
		struct arc_list arcs = arcs_by_creation(gx, r);

		for (uint32_t i = 0; i < r->graph->arcs.count; i++)
			chaining.consumed[i] = !is_file(r, gprofx_id(&r->graph->arcs.callee, i)) ||
			                       gprofx_id(&r->graph->arcs.caller, i) >= functions ||
			                       !is_file(r, gprofx_id(&r->graph->arcs.caller, i));
		/* GNU gprof does not sort them here. */
		chaining_place(&chaining, &arcs, CHAIN_BUSIEST, NULL);
	}
	for (uint32_t f = 0; f < functions; f++)
		if (is_file(r, f))
			chaining_list(&chaining, f);
	return chaining.order;
}
