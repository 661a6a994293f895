/* SPDX-License-Identifier: Apache-2.0 */
/* Values of arcs that a page can compute: where callers share what a callee has by their calls. */
#ifndef OUTPUT_HTML_SHARES_H
#define OUTPUT_HTML_SHARES_H

#include <gprofx/report.h> /* IWYU pragma: keep */

/* The arcs of a report, or the callers of its cycles, and one kind of their values. */
struct shares {
	const struct gprofx_report *report;
	const struct gprofx_arcs *arcs;
	const uint32_t *order; /* per place the number of an arc; NULL: they are in their order */
	const struct gprofx_reals *of_nodes, *of_arcs; /* self, or below; of the same metric */
	bool is_estimate; /* values of arcs are propagated, which alone are by calls */
};

static inline uint32_t
shares_arc(const uint32_t *order, uint32_t place)
{
	return order ? order[place] : place;
}

/* Whether each of the arcs at these places has its share, to nine significant digits. */
bool shares_follow(const struct shares *shares, uint32_t first, uint32_t end);

#endif
