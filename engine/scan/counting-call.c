/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function that is compiled for profiling begins with a call of what counts its calls, and the
 * address behind that call is recorded.  So bytes before recorded addresses show what that call
 * looks like; it is then found in functions of which no call was recorded.
 */
#include <gprofx/reader.h>

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

bool
scan_counts_calls(const struct symbols *symbols, const struct counting_call *counting,
                  uint64_t address)
{
	struct call_site call;

	for (uint64_t back = address + 1; back - address <= NEAR_ENTRY; back++) {
		/* That is the next function. */
		if (symbols_at(symbols, back) != NO_SYMBOL)
			return false;
		if (scan_call_before(symbols, back, &call) && call.is_exact &&
		    call.from >= address && calls_same(&call, &counting->call))
			return true;
	}
	return false;
}
