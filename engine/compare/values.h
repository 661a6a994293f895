/* SPDX-License-Identifier: Apache-2.0 */
/* The values of one side of a comparison, by run. */
#ifndef ENGINE_COMPARE_VALUES_H
#define ENGINE_COMPARE_VALUES_H

#include "base/run.h"
#include "compare/significance.h"

enum compare_what { COMPARE_SELF, COMPARE_TOTAL };

/* One side, in ticks of the new side's metric. */
struct compare_values {
	const struct gprofx_report *report;
	uint32_t metric; /* of the report */
	uint32_t run_count;
	double factor;        /* ticks of the new side's metric that one of the metric here is */
	bool is_exact;        /* events that were counted: they have no error */
	bool has_total;       /* inclusive values are known */
	bool measures_total;  /* and they are measured */
	const uint8_t *is_in; /* per function: it is selected */
	double *totals;       /* per run: of the selected functions, before they are scaled */
	double *squares;      /* likewise, of squared weights; NaN: not known */
	double *scale;        /* per run: what values are multiplied by, for comparing */
	double mean;          /* of "totals" */
	bool is_share;        /* "scale" makes the totals of all runs equal */
	/*
	 * Ticks of the metric that a sample counts, where the format does not say it; 0: it does,
	 * or this is not known.
	 */
	double weight;
	double per_unit; /* what a sample counts on average, as it is compared; NaN: unknown */
};

/*
 * Sets the values of a side.  unit: ticks per unit of the new side's metric; 0: not known.  The
 * scale is 1.
 */
void
compare_values_begin(struct run *run, struct compare_values *values,
                     const struct gprofx_report *report, uint32_t metric, uint32_t ticks_per_unit);

/*
 * Where formats do not say what a sample weighs, and runs are repeated: has the weight be what
 * explains how the values of all functions vary from run to run, beside how long runs are, but at
 * least a tick.  So a function whose few runs happen to be equal has an error nevertheless.  Before
 * totals are scaled.
 */
void compare_values_weigh(struct compare_values *base, struct compare_values *new_side);

/* Has totals of all runs scaled to "total". */
void compare_values_to_total(struct compare_values *values, double total);

/* The value of a function on a side, multiplied by a factor. */
struct compare_value compare_value_of(const struct compare_values *values, uint32_t function,
                                      enum compare_what what, double factor);

/* The value of a function that a side does not have: no sample was in it. */
struct compare_value compare_value_of_none(const struct compare_values *values);

/* All selected functions together. */
struct compare_value compare_value_of_all(const struct compare_values *values);

/* Whether a selected function has values or calls in a run. */
bool compare_has_any(const struct compare_values *values, uint32_t function);

/* Whether all functions of the side count their calls. */
bool compare_counts_calls(const struct compare_values *values);

/* Calls of a function in all runs; GPROFX_CALLS_UNKNOWN: a run has not counted them. */
uint64_t compare_calls_of(const struct compare_values *values, uint32_t function);

#endif
