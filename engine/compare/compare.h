/* SPDX-License-Identifier: Apache-2.0 */
/* Two reports become one about what differs between them. */
#ifndef ENGINE_COMPARE_COMPARE_H
#define ENGINE_COMPARE_COMPARE_H

#include "base/run.h"

struct report_model;

/* Levels of the tests: chance raises an alarm in 5 of 100 comparisons of equal programs. */
#define COMPARE_TOTAL_LEVEL 0.01
#define COMPARE_ROW_RATE 0.04

/* The parts that the reports of both sides have to have. */
enum { COMPARE_PARTS = GPROFX_PART_NODES | GPROFX_PART_FLAT | GPROFX_PART_SOURCES };

/* A side: its report, of one run or several, and what the user calls it. */
struct compare_side {
	const struct gprofx_report *report;
	const char *name;
};

struct compare_request {
	struct compare_side base, new_side;
	uint32_t normalization; /* enum gprofx_normalization */
};

/*
 * The report of a comparison.  Both reports have COMPARE_PARTS; they are
 * needed as long as what is returned.  NULL: they have nothing in common, which was reported.
 */
struct report_model *compare_reports(struct run *run, const struct compare_request *request);

/*
 * Whether the total, or a function with this share of it or more, is slower by more than this
 * percentage, and significantly so.  The share is of the new side, in percent.
 */
bool compare_is_slower(const struct gprofx_report_comparison *comparison, double percent,
                       double min_share);

#endif
