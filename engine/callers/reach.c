/* SPDX-License-Identifier: Apache-2.0 */
#include "callers/reach.h"

#include "base/memory.h"
#include "base/sort.h"

enum {
	MOST_STEPS = 4,      /* jumps behind each other, as far as code is looked at for them */
	MOST_FUNCTIONS = 16, /* that one call leads to */
	MOST_JUMPS = 256     /* looked at for one call; no function that people write has so many */
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
		if (front.count == 0)
			break;
	}
	memory_release(run, front.keys);
	memory_release(run, done.keys);
	return (struct reach){found.keys, sort_once(run, found.keys, found.count)};
}

bool
reach_has(const struct reach *reach, uint32_t from, uint32_t to)
{
	uint32_t functions[MOST_FUNCTIONS] = {from}, count = 1, jumps = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t first = (uint64_t)functions[i] << 32;
		uint32_t at = first == 0 ? 0 : sorted_up_to(reach->jumps, reach->count, first - 1);

		for (; at < reach->count && reach->jumps[at] >> 32 == functions[i]; at++) {
			uint32_t next = (uint32_t)reach->jumps[at], same = 0;

			if (next == to)
				return true;
			if (++jumps > MOST_JUMPS)
				return false;
			while (same < count && functions[same] != next)
				same++;
			if (same == count && count < MOST_FUNCTIONS)
				functions[count++] = next;
		}
	}
	return false;
}
