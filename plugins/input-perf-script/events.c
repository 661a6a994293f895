/* SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include <string.h>

#include "../shared/raw-metric.h"
#include "../shared/text-lines.h"
#include "../shared/text-table.h"

uint32_t
script_events_find(struct events *events, struct text_span name)
{
	bool is_new;
	uint32_t *number = text_table_find(&events->names, name.text, name.length, &is_new);

	if (is_new && events->count < MOST_EVENTS) {
		events->items[events->count++] = (struct event){.name = name, .is_even = true};
		*number = events->count;
	}
	return *number > 0 ? *number - 1 : NO_EVENT;
}

void
script_events_count(struct events *events, const struct sample_line *sample)
{
	uint32_t number = script_events_find(events, sample->event);
	uint64_t period = sample->has_period ? sample->period : 0;
	struct event *event;

	if (number == NO_EVENT) {
		events->left_out++;
		return;
	}
	event = &events->items[number];
	if (event->count++ == 0)
		event->period = period;
	else if (event->period != period)
		event->is_even = false;
}

/* The periods of these are nanoseconds, whatever stands behind their names. */
static bool
is_clock(struct text_span name)
{
	return text_span_begins(name, "cpu-clock") || text_span_begins(name, "task-clock");
}

static uint32_t
declare(const struct events *events, struct event *event, const struct gprofx_file *file,
        struct gprofx_profile *profile)
{
	char name[RAW_METRIC_NAME_BYTES], unit[RAW_METRIC_UNIT_BYTES] = "events";
	struct gprofx_raw_metric metric = {
		.size = sizeof metric,
		.name = name,
		.unit = unit,
		.ticks_per_unit = 1,
		.kind = GPROFX_SAMPLED,
	};
	bool has_period = event->period > 0 || !event->is_even;

	script_span_copy(event->name, name, sizeof name);
	event->divisor = 1;
	if (!has_period) {
		memcpy(unit, "samples", sizeof "samples");
	} else if (is_clock(event->name)) {
		event->divisor = raw_metric_of_nanoseconds(&metric, unit,
		                                           event->is_even ? event->period : 0);
	} else if (event->name.length < sizeof unit) {
		script_span_copy(event->name, unit, sizeof unit);
	}
	return profile->builder->metric(events->gx, profile, file, &metric);
}

enum gprofx_result
script_events_declare(struct events *events, const struct gprofx_file *file,
                      struct gprofx_profile *profile)
{
	for (uint32_t i = 0; i < events->count; i++) {
		events->metrics[i] = declare(events, &events->items[i], file, profile);
		if (events->metrics[i] == 0)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}
