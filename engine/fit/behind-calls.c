/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether each call site is behind an instruction that can make the call.  Only code that was
 * compiled for profiling is asked: what was written by hand can put any return address anywhere.
 */
#include <elf.h>

#include <gprofx/symbols.h>

#include "base/memory.h"
#include "fit/parts.h"

enum {
	MOST_TARGETS = 64,
	MOST_LOOKED_AT = 1 << 24 /* arcs */
};

/* What the check of call sites gathers. */
struct asking {
	struct fitting *fitting;
	/* Functions called where arcs have other callees; then those of them that are profiled. */
	uint64_t targets[MOST_TARGETS];
	uint32_t target_count;
	bool are_known;
	uint32_t sites, bad_sites;
	uint64_t bad_site;
	uint64_t looked_at; /* arcs */
};

/* Whether the profile has an arc from a call site to a function, or that takes long to find out. */
static bool
may_be_recorded(struct asking *asking, uint64_t from, const struct fit_extent *function)
{
	const struct gprofx_raw_arc *arcs = asking->fitting->given;
	uint32_t count = asking->fitting->given_count;

	asking->looked_at += count;
	if (asking->looked_at > MOST_LOOKED_AT)
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (arcs[i].from == from && fit_holds(function, arcs[i].self))
			return true;
	return false;
}

static bool
is_target(const struct asking *asking, uint64_t address)
{
	for (uint32_t i = 0; i < asking->target_count; i++)
		if (asking->targets[i] == address)
			return true;
	return false;
}

/* Whether a call leads to the arc's callee. */
static bool
leads_to_callee(const struct fitting *fitting, uint32_t call, const struct fit_callee *callee)
{
	const struct call_site *site = &fitting->decoded->calls.items[call];

	return !site->is_indirect && !fitting->is_hook[call] && fit_is_entry(callee, site->to);
}

/*
 * What the call of another function than the arc's callee says: it can have gone on with the
 * callee.  If it is profiled, the call of that one is recorded, too.
 */
static enum fit_verdict
ask_other(struct asking *asking, const struct fit_callee *callee, uint64_t from, uint64_t target)
{
	const struct fitting *fitting = asking->fitting;
	struct fit_extent extent;

	if (callee->extent.is_gap || !fit_extent(fitting, target, &extent) || extent.is_gap ||
	    target - extent.first > FIT_MOST_LOCAL_ENTRY)
		return FIT_UNTOLD;
	if (asking->are_known)
		return is_target(asking, extent.first) && !may_be_recorded(asking, from, &extent)
		               ? FIT_OTHER_CALLEE
		               : FIT_UNTOLD;
	if (asking->target_count < MOST_TARGETS && !is_target(asking, extent.first))
		asking->targets[asking->target_count++] = extent.first;
	return FIT_UNTOLD;
}

bool
fit_may_hold_call(const struct fitting *fitting, uint64_t from)
{
	const struct symbols *symbols = fitting->symbols;
	struct call_site call;

	for (uint64_t at = from; at < from + FIT_ROUNDED; at++)
		if (scan_call_before(symbols, at, &call) &&
		    (call.to == 0 || symbols_code_end(symbols, call.to) != call.to))
			return true;
	/* Old code for ARM calls through pointers with two instructions that are no call. */
	return symbols->table.target.machine == EM_ARM;
}

/*
 * Whether a call leads to the profiling runtime and nowhere else.  A call through an unknown
 * pointer can be any; and some runtimes give the called address as the call site, too.
 */
static bool
is_only_hook(const struct fitting *fitting, uint32_t call, const struct fit_arc *arc)
{
	return fitting->is_hook[call] && fitting->decoded->calls.items[call].to != 0 &&
	       fitting->decoded->calls.items[call].back != arc->self;
}

static enum fit_verdict
ask(struct asking *asking, const struct fit_callee *callee, const struct fit_arc *arc)
{
	const struct fitting *fitting = asking->fitting;
	const struct call_sites *calls = &fitting->decoded->calls;
	uint64_t from = arc->from & ~fitting->mode_bit, last = from + FIT_ROUNDED - 1;
	enum fit_verdict verdict = FIT_UNTOLD;
	uint32_t first, past, seen = 0;
	struct fit_extent extent;
	bool has_hook = false;

	if (arc->verdict != FIT_UNASKED)
		return arc->verdict;
	/* What may be in a function without a name is not asked about. */
	if (!fit_extent(fitting, from, &extent) || (last > extent.last && !fitting->has_locals))
		return FIT_UNTOLD;
	first = scan_calls_above(fitting->decoded, extent.first - 1);
	for (past = first; past < calls->count && calls->items[past].from <= last; past++) {
		has_hook = has_hook ||
		           (fitting->is_hook[past] && calls->items[past].from >= extent.first);
		if (calls->items[past].back >= from && !is_only_hook(fitting, past, arc) &&
		    leads_to_callee(fitting, past, callee))
			return FIT_FITS;
	}
	for (uint32_t i = first; i < past; i++) {
		const struct call_site *call = &calls->items[i];
		enum fit_verdict of_call = FIT_UNTOLD;

		if (call->back < from || is_only_hook(fitting, i, arc))
			continue;
		seen++;
		if (!call->is_indirect && !fitting->is_hook[i])
			of_call = ask_other(asking, callee, arc->from, call->to);
		verdict = seen == 1 || verdict == of_call ? of_call : FIT_UNTOLD;
	}
	if (seen > 0)
		return has_hook ? verdict : FIT_UNTOLD;
	/* A function's entry can be what stands for a caller on a stack that was made by hand. */
	return has_hook && from != extent.first && !fit_may_hold_call(fitting, from) ? FIT_NO_CALL
	                                                                             : FIT_UNTOLD;
}

static void
ask_all(struct asking *asking)
{
	const struct fitting *fitting = asking->fitting;

	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		const struct fit_callee *callee = &fitting->callees[i];
		uint32_t with[FIT_OTHER_CALLEE + 1] = {0}, bad;
		uint64_t site = 0;

		if (callee->place != FIT_BEHIND_HOOK)
			continue;
		for (uint32_t k = 0; k < callee->arc_count; k++) {
			const struct fit_arc *arc = &fitting->arcs[callee->first_arc + k];
			enum fit_verdict verdict = ask(asking, callee, arc);

			with[verdict]++;
			site = verdict > FIT_FITS ? arc->from : site;
		}
		/* Threads that count at once can mix up a few arcs. */
		bad = with[FIT_NO_CALL] + (with[FIT_FITS] == 0 ? with[FIT_OTHER_CALLEE] : 0);
		asking->sites += with[FIT_FITS] + with[FIT_NO_CALL] + with[FIT_OTHER_CALLEE];
		if (asking->bad_sites == 0)
			asking->bad_site = site;
		asking->bad_sites += bad;
	}
}

/* Whether a call in a function's first bytes is one of the runtime, or a callee is behind one. */
static bool
is_profiled(struct fitting *fitting, const struct fit_extent *function)
{
	const struct call_sites *calls = &fitting->decoded->calls;

	for (uint32_t i = 0; i < fitting->callee_count; i++)
		if (fitting->callees[i].place == FIT_BEHIND_HOOK &&
		    fit_holds(function, fitting->callees[i].address))
			return true;
	for (uint32_t i = scan_calls_above(fitting->decoded, function->first);
	     i < calls->count && calls->items[i].from <= function->last; i++)
		if (calls->items[i].from >= function->first && fitting->is_hook[i])
			return true;
	return false;
}

/* Leaves those of the functions in question that have a profiling call. */
static void
keep_profiled(struct asking *asking)
{
	struct fitting *fitting = asking->fitting;
	uint64_t addresses[MOST_TARGETS], more[MOST_TARGETS];
	uint32_t kept = 0, unknown = 0;
	struct fit_extent extent;

	for (uint32_t i = 0; i < asking->target_count; i++) {
		if (!fit_extent(fitting, asking->targets[i], &extent) ||
		    is_profiled(fitting, &extent))
			continue;
		addresses[unknown] = asking->targets[i];
		more[unknown++] = FIT_ENTRY_BYTES;
	}
	if (unknown > 0 && fit_decode(fitting, addresses, more, unknown))
		fit_mark_hooks(fitting);
	for (uint32_t i = 0; i < asking->target_count; i++)
		if (fit_extent(fitting, asking->targets[i], &extent) &&
		    is_profiled(fitting, &extent))
			asking->targets[kept++] = asking->targets[i];
	asking->target_count = kept;
	asking->are_known = true;
}

void
fit_check_sites(struct fitting *fitting)
{
	struct asking *asking = memory_alloc(fitting->run, sizeof *asking);

	asking->fitting = fitting;
	ask_all(asking);
	if (asking->target_count > 0) {
		keep_profiled(asking);
		asking->sites = asking->bad_sites = 0;
		ask_all(asking);
	}
	fitting->found.sites = asking->sites;
	fitting->found.bad_sites = asking->bad_sites;
	fitting->found.bad_site = asking->bad_site;
	memory_release(fitting->run, asking);
}
