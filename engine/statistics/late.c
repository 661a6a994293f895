/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/late.h"

#include "base/memory.h"
#include "base/sort.h"

bool
late_may_change(const struct symbols *symbols, const struct gprofx_raw_arc *arc, uint32_t quantum,
                uint32_t caller, uint32_t callee)
{
	uint64_t last = symbols_past(arc->from, quantum - 1);
	uint32_t next = symbols_lookup(symbols, arc->from);

	next = next == NO_SYMBOL ? sorted_up_to(symbols->address, symbols->count, arc->from)
	                         : next + 1;
	for (; next < symbols->count && symbols->address[next] <= last; next++)
		if ((symbols_function(symbols, next) == callee) != (caller == callee))
			return true;
	return false;
}

/* Adds what a file has of a function. */
static void
add_file(const struct series_table *series, struct file_values *values, uint32_t file,
         uint32_t symbol, uint64_t calls)
{
	if (calls == 0) {
		series_lack(&series->rows[symbol], file);
		return;
	}
	series_table_add(series, symbol, file, (double)calls);
	file_values_add_calls(values, file, symbol, calls);
}

void
late_finish(struct run *run, struct loose_list *list, const struct attribution *callers,
            const struct arc_rules *rules, const struct series_table *calls,
            struct file_values *values)
{
	const struct late_calls *items = list->items;
	uint32_t count = (uint32_t)list->count, *ids;
	uint64_t *keys, sum = 0;

	if (list->failed || list->count >= UINT32_MAX)
		memory_exhausted(run, list->room * sizeof *items);
	memory_array(run, ids, count);
	memory_array(run, keys, count);
	for (uint32_t i = 0; i < count; i++) {
		ids[i] = i;
		keys[i] = (uint64_t)items[i].file << 32 | items[i].callee;
	}
	sort_ascending(run, keys, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct late_calls *item = &items[ids[i]];
		uint64_t more = item->is_arc ? attribution_others(callers, rules, &item->arc)
		                             : item->arc.count;

		sum = sum + more < sum ? UINT64_MAX : sum + more;
		if (i + 1 < count && keys[i + 1] == keys[i])
			continue;
		add_file(calls, values, item->file, item->callee, sum);
		sum = 0;
	}
	memory_release(run, ids);
	memory_release(run, keys);
	loose_free(list);
	file_values_bound(run, values);
}
