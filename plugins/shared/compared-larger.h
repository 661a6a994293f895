/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for emitters that show reports of one run: the heavier side decides what they show.
 */
#ifndef PLUGINS_SHARED_COMPARED_LARGER_H
#define PLUGINS_SHARED_COMPARED_LARGER_H

#include <gprofx/emitter.h>

struct compared_larger {
	const struct gprofx_report *report; /* the comparison */
	/* The same report, with the larger value and the larger number of calls of both sides. */
	struct gprofx_report larger;
	struct gprofx_report_graph graph;
	struct gprofx_column nodes, arcs;
	struct gprofx_call_column node_calls, arc_calls;
};

/* Its memory is the run's. */
void compared_larger_begin(struct gprofx *gx, const struct gprofx_report *report,
                           struct compared_larger *larger);

#endif
