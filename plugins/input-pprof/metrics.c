/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics.h"

#include <stdio.h>
#include <string.h>

#include "../shared/raw-metric.h"
#include "ids.h"

enum { NUMBER_BYTES = 8 };

/* Units that have other names here, and what is a part of which. */
static const struct {
	const char *name, *unit;
	uint32_t ticks;
	char abbreviation;
} units[] = {
	{"nanoseconds", "seconds", 1000000000, 's'},
	{"ns", "seconds", 1000000000, 's'},
	{"microseconds", "seconds", 1000000, 's'},
	{"us", "seconds", 1000000, 's'},
	{"milliseconds", "seconds", 1000, 's'},
	{"ms", "seconds", 1000, 's'},
	{"seconds", "seconds", 1, 's'},
	{"s", "seconds", 1, 's'},
	{"bytes", "bytes", 1, 'B'},
};

static const struct pprof_type *
type_at(const struct pprof *p, uint32_t i)
{
	return PPROF_ITEM(&p->types, struct pprof_type, i);
}

static bool
is_text(const struct pprof *p, uint64_t number, const char *text)
{
	return strcmp(pprof_text(p, number), text) == 0;
}

/* The type that pprof shows: the one that the file names, or else the last one. */
static uint32_t
shown_type(const struct pprof *p)
{
	const char *name = pprof_text(p, p->default_type);

	for (uint32_t i = 0; i < p->types.count && *name != '\0'; i++)
		if (is_text(p, type_at(p, i)->type, name))
			return i;
	return p->types.count - 1;
}

static void
copy_cut(char *to, size_t bytes, const char *text)
{
	raw_metric_cut(to, bytes, text, strlen(text));
}

/* A name that no other type has: types can differ in their units alone, or not at all. */
static void
name_type(const struct pprof *p, uint32_t i, char name[RAW_METRIC_NAME_BYTES])
{
	const char *text = pprof_text(p, type_at(p, i)->type);
	const size_t most = RAW_METRIC_NAME_BYTES - NUMBER_BYTES;
	uint32_t same = 0;
	size_t length;

	for (uint32_t k = 0; k < p->types.count; k++)
		same += is_text(p, type_at(p, k)->type, text);
	copy_cut(name, most, *text ? text : "values");
	length = strlen(name);
	if (same > 1 || strlen(text) >= most || *text == '\0')
		snprintf(name + length, NUMBER_BYTES, " %u", (unsigned int)i + 1);
}

static uint32_t
declare(const struct pprof *p, struct gprofx_profile *profile, uint32_t i, uint64_t weight,
        uint64_t *divisor)
{
	char name[RAW_METRIC_NAME_BYTES], unit[RAW_METRIC_UNIT_BYTES];
	const char *stated = pprof_text(p, type_at(p, i)->unit);
	struct gprofx_raw_metric metric = {
		.size = sizeof metric,
		.name = name,
		.unit = unit,
		.ticks_per_unit = 1,
		.kind = GPROFX_SAMPLED,
	};

	name_type(p, i, name);
	/* "count" is no unit: what was counted is the type. */
	copy_cut(unit, sizeof unit, *stated && strcmp(stated, "count") != 0 ? stated : name);
	for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
		if (strcmp(units[k].name, stated) != 0)
			continue;
		copy_cut(unit, sizeof unit, units[k].unit);
		metric.ticks_per_unit = units[k].ticks;
		metric.abbreviation = units[k].abbreviation;
	}
	*divisor = weight > 0 && metric.ticks_per_unit % weight == 0 ? weight : 1;
	metric.ticks_per_unit = (uint32_t)(metric.ticks_per_unit / *divisor);
	return profile->builder->metric(p->gx, profile, p->file, &metric);
}

enum gprofx_result
pprof_declare_metrics(const struct pprof *p, struct gprofx_profile *profile,
                      const uint64_t *weights, struct pprof_metrics *metrics)
{
	uint32_t count = 0;

	if (p->types.count == 0)
		return GPROFX_OK;
	metrics->order[count++] = shown_type(p);
	for (uint32_t i = 0; i < p->types.count; i++)
		if (i != metrics->order[0])
			metrics->order[count++] = i;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t type = metrics->order[i];

		metrics->number[i] = declare(p, profile, type, weights ? weights[type] : 0,
		                             &metrics->divisor[i]);
		if (metrics->number[i] == 0)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}

uint32_t
pprof_type_of_samples(const struct pprof *p)
{
	for (uint32_t i = 0; i < p->types.count; i++)
		if (is_text(p, type_at(p, i)->type, "samples") &&
		    is_text(p, type_at(p, i)->unit, "count"))
			return i;
	return NO_ITEM;
}

uint64_t
pprof_weight_of_sample(const struct pprof *p, uint32_t type)
{
	const struct pprof_type *row = type_at(p, type);

	if (type == pprof_type_of_samples(p))
		return 1;
	if (strcmp(pprof_text(p, row->type), pprof_text(p, p->period_type.type)) == 0 &&
	    strcmp(pprof_text(p, row->unit), pprof_text(p, p->period_type.unit)) == 0)
		return p->period;
	return 0;
}
