/* SPDX-License-Identifier: Apache-2.0 */
/* What columns of the table get of the screen. */
#ifndef OUTPUT_TOP_COLUMNS_H
#define OUTPUT_TOP_COLUMNS_H

#include <stddef.h>

#include "table.h"

enum {
	COLUMN_SELF = 6,       /* "100.0%" */
	COLUMN_TOTAL = 6,      /* "100.0%"; a mark stands in the gap before it */
	COLUMN_OTHER = 6,      /* "100.0%" */
	COLUMN_CALLS = 6,      /* "1.20 M" */
	COLUMN_MOST_CALLS = 9, /* "750+182 k" */
	COLUMN_GAP = 2         /* between two columns */
};

/*
 * Chooses columns and their widths, and what rows show in them.  A row is wide where a column would
 * cut one of its words: its name takes a line, and the place and the callers the next one.
 */
void columns_choose(struct table *table, size_t width);

/* The heading of the column of names. */
const char *columns_names_heading(const struct table *table);

#endif
