/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of functions, with what they cost and what they call. */
#ifndef PLUGINS_OUTPUT_CALLGRIND_BODY_H
#define PLUGINS_OUTPUT_CALLGRIND_BODY_H

#include <gprofx/emitter.h>

#include "../shared/export-values.h"
#include "costs.h"
#include "executions.h"

/* One for each metric there can be, and one for the samples that times are. */
enum { BODY_MOST_EVENTS = 257 };

struct event {
	struct export_scale scale; /* of ticks */
	uint32_t metric;           /* of costs */
};

struct work;

struct body {
	struct gprofx *gx;
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
	bool has_calls;   /* as callgrind writes it; else as cachegrind does */
	bool has_samples; /* the second event has those of which times were made */
	uint32_t event_count;
	struct event events[BODY_MOST_EVENTS];
	/* What it cost: of the whole, filled by body_measure(). */
	uint64_t totals[BODY_MOST_EVENTS];
	struct costs costs;
	struct executions executions;
	struct work *work; /* of body_measure() for body_put() */
};

/* Finds out of what costs are. */
void body_find_costs(struct body *body);

/* Finds out what is written, and the totals, of the events. */
void body_measure(struct body *body);

void body_put(struct body *body);

/* How often the lines of a function were executed. */
void body_put_executions(struct work *work, uint32_t function);

#endif
