/* SPDX-License-Identifier: Apache-2.0 */
/* The call graphs and the calling contexts of two sides as one, with the values of both. */
#ifndef ENGINE_COMPARE_JOINED_H
#define ENGINE_COMPARE_JOINED_H

#include "base/run.h"
#include "compare/compare.h"

struct compare_matches;
struct compare_values;
struct report_model;

/* A column for each side: the base, and the new one. */
enum { JOINED_SIDES = 2 };

/* One side, as it becomes a part of the joined tables. */
struct joined_side {
	const struct compare_values *values;
	/* Contexts and lines of all runs together, in a report of its own; both NULL: not wanted.
	 */
	const struct gprofx_report *summed;
	/* Per function of that report: the one of the side, or UINT32_MAX. */
	const uint32_t *of_summed;
	uint32_t *node; /* per function of the side: its node, or UINT32_MAX: it has none */
};

/* Finds the functions of "summed" in the report of the side. */
void joined_find_summed(struct run *run, struct joined_side *side);

/* Marks functions of a side that its calls or contexts need: they get nodes without rows, too. */
uint8_t *joined_mark(struct run *run, const struct joined_side *side);

/*
 * Sets the graph of the model: nodes are functions, with the values of their rows.  Calls and times
 * of arcs are those of both sides; arcs with neither are left out.  Cycles are not shown, since
 * each side can have others.
 */
void joined_graph(struct run *run, struct report_model *model,
                  const struct joined_side sides[JOINED_SIDES],
                  const struct gprofx_report_comparison *comparison);

/* By what ticks of all runs together are multiplied, as the base and the new side are compared. */
double joined_factor(const struct joined_side *side);

/* Sets the lines of the comparison, from reports that have lines and their times. */
void
joined_lines(struct run *run, const struct joined_side sides[JOINED_SIDES],
             const struct compare_matches *matches, struct gprofx_report_comparison *comparison);

/* Sets the contexts of the model, for each of these forms (1 << report_context_form(), each). */
void joined_contexts(struct run *run, struct report_model *model,
                     const struct joined_side sides[JOINED_SIDES], uint32_t forms);

#endif
