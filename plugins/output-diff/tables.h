/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison. */
#ifndef OUTPUT_DIFF_TABLES_H
#define OUTPUT_DIFF_TABLES_H

#include <gprofx/emitter.h>

struct diff_options {
	bool all, explain, graph, lines;
	uint32_t names; /* enum name_form */
	int64_t row_width, text_width;
	int64_t top; /* 0: all */
};

/* Tables of self times, total times and calls, as far as there is anything to show. */
void diff_put_tables(struct gprofx *gx, const struct gprofx_report *report,
                     struct gprofx_writer *writer, const struct diff_options *options);

#endif
