/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function that is compiled for profiling begins with a call of what counts its calls, and the
 * address behind that call is recorded.  So bytes before recorded addresses show what that call
 * looks like; it is then found in functions of which no call was recorded.
 */
#include <gprofx/reader.h>

#include "base/sort.h"
#include "profile/profile.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

/* Recorded addresses that are looked at; bytes of a function in which its call is counted. */
enum { MOST_ARCS = 64, NEAR_ENTRY = 64 };

static bool
calls_same(const struct call_site *a, const struct call_site *b)
{
	return a->to == b->to && a->is_indirect == b->is_indirect;
}

struct counting_call
scan_counting_call(const struct symbols *symbols, const struct profile *profile)
{
	struct call_site found[MOST_ARCS];
	struct counting_call counting = {0};
	uint32_t count = 0, looked_at = 0;

	for (; looked_at < profile->arc_count && looked_at < MOST_ARCS; looked_at++)
		if (scan_call_before(symbols, profile->arcs[looked_at].self, &found[count]) &&
		    found[count].is_exact)
			count++;
	for (uint32_t i = 0; i < count && !counting.is_known; i++) {
		uint32_t same = 0;

		for (uint32_t j = 0; j < count; j++)
			same += calls_same(&found[i], &found[j]);
		counting.call = found[i];
		counting.is_known = same * 2 > looked_at;
	}
	return counting;
}

void
scan_find_counting_call(struct scan *scan, const struct profile *profile)
{
	if (!scan->counting.is_known && symbols_have_image(scan->symbols))
		scan->counting = scan_counting_call(scan->symbols, profile);
}

/* Whether a call leads to a profiling function: by its name here, or through a stub or slot. */
static bool
leads_to_hook(const struct scan *scan, const struct call_site *call)
{
	const struct scan_imports *imports = &scan->imports;
	uint32_t symbol = call->is_indirect ? NO_SYMBOL : symbols_at(scan->symbols, call->to);
	uint32_t up_to;

	if (symbol != NO_SYMBOL)
		return scan_is_hook(scan->symbols->name[symbol]);
	up_to = call->to == 0 ? 0 : sorted_up_to(imports->address, imports->count, call->to);
	return up_to > 0 && imports->address[up_to - 1] == call->to && imports->is_hook[up_to - 1];
}

/*
 * Whether a call near the entry of a function is the one that counts its calls: this one, or
 * without it one of a profiling function.
 */
static bool
counts_near_entry(const struct symbols *symbols, const struct counting_call *counting,
                  const struct scan *scan, uint64_t address)
{
	struct call_site call;

	for (uint64_t back = address + 1; back - address <= NEAR_ENTRY; back++) {
		/* That is the next function. */
		if (symbols_at(symbols, back) != NO_SYMBOL)
			return false;
		if (scan_call_before(symbols, back, &call) && call.is_exact &&
		    call.from >= address &&
		    (counting ? calls_same(&call, &counting->call) : leads_to_hook(scan, &call)))
			return true;
	}
	return false;
}

bool
scan_counts_calls(const struct symbols *symbols, const struct counting_call *counting,
                  uint64_t address)
{
	return counts_near_entry(symbols, counting, NULL, address);
}

bool
scan_calls_hook(const struct scan *scan, uint64_t address)
{
	return counts_near_entry(scan->symbols, NULL, scan, address);
}
