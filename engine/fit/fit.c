/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the arcs to check and has their functions decoded. */
#include "fit/fit.h"

#include <elf.h>

#include "base/memory.h"
#include "base/sort.h"
#include "fit/parts.h"

enum {
	MOST_ARCS = 1024,       /* checked, about */
	MOST_BEFORE = 64 << 10, /* bytes decoded to reach an address in a function */
	MOST_BYTES = 4 << 20    /* decoded in all */
};

bool
fit_extent(const struct fitting *fitting, uint64_t address, struct fit_extent *extent)
{
	const struct symbols *symbols = fitting->symbols;
	uint32_t symbol = symbols_lookup(symbols, address), next;
	uint64_t end = symbols_code_end(symbols, address), past;

	if (symbol == NO_SYMBOL || end == address ||
	    (symbols->object_count > 0 && address >= symbols->objects[0].base))
		return false;
	while (symbol > 0 && (symbols->flags[symbol] & SYMBOL_LINE))
		symbol--;
	if (symbols_import(symbols, symbol))
		return false;
	next = symbol + 1;
	while (next < symbols->count && (symbols->flags[next] & SYMBOL_LINE))
		next++;
	extent->next = next < symbols->count ? symbols->address[next] : end;
	end = extent->next < end ? extent->next : end;
	past = symbols_past(symbols->address[symbol], symbols->bytes[symbol]);
	extent->is_gap = symbols->bytes[symbol] > 0 && address >= past;
	extent->first = extent->is_gap ? past : symbols->address[symbol];
	if (!extent->is_gap && symbols->bytes[symbol] > 0 && past < end)
		end = past;
	extent->last = end - 1;
	return end > address && address - extent->first < MOST_BEFORE;
}

uint32_t
fit_first_call(const struct fitting *fitting, uint64_t address)
{
	return sorted_up_to(fitting->backs, fitting->calls.count, address);
}

const struct call_site *
fit_call_at(const struct fitting *fitting, uint64_t address)
{
	uint32_t up_to = sorted_up_to(fitting->backs, fitting->calls.count, address);

	return up_to > 0 && fitting->backs[up_to - 1] == address ? &fitting->calls.items[up_to - 1]
	                                                         : NULL;
}

/* All arcs of some callees, chosen by a hash of their addresses. */
static void
choose_arcs(struct fitting *fitting)
{
	const struct profile *profile = fitting->profile;
	uint32_t part = profile->arc_count / MOST_ARCS + 1, *ids, count = 0;
	struct fit_arc *chosen;
	uint64_t *keys;

	memory_array(fitting->run, ids, profile->arc_count);
	memory_array(fitting->run, keys, profile->arc_count);
	for (uint32_t i = 0; i < profile->arc_count; i++) {
		const struct gprofx_raw_arc *arc = &profile->arcs[i];

		if (arc->count == 0 ||
		    (part > 1 && (arc->self * 0x9e3779b97f4a7c15u >> 32) % part != 0))
			continue;
		keys[count] = arc->self & ~fitting->mode_bit;
		ids[count++] = i;
	}
	sort_ascending(fitting->run, keys, ids, count);
	/* One callee can have any number of arcs. */
	count = count < 4 * MOST_ARCS ? count : 4 * MOST_ARCS;
	memory_array(fitting->run, chosen, count);
	memory_array(fitting->run, fitting->callees, count);
	for (uint32_t i = 0; i < count; i++) {
		struct fit_callee *last = fitting->callees + fitting->callee_count;
		struct fit_extent extent;

		if (!fit_extent(fitting, keys[i], &extent))
			continue;
		chosen[fitting->arc_count++] = (struct fit_arc){profile->arcs[ids[i]].from,
		                                                keys[i]};
		if (fitting->callee_count > 0 && last[-1].address == keys[i]) {
			last[-1].arc_count++;
			continue;
		}
		last->address = keys[i];
		last->is_gap = extent.is_gap;
		last->first_arc = fitting->arc_count - 1;
		last->arc_count = 1;
		last->symbol = symbols_lookup(fitting->symbols, keys[i]);
		fitting->callee_count++;
	}
	fitting->arcs = chosen;
	memory_release(fitting->run, ids);
	memory_release(fitting->run, keys);
}

/* Makes windows of ranges of code, ascending, each function once and not too much of all. */
static struct scan_windows
windows_of(const struct fitting *fitting, const uint64_t *first, const uint64_t *last,
           uint32_t count)
{
	struct scan_windows windows = {0};
	uint64_t *keys, bytes = 0;
	uint32_t *ids;

	memory_array(fitting->run, windows.first, count);
	memory_array(fitting->run, windows.last, count);
	memory_array(fitting->run, keys, count);
	memory_array(fitting->run, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		keys[i] = first[i];
		ids[i] = i;
	}
	sort_ascending(fitting->run, keys, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = windows.count;

		if (at > 0 && windows.first[at - 1] == keys[i]) {
			if (windows.last[at - 1] < last[ids[i]])
				windows.last[at - 1] = last[ids[i]];
			continue;
		}
		if (at > 0)
			bytes += windows.last[at - 1] - windows.first[at - 1];
		if (bytes > MOST_BYTES)
			break;
		windows.first[at] = keys[i];
		windows.last[at] = last[ids[i]];
		windows.count++;
	}
	memory_release(fitting->run, keys);
	memory_release(fitting->run, ids);
	return windows;
}

struct call_sites
fit_decode(struct fitting *fitting, uint64_t *addresses, uint64_t *more, uint32_t count)
{
	struct scan_windows windows;
	struct call_sites calls;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t address = addresses[i], rest;
		struct fit_extent extent;

		if (!fit_extent(fitting, address, &extent))
			continue;
		rest = extent.last - address;
		addresses[kept] = extent.first;
		more[kept++] = address + (rest < more[i] ? rest : more[i]);
	}
	windows = windows_of(fitting, addresses, more, kept);
	calls = scan_all_calls(fitting->run, fitting->scanner, &windows);
	memory_release(fitting->run, windows.first);
	memory_release(fitting->run, windows.last);
	return calls;
}

/* Has the functions of all arcs decoded. */
static void
decode(struct fitting *fitting)
{
	uint64_t *addresses, *more;
	uint32_t count = 0;

	memory_array(fitting->run, addresses, (size_t)2 * fitting->arc_count);
	memory_array(fitting->run, more, (size_t)2 * fitting->arc_count);
	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		addresses[count] = fitting->callees[i].address;
		more[count++] = FIT_ENTRY_BYTES;
	}
	for (uint32_t i = 0; i < fitting->arc_count; i++) {
		addresses[count] = fitting->arcs[i].from & ~fitting->mode_bit;
		more[count++] = FIT_ROUNDED - 1;
	}
	fitting->calls = fit_decode(fitting, addresses, more, count);
	memory_array(fitting->run, fitting->backs, fitting->calls.count);
	memory_array(fitting->run, fitting->is_hook, fitting->calls.count);
	for (uint32_t i = 0; i < fitting->calls.count; i++)
		fitting->backs[i] = fitting->calls.items[i].back;
	memory_release(fitting->run, addresses);
	memory_release(fitting->run, more);
}

struct fit
fit_check(struct run *run, struct symbols *symbols, const struct profile *profile)
{
	uint16_t machine = symbols->table.target.machine;
	struct fitting fitting = {.run = run, .symbols = symbols, .profile = profile};

	if ((!run->settings->findings && !run->settings->explain) || profile->arc_count == 0 ||
	    symbols->count == 0)
		return fitting.found;
	/* Without local functions it is not known where the others end. */
	if (run->settings->drop_static || run->settings->drop_untyped_static)
		return fitting.found;
	fitting.mode_bit = machine == EM_ARM || machine == EM_MIPS;
	fitting.has_locals = symbols_has_locals(symbols);
	choose_arcs(&fitting);
	if (fitting.callee_count > 0)
		fitting.scanner = scan_open_for_sites(run, symbols, false);
	if (fitting.scanner) {
		decode(&fitting);
		fit_find_hooks(&fitting);
		fit_check_callees(&fitting);
		fit_check_sites(&fitting);
	}
	return fitting.found;
}
