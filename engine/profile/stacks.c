/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stacks weigh, each metric by itself.  What a file says is kept apart until the whole file
 * counts.
 */
#include "profile/stacks.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sums.h"
#include "profile/stack-tree.h"
#include "profile/stack-weights.h"

/* Where ticks of several files are brought to one measure, there are at most so many to a unit. */
enum { MOST_RATE = 1000000000 };

static uint32_t
common_rate(uint32_t left, uint32_t right)
{
	uint64_t product = (uint64_t)left * right;

	while (right != 0) {
		uint32_t rest = left % right;

		left = right;
		right = rest;
	}
	product /= left;
	return product > MOST_RATE ? 0 : (uint32_t)product;
}

static bool
is_metric(const struct stacks *stacks, const char *name)
{
	return (stacks->is_there || stacks->file_has_stacks) &&
	       strcmp(stacks->metric_name, name) == 0;
}

/* What a metric of stacks is measured in has to be the same in all files. */
static enum gprofx_result
check_unit(struct run *run, const struct stacks *stacks, const struct gprofx_file *file,
           const struct stack_measure *measure)
{
	const struct gprofx_diagnostic unit = {
		.id = "profile.stacks-differ",
		.file = file->name,
		.hint = "report these profiles one by one",
	};
	bool is_first = !stacks->is_there && !stacks->file_has_stacks;
	const char *dimension = stacks->file_has_stacks ? stacks->file_dimension
	                                                : stacks->dimension;
	uint32_t rate = stacks->file_has_stacks ? stacks->file_rate : stacks->rate;

	if (is_first)
		return GPROFX_OK;
	if (!is_metric(stacks, measure->name))
		return run_fail(run, &unit,
		                "expected stacks of the metric \"%s\" alone, found some of \"%s\"",
		                stacks->metric_name, measure->name);
	if (strcmp(dimension, measure->dimension) != 0)
		return run_fail(run, &unit,
		                "expected stacks in %s, as those before, found stacks in %s",
		                dimension, measure->dimension);
	if (stacks->metric_kind != measure->kind)
		return run_fail(run, &unit,
		                "expected the metric \"%s\" to be sampled or counted as in earlier "
		                "stacks, found the opposite",
		                measure->name);
	if (stacks->file_has_stacks ? rate != measure->rate : common_rate(rate, measure->rate) == 0)
		return run_fail(run, &unit,
		                "expected stacks with %u ticks per unit, as before, found %u", rate,
		                measure->rate);
	return GPROFX_OK;
}

struct stacks *
stacks_of_metric(struct stacks *stacks, const char *name)
{
	if (is_metric(stacks, name))
		return stacks;
	for (uint32_t i = 0; i < stacks->other_count; i++)
		if (is_metric(stacks->others[i], name))
			return stacks->others[i];
	return NULL;
}

/* What the weights of a metric belong to.  The one that the settings name is shown first. */
static struct stacks *
enter_metric(struct run *run, struct stacks *stacks, const struct stack_measure *measure)
{
	const char *chosen = run->settings->metric;
	struct stacks *found = stacks_of_metric(stacks, measure->name);
	bool is_free = !stacks->is_there && !stacks->file_has_stacks;

	if (run->settings->one_metric)
		return stacks;
	if (found)
		return found;
	if (is_free && (!chosen || !chosen[0] || strcmp(chosen, measure->name) == 0))
		return stacks;
	for (uint32_t i = 0; i < stacks->other_count; i++)
		if (!stacks->others[i]->is_there && !stacks->others[i]->file_has_stacks)
			return stacks->others[i];
	stacks->others = memory_room(run, stacks->others, sizeof(struct stacks *),
	                             stacks->other_count, &stacks->other_room, 1);
	found = memory_alloc(run, sizeof *found);
	stacks->others[stacks->other_count++] = found;
	return found;
}

/* What the file has of a metric, in what unit. */
static void
begin_metric(struct stacks *stacks, const struct stack_measure *measure)
{
	stacks->file_has_stacks = true;
	stacks->file_rate = measure->rate;
	memcpy(stacks->file_dimension, measure->dimension, sizeof stacks->file_dimension);
	stacks->file_abbreviation = measure->abbreviation;
}

/* The same of its squares, if it has some. */
static void
begin_squares(struct run *run, struct stacks *stacks, const struct stack_measure *measure)
{
	if (!measure->squares) {
		stacks->file_lacks_squares = true;
		return;
	}
	if (!stacks->squares) {
		stacks->squares = memory_alloc(run, sizeof *stacks->squares);
		stacks->squares->is_squares = true;
	}
	begin_metric(stacks->squares, measure);
}

/* Enters the metrics of a call; fails where one is in something else than before. */
static enum gprofx_result
enter_metrics(struct run *run, struct stacks *stacks, const struct gprofx_file *file,
              const struct stack_measure *measures, uint32_t count, struct stacks **to)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct stack_measure *measure = &measures[i];

		to[i] = enter_metric(run, stacks, measure);
		if (check_unit(run, to[i], file, measure) != GPROFX_OK)
			return GPROFX_FAILED;
		if (!is_metric(to[i], measure->name))
			to[i]->metric_name = text_keep(run, measure->name, strlen(measure->name));
		to[i]->metric_kind = measure->kind;
		begin_metric(to[i], measure);
		begin_squares(run, to[i], measure);
	}
	return GPROFX_OK;
}

void
stacks_prepare(struct stacks *stacks)
{
	if (stacks->factor == 0)
		stacks->factor = hash_factor();
}

struct stacks *
stacks_enter_metric(struct run *run, struct stacks *stacks, const struct gprofx_file *file,
                    const struct stack_measure *measure)
{
	struct stacks *to;

	if (enter_metrics(run, stacks, file, measure, 1, &to) != GPROFX_OK)
		return NULL;
	stacks->file_has_any = true;
	return to;
}

enum gprofx_result
stacks_add(struct run *run, struct stacks *stacks, const struct gprofx_file *file,
           const struct stack_batch *batch)
{
	const struct gprofx_raw_stacks *rows = batch->rows;
	struct stacks *to[STACK_MEASURES_AT_MOST];
	uint32_t first_new;

	if (enter_metrics(run, stacks, file, batch->measures, batch->count, to) != GPROFX_OK)
		return GPROFX_FAILED;
	stacks_prepare(stacks);
	stacks->file_has_any = true;
	/* Frames with addresses can still move. */
	first_new = rows->place ? stacks->old_count : NO_STACK;
	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t stack;

		if (batch->left_out && batch->left_out[i]) {
			if (batch->count > 0)
				sum_add(&to[0]->file_left_out,
				        batch->measures->weight[(size_t)i * batch->measures->step]);
			continue;
		}
		stack = stack_tree_add(run, stacks, rows, i, batch->placed);
		for (uint32_t m = 0; m < batch->count; m++) {
			const struct stack_measure *measure = &batch->measures[m];
			size_t at = (size_t)i * measure->step;
			struct stack_entry entry = {stack, batch->slices ? batch->slices[i] : 0,
			                            measure->weight[at]};

			stack_weights_add(run, to[m], entry, first_new);
			if (measure->squares)
				stack_weights_add(
					run, to[m]->squares,
					(struct stack_entry){stack, 0, measure->squares[at]},
					first_new);
		}
	}
	return GPROFX_OK;
}

enum gprofx_result
stacks_add_calls(struct run *run, struct stacks *stacks, const struct gprofx_file *file,
                 const struct gprofx_raw_costed_call *rows, uint32_t count,
                 const struct stack_measure *measures, uint32_t measure_count)
{
	struct stacks *to[STACK_MEASURES_AT_MOST];

	if (enter_metrics(run, stacks, file, measures, measure_count, to) != GPROFX_OK)
		return GPROFX_FAILED;
	stacks->file_has_any = true;
	for (uint32_t i = 0; i < count; i++) {
		const struct costed_call call = {rows[i].caller, rows[i].callee, rows[i].flags,
		                                 rows[i].count};
		uint32_t number = costed_calls_add(run, &stacks->calls, &call);

		for (uint32_t m = 0; m < measure_count; m++)
			call_costs_add(run, &to[m]->costs, number,
			               measures[m].weight[(size_t)i * measures[m].step]);
	}
	return GPROFX_OK;
}

static void
forget_file(struct stacks *stacks)
{
	call_costs_drop(&stacks->costs);
	stacks->file_has_stacks = false;
	stacks->entry_count = 0;
	stacks->file_nowhere = stacks->file_total = stacks->file_left_out = 0;
	stacks->file_lacks_squares = false;
	if (stacks->squares)
		forget_file(stacks->squares);
}

/* The same of all metrics. */
static void
forget_all(struct stacks *stacks)
{
	forget_file(stacks);
	for (uint32_t i = 0; i < stacks->other_count; i++)
		forget_file(stacks->others[i]);
	costed_calls_drop(&stacks->calls);
	stacks->file_has_any = false;
}

void
stacks_begin_file(struct stacks *stacks, uint64_t most_frames)
{
	forget_all(stacks);
	stacks->file_count = 0;
	stacks->file_deepest = 0;
	stacks->frames_left = most_frames;
	stacks->old_count = stacks->count;
	stacks->old_places = stacks->place_count;
}

/*
 * Brings what there is and what the file has to one measure; returns by how much the file's grows.
 * *earlier: the same of what there is.
 */
static uint64_t
join_rates(struct stacks *stacks, const struct stacks *tree, uint64_t *earlier)
{
	uint32_t rate = stacks->is_there ? common_rate(stacks->rate, stacks->file_rate)
	                                 : stacks->file_rate;
	uint64_t factor = stacks->is_there ? rate / stacks->rate : 1;
	uint64_t grows = rate / stacks->file_rate;

	if (stacks->is_squares) {
		factor *= factor;
		grows *= grows;
	}
	stack_weights_grow(stacks, tree->old_count, factor, grows);
	for (uint32_t i = 0; factor > 1 && i < stacks->by_slice.count; i++) {
		struct stack_slice *row = (struct stack_slice *)stacks->by_slice.items + i;

		row->weight = stack_weights_times(row->weight, factor);
	}
	*earlier = factor;
	stacks->nowhere = stack_weights_times(stacks->nowhere, factor);
	stacks->total = stack_weights_times(stacks->total, factor);
	stacks->rate = rate;
	memcpy(stacks->dimension, stacks->file_dimension, sizeof stacks->dimension);
	stacks->abbreviation = stacks->file_abbreviation;
	return grows;
}

static void
keep_slices(struct run *run, struct stacks *stacks, uint64_t factor)
{
	struct stack_slice *to = kept_rows_add(run, &stacks->by_slice, sizeof *to,
	                                       stacks->entry_count);

	for (uint32_t i = 0; i < stacks->entry_count; i++) {
		const struct stack_entry *entry = &stacks->entries[i];

		to[i] = (struct stack_slice){entry->slice, entry->stack,
		                             stack_weights_times(entry->weight, factor)};
	}
}

static void
release_entries(struct run *run, struct stacks *stacks)
{
	memory_release(run, stacks->entries);
	stacks->entries = NULL;
	stacks->entry_count = stacks->entry_room = 0;
}

/* What the file has of one metric counts, beside the stacks of all metrics. */
static void
commit_metric(struct run *run, struct stacks *stacks, const struct stacks *tree, const char *name)
{
	enum { KEPT_ENTRIES = 65536 /* with room for those of the next file */ };
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.weights-overflow",
		.file = name,
		.hint = "report parts of the profile one by one",
	};
	uint64_t factor, earlier;
	bool fits = true;

	if (!stacks->file_has_stacks)
		return;
	factor = join_rates(stacks, tree, &earlier);
	stack_weights_extend(run, stacks, tree->count);
	if (!stacks->is_squares) {
		fits = call_costs_commit(run, &stacks->costs, &tree->calls, earlier, factor);
		fits = stack_weights_commit_self(run, stacks, tree, factor) && fits;
	}
	for (uint32_t i = 0; i < stacks->entry_count; i++)
		if (stacks->entries[i].stack != NO_STACK)
			sum_add(&stacks->weight[stacks->entries[i].stack],
			        stack_weights_times(stacks->entries[i].weight, factor));
	if (stacks->keeps_slices)
		keep_slices(run, stacks, factor);
	/* Those of all metrics are more than what is made of each of them in turn. */
	if (stacks->entry_room > KEPT_ENTRIES)
		release_entries(run, stacks);
	sum_add(&stacks->nowhere, stack_weights_times(stacks->file_nowhere, factor));
	sum_add(&stacks->total, stack_weights_times(stacks->file_total, factor));
	if ((stacks->total == UINT64_MAX || !fits) && !stacks->is_saturated) {
		stacks->is_saturated = true;
		/* Squares that are too large are not known, which is no loss of weights. */
		if (!stacks->is_squares)
			run_warn(run, &diagnostic,
			         "the sum of stack weights exceeds 64 bits: some sums are too "
			         "small");
	}
	stacks->is_there = true;
	stacks->file_has_stacks = false;
	file_names_add(run, &stacks->files, name);
	stacks->lacks_squares = stacks->lacks_squares || stacks->file_lacks_squares;
	if (stacks->squares)
		commit_metric(run, stacks->squares, tree, name);
}

void
stacks_commit_file(struct run *run, struct stacks *stacks, const char *name)
{
	if (stacks->calls.file_count > 0)
		file_names_add(run, &stacks->calls.files, name);
	costed_calls_commit(run, &stacks->calls, stacks->factor);
	commit_metric(run, stacks, stacks, name);
	for (uint32_t i = 0; i < stacks->other_count; i++)
		commit_metric(run, stacks->others[i], stacks, name);
	memory_release(run, stacks->calls.number);
	stacks->calls.number = NULL;
	costed_calls_drop(&stacks->calls);
	stacks->file_has_any = false;
}

static void
share_with(const struct stacks *stacks, struct stacks *other)
{
	other->places = stacks->places;
	other->place_count = stacks->place_count;
	other->function = stacks->function;
	other->line = stacks->line;
	other->past = stacks->past;
	other->above = stacks->above;
	other->above_stack = stacks->above_stack;
	other->count = stacks->count;
	other->place = stacks->place;
	other->frame_count = stacks->frame_count;
	other->calls = stacks->calls;
	if (other->squares)
		share_with(stacks, other->squares);
}

void
stacks_share_all(struct stacks *stacks)
{
	if (stacks->squares)
		share_with(stacks, stacks->squares);
	for (uint32_t i = 0; i < stacks->other_count; i++)
		share_with(stacks, stacks->others[i]);
}

static void
drop_weights(struct stacks *stacks, uint32_t count)
{
	stack_weights_drop(stacks, count);
	if (stacks->squares)
		stack_weights_drop(stacks->squares, count);
}

void
stacks_drop_file(struct run *run, struct stacks *stacks)
{
	stack_tree_take_back(run, stacks);
	drop_weights(stacks, stacks->count);
	for (uint32_t i = 0; i < stacks->other_count; i++)
		drop_weights(stacks->others[i], stacks->count);
	forget_all(stacks);
}

/* Squares that some stacks lack are not known; those that are the weights need no room. */
static void
finish_squares(struct run *run, struct stacks *stacks, uint32_t count)
{
	struct stacks *squares = stacks->squares;

	if (!squares)
		return;
	release_entries(run, squares);
	if (squares->is_there)
		stack_weights_extend(run, squares, count);
	stacks->are_squares = squares->is_there && !stacks->lacks_squares &&
	                      stacks->nowhere == squares->nowhere && !squares->is_saturated &&
	                      (count == 0 || memcmp(stacks->weight, squares->weight,
	                                            count * sizeof *squares->weight) == 0);
	if (squares->is_there && !stacks->lacks_squares && !squares->is_saturated &&
	    !stacks->are_squares)
		return;
	memory_release(run, squares->weight);
	stacks->squares = NULL;
}

void
stacks_finish(struct run *run, struct stacks *stacks)
{
	uint32_t kept = 0;

	stack_tree_finish(run, stacks);
	costed_calls_finish(run, &stacks->calls);
	call_costs_finish(run, &stacks->costs, &stacks->calls, stacks->place_count);
	release_entries(run, stacks);
	if (stacks->is_there)
		stack_weights_extend(run, stacks, stacks->count);
	finish_squares(run, stacks, stacks->count);
	for (uint32_t i = 0; i < stacks->other_count; i++) {
		struct stacks *other = stacks->others[i];

		release_entries(run, other);
		if (!other->is_there)
			continue;
		call_costs_finish(run, &other->costs, &stacks->calls, stacks->place_count);
		stack_weights_extend(run, other, stacks->count);
		finish_squares(run, other, stacks->count);
		stacks->others[kept++] = other;
	}
	stacks->other_count = kept;
}
