/* SPDX-License-Identifier: Apache-2.0 */
/* Costs on their way to the host, many at a time. */
#ifndef INPUT_CALLGRIND_COSTS_H
#define INPUT_CALLGRIND_COSTS_H

#include <gprofx/reader.h>

struct cg_costs {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	const uint32_t *metrics; /* numbers of the host */
	uint32_t metric_count;

	/* What functions have themselves, by line. */
	struct gprofx_raw_code *code;
	uint32_t *place, *first, *slice;
	uint64_t *weight;
	uint32_t count;

	/* Calls: the caller and the callee of each. */
	struct gprofx_raw_code *ends;
	uint32_t *end_place;
	struct gprofx_raw_costed_call *calls;
	uint64_t *call_weight;
	uint32_t call_count;
};

/* A sum, which stays at the largest number there is. */
static inline uint64_t
cg_sum(uint64_t one, uint64_t other)
{
	return other > UINT64_MAX - one ? UINT64_MAX : one + other;
}

void cg_costs_begin(struct cg_costs *costs);

/* Adds costs of a line of a function, by metric. */
enum gprofx_result cg_costs_add(struct cg_costs *costs, const struct gprofx_raw_code *code,
                                uint32_t slice, const uint64_t *values);

/* Adds calls from a line to a function, with what they cost. */
enum gprofx_result cg_costs_add_calls(struct cg_costs *costs, const struct gprofx_raw_code ends[2],
                                      uint32_t flags, uint64_t count, const uint64_t *values);

/* Passes what is there to the host. */
enum gprofx_result cg_costs_pass(struct cg_costs *costs);

void cg_costs_release(const struct cg_costs *costs);

#endif
