/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of a comparison share. */
#ifndef OUTPUT_DIFF_LISTING_H
#define OUTPUT_DIFF_LISTING_H

#include <gprofx/emitter.h>

#include "../shared/compared-rows.h"
#include "../shared/names.h"

struct diff_options;

/* Widths of columns, with the blanks that stand before them, or around them. */
enum { DIFF_VALUES_WIDTH = 9 + 1 + 9 + 1 + 10, DIFF_RATIO_WIDTH = 1 + 7 + 2 };

struct listing {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct gprofx_report_comparison *comparison;
	struct gprofx_writer *w;
	const struct diff_options *options;
	struct names names;
	enum compared_kind kind;
	bool is_estimated; /* values of the table */
};

/* The values of both sides, and their difference. */
void diff_put_values(const struct listing *l, double base, double now);

void diff_put_ratio(struct gprofx_writer *w, double base, double now);

/* Calls per run: runs can differ. */
void diff_put_calls(struct gprofx_writer *w, uint64_t calls, uint32_t runs, int width);

/* The name of a row's function, with what has to be known about it, and the end of the line. */
void diff_put_name(struct listing *l, const struct gprofx_compared *row, size_t column);

/* Callers and callees of the functions that differ. */
void diff_put_entries(struct listing *l);

/* Lines of source with the largest differences. */
void diff_put_lines(struct listing *l);

#endif
