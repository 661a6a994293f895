/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a comparison: which functions and calls it shows is decided by the heavier side.
 */
#ifndef PLUGINS_SHARED_DOT_COMPARED_H
#define PLUGINS_SHARED_DOT_COMPARED_H

#include <gprofx/emitter.h>

#include "compared-larger.h"
#include "dot.h"

/* A comparison whose picture is drawn. */
struct dot_compared {
	struct compared_larger of; /* first */
	const uint32_t *row;       /* per node: its row plus 1; 0: none */
	const double *factors;     /* as compared_factors() has them */
	bool has_total_colors;     /* colors show verdicts of total values, not of self values */
};

/* Its memory is the run's. */
void dot_compared_begin(struct gprofx *gx, const struct gprofx_report *report,
                        const struct dot_options *options, struct dot_compared *compared);

/* The row of a function, or NULL: it has neither values nor calls. */
static inline const struct gprofx_compared *
dot_compared_row(const struct dot_compared *compared, uint32_t node)
{
	uint32_t row = compared->row[node];

	return row != 0 ? gprofx_compared_at(compared->of.report, row - 1) : NULL;
}

struct dot;

/* What came out, and what colors mean: lines of a label, all but the last one ended. */
void dot_compared_put_sentence(struct dot *d);

/* A function with both values, in the color of its verdict; and a call, which has none. */
void dot_compared_put_node(struct dot *d, uint32_t function);
void dot_compared_put_arc(struct dot *d, uint32_t number);

#endif
