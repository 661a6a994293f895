/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the call sites of arcs against the code: a call returns to each, and it leads to the
 * callee, as far as it states where it leads to.  That shows most about programs with few
 * functions, and needs a scanner for the machine.
 */
#include <elf.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "scan/scan.h"
#include "slide/evidence.h"
#include "symbols/symbols.h"

enum {
	MOST_ARCS = 256,        /* looked at */
	MOST_QUANTUM = 16,      /* no runtime is known that rounds call sites more */
	LONGEST_CALL = 16,      /* no call begins farther before where it returns */
	MOST_FUNCTION = 1 << 20 /* code is not decoded from farther off */
};

struct checking {
	struct slide_entries *entries;
	struct gprofx_raw_arc *arcs; /* distinct, by call site */
	uint32_t count;
	uint64_t quantum;
	const struct scan_decoded *decoded; /* NULL: the code shows nothing */
};

/* What a call leads to, as far as the instruction states it. */
struct lead {
	uint64_t to;
	bool is_indirect;
};

/* Distinct arcs with known callers, or of those some spread over the file. */
static void
collect_arcs(struct run *run, struct checking *checking, const struct gprofx_raw_arc *arcs,
             uint32_t count)
{
	uint32_t step = count > MOST_ARCS ? count / MOST_ARCS : 1, taken = 0;
	uint64_t *keys;
	uint32_t *ids;

	memory_array(run, keys, count / step + 1);
	memory_array(run, ids, count / step + 1);
	memory_array(run, checking->arcs, count / step + 1);
	for (uint32_t i = 0; i < count; i += step) {
		if (arcs[i].from == 0)
			continue;
		keys[taken] = arcs[i].from;
		ids[taken++] = i;
	}
	sort_ascending(run, keys, ids, taken);
	for (uint32_t i = 0; i < taken; i++) {
		const struct gprofx_raw_arc *arc = &arcs[ids[i]];
		uint32_t same = checking->count;

		while (same > 0 && checking->arcs[same - 1].from == arc->from &&
		       checking->arcs[same - 1].self != arc->self)
			same--;
		if (same == 0 || checking->arcs[same - 1].from != arc->from)
			checking->arcs[checking->count++] = *arc;
	}
	memory_release(run, keys);
	memory_release(run, ids);
}

/*
 * What call sites stand for so many addresses: all differ by multiples of it.  Of few sites it can
 * be taken for larger than it is, which proves less than there is.
 */
static uint64_t
quantum_of(const struct checking *checking, uint32_t stated)
{
	uint64_t bits = MOST_QUANTUM;

	if (stated != 0)
		return stated;
	for (uint32_t i = 1; i < checking->count; i++)
		bits |= checking->arcs[i].from - checking->arcs[0].from;
	return bits & -bits;
}

/* Adds code from the entries on in which calls return to addresses from "first" to "last". */
static void
add_code(const struct slide_entries *entries, uint64_t first, uint64_t last,
         struct scan_windows *windows)
{
	uint32_t entry = slide_entry_below(entries,
	                                   first > LONGEST_CALL ? first - LONGEST_CALL : 0);

	if (first < entries->code_start || last >= entries->code_end)
		return;
	for (entry = entry == NO_SYMBOL ? 0 : entry;
	     entry < entries->count && entries->address[entry] <= last; entry++) {
		uint64_t begin = entries->address[entry], end = last;

		if (entry + 1 < entries->count && entries->address[entry + 1] <= last)
			end = entries->address[entry + 1] - 1;
		if (end - begin > MOST_FUNCTION)
			continue;
		windows->first[windows->count] = slide_image_address(entries, begin);
		windows->last[windows->count++] = slide_image_address(entries, end);
	}
}

/* Has the code decoded that is in question with any of the slides; all of it, or it shows nothing.
 */
static void
decode(struct run *run, struct checking *checking, const uint64_t *slides, uint32_t slide_count)
{
	struct slide_entries *entries = checking->entries;
	struct scan_windows windows = {0};
	/* Of each place at most as many entries as there are bytes in which a call can begin. */
	size_t room = (size_t)slide_count * checking->count * 2 *
	              (checking->quantum + LONGEST_CALL + 1);
	const struct scan_decoded *decoded;

	if (room == 0)
		return;
	memory_array(run, windows.first, room);
	memory_array(run, windows.last, room);
	for (uint32_t s = 0; s < slide_count; s++)
		for (uint32_t i = 0; i < checking->count; i++) {
			uint64_t from = (checking->arcs[i].from - slides[s]) & entries->mask;
			uint64_t self = (checking->arcs[i].self - slides[s]) & entries->mask;

			add_code(entries, from, from + checking->quantum - 1, &windows);
			add_code(entries, self, self, &windows);
		}
	/* It costs to find out where code is marked, too. */
	entries->bytes_left -= entries->count < entries->bytes_left ? entries->count
	                                                            : entries->bytes_left;
	if (scan_decode(run, entries->scan, windows.first, windows.last, windows.count,
	                &entries->bytes_left, &decoded) &&
	    decoded->calls.count > 0)
		checking->decoded = decoded;
	memory_release(run, windows.first);
	memory_release(run, windows.last);
}

/* The first call that returns to an address or behind it. */
static uint32_t
first_site(const struct checking *checking, uint64_t address)
{
	return address == 0 ? 0 : scan_calls_above(checking->decoded, address - 1);
}

/* The call that returns to a callee's address: by it the callee was counted. */
static const struct call_site *
hook_call(const struct checking *checking, uint64_t self)
{
	const struct slide_entries *entries = checking->entries;
	uint64_t mode = entries->symbols->table.target.machine == EM_ARM;
	uint64_t address = slide_image_address(entries, self) & ~mode;
	uint32_t i = first_site(checking, address);

	return i < checking->decoded->calls.count &&
	                       checking->decoded->calls.items[i].back <= (address | mode)
	               ? &checking->decoded->calls.items[i]
	               : NULL;
}

/* Counts the callees behind calls of what most of them call, which is *hook. */
static void
check_callees(const struct checking *checking, const uint64_t *callees, uint32_t count,
              uint64_t slide, struct slide_sites *result, struct lead *hook)
{
	uint32_t lead = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct call_site *call = hook_call(checking, callees[i] - slide);

		if (!call)
			continue;
		if (lead == 0)
			*hook = (struct lead){call->to, call->is_indirect};
		lead = lead == 0 || (hook->to == call->to && hook->is_indirect == call->is_indirect)
		               ? lead + 1
		               : lead - 1;
	}
	result->callees = count;
	for (uint32_t i = 0; i < count; i++) {
		const struct call_site *call = hook_call(checking, callees[i] - slide);

		result->hooks += call && hook->to == call->to &&
		                 hook->is_indirect == call->is_indirect;
	}
}

/* Whether a call to an address is one of the function that has a callee's address. */
static bool
leads_to(const struct slide_entries *entries, uint64_t to, uint64_t callee)
{
	uint32_t entry = slide_entry_below(entries, callee), called;

	if (((callee - to) & entries->mask) > SLIDE_FARTHEST)
		return false;
	/* A function can have a second entry, or marks and labels near the first one. */
	called = symbols_lookup(entries->symbols, slide_image_address(entries, to));
	return (entry != NO_SYMBOL && entries->address[entry] == (to & entries->mask)) ||
	       (called != NO_SYMBOL &&
	        called == symbols_lookup(entries->symbols, slide_image_address(entries, callee)));
}

/* Whether an address that is called is that of some callee, of a given call site if it is not 0. */
static bool
is_recorded(const struct checking *checking, uint64_t to, uint64_t from, uint64_t slide)
{
	for (uint32_t i = 0; i < checking->count; i++)
		if ((from == 0 || checking->arcs[i].from == from) &&
		    leads_to(checking->entries, to,
		             (checking->arcs[i].self - slide) & checking->entries->mask))
			return true;
	return false;
}

static void
check_arc(const struct checking *checking, const struct gprofx_raw_arc *arc, uint64_t slide,
          const struct lead *hook, struct slide_sites *result)
{
	const struct slide_entries *entries = checking->entries;
	uint64_t from = slide_image_address(entries, arc->from - slide);
	uint64_t self = (arc->self - slide) & entries->mask;
	const struct call_sites *calls = &checking->decoded->calls;
	bool is_possible = false;

	for (uint32_t i = first_site(checking, from);
	     i < calls->count && calls->items[i].back - from < checking->quantum; i++) {
		const struct call_site *call = &calls->items[i];

		if (hook->to != 0 && call->to == hook->to && call->is_indirect == hook->is_indirect)
			continue;
		if (!call->is_indirect && leads_to(entries, call->to, self)) {
			result->proven++;
			return;
		}
		/*
		 * A function that is called there, but was never counted, is not compiled for
		 * profiling or stands for another one; one that was counted can go on with a jump.
		 */
		is_possible = is_possible || call->is_indirect ||
		              !is_recorded(checking, call->to, 0, slide) ||
		              is_recorded(checking, call->to, arc->from, slide);
	}
	if (is_possible)
		result->possible++;
	else
		result->impossible++;
}

void
slide_check_sites(struct run *run, struct slide_entries *entries, const struct gprofx_raw_arc *arcs,
                  uint32_t count, const uint64_t *slides, uint32_t slide_count,
                  struct slide_sites *sites)
{
	struct checking checking = {.entries = entries};
	uint64_t *callees;
	uint32_t callee_count;

	collect_arcs(run, &checking, arcs, count);
	checking.quantum = quantum_of(&checking, run->settings->quantum);
	decode(run, &checking, slides, slide_count);
	memory_array(run, callees, checking.count);
	for (uint32_t i = 0; i < checking.count; i++)
		callees[i] = checking.arcs[i].self;
	callee_count = slide_sort_unique(run, callees, checking.count);
	for (uint32_t s = 0; s < slide_count; s++) {
		struct lead hook = {0, false};

		sites[s] = (struct slide_sites){.is_known = checking.decoded != NULL};
		if (!checking.decoded)
			continue;
		check_callees(&checking, callees, callee_count, slides[s], &sites[s], &hook);
		for (uint32_t i = 0; i < checking.count; i++)
			check_arc(&checking, &checking.arcs[i], slides[s], &hook, &sites[s]);
	}
	memory_release(run, callees);
	memory_release(run, checking.arcs);
}
