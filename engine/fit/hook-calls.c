/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which calls are calls of the profiling runtime: those of what most called functions call just
 * before the recorded address, and those of functions with names of such.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "fit/parts.h"

/*
 * A call's target as one number; pointers are distinguished from functions.  ~0: an unknown
 * pointer.
 */
static uint64_t
target_of(const struct call_site *call)
{
	return call->is_indirect ? ~call->to : call->to;
}

/* What most callees call just before their recorded addresses, if most of them do; else 0. */
static uint64_t
common_target(const struct fitting *fitting)
{
	uint64_t *targets, common = 0;
	uint32_t *ids, count = 0, most = 0;

	memory_array(fitting->run, targets, fitting->callee_count);
	memory_array(fitting->run, ids, fitting->callee_count);
	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		const struct fit_callee *callee = &fitting->callees[i];

		/* The function before can end with a call that does not return. */
		if (callee->has_call && symbols_at(fitting->symbols, callee->address) == NO_SYMBOL)
			targets[count++] = target_of(&callee->call);
	}
	sort_ascending(fitting->run, targets, ids, count);
	for (uint32_t i = 0, first = 0; i < count; i++) {
		if (targets[i] != targets[first])
			first = i;
		if (i + 1 - first > most) {
			most = i + 1 - first;
			common = targets[i];
		}
	}
	memory_release(fitting->run, targets);
	memory_release(fitting->run, ids);
	return most >= FIT_FEWEST_ALIKE && most >= count - most &&
	                       most >= fitting->callee_count - most
	               ? common
	               : 0;
}

/* The number of an import's stub or slot, or NO_SYMBOL. */
static uint32_t
find_import(struct fitting *fitting, uint64_t address)
{
	uint32_t up_to;

	if (!fitting->has_imports)
		fitting->imports = scan_imports(fitting->run, fitting->symbols);
	fitting->has_imports = true;
	up_to = sorted_up_to(fitting->imports.address, fitting->imports.count, address);
	return up_to > 0 && fitting->imports.address[up_to - 1] == address ? up_to - 1 : NO_SYMBOL;
}

bool
fit_is_known_call(struct fitting *fitting, uint64_t target, bool is_indirect)
{
	if (target == 0)
		return false;
	return (!is_indirect && symbols_at(fitting->symbols, target) != NO_SYMBOL) ||
	       find_import(fitting, target) != NO_SYMBOL;
}

/* Whether a call is by its name one of the runtime. */
static bool
is_named_hook(struct fitting *fitting, const struct call_site *call)
{
	uint32_t symbol = call->is_indirect ? NO_SYMBOL : symbols_at(fitting->symbols, call->to),
		 import;

	if (symbol != NO_SYMBOL)
		return scan_is_hook(fitting->symbols->name[symbol]);
	import = call->to == 0 ? NO_SYMBOL : find_import(fitting, call->to);
	return import != NO_SYMBOL && fitting->imports.is_hook[import];
}

/* Whether the program has or imports a function of the profiling runtime. */
static bool
has_runtime(struct fitting *fitting)
{
	const struct symbols *symbols = fitting->symbols;

	find_import(fitting, 0);
	for (uint32_t i = 0; i < symbols->count && !fitting->imports.has_hook; i++)
		if (scan_is_hook(symbols->name[i]))
			return true;
	return fitting->imports.has_hook;
}

bool
fit_can_tell(struct fitting *fitting)
{
	for (uint32_t i = 0; i < fitting->callee_count; i++)
		if (symbols_at(fitting->symbols, fitting->callees[i].address) == NO_SYMBOL)
			return true;
	return fitting->callee_count > 0 && has_runtime(fitting);
}

bool
fit_is_hook(struct fitting *fitting, const struct call_site *call)
{
	if (fitting->common != 0 && target_of(call) == fitting->common)
		return true;
	return (fitting->needs_names && is_named_hook(fitting, call)) ||
	       (fitting->may_be_any && call->is_indirect && call->to == 0);
}

/* Whether a callee is known not to be behind a call of what is common. */
static bool
is_uncommon(const struct fitting *fitting, const struct fit_callee *callee)
{
	return !callee->has_call || target_of(&callee->call) != fitting->common;
}

/* Names take longer to find than what is common: in the usual case all are known by that. */
static void
choose_names(struct fitting *fitting)
{
	fitting->needs_names = fitting->common == 0;
	for (uint32_t i = 0; i < fitting->callee_count && !fitting->needs_names; i++)
		fitting->needs_names = is_uncommon(fitting, &fitting->callees[i]);
}

bool
fit_prove_callees(struct fitting *fitting)
{
	uint32_t proven = 0;

	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		struct fit_callee *callee = &fitting->callees[i];

		callee->has_call = scan_call_before(fitting->symbols, callee->address,
		                                    &callee->call) &&
		                   callee->call.is_exact &&
		                   callee->call.from >= callee->extent.first;
	}
	fitting->common = common_target(fitting);
	choose_names(fitting);
	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		struct fit_callee *callee = &fitting->callees[i];

		callee->is_proven = callee->has_call && fit_is_hook(fitting, &callee->call);
		/* For others, decoding shows whether that is a call. */
		callee->has_call = callee->is_proven;
		proven += callee->is_proven;
	}
	return proven == fitting->callee_count;
}

void
fit_mark_hooks(struct fitting *fitting)
{
	const struct call_sites *calls = &fitting->decoded->calls;

	memory_release(fitting->run, fitting->is_hook);
	memory_array(fitting->run, fitting->is_hook, calls->count);
	for (uint32_t i = 0; i < calls->count; i++) {
		fitting->is_hook[i] = fit_is_hook(fitting, &calls->items[i]);
		fitting->found.has_hook = fitting->found.has_hook || fitting->is_hook[i];
	}
}

void
fit_find_hooks(struct fitting *fitting)
{
	bool *found = &fitting->found.has_hook;

	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		struct fit_callee *callee = &fitting->callees[i];
		const struct call_site *call = callee->is_proven
		                                       ? NULL
		                                       : fit_call_at(fitting, callee->address);

		*found = *found || callee->is_proven;
		if (call)
			callee->call = *call;
		callee->has_call = callee->is_proven || call;
	}
	if (fitting->common == 0)
		fitting->common = common_target(fitting);
	choose_names(fitting);
	fit_mark_hooks(fitting);
	if (*found || !has_runtime(fitting))
		return;
	/*
	 * Only unknown pointers can lead to the runtime, or no code that was looked at does, though
	 * the profile says so.
	 */
	*found = true;
	fitting->may_be_any = fitting->imports.has_hook;
	fit_mark_hooks(fitting);
}
