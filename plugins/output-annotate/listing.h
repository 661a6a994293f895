/* SPDX-License-Identifier: Apache-2.0 */
/* One source file with what is known about its lines. */
#ifndef OUTPUT_ANNOTATE_LISTING_H
#define OUTPUT_ANNOTATE_LISTING_H

#include <gprofx/emitter.h>

struct listing {
	struct gprofx *gx;
	const struct gprofx_report *report;
	struct counter *counter;
	uint64_t least; /* lines that ran less often are marked */
	uint64_t table_length;
	uint64_t context; /* lines shown around those with data; UINT64_MAX: the whole file */
	size_t row_width; /* columns of a line, which then continues below; 0: any number */
	double hot;       /* percent of the time from which on a line is marked; */
	bool has_times;   /* there are times to show */
	bool by_function; /* only lines with functions have counts, unless a compiler counted */
	uint8_t *buffer;  /* of LISTING_BUFFER bytes */
};

enum { LISTING_BUFFER = 1 << 17 };

/* The rows of gprofx_report_source.line that are of one file. */
struct listed_rows {
	uint32_t first, end;
};

/*
 * Writes the lines of a source, or those around what is known, then the table of the busiest and
 * the summary.  Returns the number of lines that it has; *error: why it could not be read to its
 * end, an errno value, or 0.
 */
uint64_t listing_put(const struct listing *listing, struct gprofx_writer *w, int source,
                     struct listed_rows rows, int *error);

/* Ticks of all lines of a file. */
double listing_ticks(const struct gprofx_report *report, struct listed_rows rows);

/* The heading of the columns before the lines. */
void listing_put_heading(const struct listing *listing, struct gprofx_writer *w);

#endif
