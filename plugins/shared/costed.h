/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles that state what calls cost, with all that was called. */
#ifndef PLUGINS_SHARED_COSTED_H
#define PLUGINS_SHARED_COSTED_H

#include <gprofx/emitter.h>

/*
 * Whether inclusive times are those of calls that were measured as a whole, and not of stacks: of
 * such calls, the callee's own part is not known.
 */
static inline bool
costed_calls(const struct gprofx_report *report)
{
	return gprofx_is_measured(report) && report->graph->arcs.count > 0 &&
	       report->graph->arcs.columns->self_origin == GPROFX_ESTIMATED;
}

#endif
