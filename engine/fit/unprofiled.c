/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether arcs can be of a program that neither calls a profiling runtime nor has one.  Simulators
 * and other tools record such arcs: at entries, at one distance from them, or behind calls of a
 * runtime with an unknown name; and their call sites are behind calls.  A program that was compiled
 * anew without profiling has other code where its old profile leads to.
 */
#include "base/run.h"
#include "fit/parts.h"
#include "slide/evidence.h"

/* Whether a call, or what decoding may have missed for one, can have recorded an address. */
static bool
can_be_recorded(struct fitting *fitting, const struct fit_callee *callee)
{
	uint64_t past = callee->address - callee->extent.first;

	if (callee->extent.is_gap && !fitting->has_locals)
		return true;
	return symbols_at(fitting->symbols, callee->address) != NO_SYMBOL ||
	       fit_call_at(fitting, callee->address) ||
	       fit_may_be_behind_hook(fitting, callee->address) ||
	       (!callee->extent.is_gap && past <= SLIDE_FARTHEST &&
	        fit_may_be_patched(fitting->symbols, callee->address));
}

/* Whether no call returns to what a call site stands for, be it by its bytes alone. */
static bool
is_no_site(const struct fitting *fitting, uint64_t from)
{
	const struct scan_decoded *decoded = fitting->decoded;
	struct fit_extent extent;
	uint32_t next;

	from &= ~fitting->mode_bit;
	if (!fit_extent(fitting, from, &extent) || from == extent.first ||
	    (extent.is_gap && !fitting->has_locals))
		return false;
	next = from == 0 ? 0 : scan_calls_above(decoded, from - 1);
	return (next == decoded->calls.count ||
	        decoded->calls.items[next].from >= from + FIT_ROUNDED) &&
	       !fit_may_hold_call(fitting, from);
}

void
fit_check_unprofiled(struct fitting *fitting)
{
	struct fit *found = &fitting->found;
	uint32_t bad = 0, far = 0, astray = 0, sites = 0;
	uint64_t first = 0;
	bool is_alike;

	if (!symbols_lack_profiling(fitting->symbols))
		return;
	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		const struct fit_callee *callee = &fitting->callees[i];

		if (can_be_recorded(fitting, callee))
			continue;
		if (bad++ == 0)
			first = callee->address;
		far += callee->extent.is_gap ||
		       callee->address - callee->extent.first > SLIDE_FARTHEST;
		for (uint32_t k = 0; k < callee->arc_count; k++) {
			uint64_t from = fitting->arcs[callee->first_arc + k].from;

			sites += symbols_code_end(fitting->symbols, from) != from;
			astray += is_no_site(fitting, from);
		}
	}
	found->odd_callees = bad;
	/*
	 * A debugger that stops behind what functions begin with would record just that, but know
	 * who called; and a runtime can go by one distance from entries.
	 */
	is_alike = fit_has_one_distance(fitting);
	if (is_alike ? astray < 2 || astray < sites - astray : far + astray == 0)
		return;
	found->lacks_hook = true;
	found->callees = fitting->callee_count;
	found->bad_callees = bad;
	found->bad_callee = first;
}
