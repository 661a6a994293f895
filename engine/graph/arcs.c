/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded calls to arcs between functions: addresses are looked up in parallel, equal pairs are
 * merged in input order through a hash.
 */
#include <string.h>
#include <sys/auxv.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/prefetch.h"
#include "graph/graph.h"

enum { LOOKUP_GRAIN = 50000, FIRST_BITS = 8 };

struct resolving {
	const struct symbols *symbols;
	struct gprofx_raw_arc *arcs;
	/* Per symbol the nearest one at or below it that is typed as a function; NULL: all are. */
	const uint32_t *function_of;
};

/* Replaces addresses by symbol numbers; the callee of an arc to drop is NO_SYMBOL. */
static void
resolve(void *argument, uint32_t worker, uint32_t begin, uint32_t end)
{
	const struct resolving *resolving = argument;

	(void)worker;
	for (uint32_t i = begin; i < end; i++) {
		struct gprofx_raw_arc *arc = &resolving->arcs[i];
		uint32_t caller = symbols_lookup(resolving->symbols, arc->from);
		uint32_t callee = symbols_lookup(resolving->symbols, arc->self);

		if (callee != NO_SYMBOL && resolving->function_of)
			callee = resolving->function_of[callee];
		arc->from = caller;
		arc->self = caller == NO_SYMBOL ? NO_SYMBOL : callee;
	}
}

static uint32_t *
functions_of(struct run *run, const struct symbols *symbols)
{
	uint32_t *function_of, last = NO_SYMBOL, untyped = 0;

	while (untyped < symbols->count && (symbols->flags[untyped] & GPROFX_SYMBOL_FUNCTION))
		untyped++;
	if (untyped == symbols->count)
		return NULL;
	memory_array(run, function_of, symbols->count);
	for (uint32_t i = 0; i < symbols->count; i++) {
		if (symbols->flags[i] & GPROFX_SYMBOL_FUNCTION)
			last = i;
		function_of[i] = last;
	}
	return function_of;
}

/* A merged arc while arcs are merged. */
struct pair {
	uint32_t caller, callee;
	uint64_t count;
};

/* Numbers of merged arcs plus 1, by their ends; open addressing, at most half full. */
struct merging {
	struct pair *pairs; /* in the place of the recorded arcs that were merged already */
	uint32_t count;
	uint32_t *slots;
	uint32_t bits;   /* number of slots: 2 to that power; 0: none yet */
	uint32_t mask;   /* number of slots less 1 */
	uint64_t factor; /* odd, of this process only */
};

/*
 * A factor that nobody knows beforehand, so that no profile can be made whose arcs all fall on one
 * slot.  What is merged, and in which order, does not depend on it.
 */
static uint64_t
unknown_factor(void)
{
	uint64_t factor = 0x9e3779b97f4a7c15u, bytes;
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random) {
		memcpy(&bytes, random, sizeof bytes);
		factor ^= bytes;
	}
	return factor | 1;
}

/* The top bits of a second product: each of them depends on the whole key and on the factor. */
static inline uint32_t
hash_pair(const struct merging *merging, uint32_t caller, uint32_t callee)
{
	uint64_t key = ((uint64_t)caller << 32 | callee) * merging->factor;

	return (uint32_t)((key ^ key >> 32) * 0x9e3779b97f4a7c15u >> (64 - merging->bits));
}

static uint32_t *
find_slot(const struct merging *merging, uint32_t caller, uint32_t callee)
{
	uint32_t i = hash_pair(merging, caller, callee);

	for (; merging->slots[i] != 0; i = (i + 1) & merging->mask) {
		const struct pair *pair = &merging->pairs[merging->slots[i] - 1];

		if (pair->caller == caller && pair->callee == callee)
			break;
	}
	return &merging->slots[i];
}

static void
grow_slots(struct run *run, struct merging *merging)
{
	uint64_t size;

	merging->bits = merging->bits > 0 ? merging->bits + 1 : FIRST_BITS;
	if (merging->bits > 32)
		memory_exhausted(run, SIZE_MAX);
	size = (uint64_t)1 << merging->bits;
	memory_release(run, merging->slots);
	memory_array(run, merging->slots, size);
	merging->mask = (uint32_t)(size - 1);
	for (uint32_t i = 0; i < merging->count; i++)
		*find_slot(merging, merging->pairs[i].caller, merging->pairs[i].callee) = i + 1;
}

static void
trace_arc(struct run *run, const struct symbols *symbols, uint32_t caller, uint32_t callee,
          uint64_t count, const char *fate)
{
	run_trace(run, "arc %s -> %s: %llu calls %s",
	          caller == NO_SYMBOL ? "?" : symbols->name[caller],
	          callee == NO_SYMBOL ? "?" : symbols->name[callee], (unsigned long long)count,
	          fate);
}

/*
 * Merges resolved arcs in place: a merged one is smaller than a recorded one, so it always fits
 * before the next to be read.
 */
static void
merge(struct run *run, struct graph *graph, const struct profile *profile, struct merging *merging)
{
	_Static_assert(sizeof(struct pair) <= sizeof(struct gprofx_raw_arc), "merged in place");
	for (uint32_t i = 0; i < profile->arc_count; i++) {
		struct gprofx_raw_arc arc = profile->arcs[i];
		uint32_t caller = (uint32_t)arc.from, callee = (uint32_t)arc.self, *slot;
		bool kept = callee != NO_SYMBOL &&
		            filter_keeps_arc(graph->filters, graph->symbols, caller, callee);

		if (merging->slots && i + PREFETCH_AHEAD < profile->arc_count) {
			const struct gprofx_raw_arc *ahead = &profile->arcs[i + PREFETCH_AHEAD];

			PREFETCH(&merging->slots[hash_pair(merging, (uint32_t)ahead->from,
			                                   (uint32_t)ahead->self)]);
		}
		if (run_traces(run, GPROFX_TRACE_ARCS))
			trace_arc(run, graph->symbols, caller, callee, arc.count,
			          kept ? "added" : "dropped");
		if (!kept)
			continue;
		if (!merging->slots || merging->count >= merging->mask / 2)
			grow_slots(run, merging);
		graph->calls[callee] += arc.count;
		slot = find_slot(merging, caller, callee);
		if (*slot != 0) {
			merging->pairs[*slot - 1].count += arc.count;
			continue;
		}
		merging->pairs[merging->count++] = (struct pair){caller, callee, arc.count};
		*slot = merging->count;
	}
	memory_release(run, merging->slots);
}

void
graph_add_arcs(struct run *run, struct graph *graph, struct profile *profile)
{
	struct resolving resolving = {graph->symbols, profile->arcs,
	                              functions_of(run, graph->symbols)};
	struct merging merging = {.factor = unknown_factor()};

	if (run_traces(run, GPROFX_TRACE_LOOKUPS))
		for (uint32_t i = 0; i < profile->arc_count; i++) {
			uint32_t symbol = symbols_lookup(graph->symbols, profile->arcs[i].from);

			run_trace(run, "call site 0x%llx is in %s",
			          (unsigned long long)profile->arcs[i].from,
			          symbol == NO_SYMBOL ? "?" : graph->symbols->name[symbol]);
		}
	parallel_loop(run, profile->arc_count,
	              parallel_workers(run, profile->arc_count, LOOKUP_GRAIN), resolve, &resolving);
	/* The recorded arcs are used up; their memory holds the merged ones, then is given back. */
	merging.pairs = (struct pair *)(void *)profile->arcs;
	merge(run, graph, profile, &merging);
	profile->arcs = NULL;
	profile->arc_count = profile->arc_room = 0;
	merging.pairs = memory_grow(run, merging.pairs, merging.count * sizeof *merging.pairs,
	                            merging.count * sizeof *merging.pairs);
	memory_array(run, graph->arcs, merging.count);
	for (graph->arc_count = 0; graph->arc_count < merging.count; graph->arc_count++) {
		const struct pair *pair = &merging.pairs[graph->arc_count];

		graph->arcs[graph->arc_count] = (struct gprofx_arc){pair->caller, pair->callee,
		                                                    pair->count, 0, 0};
	}
	memory_release(run, merging.pairs);
	memory_release(run, (void *)resolving.function_of);
}
