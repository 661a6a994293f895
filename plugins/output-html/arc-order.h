/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of arcs in the page.  They are sorted by caller; those of a caller that has many are
 * the heaviest first, so that a page that shows some of them does not look at all.
 */
#ifndef OUTPUT_HTML_ARC_ORDER_H
#define OUTPUT_HTML_ARC_ORDER_H

#include <gprofx/report.h> /* IWYU pragma: keep */

enum { ARC_ORDER_MANY = 64 }; /* arcs of a caller */

/* Per place in the page the number of the arc in the report. */
uint32_t *arc_order(struct gprofx *gx, const struct gprofx_report *report);

#endif
