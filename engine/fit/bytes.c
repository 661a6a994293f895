/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What bytes show about call sites without decoding.  Four bytes that lead to the very function
 * that was recorded are a call of it.  And what decoding could not contradict is not decoded: that
 * saves most of the time that the whole stage takes.
 */
#include "base/run.h"
#include "fit/parts.h"

enum {
	LONGEST_CALL = 6,       /* of those that scan_call_before() knows, in bytes */
	MOST_SEARCHED = 1 << 20 /* bytes of all functions that are searched for a profiling call */
};

/* Whether a function has a call of the runtime up to an address, as bytes tell. */
static bool
may_have_hook(struct fitting *fitting, uint64_t first, uint64_t last, uint64_t *searched)
{
	struct call_site call;

	*searched += last - first;
	if (*searched > MOST_SEARCHED)
		return true;
	for (uint64_t at = first; at <= last; at++)
		if (scan_call_before(fitting->symbols, at, &call) && call.from >= first &&
		    fit_is_hook(fitting, &call))
			return true;
	return false;
}

static enum fit_verdict
settle(struct fitting *fitting, const struct fit_callee *callee, const struct fit_arc *arc,
       uint64_t *searched)
{
	uint64_t from = arc->from & ~fitting->mode_bit, last = from + FIT_ROUNDED - 1;
	bool has_direct = false;
	struct fit_extent extent;
	struct call_site call;

	/* What lies in two functions is not asked about. */
	if (last < from || !fit_extent(fitting, from, &extent) || extent.is_gap ||
	    last >= extent.next)
		return FIT_UNTOLD;
	if (!callee->is_proven)
		return FIT_UNASKED;
	/* By count: addresses behind the last ones of all begin at 0 again. */
	for (uint64_t i = 0; i < FIT_ROUNDED + LONGEST_CALL; i++) {
		if (!scan_call_before(fitting->symbols, from + i, &call) || !call.is_exact ||
		    call.from > last || call.is_indirect || fit_is_hook(fitting, &call))
			continue;
		if (call.from >= extent.first && fit_is_entry(callee, call.to))
			return FIT_FITS;
		has_direct = true;
	}
	/* Only a call can be one of another function, and only where there is none it is missed. */
	if (!has_direct && fit_may_hold_call(fitting, from))
		return FIT_UNTOLD;
	return may_have_hook(fitting, extent.first, last, searched) ? FIT_UNASKED : FIT_UNTOLD;
}

void
fit_settle_arcs(struct fitting *fitting)
{
	uint64_t searched = 0;

	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		const struct fit_callee *callee = &fitting->callees[i];

		for (uint32_t k = 0; k < callee->arc_count; k++) {
			struct fit_arc *arc = &fitting->arcs[callee->first_arc + k];

			arc->verdict = settle(fitting, callee, arc, &searched);
		}
	}
}
