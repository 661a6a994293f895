/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps calls that were decoded, so that no function is decoded twice. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "scan/scan.h"

/* Whether code was decoded from an instruction on as far as that. */
static bool
is_decoded(const struct scan_decoded *decoded, uint64_t first, uint64_t last)
{
	uint32_t up_to = sorted_up_to(decoded->code.first, decoded->code.count, first);

	return up_to > 0 && decoded->code.first[up_to - 1] == first &&
	       decoded->code.last[up_to - 1] >= last;
}

/* Sorts ranges and leaves of all from one instruction on the longest. */
static void
settle(struct run *run, struct scan_windows *windows)
{
	uint32_t *ids, kept = 0;
	uint64_t *last;

	memory_array(run, ids, windows->count);
	memory_array(run, last, windows->count);
	for (uint32_t i = 0; i < windows->count; i++)
		ids[i] = i;
	sort_ascending(run, windows->first, ids, windows->count);
	for (uint32_t i = 0; i < windows->count; i++) {
		if (kept == 0 || windows->first[kept - 1] != windows->first[i]) {
			windows->first[kept] = windows->first[i];
			last[kept++] = windows->last[ids[i]];
		} else if (last[kept - 1] < windows->last[ids[i]]) {
			last[kept - 1] = windows->last[ids[i]];
		}
	}
	windows->count = kept;
	if (kept > 0)
		memcpy(windows->last, last, kept * sizeof *last);
	memory_release(run, last);
	memory_release(run, ids);
}

/* Leaves of sorted ranges those that were not decoded, as many as may be; false: not all. */
static bool
keep_new(const struct scan_decoded *decoded, struct scan_windows *windows, uint64_t *left)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < windows->count; i++) {
		uint64_t bytes = windows->last[i] - windows->first[i];

		if (is_decoded(decoded, windows->first[i], windows->last[i]))
			continue;
		if (bytes >= *left) {
			windows->count = kept;
			return false;
		}
		*left -= bytes + 1;
		windows->first[kept] = windows->first[i];
		windows->last[kept++] = windows->last[i];
	}
	windows->count = kept;
	return true;
}

/* Adds ranges that were decoded, or decoded farther. */
static void
add_code(struct run *run, struct scan_decoded *decoded, const struct scan_windows *windows)
{
	struct scan_windows *code = &decoded->code, all = {.count = code->count + windows->count};

	memory_array(run, all.first, all.count);
	memory_array(run, all.last, all.count);
	if (code->count > 0) {
		memcpy(all.first, code->first, code->count * sizeof *all.first);
		memcpy(all.last, code->last, code->count * sizeof *all.last);
	}
	memcpy(all.first + code->count, windows->first, windows->count * sizeof *all.first);
	memcpy(all.last + code->count, windows->last, windows->count * sizeof *all.last);
	settle(run, &all);
	memory_release(run, code->first);
	memory_release(run, code->last);
	*code = all;
}

/* Adds calls, some of which can be there; ranges can overlap. */
static void
add_calls(struct run *run, struct scan_decoded *decoded, const struct call_sites *found)
{
	struct call_sites *calls = &decoded->calls, all = {0};
	uint32_t old = 0, new = 0;

	memory_array(run, all.items, (size_t)calls->count + found->count);
	while (old < calls->count || new < found->count) {
		const struct call_site *next;

		if (new == found->count ||
		    (old < calls->count && calls->items[old].back <= found->items[new].back))
			next = &calls->items[old++];
		else
			next = &found->items[new ++];
		if (all.count == 0 || all.items[all.count - 1].back != next->back ||
		    all.items[all.count - 1].from != next->from)
			all.items[all.count++] = *next;
	}
	memory_release(run, calls->items);
	memory_release(run, decoded->backs);
	*calls = all;
	memory_array(run, decoded->backs, all.count);
	for (uint32_t i = 0; i < all.count; i++)
		decoded->backs[i] = all.items[i].back;
}

bool
scan_decode(struct run *run, struct scan *scan, uint64_t *first, uint64_t *last, uint32_t count,
            uint64_t *left, const struct scan_decoded **decoded)
{
	struct scanner *scanner = scan_open_for_sites(run, scan, false);
	struct scan_windows windows = {.count = count};
	struct call_sites found;
	bool is_all;

	windows.first = first;
	windows.last = last;
	*decoded = NULL;
	if (!scanner)
		return false;
	if (!scan->decoded)
		scan->decoded = memory_alloc(run, sizeof *scan->decoded);
	*decoded = scan->decoded;
	settle(run, &windows);
	is_all = keep_new(scan->decoded, &windows, left);
	if (windows.count == 0)
		return is_all;
	found = scan_all_calls(run, scanner, &windows);
	add_calls(run, scan->decoded, &found);
	add_code(run, scan->decoded, &windows);
	memory_release(run, found.items);
	return is_all;
}

uint32_t
scan_calls_above(const struct scan_decoded *decoded, uint64_t address)
{
	return sorted_up_to(decoded->backs, decoded->calls.count, address);
}

void
scan_forget_decoded(struct run *run, struct scan *scan)
{
	struct scan_decoded *decoded = scan->decoded;

	if (!decoded)
		return;
	memory_release(run, decoded->calls.items);
	memory_release(run, decoded->backs);
	memory_release(run, decoded->code.first);
	memory_release(run, decoded->code.last);
	memory_release(run, decoded);
	scan->decoded = NULL;
}
