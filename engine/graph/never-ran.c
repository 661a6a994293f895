/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function that is compiled for profiling begins with a call of what counts its calls, and the
 * address behind that call is recorded.  So bytes before recorded addresses show what that call
 * looks like; it is then found in functions of which no call was recorded.
 */
#include "graph/never-ran.h"

#include "base/memory.h"
#include "symbols/symbols.h"

/* Recorded addresses that are looked at; bytes of a function in which its call is counted. */
enum { MOST_ARCS = 64, NEAR_ENTRY = 64 };

struct never_ran {
	struct never_ran *next;
	const struct profile *profile;
	const struct symbols *symbols;
	/* A bit for each symbol: it ran, it was looked at, it counts its calls. */
	uint64_t *has_run, *is_known, *counts;
	struct call_site hook;
	bool has_hook;
};

static bool
calls_same(const struct call_site *a, const struct call_site *b)
{
	return a->to == b->to && a->is_indirect == b->is_indirect;
}

static void
mark(struct never_ran *never_ran, uint64_t address)
{
	uint32_t symbol = symbols_lookup(never_ran->symbols, address);

	if (symbol != NO_SYMBOL)
		never_ran->has_run[symbol / 64] |= (uint64_t)1 << symbol % 64;
}

/* What most of some called functions call before they are counted. */
static void
find_hook(struct never_ran *never_ran)
{
	const struct profile *profile = never_ran->profile;
	struct call_site found[MOST_ARCS];
	uint32_t count = 0, looked_at = 0;

	for (; looked_at < profile->arc_count && looked_at < MOST_ARCS; looked_at++)
		if (scan_call_before(never_ran->symbols, profile->arcs[looked_at].self,
		                     &found[count]) &&
		    found[count].is_exact)
			count++;
	for (uint32_t i = 0; i < count && !never_ran->has_hook; i++) {
		uint32_t same = 0;

		for (uint32_t j = 0; j < count; j++)
			same += calls_same(&found[i], &found[j]);
		never_ran->hook = found[i];
		never_ran->has_hook = same * 2 > looked_at;
	}
}

struct never_ran *
never_ran_of(struct run *run, struct scan *scan, const struct profile *profile)
{
	struct never_ran *made;

	for (made = scan->never_ran; made; made = made->next)
		if (made->profile == profile)
			return made->has_hook ? made : NULL;
	made = memory_alloc(run, sizeof *made);
	*made = (struct never_ran){
		scan->never_ran, profile, scan->symbols, NULL, NULL, NULL, {0}, false};
	scan->never_ran = made;
	find_hook(made);
	if (!made->has_hook)
		return NULL;
	memory_array(run, made->has_run, (size_t)made->symbols->count / 64 + 1);
	memory_array(run, made->is_known, (size_t)made->symbols->count / 64 + 1);
	memory_array(run, made->counts, (size_t)made->symbols->count / 64 + 1);
	for (uint32_t i = 0; i < profile->arc_count; i++) {
		mark(made, profile->arcs[i].from);
		mark(made, profile->arcs[i].self);
	}
	for (uint32_t i = 0; i < profile->call_count; i++)
		mark(made, profile->calls[i].self);
	return made;
}

/* Whether the code of a function calls what counts calls. */
static bool
counts_calls(const struct never_ran *never_ran, uint64_t address)
{
	const struct symbols *symbols = never_ran->symbols;
	struct call_site call;

	for (uint64_t back = address + 1; back - address <= NEAR_ENTRY; back++) {
		/* That is the next function. */
		if (symbols_at(symbols, back) != NO_SYMBOL)
			return false;
		if (scan_call_before(symbols, back, &call) && call.is_exact &&
		    call.from >= address && calls_same(&call, &never_ran->hook))
			return true;
	}
	return false;
}

bool
never_ran_at(struct never_ran *never_ran, uint64_t address)
{
	uint32_t symbol = symbols_at(never_ran->symbols, address), word = symbol / 64;
	uint64_t bit = (uint64_t)1 << symbol % 64;

	if (symbol == NO_SYMBOL || (never_ran->has_run[word] & bit))
		return false;
	if (!(never_ran->is_known[word] & bit) && counts_calls(never_ran, address))
		never_ran->counts[word] |= bit;
	never_ran->is_known[word] |= bit;
	return never_ran->counts[word] & bit;
}
