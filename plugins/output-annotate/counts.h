/* SPDX-License-Identifier: Apache-2.0 */
/* How often lines of source ran: the numbers that stand before them. */
#ifndef OUTPUT_ANNOTATE_COUNTS_H
#define OUTPUT_ANNOTATE_COUNTS_H

#include <gprofx/emitter.h>

/* The numbers of one line, in their order. */
struct counts {
	uint64_t *items;
	uint32_t count, room;
	/*
	 * What the line is said to have run: the sum of its numbers, as GNU gprof has it, or, if
	 * that is corrected, the largest of them.
	 */
	uint64_t number;
	bool is_known;    /* there are numbers */
	bool ran;         /* there is a count, or, where it is not known, the code took time */
	bool is_repeated; /* those of the line before, which are not to be said again */
};

struct counter {
	struct gprofx *gx;
	const struct gprofx_report *report;
	bool all_lines;    /* lines that begin inside of a block have its count */
	uint64_t previous; /* GNU gprof: the count met last, whatever function it was of */
	uint64_t *carried; /* per function, or NULL: the count of the block that it begins in */
	bool *is_unsure;   /* per function, or NULL: that count is not known */
	const struct gprofx_block *blocks; /* as those of the report, or by address */
	struct counts counts;              /* of the row at hand */
};

void counter_begin(struct counter *counter, struct gprofx *gx, const struct gprofx_report *report,
                   bool all_lines);

/* The numbers of a row of gprofx_report_source.line; valid until the next call. */
const struct counts *counter_at(struct counter *counter, uint32_t row);

static inline bool
corrects(const struct gprofx_report *report, uint64_t correction)
{
	return (report->compatibility->corrections & correction) != 0;
}

#endif
