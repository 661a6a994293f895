/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether each call site is behind an instruction that can make the call.  Only code that was
 * compiled for profiling is asked: what was written by hand can put any return address anywhere.
 */
#include <elf.h>

#include <gprofx/symbols.h>

#include "base/memory.h"
#include "fit/parts.h"
#include "profile/profile.h"
#include "slide/evidence.h"

enum {
	MOST_LOCAL_ENTRY = 16, /* bytes from a function's global entry to its local one */
	MOST_TARGETS = 64,
	MOST_LOOKED_AT = 1 << 24 /* arcs */
};

/* What the code at a call site says about an arc. */
enum verdict { UNKNOWN, FITS, NO_CALL, OTHER_CALLEE };

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
	const struct profile *profile = asking->fitting->profile;

	asking->looked_at += profile->arc_count;
	if (asking->looked_at > MOST_LOOKED_AT)
		return true;
	for (uint32_t i = 0; i < profile->arc_count; i++)
		if (profile->arcs[i].from == from &&
		    profile->arcs[i].self - function->first <= function->last - function->first)
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

/*
 * Whether a call of a function can be one of the arc's: the function is its callee, or can have
 * gone on with it.  If the arc's callee was jumped to by a function that is profiled, the call of
 * that one is recorded, too.
 */
static enum verdict
can_be(struct asking *asking, const struct fit_callee *callee, uint64_t from, uint64_t target)
{
	const struct fitting *fitting = asking->fitting;
	struct fit_extent extent;

	if (callee->is_gap || !fit_extent(fitting, target, &extent) || extent.is_gap ||
	    target - extent.first > MOST_LOCAL_ENTRY)
		return UNKNOWN;
	if (callee->address - extent.first <= extent.last - extent.first)
		return FITS;
	if (asking->are_known)
		return is_target(asking, extent.first) && !may_be_recorded(asking, from, &extent)
		               ? OTHER_CALLEE
		               : UNKNOWN;
	if (asking->target_count < MOST_TARGETS && !is_target(asking, extent.first))
		asking->targets[asking->target_count++] = extent.first;
	return UNKNOWN;
}

/* Whether the bytes alone are such that decoding may have missed a call. */
static bool
may_hold_call(const struct fitting *fitting, uint64_t from)
{
	const struct symbols *symbols = fitting->symbols;
	uint64_t target;

	for (uint64_t at = from; at < from + FIT_ROUNDED; at++)
		if (slide_follows_call(symbols, at, &target) &&
		    (target == 0 || symbols_code_end(symbols, target) != target))
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
	return fitting->is_hook[call] && fitting->calls.items[call].to != 0 &&
	       fitting->calls.items[call].back != arc->self;
}

static enum verdict
ask(struct asking *asking, const struct fit_callee *callee, const struct fit_arc *arc)
{
	const struct fitting *fitting = asking->fitting;
	const struct call_sites *calls = &fitting->calls;
	uint64_t from = arc->from & ~fitting->mode_bit, last = from + FIT_ROUNDED - 1;
	struct fit_extent extent;
	enum verdict verdict = UNKNOWN;
	bool has_hook = false;
	uint32_t i, seen = 0;

	/* What lies in two functions, or may be in one without a name, is not asked about. */
	if (last < from || !fit_extent(fitting, from, &extent) || extent.is_gap ||
	    last >= extent.next || (last > extent.last && !fitting->has_locals))
		return UNKNOWN;
	i = fit_first_call(fitting, extent.first - 1);
	for (; i < calls->count && calls->items[i].from <= last; i++) {
		const struct call_site *call = &calls->items[i];
		enum verdict of_call;

		has_hook = has_hook || (fitting->is_hook[i] && call->from >= extent.first);
		if (call->back < from || is_only_hook(fitting, i, arc))
			continue;
		seen++;
		of_call = call->is_indirect || fitting->is_hook[i]
		                  ? UNKNOWN
		                  : can_be(asking, callee, arc->from, call->to);
		if (of_call == FITS)
			return FITS;
		verdict = seen == 1 || verdict == of_call ? of_call : UNKNOWN;
	}
	if (seen > 0)
		return has_hook ? verdict : UNKNOWN;
	/* A function's entry can be what stands for a caller on a stack that was made by hand. */
	return has_hook && from != extent.first && !may_hold_call(fitting, from) ? NO_CALL
	                                                                         : UNKNOWN;
}

static void
ask_all(struct asking *asking)
{
	const struct fitting *fitting = asking->fitting;

	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		const struct fit_callee *callee = &fitting->callees[i];
		uint32_t with[OTHER_CALLEE + 1] = {0}, bad;
		uint64_t site = 0;

		if (callee->place != FIT_BEHIND_HOOK)
			continue;
		for (uint32_t k = 0; k < callee->arc_count; k++) {
			const struct fit_arc *arc = &fitting->arcs[callee->first_arc + k];
			enum verdict verdict = ask(asking, callee, arc);

			with[verdict]++;
			site = verdict > FITS ? arc->from : site;
		}
		/* Threads that count at once can mix up a few arcs. */
		bad = with[NO_CALL] + (with[FITS] == 0 ? with[OTHER_CALLEE] : 0);
		asking->sites += with[FITS] + with[NO_CALL] + with[OTHER_CALLEE];
		if (asking->bad_sites == 0)
			asking->bad_site = site;
		asking->bad_sites += bad;
	}
}

/* Leaves those of the functions in question that have a profiling call. */
static void
keep_profiled(struct asking *asking)
{
	struct fitting *fitting = asking->fitting;
	uint64_t addresses[MOST_TARGETS], more[MOST_TARGETS];
	struct call_sites calls;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < asking->target_count; i++) {
		addresses[i] = asking->targets[i];
		more[i] = FIT_ENTRY_BYTES;
	}
	calls = fit_decode(fitting, addresses, more, asking->target_count);
	for (uint32_t i = 0; i < asking->target_count; i++) {
		uint64_t target = asking->targets[i];
		bool is_profiled = false;
		struct fit_extent extent;

		if (!fit_extent(fitting, target, &extent))
			continue;
		for (uint32_t k = 0; k < calls.count && !is_profiled; k++)
			is_profiled = calls.items[k].from - target <= extent.last - target &&
			              fit_is_hook(fitting, &calls.items[k]);
		if (is_profiled)
			asking->targets[kept++] = target;
	}
	asking->target_count = kept;
	asking->are_known = true;
	memory_release(fitting->run, calls.items);
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
