/* SPDX-License-Identifier: Apache-2.0 */
#include "attribution/reach.h"

#include "base/memory.h"
#include "base/sort.h"

enum {
	MOST_STEPS = 4,      /* jumps behind each other, as far as code is looked at for them */
	MOST_JUMPS = 1 << 26 /* looked at for all calls; only programs made for that have so many */
};

/* Functions whose code is looked at next. */
struct front {
	uint64_t *keys; /* addresses that they begin at */
	uint32_t count, room;
};

static void
add_function(struct run *run, struct front *front, uint64_t address)
{
	front->keys = memory_room(run, front->keys, sizeof *front->keys, front->count, &front->room,
	                          1);
	front->keys[front->count++] = address;
}

/* Sorts numbers and leaves each once; returns how many. */
static uint32_t
sort_once(struct run *run, uint64_t *keys, uint32_t count)
{
	uint32_t *ids, kept = 0;

	memory_array(run, ids, count);
	sort_ascending(run, keys, ids, count);
	memory_release(run, ids);
	for (uint32_t i = 0; i < count; i++)
		if (i == 0 || keys[i] != keys[kept - 1])
			keys[kept++] = keys[i];
	return kept;
}

/* The functions of the front that were not looked at before. */
static struct scan_windows
windows_of(struct run *run, struct front *front, const struct front *done)
{
	struct scan_windows windows = {0};

	if (front->count == 0)
		return windows;
	front->count = sort_once(run, front->keys, front->count);
	memory_array(run, windows.first, front->count);
	memory_array(run, windows.last, front->count);
	for (uint32_t i = 0; i < front->count; i++) {
		uint64_t address = front->keys[i];
		uint32_t up_to = done->keys ? sorted_up_to(done->keys, done->count, address) : 0;

		if (up_to > 0 && done->keys[up_to - 1] == address)
			continue;
		windows.first[windows.count] = windows.last[windows.count] = address;
		windows.count++;
	}
	return windows;
}

bool
reach_target(const struct symbols *symbols, const struct call_site *site, uint64_t *address)
{
	const struct symbol_slot *slot;
	uint32_t symbol;

	*address = site->to;
	if (!site->is_indirect)
		return true;
	slot = site->to != 0 ? symbols_slot(symbols, site->to) : NULL;
	if (!slot)
		return false;
	*address = slot->callee;
	symbol = symbols_at(symbols, slot->callee);
	return symbol != NO_SYMBOL && !symbols_import(symbols, symbol);
}

struct reach
reach_find(struct run *run, struct scanner *scanner, const struct arc_rules *rules,
           const struct call_sites *sites)
{
	struct front front = {0}, done = {0}, found = {0};
	struct reach reach = {0};

	for (uint32_t i = 0; i < sites->count; i++) {
		uint64_t address;

		if (reach_target(rules->symbols, &sites->items[i], &address))
			add_function(run, &front, address);
	}
	for (uint32_t step = 0; step < MOST_STEPS; step++) {
		struct scan_windows windows = windows_of(run, &front, &done);
		struct call_sites jumps = {0};

		if (windows.count > 0)
			jumps = scan_jumps(run, scanner, &windows);
		for (uint32_t i = 0; i < windows.count; i++)
			add_function(run, &done, windows.first[i]);
		done.count = sort_once(run, done.keys, done.count);
		front.count = 0;
		for (uint32_t i = 0; i < jumps.count; i++) {
			const struct call_site *jump = &jumps.items[i];
			const struct gprofx_raw_arc arc = {.from = jump->from, .self = jump->to};
			uint32_t from, to;

			arcs_resolve(rules, &arc, true, &from, &to);
			/* Within a function: to a part of it that lies elsewhere. */
			add_function(run, &front, jump->to);
			if (to != NO_SYMBOL && from != to)
				add_function(run, &found, (uint64_t)from << 32 | to);
		}
		memory_release(run, jumps.items);
		memory_release(run, windows.first);
		memory_release(run, windows.last);
	}
	memory_release(run, front.keys);
	memory_release(run, done.keys);
	reach.jumps = found.keys;
	reach.count = sort_once(run, found.keys, found.count);
	if (reach.count > 0) {
		memory_array(run, reach.seen, (size_t)rules->symbols->count + SYMBOL_MORE_ROWS);
		memory_array(run, reach.functions, (size_t)reach.count + 1);
	}
	return reach;
}

bool
reach_has(struct reach *reach, uint32_t from, uint32_t to)
{
	uint32_t count = 0;

	if (reach->count == 0)
		return false;
	reach->lookup++;
	reach->functions[count++] = from;
	reach->seen[from] = reach->lookup;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t first = (uint64_t)reach->functions[i] << 32;
		uint32_t at = first == 0 ? 0 : sorted_up_to(reach->jumps, reach->count, first - 1);

		for (; at < reach->count && reach->jumps[at] >> 32 == first >> 32; at++) {
			uint32_t next = (uint32_t)reach->jumps[at];

			/* It is not known, and so one that can have made the call. */
			if (next == to || reach->looked_at++ >= MOST_JUMPS)
				return true;
			if (reach->seen[next] != reach->lookup)
				reach->functions[count++] = next;
			reach->seen[next] = reach->lookup;
		}
	}
	return false;
}

void
reach_release(struct run *run, struct reach *reach)
{
	memory_release(run, reach->jumps);
	memory_release(run, reach->seen);
	memory_release(run, reach->functions);
}
