/* SPDX-License-Identifier: Apache-2.0 */
/* What samples are of: each event is a metric. */
#ifndef INPUT_PERF_SCRIPT_EVENTS_H
#define INPUT_PERF_SCRIPT_EVENTS_H

#include <gprofx/reader.h>

#include "../shared/text-lines.h"
#include "../shared/text-table.h"
#include "line.h"

enum { MOST_EVENTS = 64 };

struct event {
	struct text_span name;
	uint64_t count, period; /* samples, and the period of the first one; 0: it has none */
	bool is_even;           /* all have that period */
	uint64_t divisor;       /* of periods, for ticks */
};

struct events {
	struct gprofx *gx;
	struct text_table names; /* numbers plus 1 */
	struct event items[MOST_EVENTS];
	uint32_t count;
	uint32_t metrics[MOST_EVENTS]; /* numbers of the host */
	uint64_t left_out;             /* samples of further events */
};

/* The event of a sample; NO_EVENT: there are too many. */
enum { NO_EVENT = UINT32_MAX };

/* Counts a sample, on the first way through the file. */
void script_events_count(struct events *events, const struct sample_line *sample);

/* The number of an event that was counted, or NO_EVENT. */
uint32_t script_events_find(struct events *events, struct text_span name);

/* Declares the metrics.  Fails with the diagnostic reported. */
enum gprofx_result script_events_declare(struct events *events, const struct gprofx_file *file,
                                         struct gprofx_profile *profile);

#endif
