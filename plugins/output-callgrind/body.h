/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of functions, with what they cost and what they call. */
#ifndef PLUGINS_OUTPUT_CALLGRIND_BODY_H
#define PLUGINS_OUTPUT_CALLGRIND_BODY_H

#include <gprofx/emitter.h>

#include "../shared/export-values.h"
#include "costs.h"
#include "executions.h"

/* Values of ticks: the first event, and the second where there is one. */
enum { BODY_MOST_EVENTS = 2 };

struct work;

struct body {
	struct gprofx *gx;
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
	bool has_calls; /* as callgrind writes it; else as cachegrind does */
	uint32_t event_count;
	struct export_scale events[BODY_MOST_EVENTS];
	/* What it cost: of the whole, filled by body_measure(). */
	uint64_t totals[BODY_MOST_EVENTS];
	struct costs costs;
	struct executions executions;
	struct work *work; /* of body_measure() for body_put() */
};

/* Finds out what is written, and the totals. */
void body_measure(struct body *body);

void body_put(struct body *body);

#endif
