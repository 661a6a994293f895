/* SPDX-License-Identifier: Apache-2.0 */
#include "costs.h"

#include <string.h>

enum { AT_ONCE = 4096 };

void
cg_costs_begin(struct cg_costs *costs)
{
	const size_t weights = (size_t)AT_ONCE * costs->metric_count;
	struct gprofx *gx = costs->gx;

	costs->code = gprofx_alloc(gx, AT_ONCE * sizeof *costs->code);
	costs->place = gprofx_alloc(gx, AT_ONCE * sizeof *costs->place);
	costs->slice = gprofx_alloc(gx, AT_ONCE * sizeof *costs->slice);
	costs->weight = gprofx_alloc(gx, weights * sizeof *costs->weight);
	costs->first = gprofx_alloc(gx, (AT_ONCE + 1) * sizeof *costs->first);
	for (uint32_t i = 0; i <= AT_ONCE; i++)
		costs->first[i] = i;
	costs->ends = gprofx_alloc(gx, (size_t)2 * AT_ONCE * sizeof *costs->ends);
	costs->end_place = gprofx_alloc(gx, (size_t)2 * AT_ONCE * sizeof *costs->end_place);
	costs->calls = gprofx_alloc(gx, AT_ONCE * sizeof *costs->calls);
	costs->call_weight = gprofx_alloc(gx, weights * sizeof *costs->call_weight);
}

static enum gprofx_result
pass_lines(struct cg_costs *costs)
{
	const struct gprofx_profile_builder *builder = costs->profile->builder;
	const struct gprofx_raw_stacks stacks = {
		.size = sizeof stacks,
		.count = costs->count,
		.first = costs->first,
		.place = costs->place,
		.weight = costs->weight,
		.slice = costs->slice,
		.metrics = costs->metrics,
		.metric_count = costs->metric_count,
	};

	if (costs->count == 0)
		return GPROFX_OK;
	builder->code(costs->gx, costs->profile, costs->code, costs->count, costs->place);
	costs->count = 0;
	return builder->stacks(costs->gx, costs->profile, costs->file, NULL, &stacks);
}

static enum gprofx_result
pass_calls(struct cg_costs *costs)
{
	const struct gprofx_profile_builder *builder = costs->profile->builder;
	const struct gprofx_raw_costed_calls calls = {
		.size = sizeof calls,
		.count = costs->call_count,
		.rows = costs->calls,
		.weight = costs->call_weight,
		.metrics = costs->metrics,
		.metric_count = costs->metric_count,
	};

	if (costs->call_count == 0)
		return GPROFX_OK;
	builder->code(costs->gx, costs->profile, costs->ends, 2 * costs->call_count,
	              costs->end_place);
	for (uint32_t i = 0; i < costs->call_count; i++) {
		costs->calls[i].caller = costs->end_place[(size_t)2 * i];
		costs->calls[i].callee = costs->end_place[(size_t)2 * i + 1];
	}
	costs->call_count = 0;
	return builder->costed_calls(costs->gx, costs->profile, costs->file, NULL, &calls);
}

enum gprofx_result
cg_costs_pass(struct cg_costs *costs)
{
	enum gprofx_result result = pass_lines(costs);

	return result == GPROFX_OK ? pass_calls(costs) : result;
}

/* Where instructions have costs, many are of one line. */
static bool
is_as_last(const struct cg_costs *costs, const struct gprofx_raw_code *code, uint32_t slice)
{
	return costs->count > 0 && costs->slice[costs->count - 1] == slice &&
	       memcmp(&costs->code[costs->count - 1], code, sizeof *code) == 0;
}

enum gprofx_result
cg_costs_add(struct cg_costs *costs, const struct gprofx_raw_code *code, uint32_t slice,
             const uint64_t *values)
{
	uint32_t metrics = costs->metric_count;

	if (is_as_last(costs, code, slice)) {
		uint64_t *weight = costs->weight + (size_t)(costs->count - 1) * metrics;

		for (uint32_t i = 0; i < metrics; i++)
			weight[i] = cg_sum(weight[i], values[i]);
		return GPROFX_OK;
	}
	costs->code[costs->count] = *code;
	costs->slice[costs->count] = slice;
	memcpy(costs->weight + (size_t)costs->count * metrics, values, metrics * sizeof *values);
	return ++costs->count == AT_ONCE ? pass_lines(costs) : GPROFX_OK;
}

enum gprofx_result
cg_costs_add_calls(struct cg_costs *costs, const struct gprofx_raw_code ends[2], uint32_t flags,
                   uint64_t count, const uint64_t *values)
{
	uint32_t at = costs->call_count, metrics = costs->metric_count;

	memcpy(costs->ends + (size_t)2 * at, ends, 2 * sizeof *ends);
	costs->calls[at] = (struct gprofx_raw_costed_call){.flags = flags, .count = count};
	memcpy(costs->call_weight + (size_t)at * metrics, values, metrics * sizeof *values);
	return ++costs->call_count == AT_ONCE ? pass_calls(costs) : GPROFX_OK;
}

void
cg_costs_release(const struct cg_costs *costs)
{
	const struct gprofx_host *host = costs->gx->host;

	host->release(costs->gx, costs->code);
	host->release(costs->gx, costs->place);
	host->release(costs->gx, costs->slice);
	host->release(costs->gx, costs->weight);
	host->release(costs->gx, costs->first);
	host->release(costs->gx, costs->ends);
	host->release(costs->gx, costs->end_place);
	host->release(costs->gx, costs->calls);
	host->release(costs->gx, costs->call_weight);
}
