/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of times per call: in one unit for all rows, which stands in the heading, or each
 * figure in the unit that fits it.
 */
#ifndef OUTPUT_FLAT_PER_CALL_H
#define OUTPUT_FLAT_PER_CALL_H

#include <gprofx/emitter.h>

/* A unit of time: the one of the profile, or a thousandth of it, … */
struct unit {
	char prefix;  /* ' ': none */
	double scale; /* units in one of the profile's */
};

struct per_call {
	const struct gprofx_report *report;
	bool fits_each;              /* each figure has its own unit behind it */
	struct unit unit;            /* else all have this one */
	int self_width, total_width; /* of the columns, with their units */
	/* The second line of the heading; the first line has nothing if there is a unit for each.
	 */
	char self_heading[16], total_heading[16];
};

/* How the figures of this report are shown. */
struct per_call per_call_begin(const struct gprofx_report *report);

/* Writes a function's time per call, of which it has some, into a column of this width. */
void per_call_put(const struct per_call *per_call, struct gprofx_writer *writer, uint32_t function,
                  bool is_total, int width);

#endif
