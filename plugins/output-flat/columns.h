/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the flat profile: headings, cells, and what explains them. */
#ifndef OUTPUT_FLAT_COLUMNS_H
#define OUTPUT_FLAT_COLUMNS_H

#include <gprofx/emitter.h>

#include "per-call.h"
#include "../shared/line-names.h"
#include "../shared/names.h"
#include "../shared/options.h"

enum column {
	COLUMN_SHARE,
	COLUMN_LOW,
	COLUMN_HIGH,
	COLUMN_CUMULATIVE,
	COLUMN_SELF,
	COLUMN_ERROR,
	COLUMN_CALLS,
	COLUMN_SELF_PER_CALL,
	COLUMN_TOTAL_PER_CALL,
	COLUMN_NAME,
	COLUMN_KINDS
};

/* The words that choose them. */
extern const char *const flat_column_words[];
#define COLUMNS_DEFAULT "share,cumulative,self,calls,self-per-call,total-per-call,name"

/* A flat profile under way. */
struct flat {
	const struct gprofx_report *r;
	struct gprofx_writer *w;
	struct names names;
	struct line_names line_names;
	struct table_columns columns;
	struct per_call per_call;
	double total;         /* ticks that shares refer to; positive */
	size_t name_width;    /* of names that are not the last in their rows */
	size_t row_width;     /* 0: names are not continued below */
	bool metrics_go_last; /* further metrics: there is no name to stand before */
	bool color;
};

/*
 * In reports by line, leaves out the usual columns of times per call, which few rows have, if names
 * would have little room beside them.
 */
void columns_leave_room(struct flat *flat);

/* The name of a function, as it is in a column that others follow; good up to the next call. */
struct gprofx_text name_in_column(struct flat *flat, uint32_t function);

/* The two lines above the rows. */
void put_columns(const struct flat *flat);

/* One row; sum: the ticks of this one and of all rows above it. */
void put_row(struct flat *flat, uint32_t function, double sum);

/* What is printed below the table unless it is to be brief. */
void put_explanation(const struct flat *flat);

#endif
