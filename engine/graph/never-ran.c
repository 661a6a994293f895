/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that have their calls counted, of which no call was recorded, nor one by them. */
#include "graph/never-ran.h"

#include "base/memory.h"
#include "symbols/symbols.h"

struct never_ran {
	struct never_ran *next;
	const struct profile *profile;
	const struct symbols *symbols;
	/* A bit for each symbol: it ran, it was looked at, it counts its calls. */
	uint64_t *has_run, *is_known, *counts;
	struct counting_call hook;
};

static void
mark(struct never_ran *never_ran, uint64_t address)
{
	uint32_t symbol = symbols_lookup(never_ran->symbols, address);

	if (symbol != NO_SYMBOL)
		never_ran->has_run[symbol / 64] |= (uint64_t)1 << symbol % 64;
}

struct never_ran *
never_ran_of(struct run *run, struct scan *scan, const struct profile *profile)
{
	struct never_ran *made;

	for (made = scan->never_ran; made; made = made->next)
		if (made->profile == profile)
			return made->hook.is_known ? made : NULL;
	made = memory_alloc(run, sizeof *made);
	*made = (struct never_ran){.next = scan->never_ran,
	                           .profile = profile,
	                           .symbols = scan->symbols,
	                           .hook = scan_counting_call(scan->symbols, profile)};
	scan->never_ran = made;
	if (!made->hook.is_known)
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

bool
never_ran_at(struct never_ran *never_ran, uint64_t address)
{
	uint32_t symbol = symbols_at(never_ran->symbols, address), word = symbol / 64;
	uint64_t bit = (uint64_t)1 << symbol % 64;

	if (symbol == NO_SYMBOL || (never_ran->has_run[word] & bit))
		return false;
	if (!(never_ran->is_known[word] & bit) &&
	    scan_counts_calls(never_ran->symbols, &never_ran->hook, address))
		never_ran->counts[word] |= bit;
	never_ran->is_known[word] |= bit;
	return never_ran->counts[word] & bit;
}
