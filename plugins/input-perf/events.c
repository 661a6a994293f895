/* SPDX-License-Identifier: Apache-2.0 */
/* Events become metrics. */
#include <stdio.h>
#include <string.h>

#include "../shared/raw-metric.h"
#include "records.h"
#include "reading.h"

enum { NUMBER_BYTES = 12 };

static const char samples_behind[] = "-samples";

uint64_t
perfdata_weight(const struct perfdata *p, const struct perfdata_attribute *attribute,
                const struct perfdata_record *record)
{
	if (attribute->period_at != 0 && record->bytes >= attribute->period_at + 8)
		return perfdata_u64(p, record->at + attribute->period_at);
	if ((attribute->flags >> FLAG_FREQUENCY & 1) == 0 && attribute->period != 0)
		return attribute->period;
	return 1;
}

/* The names of the kernel's own events. */
static const char *
usual_name(const struct perfdata_attribute *event)
{
	static const char *const hardware[] = {"cycles",       "instructions", "cache-references",
	                                       "cache-misses", "branches",     "branch-misses"};
	static const char *const software[] = {
		"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
		"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
		"emulation-faults", "dummy"};
	uint64_t config = event->config & UINT32_MAX;

	if (event->type == 0 && config < sizeof hardware / sizeof hardware[0])
		return hardware[config];
	if (event->type == 1 && config < sizeof software / sizeof software[0])
		return software[config];
	return NULL;
}

static void
name_event(struct perfdata_attribute *event)
{
	const char *name = usual_name(event);

	if (event->name[0] != '\0')
		return;
	if (name)
		snprintf(event->name, sizeof event->name, "%s", name);
	else
		snprintf(event->name, sizeof event->name, "event %u:%llx",
		         (unsigned int)event->type, (unsigned long long)event->config);
}

/* Of a name, what stands before "/" and the like, with which it was opened. */
static size_t
base_of(const char *name)
{
	const char *slash = strchr(name, '/');

	/* "cpu/cycles/" has its name between them. */
	return slash && slash > name && (strchr(slash + 1, '=') || slash[1] == '/')
	               ? (size_t)(slash - name)
	               : strlen(name);
}

static bool
is_same_base(const char *left, const char *right)
{
	size_t length = base_of(left);

	return length == base_of(right) && memcmp(left, right, length) == 0;
}

/* A name that no other event of the file has, and room behind it. */
static void
unique_name(const struct perfdata *p, uint32_t number, char name[RAW_METRIC_NAME_BYTES])
{
	const char *own = p->attributes[number].name;
	uint32_t like = 0, same = 0;
	size_t length = base_of(own);
	const size_t most = RAW_METRIC_NAME_BYTES - NUMBER_BYTES - sizeof samples_behind;

	for (uint32_t i = 0; i < p->attribute_count; i++) {
		if (i == number || p->attributes[i].samples == 0)
			continue;
		like += is_same_base(p->attributes[i].name, own);
		same += strcmp(p->attributes[i].name, own) == 0;
	}
	if (like > 0)
		length = strlen(own);
	if (length > most)
		same++;
	length = length < most ? length : most;
	snprintf(name, RAW_METRIC_NAME_BYTES, "%.*s", (int)length, own);
	if (same > 0)
		snprintf(name + length, NUMBER_BYTES, " %u", (unsigned int)number + 1);
}

bool
perfdata_is_clock(const struct perfdata_attribute *event)
{
	return event->type == 1 && event->config <= 1;
}

static enum gprofx_result
declare(struct perfdata *p, uint32_t number)
{
	struct perfdata_attribute *event = &p->attributes[number];
	const struct gprofx_profile_builder *builder = p->profile->builder;
	char name[RAW_METRIC_NAME_BYTES], unit[RAW_METRIC_UNIT_BYTES] = "events";
	struct gprofx_raw_metric metric = {
		.size = sizeof metric,
		.name = name,
		.unit = unit,
		.ticks_per_unit = 1,
		.kind = GPROFX_SAMPLED,
	};
	size_t length;

	unique_name(p, number, name);
	length = strlen(name);
	if (perfdata_is_clock(event)) {
		event->divisor = raw_metric_of_nanoseconds(
			&metric, unit, event->is_even ? event->first_weight : 0);
	} else if (length < sizeof unit) {
		memcpy(unit, name, length + 1);
	}
	event->metrics[0] = builder->metric(p->gx, p->profile, p->file, &metric);
	event->metric_count = 1;
	if (event->metrics[0] == 0)
		return GPROFX_FAILED;
	/* The number of samples is not in ticks. */
	if (event->is_even && event->first_weight == event->divisor)
		return GPROFX_OK;
	memcpy(name + length, samples_behind, sizeof samples_behind);
	memcpy(unit, "samples", sizeof "samples");
	metric.abbreviation = '\0';
	metric.ticks_per_unit = 1;
	event->metrics[1] = builder->metric(p->gx, p->profile, p->file, &metric);
	event->metric_count = 2;
	return event->metrics[1] != 0 ? GPROFX_OK : GPROFX_FAILED;
}

void
perfdata_name_events(struct perfdata *p)
{
	for (uint32_t i = 0; i < p->attribute_count; i++)
		name_event(&p->attributes[i]);
}

enum gprofx_result
perfdata_declare_events(struct perfdata *p)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->attribute_count; i++) {
		p->attributes[i].divisor = 1;
		if (p->attributes[i].samples == 0)
			continue;
		if (count++ < MOST_EVENTS && declare(p, i) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}
