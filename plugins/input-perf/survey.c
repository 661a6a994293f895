/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first way through the file: events, of which the ones with samples are metrics, and whether
 * all samples of each weigh the same.
 */
#include "records.h"
#include "numbers.h"
#include "reading.h"

struct perfdata_attribute *
perfdata_attribute_of(const struct perfdata *p, const struct perfdata_record *record)
{
	const struct perfdata_attribute *first = p->attributes;
	uint32_t at, number;
	uint64_t id;

	if (p->attribute_count == 0)
		return NULL;
	if (p->attribute_count == 1)
		return p->attributes;
	if (record->type == RECORD_SAMPLE)
		at = first->id_at;
	else if (first->id_back != 0 && record->bytes >= RECORD_BYTES + first->id_back)
		at = record->bytes - first->id_back;
	else
		return p->attributes;
	if (record->bytes < at + 8)
		return NULL;
	id = perfdata_u64(p, record->at + at);
	number = perfdata_number(&p->of_id, id);
	if (number > 0)
		return &p->attributes[number - 1];
	/* What perf itself made has no event. */
	return record->type != RECORD_SAMPLE ? p->attributes : NULL;
}

static void
count_sample(struct perfdata *p, const struct perfdata_record *record)
{
	struct perfdata_attribute *attribute = perfdata_attribute_of(p, record);
	uint64_t weight;

	if (!attribute)
		return;
	p->sample_count++;
	weight = perfdata_weight(p, attribute, record);
	if (attribute->samples++ == 0)
		attribute->first_weight = weight;
	else if (weight != attribute->first_weight)
		attribute->is_even = false;
	if (attribute->sample_type & SAMPLE_READ)
		attribute->is_even = false;
}

/* In a group, one sample is one of each member. */
static void
count_members(struct perfdata *p)
{
	bool has_group = false;

	for (uint32_t i = 0; i < p->attribute_count; i++)
		has_group = has_group || (p->attributes[i].samples > 0 &&
		                          (p->attributes[i].sample_type & SAMPLE_READ) != 0 &&
		                          (p->attributes[i].read_format & READ_GROUP) != 0);
	for (uint32_t i = 0; i < p->attribute_count && has_group; i++)
		if ((p->attributes[i].read_format & READ_GROUP) != 0) {
			p->attributes[i].samples++;
			p->attributes[i].is_even = false;
		}
}

static void
add_attribute(struct perfdata *p, const struct perfdata_record *record)
{
	uint32_t bytes;

	if (record->bytes < RECORD_BYTES + LEAST_ATTRIBUTE_BYTES || p->is_checked)
		return;
	bytes = perfdata_u32(p, record->at + RECORD_BYTES + 4);
	bytes = bytes < LEAST_ATTRIBUTE_BYTES ? LEAST_ATTRIBUTE_BYTES : bytes;
	if (bytes > record->bytes - RECORD_BYTES)
		return;
	perfdata_add_attribute(p, record->at + RECORD_BYTES, bytes);
	perfdata_add_ids(p, record->at + RECORD_BYTES + bytes,
	                 record->bytes - RECORD_BYTES - bytes);
}

static enum gprofx_result
fail_trace(const struct perfdata *p, const struct perfdata_record *record)
{
	const struct gprofx_diagnostic diagnostic = gprofx_at(
		p->file, (uint64_t)(record->at - p->file->bytes), "perfdata.trace",
		"let perf decode it: perf script --itrace=i100us | gprofx -");

	return gprofx_fail(p->gx, &diagnostic,
	                   "expected samples, found a trace of the processor (intel_pt, cs_etm, "
	                   "arm_spe)");
}

static enum gprofx_result
visit(struct perfdata *p, struct perfdata_block *block, const struct perfdata_record *record)
{
	(void)block;
	switch (record->type) {
	case RECORD_SAMPLE:
		if (!p->is_checked && !perfdata_check_attributes(p))
			return GPROFX_FAILED;
		p->is_checked = true;
		count_sample(p, record);
		break;
	case RECORD_HEADER_ATTR:
		if (p->is_pipe)
			add_attribute(p, record);
		break;
	case RECORD_EVENT_UPDATE:
		perfdata_name_event(p, record);
		break;
	case RECORD_HEADER_FEATURE:
		if (record->bytes >= RECORD_BYTES + 8)
			perfdata_read_feature(p, perfdata_u64(p, record->at + RECORD_BYTES),
			                      record->at + RECORD_BYTES + 8,
			                      record->bytes - RECORD_BYTES - 8);
		break;
	case RECORD_BUILD_ID:
		perfdata_add_build_id(p, record);
		break;
	case RECORD_AUXTRACE_INFO:
	case RECORD_AUXTRACE:
		return fail_trace(p, record);
	default:
		break;
	}
	return GPROFX_OK;
}

enum gprofx_result
perfdata_survey(struct perfdata *p)
{
	if (perfdata_walk(p, visit) != GPROFX_OK)
		return GPROFX_FAILED;
	if (!p->is_checked && !perfdata_check_attributes(p))
		return GPROFX_FAILED;
	p->is_checked = true;
	count_members(p);
	return GPROFX_OK;
}
