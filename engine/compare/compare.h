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

/* Whether an emitter that needs these parts gets a graph of both sides. */
static inline bool
compare_wants_graph(uint32_t parts)
{
	return (parts & (GPROFX_PART_NODES | GPROFX_PART_GRAPH)) != 0;
}

/* The parts of both sides that lines are made of. */
enum { COMPARE_LINE_PARTS = GPROFX_PART_SOURCE | GPROFX_PART_SOURCE_TIMES };

/* A side: its report, of one run or several, and what the user calls it. */
struct compare_side {
	const struct gprofx_report *report;
	const char *name;
	const struct gprofx_metric *metric; /* of the report: set by compare_find_metric() */
	/*
	 * A report of all runs together, whose contexts and lines are of the metric that is
	 * compared; the same one if there is one run only.  NULL: neither is wanted.
	 */
	const struct gprofx_report *summed;
};

struct compare_request {
	struct compare_side base, new_side;
	uint32_t normalization; /* enum gprofx_normalization */
	bool wants_graph;       /* the call graph of both sides */
	bool wants_lines;       /* lines of source, with their times */
	uint32_t context_forms; /* of contexts that are wanted: 1 << report_context_form(), each */
};

/*
 * Finds the metric that all runs of both reports have, the first one of the new side; if the user
 * named none, one of processor time can have different names.  False: there is none, which was
 * reported.
 */
bool compare_find_metric(struct run *run, struct compare_request *request);

/* Says in the caution if the metric has different names. */
void compare_say_metrics(struct run *run, const struct compare_request *request,
                         struct gprofx_report_comparison *comparison);

/*
 * The report of a comparison, by the metric that was found.  Both reports have COMPARE_PARTS; they
 * are needed as long as what is returned.
 */
struct report_model *compare_reports(struct run *run, const struct compare_request *request);

/* Whether anything was tested: a value of which errors are known on both sides. */
bool compare_has_tests(const struct gprofx_report_comparison *comparison);

/*
 * Whether the total, or a function with this share of it or more that both sides have, is slower by
 * more than this percentage, and significantly so.  The share is of the new side, in percent.
 */
bool compare_is_slower(const struct gprofx_report_comparison *comparison, double percent,
                       double min_share);

#endif
