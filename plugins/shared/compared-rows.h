/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of comparisons for people: which rows they have, and how figures are shown. */
#ifndef PLUGINS_SHARED_COMPARED_ROWS_H
#define PLUGINS_SHARED_COMPARED_ROWS_H

#include <gprofx/emitter.h>

enum compared_kind { COMPARED_SELF, COMPARED_TOTAL, COMPARED_CALLS };

/* Whether any table has a row, if it does not have all. */
bool compared_is_in_tables(const struct gprofx_compared *row);

/* What a table of the kind SELF or TOTAL has of a row. */
static inline const struct gprofx_difference *
compared_difference(const struct gprofx_compared *row, enum compared_kind kind)
{
	return kind == COMPARED_SELF ? &row->self : &row->total;
}

/* Whether times are compared, which are faster or slower; other values are less or more. */
bool compared_is_time(const struct gprofx_report *report);

/*
 * The rows of a table, in its order: first those with a verdict, then those that were not tested,
 * among these the largest difference first.  all: also those without a difference that can be
 * shown.  Returns how many; their numbers, which the caller can release, are in *chosen.
 */
uint32_t compared_choose(struct gprofx *gx, const struct gprofx_report *report,
                         enum compared_kind kind, bool all, uint32_t **chosen);

/* A verdict in words; static. */
const char *compared_verdict(const struct gprofx_report *report, uint32_t verdict);

/* The verdict of a row in a table of a kind, but that of calls; static. */
const char *compared_row_verdict(const struct gprofx_report *report,
                                 const struct gprofx_compared *row, enum compared_kind kind);

/* A value in the unit of the metric; large ones of events have no places behind the point. */
void compared_put_value(struct gprofx_writer *writer, const struct gprofx_report *report,
                        double ticks, int width, bool has_sign);

/* The new value divided by that of the base; blanks where that is 0. */
void compared_put_ratio(struct gprofx_writer *writer, double base, double now, int width);

/* That one side only has the function of a row, or NULL; static. */
const char *compared_note(const struct gprofx_compared *row);

#endif
