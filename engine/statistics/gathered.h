/* SPDX-License-Identifier: Apache-2.0 */
/* Values of functions, gathered for one file, thread or the like at a time. */
#ifndef ENGINE_STATISTICS_GATHERED_H
#define ENGINE_STATISTICS_GATHERED_H

#include "base/memory.h"
#include "base/run.h"

struct gathered {
	double *ticks;    /* per function */
	uint64_t *calls;  /* per function */
	uint32_t *listed; /* functions that have any of both */
	uint32_t count;
};

static inline void
gathered_begin(struct run *run, struct gathered *gathered, uint32_t functions)
{
	memory_array(run, gathered->ticks, functions);
	memory_array(run, gathered->calls, functions);
	memory_array(run, gathered->listed, functions);
	gathered->count = 0;
}

static inline void
gathered_take(struct gathered *gathered, const struct gprofx_slice_value *value)
{
	uint64_t calls = value->calls == GPROFX_CALLS_UNKNOWN ? 0 : value->calls;
	uint64_t *sum = &gathered->calls[value->node];

	if (value->self == 0 && calls == 0)
		return;
	if (gathered->ticks[value->node] == 0 && *sum == 0)
		gathered->listed[gathered->count++] = value->node;
	gathered->ticks[value->node] += value->self;
	*sum = *sum + calls < *sum ? UINT64_MAX : *sum + calls;
}

/* Forgets the values. */
static inline void
gathered_clear(struct gathered *gathered)
{
	for (uint32_t i = 0; i < gathered->count; i++) {
		gathered->ticks[gathered->listed[i]] = 0;
		gathered->calls[gathered->listed[i]] = 0;
	}
	gathered->count = 0;
}

static inline void
gathered_release(struct run *run, const struct gathered *gathered)
{
	memory_release(run, gathered->ticks);
	memory_release(run, gathered->calls);
	memory_release(run, gathered->listed);
}

#endif
