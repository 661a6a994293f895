/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions and calls a picture shows: a graph that can be looked at is small. */
#ifndef PLUGINS_SHARED_DOT_CHOOSE_H
#define PLUGINS_SHARED_DOT_CHOOSE_H

#include <gprofx/emitter.h>

#include "dot.h"

/* What is shown. */
struct dot_choice {
	uint32_t function_count, arc_count; /* of the report: with time or calls */
	uint32_t shown_functions, shown_arcs;
	bool *has_node; /* per function */
	bool *has_arc;  /* per arc of the report */
	double whole;   /* ticks that percentages refer to; 0: there are none */
};

/* The self time of a function that the selection leaves, in ticks; all of it without a graph. */
static inline double
dot_self(const struct gprofx_report *report, uint32_t function)
{
	const struct gprofx_column *column = report->graph->columns;

	return column->graph_total > 0 ? gprofx_real(&column->selected_self, function)
	                               : gprofx_whole_self_in(column, function);
}

/* The inclusive time, likewise. */
static inline double
dot_total(const struct gprofx_report *report, uint32_t function)
{
	const struct gprofx_column *column = report->graph->columns;

	return dot_self(report, function) +
	       (column->graph_total > 0 ? gprofx_real(&column->selected_below, function) : 0);
}

/* Fails where no function is called as the root or the leaf.  names: per function. */
enum gprofx_result
dot_choose(struct gprofx *gx, const struct gprofx_report *report, const struct gprofx_text *names,
           const struct dot_options *options, struct dot_choice *choice);

#endif
