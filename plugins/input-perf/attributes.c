/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../shared/grown.h"
#include "records.h"
#include "numbers.h"
#include "reading.h"

enum {
	AT_TYPE = 0,
	AT_CONFIG = 8,
	AT_PERIOD = 16,
	AT_SAMPLE_TYPE = 24,
	AT_READ_FORMAT = 32,
	AT_FLAGS = 40,
	AT_MAX_STACK = 108,
	RECORD_HEADER = 8
};

/* Bit fields are laid out from the first byte's highest bit on where that is the first byte of
 * numbers. */
static uint64_t
flags_of(const struct perfdata *p, const uint8_t *at)
{
	uint64_t flags = 0;

	for (uint32_t i = 0; i < 64; i++) {
		uint32_t bit = p->is_big ? 7 - i % 8 : i % 8;

		flags |= (uint64_t)(at[i / 8] >> bit & 1) << i;
	}
	return flags;
}

/* Where fields of samples are, which stand one behind the other. */
static void
place_in_samples(struct perfdata_attribute *attribute)
{
	static const uint64_t order[] = {SAMPLE_IDENTIFIER, SAMPLE_IP,   SAMPLE_TID,
	                                 SAMPLE_TIME,       SAMPLE_ADDR, SAMPLE_ID,
	                                 SAMPLE_STREAM_ID,  SAMPLE_CPU,  SAMPLE_PERIOD};
	uint32_t at = RECORD_HEADER;

	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		if ((attribute->sample_type & order[i]) == 0)
			continue;
		if (order[i] == SAMPLE_TID)
			attribute->tid_at = at;
		if (order[i] == SAMPLE_TIME)
			attribute->time_at = at;
		if (order[i] == SAMPLE_IDENTIFIER ||
		    (order[i] == SAMPLE_ID && attribute->id_at == 0))
			attribute->id_at = at;
		if (order[i] == SAMPLE_PERIOD)
			attribute->period_at = at;
		at += 8;
	}
	attribute->read_at = at;
}

/* The same from the end of other records, the last one first. */
static void
place_in_trailers(struct perfdata_attribute *attribute)
{
	static const uint64_t order[] = {SAMPLE_IDENTIFIER, SAMPLE_CPU,  SAMPLE_STREAM_ID,
	                                 SAMPLE_ID,         SAMPLE_TIME, SAMPLE_TID};
	uint32_t back = 0;

	if ((attribute->flags >> FLAG_SAMPLE_ID_ALL & 1) == 0)
		return;
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		if ((attribute->sample_type & order[i]) == 0)
			continue;
		back += 8;
		if (order[i] == SAMPLE_TIME)
			attribute->time_back = back;
		if (order[i] == SAMPLE_IDENTIFIER ||
		    (order[i] == SAMPLE_ID && attribute->id_back == 0))
			attribute->id_back = back;
	}
}

struct perfdata_attribute *
perfdata_add_attribute(struct perfdata *p, const uint8_t *at, uint64_t bytes)
{
	uint8_t whole[AT_MAX_STACK + 2] = {0};
	struct perfdata_attribute *attribute;

	/* What is missing in an older one is 0. */
	memcpy(whole, at, bytes < sizeof whole ? (size_t)bytes : sizeof whole);
	p->attributes = grown(p->gx, p->attributes, sizeof *p->attributes, &p->attribute_room,
	                      p->attribute_count + 1, 4);
	attribute = &p->attributes[p->attribute_count++];
	*attribute = (struct perfdata_attribute){
		.type = perfdata_u32(p, whole + AT_TYPE),
		.config = perfdata_u64(p, whole + AT_CONFIG),
		.period = perfdata_u64(p, whole + AT_PERIOD),
		.sample_type = perfdata_u64(p, whole + AT_SAMPLE_TYPE),
		.read_format = perfdata_u64(p, whole + AT_READ_FORMAT),
		.flags = flags_of(p, whole + AT_FLAGS),
		.max_stack = perfdata_u16(p, whole + AT_MAX_STACK),
		.is_even = true,
	};
	place_in_samples(attribute);
	place_in_trailers(attribute);
	return attribute;
}

void
perfdata_add_ids(struct perfdata *p, const uint8_t *ids, uint64_t bytes)
{
	for (uint64_t i = 0; i + 8 <= bytes; i += 8)
		perfdata_set_number(p->gx, &p->of_id, perfdata_u64(p, ids + i), p->attribute_count);
}

bool
perfdata_check_attributes(struct perfdata *p)
{
	const struct perfdata_attribute *first = p->attributes;
	const struct gprofx_diagnostic none = gprofx_at(
		p->file, 0, "perfdata.no-events",
		"record the program again: the file is damaged, or perf wrote no more of it");
	const struct gprofx_diagnostic differ = gprofx_at(
		p->file, 0, "perfdata.no-identifiers",
		"record again with a newer perf, or use perf script and report its text");
	const struct gprofx_diagnostic stacks = gprofx_at(
		p->file, 0, "perfdata.stack-copies",
		"record with -g, or let perf unwind the stacks: perf script | gprofx -");

	if (p->attribute_count == 0) {
		gprofx_fail(p->gx, &none, "expected the description of an event, found none");
		return false;
	}
	for (uint32_t i = 0; i < p->attribute_count; i++) {
		const struct perfdata_attribute *other = &p->attributes[i];

		if (other->sample_type & SAMPLE_STACK_USER) {
			gprofx_fail(p->gx, &stacks,
			            "expected call stacks, found copies of the stacks' memory, "
			            "which perf record --call-graph=dwarf makes");
			return false;
		}
		if (other->id_at != first->id_at || other->id_back != first->id_back ||
		    (p->attribute_count > 1 && other->id_at == 0)) {
			gprofx_fail(p->gx, &differ,
			            "expected all records to have the number of their event at one "
			            "place, found events that differ in it");
			return false;
		}
	}
	return true;
}
