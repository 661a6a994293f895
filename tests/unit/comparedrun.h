/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a comparison: a report with values of functions, of one run or several. */
#ifndef TESTS_UNIT_COMPAREDRUN_H
#define TESTS_UNIT_COMPAREDRUN_H

#include "testrun.h"

#include "compare/match.h"

enum { COMPARED_FUNCTIONS = 1000, COMPARED_RUNS = 5 };

/* Values are for the test to set; all else is set by compared_link(). */
struct compared_run {
	double self[COMPARED_FUNCTIONS], squares[COMPARED_FUNCTIONS];
	double below[COMPARED_FUNCTIONS], total_squares[COMPARED_FUNCTIONS];
	uint64_t calls[COMPARED_FUNCTIONS];
};

struct compared_report {
	struct compared_run values[COMPARED_RUNS];
	uint32_t flat[COMPARED_FUNCTIONS];
	struct gprofx_metric metric;
	struct gprofx_column columns[COMPARED_RUNS];
	struct gprofx_call_column calls[COMPARED_RUNS];
	struct gprofx_run runs[COMPARED_RUNS];
	struct gprofx_report_origin origin;
	struct gprofx_report_functions functions;
	struct gprofx_report_graph graph;
	struct gprofx_report report;
};

/*
 * Makes a report of the values.  Times are measured, in ticks of a hundredth of a second; inclusive
 * ones are not known, and calls are not counted.
 */
static inline void
compared_link(struct compared_report *side, uint32_t functions, uint32_t runs)
{
	for (uint32_t i = 0; i < functions; i++)
		side->flat[i] = i;
	for (uint32_t run = 0; run < runs; run++) {
		struct compared_run *values = &side->values[run];

		side->columns[run] = (struct gprofx_column){
			.size = sizeof side->columns[run],
			.self_origin = GPROFX_MEASURED,
			.self = {values->self, sizeof(double)},
			.below = {values->below, sizeof(double)},
			.self_squares = {values->squares, sizeof(double)},
			.total_squares = {values->total_squares, sizeof(double)}};
		side->calls[run] = (struct gprofx_call_column){
			.size = sizeof side->calls[run],
			.calls = {values->calls, sizeof(uint64_t)}};
		side->runs[run] = (struct gprofx_run){.size = sizeof side->runs[run], .label = ""};
	}
	side->metric = (struct gprofx_metric){.size = sizeof side->metric,
	                                      .name = "time",
	                                      .unit = "seconds",
	                                      .ticks_per_unit = 100,
	                                      .kind = GPROFX_SAMPLED};
	side->origin = (struct gprofx_report_origin){.size = sizeof side->origin,
	                                             .metric_count = 1,
	                                             .metrics = &side->metric,
	                                             .run_count = runs,
	                                             .runs = side->runs};
	side->functions.count = functions;
	side->graph = (struct gprofx_report_graph){.columns = side->columns,
	                                           .calls = side->calls,
	                                           .flat_count = functions,
	                                           .flat = side->flat};
	side->report = (struct gprofx_report){.size = sizeof side->report,
	                                      .origin = &side->origin,
	                                      .functions = &side->functions,
	                                      .graph = &side->graph};
}

#endif
