/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether each called address is where a profiling call of its function returns to.  A function
 * without such a call says nothing: it may have been given one when the program ran.
 */
#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "fit/parts.h"
#include "slide/evidence.h"

/* What the code of a function says about an address in it. */
struct witness {
	bool has_hook;  /* there is a profiling call */
	bool is_behind; /* one returns to the address */
	bool is_call;   /* one begins at it */
};

static struct witness
ask(const struct fitting *fitting, const struct fit_extent *extent, uint64_t address)
{
	const struct call_sites *calls = &fitting->decoded->calls;
	struct witness witness = {0};

	for (uint32_t i = scan_calls_above(fitting->decoded, extent->first - 1); i < calls->count;
	     i++) {
		const struct call_site *call = &calls->items[i];

		if (call->from > extent->last)
			break;
		if (!fitting->is_hook[i] || call->from < extent->first)
			continue;
		witness.has_hook = true;
		witness.is_behind = witness.is_behind || call->back == address;
		witness.is_call = witness.is_call || call->from == address;
	}
	return witness;
}

bool
fit_may_be_behind_hook(struct fitting *fitting, uint64_t address)
{
	const struct call_site *call = fit_call_at(fitting, address);
	struct call_site before;

	if (call)
		return !fit_is_known_call(fitting, call->to, call->is_indirect);
	return scan_call_before(fitting->symbols, address, &before) &&
	       !fit_is_known_call(fitting, before.to, false);
}

/*
 * Compilers leave no-operations for that near a function's entry.  Machines of which these are not
 * known here have them everywhere.
 */
bool
fit_may_be_patched(const struct symbols *symbols, uint64_t address)
{
	static const uint8_t one[] = {0x90}, five[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
	const struct gprofx_symtab *table = &symbols->table;
	const uint8_t *bytes = symbols->image.bytes;

	if (table->target.machine != EM_X86_64 && table->target.machine != EM_386)
		return true;
	for (uint32_t i = 0; i < table->code_count; i++) {
		const struct gprofx_code_range *code = &table->code[i];
		uint64_t offset = address - code->address, end = code->file_offset + offset;

		if (offset < sizeof five || offset > code->bytes ||
		    !symbols_has_code(symbols, code))
			continue;
		return memcmp(bytes + end - sizeof one, one, sizeof one) == 0 ||
		       memcmp(bytes + end - sizeof five, five, sizeof five) == 0;
	}
	return true;
}

static enum fit_place
place_of(struct fitting *fitting, const struct fit_callee *callee, const struct fit_extent *extent,
         const struct witness *witness)
{
	/* Behind functions without local symbols, anything can be. */
	bool is_astray = fitting->has_locals && extent->is_gap;
	uint64_t past = callee->address - extent->first;

	if (witness->is_behind)
		return FIT_BEHIND_HOOK;
	if (!witness->has_hook && !is_astray &&
	    (extent->is_gap ||
	     (past <= SLIDE_FARTHEST && fit_may_be_patched(fitting->symbols, callee->address))))
		return FIT_UNKNOWN;
	if (!witness->has_hook && fit_call_at(fitting, callee->address))
		return FIT_UNKNOWN;
	if (fit_may_be_behind_hook(fitting, callee->address))
		return FIT_UNKNOWN;
	if (symbols_at(fitting->symbols, callee->address) != NO_SYMBOL)
		return FIT_AT_ENTRY;
	return witness->is_call ? FIT_AT_HOOK : FIT_NOWHERE;
}

bool
fit_has_one_distance(const struct fitting *fitting)
{
	const uint64_t *entries = fitting->symbols->address;
	const struct fit_callee *callees = fitting->callees;

	for (uint32_t i = 1; i < fitting->callee_count; i++)
		if (callees[i].address - entries[callees[i].symbol] !=
		    callees[0].address - entries[callees[0].symbol])
			return false;
	return true;
}

/*
 * Whether addresses at entries were recorded so: all are, or the call sites are not rounded, as in
 * sums that GNU gprof writes; then they can be among others.
 */
static bool
are_recorded_entries(const struct fitting *fitting, const uint32_t *count)
{
	uint32_t unrounded = 2 * (uint32_t)fitting->symbols->table.target.pointer_bytes;
	uint32_t arcs = 0, exact = 0;

	if (count[FIT_BEHIND_HOOK] + count[FIT_AT_HOOK] + count[FIT_NOWHERE] == 0)
		return true;
	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		const struct fit_callee *callee = &fitting->callees[i];

		for (uint32_t k = 0; callee->place == FIT_AT_ENTRY && k < callee->arc_count; k++) {
			uint64_t from = fitting->arcs[callee->first_arc + k].from;

			arcs++;
			exact += from % unrounded != 0 ||
			         symbols_at(fitting->symbols, from) != NO_SYMBOL;
		}
	}
	return exact > arcs - exact;
}

void
fit_check_callees(struct fitting *fitting)
{
	struct fit *found = &fitting->found;
	uint32_t count[FIT_NOWHERE + 1] = {0};
	bool is_good[FIT_NOWHERE + 1] = {[FIT_UNKNOWN] = true, [FIT_BEHIND_HOOK] = true};

	if (!found->has_hook)
		return;
	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		struct fit_callee *callee = &fitting->callees[i];
		struct witness witness = {.has_hook = true, .is_behind = true};

		if (!callee->is_proven)
			witness = ask(fitting, &callee->extent, callee->address);
		callee->has_hook = witness.has_hook;
		callee->place = place_of(fitting, callee, &callee->extent, &witness);
		count[callee->place]++;
	}
	/* Some runtimes record the address of the call, or the entry of the function. */
	is_good[FIT_AT_HOOK] = count[FIT_AT_HOOK] > count[FIT_BEHIND_HOOK];
	is_good[FIT_AT_ENTRY] = are_recorded_entries(fitting, count);
	/* If most of them are behind profiling calls, the runtime can go by the distance. */
	is_good[FIT_NOWHERE] = fitting->callee_count >= FIT_FEWEST_ALIKE &&
	                       count[FIT_BEHIND_HOOK] >=
	                               fitting->callee_count - count[FIT_BEHIND_HOOK] &&
	                       fit_has_one_distance(fitting);
	found->odd_callees = count[FIT_AT_HOOK] + count[FIT_AT_ENTRY] + count[FIT_NOWHERE];
	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		struct fit_callee *callee = &fitting->callees[i];

		found->callees += callee->has_hook || !is_good[callee->place];
		if (!is_good[callee->place] && found->bad_callees++ == 0)
			found->bad_callee = callee->address;
		if (is_good[FIT_NOWHERE] && count[FIT_NOWHERE] > 0)
			callee->place = FIT_UNKNOWN;
	}
}
