/* SPDX-License-Identifier: Apache-2.0 */
/* Who calls the functions of the table. */
#ifndef OUTPUT_TOP_CALLERS_H
#define OUTPUT_TOP_CALLERS_H

#include <gprofx/report.h>

#include "table.h"

/*
 * Looks for callers in all arcs, once.  They are weighed by calls; where stacks have measured the
 * times, by these.
 */
void callers_find(struct gprofx *gx, const struct table *table);

/*
 * Both callers in a line if they fit, with shortened names; else the first one, and the second one
 * below it if its share is worth a line.
 */
void callers_fit(const struct table *table, struct table_row *row, size_t width);

/* The columns that both callers need; 0: none is known. */
size_t callers_width(const struct table *table, const struct table_row *row);

/* The heading of the column, with what shares of callers refer to. */
const char *callers_heading(const struct table *table);

#endif
