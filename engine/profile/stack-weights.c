/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/stack-weights.h"

#include "base/memory.h"
#include "base/sums.h"

/*
 * Adds up what entries have of the same stack and slice: of each stack, those that follow each
 * other in a slice.  A file can have far more samples than stacks.
 */
static void
join_entries(struct run *run, struct stacks *stacks)
{
	uint32_t kept = 0, past = 0, *last;

	for (uint32_t i = 0; i < stacks->entry_count; i++)
		if (stacks->entries[i].stack != NO_STACK && stacks->entries[i].stack >= past)
			past = stacks->entries[i].stack + 1;
	/* By stack, the entry that was kept last, plus 1; behind them, that of no stack. */
	memory_array(run, last, (size_t)past + 1);
	for (uint32_t i = 0; i < stacks->entry_count; i++) {
		const struct stack_entry entry = stacks->entries[i];
		uint32_t *known = &last[entry.stack == NO_STACK ? past : entry.stack];

		if (*known > 0 && stacks->entries[*known - 1].slice == entry.slice) {
			sum_add(&stacks->entries[*known - 1].weight, entry.weight);
			continue;
		}
		stacks->entries[kept++] = entry;
		*known = kept;
	}
	stacks->entry_count = kept;
	memory_release(run, last);
}

/*
 * How many more entries there has to be room for.  They are joined before they get more room,
 * unless that was of little use.
 */
static uint32_t
entries_wanted(struct run *run, struct stacks *stacks)
{
	enum { MANY = 1 << 16 };

	if (stacks->entry_count < stacks->entry_room || stacks->entry_count < MANY ||
	    !stacks->entries)
		return 1;
	join_entries(run, stacks);
	return stacks->entry_count < stacks->entry_room / 2
	               ? 1
	               : stacks->entry_room - stacks->entry_count + 1;
}

/* Adds what a stack that the file made weighs. */
static void
add_at_once(struct run *run, struct stacks *stacks, uint32_t stack, uint64_t weight)
{
	if (stack >= stacks->weighed)
		stack_weights_extend(run, stacks, stack + 1);
	sum_add(&stacks->weight[stack], weight);
}

static void
add_entry(struct run *run, struct stacks *stacks, struct stack_entry entry)
{
	struct stack_entry *last = stacks->entry_count > 0
	                                   ? &stacks->entries[stacks->entry_count - 1]
	                                   : NULL;
	uint32_t more;

	if (last && last->stack == entry.stack && last->slice == entry.slice) {
		sum_add(&last->weight, entry.weight);
		return;
	}
	more = entries_wanted(run, stacks);
	stacks->entries = memory_room(run, stacks->entries, sizeof *stacks->entries,
	                              stacks->entry_count, &stacks->entry_room, more);
	stacks->entries[stacks->entry_count++] = entry;
}

void
stack_weights_extend(struct run *run, struct stacks *stacks, uint32_t count)
{
	if (count <= stacks->weighed)
		return;
	stacks->weight = memory_room(run, stacks->weight, sizeof *stacks->weight, stacks->weighed,
	                             &stacks->weight_room, count - stacks->weighed);
	for (; stacks->weighed < count; stacks->weighed++)
		stacks->weight[stacks->weighed] = 0;
}

void
stack_weights_add(struct run *run, struct stacks *stacks, struct stack_entry entry,
                  uint32_t first_new)
{
	sum_add(&stacks->file_total, entry.weight);
	if (entry.stack == NO_STACK)
		sum_add(&stacks->file_nowhere, entry.weight);
	/* What is of no function and weighs nothing has no row that it could be in. */
	if (entry.stack == NO_STACK && (!stacks->keeps_slices || entry.weight == 0))
		return;
	if (entry.stack != NO_STACK && entry.stack >= first_new && !stacks->keeps_slices)
		add_at_once(run, stacks, entry.stack, entry.weight);
	else
		add_entry(run, stacks, entry);
}

void
stack_weights_spill(struct run *run, struct stacks *stacks, uint32_t first_new)
{
	for (uint32_t i = first_new; i < stacks->weighed; i++)
		add_entry(run, stacks, (struct stack_entry){i, 0, stacks->weight[i]});
	stack_weights_drop(stacks, first_new);
}

void
stack_weights_drop(struct stacks *stacks, uint32_t count)
{
	if (stacks->weighed > count)
		stacks->weighed = count;
}

void
stack_weights_grow(struct stacks *stacks, uint32_t first_new, uint64_t factor, uint64_t grows)
{
	for (uint32_t i = 0; factor > 1 && i < stacks->weighed && i < first_new; i++)
		stacks->weight[i] = stack_weights_times(stacks->weight[i], factor);
	for (uint32_t i = first_new; grows > 1 && i < stacks->weighed; i++)
		stacks->weight[i] = stack_weights_times(stacks->weight[i], grows);
}

/* Adds the weights of some stacks to what the places have that these end in. */
static bool
add_self(struct run *run, struct stacks *stacks, const struct stacks *tree, uint32_t first,
         uint32_t past)
{
	bool fits = true;

	for (uint32_t i = first; i < past && i < stacks->weighed; i++)
		fits = call_costs_add_self(run, &stacks->costs, tree->place[stacks_end(tree, i)],
		                           stacks->weight[i]) &&
		       fits;
	return fits;
}

bool
stack_weights_commit_self(struct run *run, struct stacks *stacks, const struct stacks *tree,
                          uint64_t grows)
{
	struct call_costs *costs = &stacks->costs;
	bool has_calls = call_costs_are_known(costs, &tree->calls), fits = true;
	bool is_mixed = costs->file_calls == FILE_CALLS_MIXED;

	if (!stacks->is_there)
		costs->is_all = has_calls && !is_mixed;
	if (costs->is_all && (!has_calls || is_mixed)) {
		fits = add_self(run, stacks, tree, 0, tree->old_count);
		costs->is_all = false;
	}
	if (costs->is_all || !has_calls)
		return fits;
	if (is_mixed) {
		for (uint32_t i = 0; i < costs->file_self_count; i++)
			fits = call_costs_add_self(
				       run, costs, i,
				       stack_weights_times(costs->file_self[i], grows)) &&
			       fits;
		return fits;
	}
	fits = add_self(run, stacks, tree, tree->old_count, UINT32_MAX);
	for (uint32_t i = 0; i < stacks->entry_count; i++) {
		const struct stack_entry *entry = &stacks->entries[i];

		if (entry->stack != NO_STACK)
			fits = call_costs_add_self(run, costs,
			                           tree->place[stacks_end(tree, entry->stack)],
			                           stack_weights_times(entry->weight, grows)) &&
			       fits;
	}
	return fits;
}

const uint64_t *
stack_weights_self(struct run *run, const struct stacks *stacks)
{
	uint64_t *self;

	if (!stacks->costs.is_all)
		return stacks->costs.self;
	memory_array(run, self, stacks->place_count);
	/* What sums do not fit in was reported with those of all stacks. */
	for (uint32_t i = 0; i < stacks->count; i++)
		sum_add(&self[stacks->place[stacks_end(stacks, i)]], stacks->weight[i]);
	return self;
}
