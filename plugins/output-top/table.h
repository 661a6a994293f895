/* SPDX-License-Identifier: Apache-2.0 */
/* The heaviest functions, a line for each. */
#ifndef OUTPUT_TOP_TABLE_H
#define OUTPUT_TOP_TABLE_H

#include <gprofx/report.h>

#include "../shared/names.h"
#include "../shared/rows.h"
#include "page.h"

enum {
	TABLE_CALLERS = ROWS_CALLERS,
	TABLE_CELL = 24,
	TABLE_FIRST = 3 /* rows that stand out */
};

/* Who calls a function, and what part of its calls, or of its time, is due to that. */
struct table_caller {
	uint32_t node;
	uint32_t row; /* its own one, from one on; 0: none */
	double weight;
	bool is_guess; /* calls were divided by a rule */
};

struct table_row {
	uint32_t function;
	struct gprofx_text whole; /* its name, without the object that its place is */
	struct gprofx_text name;  /* as the column of names shows it */
	bool is_apart;            /* it would look like another one without a part of it */
	uint32_t lines; /* 2: its name has one for itself; 3: its place, too; then callers_below is
	                   "" */
	char self[TABLE_CELL], total[TABLE_CELL], other[TABLE_CELL], calls[TABLE_CELL];
	bool is_estimated; /* the total */
	const char *file;  /* source file as recorded, or NULL */
	/* What is shown of it, without and with its line; the place can be a library. */
	const char *file_shown, *place;
	struct table_caller callers[TABLE_CALLERS]; /* the heaviest first; a weight of 0: none */
	double weight;                              /* of all callers */
	bool is_by_calls; /* these weights are calls, in a table of times */
	/* What the column of callers has of them, and a second line; of length 0: none. */
	struct gprofx_text callers_shown, callers_below;
	bool cuts_callers;              /* in a word */
	struct gprofx_text place_shown; /* what the column of places has */
};

/* The columns that there are; widths of 0: not there. */
struct table {
	const struct gprofx_report *report;
	struct names *names;
	struct table_row *rows;
	uint32_t count; /* of rows, at most */
	bool has_times; /* shares of time can be stated */
	bool has_total, total_is_estimated, total_differs;
	/* Of the other one of two kinds of time, as of threads that run and wait: NULL: none. */
	const struct gprofx_column *other;
	const char *other_name;
	bool has_calls;
	bool has_places;
	double total; /* ticks that shares refer to */
	size_t calls_width, name_width, place_width, callers_width;
	bool shows_total, shows_other, shows_calls;
};

/* Rows of the heaviest functions, and what is known of them: "most" of them, if there are so many.
 */
struct table
table_make(struct names *names, const struct gprofx_report *report, uint32_t most, size_t width);

/* How many lines the first "count" rows take, without those for a second caller. */
uint32_t table_row_lines(const struct table *table, uint32_t count);

/* How many of the first "count" rows have a line for a second caller. */
uint32_t table_second_lines(const struct table *table, uint32_t count);

/*
 * The heading, the rows of the first "count" functions, and what the others come to.  with_second:
 * so many of the first rows may have a second line.
 */
void table_put(struct page *page, const struct table *table, uint32_t count, uint32_t with_second);

/* The name of a node as it can be printed. */
struct gprofx_text table_name(const struct table *table, uint32_t node);

/* The same without its library, which goes before scopes do, if both do not fit. */
struct gprofx_text
table_name_in_room(const struct table *table, uint32_t node, struct gprofx_text name, size_t width);

/* A name of a function without that of the object that it is in, which is behind it. */
struct gprofx_text table_without_object(const struct gprofx_report *report, uint32_t function,
                                        struct gprofx_text name);

/* How many lines table_put() writes behind the rows, if some functions have none. */
uint32_t table_notes(struct page *page, const struct table *table);

#endif
