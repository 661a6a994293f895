/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/file-values.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

enum { FIRST_ROOM = 1024 };

/* Values of one kind by symbol, those of one by file. */
struct by_symbol {
	const struct file_value *values;
	uint32_t *first; /* per symbol, and one more */
	uint32_t *ids;
};

struct file_values *
file_values_new(struct run *run, size_t most, uint32_t symbol_count, const struct series *self,
                const struct series *calls, const bool *has_late_ticks)
{
	struct file_values *values = memory_alloc(run, sizeof *values);

	values->most = most;
	values->symbol_count = symbol_count;
	values->self_series = self;
	values->call_series = calls;
	values->has_late_ticks = has_late_ticks;
	memory_array(run, values->self.is_cut, symbol_count);
	memory_array(run, values->calls.is_cut, symbol_count);
	return values;
}

/* What threads added has no owner yet, so it is freed before the run can give up. */
static void
take(struct run *run, struct file_value_list *list)
{
	struct loose_list *fresh = &list->fresh;
	size_t count = list->count + fresh->count, room = list->room;
	struct file_value *items = list->items;

	while (room < count && room < UINT32_MAX)
		room = room > 0 ? 2 * room : FIRST_ROOM;
	if (room > list->room)
		items = memory_try(run, room * sizeof *items);
	if (fresh->failed || count >= UINT32_MAX || !items) {
		loose_free(fresh);
		memory_exhausted(run, room * sizeof *items);
	}
	if (items != list->items) {
		if (list->count > 0)
			memcpy(items, list->items, list->count * sizeof *items);
		memory_release(run, list->items);
	}
	memcpy(items + list->count, fresh->items, fresh->count * sizeof *items);
	list->items = items;
	list->room = room;
	list->count = count;
	loose_free(fresh);
}

/* Sorts so that the series with the largest values come first. */
static void
sort_by_most(struct run *run, const struct series *series, uint64_t *keys, uint32_t *ids,
             uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		keys[i] = ~sort_key(series[ids[i]].most);
	sort_ascending(run, keys, ids, count);
}

/*
 * All symbols, those first whose values are to be kept: by the ticks, then by the calls, of the
 * file that has most; ahead of them what can still get any ticks.
 */
static uint32_t *
rank(struct run *run, const struct file_values *values)
{
	uint32_t count = values->symbol_count, *ids;
	uint64_t *keys;

	memory_array(run, ids, count);
	memory_array(run, keys, count);
	for (uint32_t i = 0; i < count; i++)
		ids[i] = i;
	sort_by_most(run, values->call_series, keys, ids, count);
	sort_by_most(run, values->self_series, keys, ids, count);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = !values->has_late_ticks[ids[i]];
	sort_ascending(run, keys, ids, count);
	memory_release(run, keys);
	return ids;
}

/* Leaves half of what is allowed, so that this is seldom done. */
static void
cut(struct run *run, const struct file_values *values, struct file_value_list *list)
{
	struct file_value *items = list->items;
	uint32_t *ranked = rank(run, values), *counts;
	size_t left = values->most / 2, kept = 0;

	memory_array(run, counts, values->symbol_count);
	for (size_t i = 0; i < list->count; i++)
		counts[items[i].symbol]++;
	for (uint32_t i = 0; i < values->symbol_count; i++) {
		uint32_t symbol = ranked[i];

		if (counts[symbol] > left) {
			list->is_cut[symbol] = true;
			left = 0;
		} else {
			left -= counts[symbol];
		}
	}
	for (size_t i = 0; i < list->count; i++)
		if (!list->is_cut[items[i].symbol])
			items[kept++] = items[i];
	list->count = kept;
	memory_release(run, ranked);
	memory_release(run, counts);
}

void
file_values_bound(struct run *run, struct file_values *values)
{
	if (!values)
		return;
	if (values->self.fresh.room > 0 || values->self.fresh.failed)
		take(run, &values->self);
	if (values->calls.fresh.room > 0 || values->calls.fresh.failed)
		take(run, &values->calls);
	if (values->self.count > values->most)
		cut(run, values, &values->self);
	if (values->calls.count > values->most)
		cut(run, values, &values->calls);
}

static struct by_symbol
sort_by_symbol(struct run *run, const struct file_values *values,
               const struct file_value_list *list)
{
	struct by_symbol sorted = {.values = list->items};
	uint32_t count = (uint32_t)list->count;
	uint64_t *keys;

	memory_array(run, sorted.first, (size_t)values->symbol_count + 1);
	memory_array(run, sorted.ids, count);
	memory_array(run, keys, count);
	for (uint32_t i = 0; i < count; i++) {
		sorted.ids[i] = i;
		keys[i] = sorted.values[i].symbol;
		sorted.first[sorted.values[i].symbol + 1]++;
	}
	for (uint32_t i = 0; i < values->symbol_count; i++)
		sorted.first[i + 1] += sorted.first[i];
	sort_ascending(run, keys, sorted.ids, count);
	memory_release(run, keys);
	return sorted;
}

static void
release(struct run *run, const struct by_symbol *sorted)
{
	memory_release(run, sorted->first);
	memory_release(run, sorted->ids);
}

static const struct file_value *
value_at(const struct by_symbol *sorted, uint32_t i)
{
	return &sorted->values[sorted->ids[i]];
}

/* Both kinds of a function together, by file; returns the end. */
static struct gprofx_file_value *
merge(const struct by_symbol *self, const struct by_symbol *calls, uint32_t symbol, bool is_called,
      struct gprofx_file_value *to)
{
	uint32_t s = self->first[symbol], self_end = self->first[symbol + 1];
	uint32_t c = calls->first[symbol], calls_end = calls->first[symbol + 1];

	while (s < self_end || c < calls_end) {
		uint32_t ticks_file = s < self_end ? value_at(self, s)->file : UINT32_MAX;
		uint32_t calls_file = c < calls_end ? value_at(calls, c)->file : UINT32_MAX;

		*to = (struct gprofx_file_value){
			.file = ticks_file < calls_file ? ticks_file : calls_file,
			.calls = is_called ? 0 : GPROFX_CALLS_UNKNOWN,
		};
		if (ticks_file == to->file)
			to->self = value_at(self, s++)->is.ticks;
		if (calls_file == to->file)
			to->calls = value_at(calls, c++)->is.calls;
		to++;
	}
	return to;
}

void
file_values_report(struct run *run, struct file_values *values, struct gprofx_report_files *files)
{
	struct by_symbol self, calls;
	struct gprofx_file_value *rows, *end;
	uint32_t *first;

	file_values_bound(run, values);
	self = sort_by_symbol(run, values, &values->self);
	calls = sort_by_symbol(run, values, &values->calls);
	memory_array(run, rows, values->self.count + values->calls.count);
	memory_array(run, first, (size_t)files->spread_count + 1);
	end = rows;
	for (uint32_t i = 0; i < files->spread_count; i++) {
		uint32_t symbol = files->spread[i].function;

		first[i] = (uint32_t)(end - rows);
		if (values->self.is_cut[symbol]) {
			files->values_left_out++;
			continue;
		}
		end = merge(&self, &calls, symbol, !values->calls.is_cut[symbol], end);
		if (end == rows + first[i])
			files->values_left_out++;
	}
	first[files->spread_count] = (uint32_t)(end - rows);
	files->value_first = first;
	files->value = rows;
	release(run, &self);
	release(run, &calls);
	memory_release(run, values->self.items);
	memory_release(run, values->calls.items);
}
