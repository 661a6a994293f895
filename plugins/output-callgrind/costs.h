/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the lines of the file cost, in ticks.
 *
 * Readers of the format know the costs of functions and of arcs.  For the inclusive cost of a
 * function they add up those of the arcs into it, or, where it has none, its own cost and those of
 * the arcs out of it.  So the costs of arcs are chosen here such that this is what the report has:
 *   - An arc within a cycle costs nothing if the callee is also called from outside of the cycle.
 *     Otherwise the callee's self time and children time are divided among the calls from the
 * cycle.
 *   - Where stacks were measured, an arc costs the weight of the stacks whose outermost frame of
 * the callee was called by this caller.
 *   - Where calls were measured as a whole, those of a cycle, or of a function by itself, cost
 * what the others leave of the callee's time.  The rest of what they cost is part of other calls,
 * and is that of calls of "f'2", as callgrind names a function that is active already.
 *   - Contexts have only the first metric.  Of further ones, an arc has the part of the stacks that
 * contain its call which it has of the first metric.
 *   - What of a function's time no caller is charged with comes from one more arc.
 *   - Of a comparison, whose sides are two metrics here, each side has calls and cycles of its own.
 */
#ifndef PLUGINS_OUTPUT_CALLGRIND_COSTS_H
#define PLUGINS_OUTPUT_CALLGRIND_COSTS_H

#include <gprofx/emitter.h>

/* What the lines have of one metric. */
struct metric_costs {
	uint32_t metric;
	const struct gprofx_column *nodes, *arcs;
	double *arc; /* per arc its inclusive cost */
	/*
	 * Per arc, where costs of calls were measured as a whole: that of calls which are part of
	 * others; else NULL.
	 */
	double *nested;
	double *extra; /* per function: inclusive cost of calls by an unknown caller; 0: none */
	double whole;  /* self costs of all functions */
};

struct costs {
	uint32_t count; /* functions, with lines and what is none */
	/* Per function the one that it is a line of; itself if it is none. */
	uint32_t *owner;
	/* Those that the first run measured, in the order of the report; one, if it has none. */
	uint32_t metric_count;
	struct metric_costs *metrics;
	bool *has_arc;    /* per arc: it is written, as it is no mere possibility */
	bool *is_shown;   /* per function: it has a block */
	uint32_t outside; /* the function that unknown callers are, or count: there is none */
	bool has_extra;   /* some function has an unknown caller */
	bool is_divided;  /* some arc within a cycle has a cost */
	bool has_shares;  /* some costs of further metrics follow those of the first one */
	bool are_stated;  /* what the profile states is written: of the arcs there is nothing */
};

void costs_make(struct gprofx *gx, const struct gprofx_report *report, struct costs *costs);

/*
 * How often an arc was called; of a comparison, in a run of the new side, or else of the base, at
 * least once.  As gprofx_is_counted() has it for the first column, GPROFX_CALLS_UNKNOWN: not known.
 */
uint64_t costs_calls(const struct gprofx_report *report, uint32_t arc);

/* Whether calls were measured as a whole, and not by stacks. */
bool costs_are_of_calls(const struct metric_costs *metric);

#endif
