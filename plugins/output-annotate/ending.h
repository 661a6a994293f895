/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind a source file: the table of its busiest lines, and sums. */
#ifndef OUTPUT_ANNOTATE_ENDING_H
#define OUTPUT_ANNOTATE_ENDING_H

#include <gprofx/emitter.h>

#include "listing.h"

/* What has been met while the source was copied. */
struct met {
	uint32_t row;      /* the next one */
	uint64_t left_out; /* lines just before that are not shown */
	size_t column;     /* of the line that is being written, if that is to fit a screen */
	uint64_t *numbers; /* per row of the file: how often it ran */
	uint64_t executable, executed;
	uint64_t uncounted; /* of the executable ones, those without a count; and of these */
	uint64_t unknown;   /* those of which it is not even known whether they ran */
};

/* Ticks in the unit of the profile, or as they are if it has none. */
double ending_units(const struct gprofx_report *report, double ticks);

/* The unit of times, at the right of so many columns. */
void ending_put_unit(const struct listing *listing, struct gprofx_writer *w, size_t width);

/* The table, unless its length is 0, and the summary. */
void ending_put(const struct listing *listing, struct gprofx_writer *w, struct listed_rows rows,
                const struct met *met);

#endif
