/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/costed-calls.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sums.h"

static uint64_t
hash_of(const struct costed_call *call, uint64_t factor)
{
	return hash_word(hash_word((uint64_t)call->caller << 32 | call->callee, factor) ^
	                         call->flags,
	                 factor) >>
	       32;
}

static bool
is_same_call(const void *rows, uint32_t number, const void *wanted)
{
	const struct costed_call *left = &((const struct costed_calls *)rows)->items[number];
	const struct costed_call *right = wanted;

	return left->caller == right->caller && left->callee == right->callee &&
	       left->flags == right->flags;
}

uint32_t
costed_calls_add(struct run *run, struct costed_calls *calls, const struct costed_call *call)
{
	calls->file = memory_room(run, calls->file, sizeof *calls->file, calls->file_count,
	                          &calls->file_room, 1);
	calls->file[calls->file_count] = *call;
	return calls->file_count++;
}

void
call_costs_add(struct run *run, struct call_costs *costs, uint32_t call, uint64_t weight)
{
	costs->entries = memory_room(run, costs->entries, sizeof *costs->entries,
	                             costs->entry_count, &costs->entry_room, 1);
	costs->entries[costs->entry_count++] = (struct call_entry){call, weight};
}

void
costed_calls_commit(struct run *run, struct costed_calls *calls, uint64_t factor)
{
	memory_array(run, calls->number, calls->file_count);
	for (uint32_t i = 0; i < calls->file_count; i++) {
		const struct costed_call *call = &calls->file[i];
		uint32_t *slot;

		if (slots_grow(run, &calls->slots, calls->count))
			for (uint32_t k = 0; k < calls->count; k++)
				*slots_find(&calls->slots, hash_of(&calls->items[k], factor), NULL,
				            NULL, NULL) = k + 1;
		slot = slots_find(&calls->slots, hash_of(call, factor), is_same_call, calls, call);
		if (*slot == 0) {
			calls->items = memory_room(run, calls->items, sizeof *calls->items,
			                           calls->count, &calls->room, 1);
			calls->items[calls->count] = *call;
			*slot = ++calls->count;
		} else {
			sum_add(&calls->items[*slot - 1].count, call->count);
		}
		calls->number[i] = *slot - 1;
	}
}

/* Every row has a weight. */
static uint64_t *
weigh_all(struct run *run, uint64_t *weight, uint32_t *count, uint32_t *room, uint32_t wanted)
{
	if (*count >= wanted)
		return weight;
	weight = memory_room(run, weight, sizeof *weight, *count, room, wanted - *count);
	for (; *count < wanted; ++*count)
		weight[*count] = 0;
	return weight;
}

static bool
grow_all(uint64_t *weight, uint32_t count, uint64_t factor)
{
	bool fits = true;

	for (uint32_t i = 0; factor > 1 && i < count; i++) {
		fits = fits && weight[i] <= UINT64_MAX / factor;
		weight[i] = weight[i] > UINT64_MAX / factor ? UINT64_MAX : weight[i] * factor;
	}
	return fits;
}

bool
call_costs_commit(struct run *run, struct call_costs *costs, const struct costed_calls *calls,
                  uint64_t factor, uint64_t grows)
{
	bool fits = grow_all(costs->weight, costs->weighed, factor);

	fits = grow_all(costs->self, costs->self_count, factor) && fits;
	if (!call_costs_are_known(costs, calls))
		return fits;
	costs->weight = weigh_all(run, costs->weight, &costs->weighed, &costs->weight_room,
	                          calls->count);
	for (uint32_t i = 0; i < costs->entry_count; i++) {
		const struct call_entry *entry = &costs->entries[i];
		uint64_t weight = entry->weight;

		fits = grow_all(&weight, 1, grows) && fits;
		fits = sum_add(&costs->weight[calls->number[entry->call]], weight) && fits;
	}
	costs->entry_count = 0;
	return fits;
}

bool
call_costs_add_self(struct run *run, struct call_costs *costs, uint32_t place, uint64_t weight)
{
	costs->self = weigh_all(run, costs->self, &costs->self_count, &costs->self_room, place + 1);
	return sum_add(&costs->self[place], weight);
}

void
costed_calls_drop(struct costed_calls *calls)
{
	calls->file_count = 0;
}

void
call_costs_drop(struct call_costs *costs)
{
	costs->entry_count = 0;
	costs->file_calls = FILE_CALLS_AS_READ;
	costs->file_self = NULL;
	costs->file_self_count = 0;
}

void
costed_calls_finish(struct run *run, struct costed_calls *calls)
{
	slots_release(run, &calls->slots);
	memory_release(run, calls->file);
	calls->file = NULL;
	calls->file_count = calls->file_room = 0;
}

void
call_costs_finish(struct run *run, struct call_costs *costs, const struct costed_calls *calls,
                  uint32_t place_count)
{
	memory_release(run, costs->entries);
	costs->entries = NULL;
	costs->entry_count = costs->entry_room = 0;
	if (!costs->weight)
		return;
	costs->weight = weigh_all(run, costs->weight, &costs->weighed, &costs->weight_room,
	                          calls->count);
	if (!costs->is_all)
		costs->self = weigh_all(run, costs->self, &costs->self_count, &costs->self_room,
		                        place_count);
}
