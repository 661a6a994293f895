/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What profiles state of lines and calls becomes a part of the report.  Numbers stay where the
 * profile has them: there can be millions.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sums.h"
#include "profile/file-names.h"
#include "profile/profile.h"
#include "profile/stack-weights.h"
#include "report/model.h"

/* The stacks that have a metric of the report, or NULL. */
static const struct stacks *
stacks_of(const struct report_model *model, const struct stacks *stacks, uint32_t metric)
{
	uint32_t own = model->run_columns.own[metric];

	if (own == REPORT_NOT_MEASURED)
		return NULL;
	return own == 0 ? stacks : stacks->others[own - 1];
}

/* Whether nothing but lines with stated costs has some of a metric.  self: what places have. */
static bool
is_stated(const struct stacks *stacks, const uint64_t *self)
{
	uint64_t sum = 0;

	if (!stacks || !self || stacks->is_saturated)
		return false;
	for (uint32_t i = 0; i < stacks->place_count; i++)
		sum_add(&sum, self[i]);
	return sum == stacks->total;
}

static void
set_places(struct run *run, const struct stacks *stacks, struct gprofx_report_stated *stated)
{
	uint32_t *line, *flags;
	const char **function_file, **file;

	memory_array(run, line, stacks->place_count);
	memory_array(run, flags, stacks->place_count);
	function_file = memory_alloc_array(run, sizeof *function_file, stacks->place_count);
	file = memory_alloc_array(run, sizeof *file, stacks->place_count);
	for (uint32_t i = 0; i < stacks->place_count; i++) {
		const struct stack_place *place = &stacks->places[i];

		line[i] = place->line;
		flags[i] = place->flags & GPROFX_PLACE_NESTED ? GPROFX_STATED_NESTED : 0;
		function_file[i] = place->names->file;
		file[i] = place->names->source ? place->names->source : place->names->file;
	}
	stated->place_count = stacks->place_count;
	stated->node = stacks->function;
	stated->line = line;
	stated->flags = flags;
	stated->function_file = function_file;
	stated->file = file;
}

static void
set_calls(struct run *run, const struct stacks *stacks, struct gprofx_report_stated *stated)
{
	const struct costed_call *calls = stacks->calls.items;
	uint32_t step = sizeof *calls, *flags;

	memory_array(run, flags, stacks->calls.count);
	for (uint32_t i = 0; i < stacks->calls.count; i++)
		flags[i] = (calls[i].flags & GPROFX_CALL_FROM_NESTED ? GPROFX_STATED_NESTED : 0) |
		           (calls[i].flags & GPROFX_CALL_TO_NESTED ? GPROFX_STATED_TO_NESTED : 0);
	stated->call_count = stacks->calls.count;
	stated->caller = (struct gprofx_ids){&calls->caller, step};
	stated->callee = (struct gprofx_ids){&calls->callee, step};
	stated->calls = (struct gprofx_counts){&calls->count, step};
	stated->call_flags = flags;
}

const struct gprofx_report_stated *
report_stated(struct run *run, const struct report_model *model, const struct profile *profile)
{
	const struct gprofx_report_origin *origin = &model->parts.origin;
	const struct stacks *stacks = &profile->stacks;
	struct gprofx_report_stated *stated;
	const uint64_t **self, **cost;

	if (!stacks->is_there || stacks->calls.count == 0)
		return NULL;
	stated = memory_alloc(run, sizeof *stated);
	stated->size = sizeof *stated;
	/* Counters of other files count in the place of the numbers that are stated. */
	stated->is_whole = origin->call_files == stacks->calls.files.items;
	set_places(run, stacks, stated);
	set_calls(run, stacks, stated);
	self = memory_alloc_array(run, sizeof *self, origin->metric_count);
	cost = memory_alloc_array(run, sizeof *cost, origin->metric_count);
	for (uint32_t m = 0; m < origin->metric_count; m++) {
		const struct stacks *of = stacks_of(model, stacks, m);

		if (of && of->costs.weight) {
			self[m] = stack_weights_self(run, of);
			cost[m] = of->costs.weight;
		}
		stated->is_whole = stated->is_whole && is_stated(of, self[m]);
	}
	stated->self = self;
	stated->cost = cost;
	return stated;
}
