/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded calls to arcs between functions: addresses are looked up in parallel, equal pairs are
 * merged in input order through a hash, and what results is grouped by caller.  Calls whose caller
 * were not recorded come from the node behind the functions, which stands for what is in none.
 */
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/compiler.h"
#include "base/sort.h"
#include "graph/arcs.h"
#include "graph/graph.h"
#include "graph/sites.h"
#include "profile/profile.h"

enum { LOOKUP_GRAIN = 50000, FIRST_BITS_LEAST = 8, FIRST_BITS_MOST = 21 };

struct resolving {
	struct arc_rules rules;
	struct gprofx_raw_arc *arcs;
	uint32_t known; /* arcs from here on have no caller */
};

/*
 * Lets the functions that clones were made from stand for them.  Where a function only goes on in a
 * fragment of its own, there is no call.
 */
static void
fold_clones(const struct symbols *symbols, uint32_t *caller, uint32_t *callee)
{
	bool is_fragment = (symbols->flags[*callee] & SYMBOL_FRAGMENT) != 0;
	bool is_same = *caller == *callee;

	*caller = symbols->owner[*caller];
	*callee = symbols->owner[*callee];
	if (is_fragment && !is_same && *caller == *callee)
		*callee = NO_SYMBOL;
}

void
arcs_between(const struct arc_rules *rules, bool has_caller, uint32_t *caller, uint32_t *callee)
{
	const struct symbols *symbols = rules->symbols;

	if (*caller != NO_SYMBOL && symbols->whole)
		*caller = symbols->whole[*caller];
	if (*callee != NO_SYMBOL && symbols->whole)
		*callee = symbols->whole[*callee];
	if (*callee != NO_SYMBOL && rules->function_of)
		*callee = rules->function_of[*callee];
	if (*callee != NO_SYMBOL && *caller != NO_SYMBOL && symbols->owner) {
		if (has_caller)
			fold_clones(symbols, caller, callee);
		else
			*callee = symbols->owner[*callee];
	}
	if (*caller == NO_SYMBOL)
		*callee = NO_SYMBOL;
}

void
arcs_resolve(const struct arc_rules *rules, const struct gprofx_raw_arc *arc, bool has_caller,
             uint32_t *caller, uint32_t *callee)
{
	const struct symbols *symbols = rules->symbols;

	*caller = has_caller ? symbols_lookup(symbols, arc->from) : symbols->count;
	*callee = symbols_lookup(symbols, arc->self);
	arcs_between(rules, has_caller, caller, callee);
}

/*
 * The line that a call is in, by its row, where lines are parts of functions, else 0; of an unknown
 * caller, the node that stands for it.
 */
static uint64_t
calling_line(const struct symbols *symbols, const struct gprofx_raw_arc *arc, bool has_caller)
{
	if (!symbols->whole)
		return 0;
	return has_caller ? symbols_first_piece(symbols, symbols_lookup(symbols, arc->from))
	                  : symbols->count;
}

/* Fetches what the callees of arcs further on will need; "left" arcs are still to come. */
static FETCHING void
fetch_callees(const struct symbols *symbols, const struct gprofx_raw_arc *arc, uint32_t left)
{
	if (left > 2 * PREFETCH_AHEAD) {
		symbols_fetch_block(symbols, arc[2 * PREFETCH_AHEAD].self);
		symbols_fetch(symbols, arc[PREFETCH_AHEAD].self);
	}
}

/*
 * Replaces addresses by symbol numbers, with the line in the upper half of the caller's; the callee
 * of an arc to drop is NO_SYMBOL.
 */
static void
resolve(void *argument, uint32_t worker, uint32_t begin, uint32_t end)
{
	const struct resolving *resolving = argument;

	(void)worker;
	for (uint32_t i = begin; i < end; i++) {
		struct gprofx_raw_arc *arc = &resolving->arcs[i];
		uint32_t caller, callee;

		fetch_callees(resolving->rules.symbols, arc, end - i);
		arcs_resolve(&resolving->rules, arc, i < resolving->known, &caller, &callee);
		arc->from = calling_line(resolving->rules.symbols, arc, i < resolving->known)
		                    << 32 |
		            caller;
		arc->self = callee;
	}
}

/* A line is not called, its function is; gprof calls no symbol without a type either. */
static bool
is_called(const struct run *run, const struct symbols *symbols, uint32_t symbol)
{
	if (run_corrects(run, GPROFX_CORRECT_UNTYPED_CALLEES))
		return !(symbols->flags[symbol] & SYMBOL_LINE);
	return (symbols->flags[symbol] & GPROFX_SYMBOL_FUNCTION) != 0;
}

static uint32_t *
functions_of(struct run *run, const struct symbols *symbols)
{
	uint32_t *function_of, last = NO_SYMBOL, untyped = 0;

	while (untyped < symbols->count && is_called(run, symbols, untyped))
		untyped++;
	if (untyped == symbols->count)
		return NULL;
	memory_array(run, function_of, symbols->count);
	for (uint32_t i = 0; i < symbols->count; i++) {
		if (is_called(run, symbols, i))
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

/*
 * Merged arcs by their ends; open addressing, at most half full.  The lower bits of a slot, one
 * less than give its place, are the number of an arc plus 1, or 0: free.  The others are bits of
 * the hash that the place does not give: most pairs are distinguished without a look at them, as
 * they are elsewhere.
 */
struct merging {
	struct pair *pairs; /* in the place of the recorded arcs that were merged already */
	uint32_t count;
	uint32_t *slots;
	uint32_t bits;   /* number of slots: 2 to that power */
	uint32_t mask;   /* number of slots less 1 */
	uint64_t factor; /* odd, of this process only */
};

static inline uint64_t
hash_pair(const struct merging *merging, uint32_t caller, uint32_t callee)
{
	return hash_word((uint64_t)caller << 32 | callee, merging->factor);
}

static inline uint32_t
number_in(const struct merging *merging, uint32_t slot)
{
	return slot & merging->mask >> 1;
}

/*
 * The slot of a pair, or the free one where it belongs; what it has to hold besides the number is
 * in *mark.
 */
static uint32_t *
find_slot(const struct merging *merging, uint32_t caller, uint32_t callee, uint32_t *mark)
{
	uint64_t hash = hash_pair(merging, caller, callee);

	*mark = (uint32_t)(hash >> 8) & ~(merging->mask >> 1);
	for (uint32_t i = (uint32_t)(hash >> (64 - merging->bits));; i = (i + 1) & merging->mask) {
		uint32_t *slot = &merging->slots[i], number = number_in(merging, *slot);

		if (number == 0)
			return slot;
		if ((*slot ^ number) == *mark && merging->pairs[number - 1].caller == caller &&
		    merging->pairs[number - 1].callee == callee)
			return slot;
	}
}

static void
make_slots(struct run *run, struct merging *merging, uint32_t bits)
{
	uint64_t size;

	if (bits > 32)
		memory_exhausted(run, SIZE_MAX);
	size = (uint64_t)1 << bits;
	memory_release(run, merging->slots);
	memory_array(run, merging->slots, size);
	merging->bits = bits;
	merging->mask = (uint32_t)(size - 1);
	for (uint32_t i = 0; i < merging->count; i++) {
		const struct pair *pair = &merging->pairs[i];
		uint32_t mark, *slot = find_slot(merging, pair->caller, pair->callee, &mark);

		*slot = mark | (i + 1);
	}
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

static FETCHING void
fetch_slot(const struct graph *graph, const struct merging *merging,
           const struct gprofx_raw_arc *arc)
{
	uint32_t callee = (uint32_t)arc->self;
	uint64_t hash = hash_pair(merging, (uint32_t)arc->from, callee);

	if (callee == NO_SYMBOL)
		return;
	PREFETCH(&merging->slots[hash >> (64 - merging->bits)]);
	PREFETCH(&graph->calls[callee]);
}

/*
 * Merges resolved arcs in place: a merged one is smaller than a recorded one, so it always fits
 * before the next to be read.
 */
static void
merge(struct run *run, struct graph *graph, const struct profile *profile, struct merging *merging,
      struct sites *sites)
{
	_Static_assert(sizeof(struct pair) <= sizeof(struct gprofx_raw_arc), "merged in place");
	/* Room for all if they are not too many: they can be the same ones many times. */
	make_slots(run, merging, hash_bits(profile->arc_count, FIRST_BITS_LEAST, FIRST_BITS_MOST));
	for (uint32_t i = 0; i < profile->arc_count; i++) {
		struct gprofx_raw_arc arc = profile->arcs[i];
		uint32_t caller = (uint32_t)arc.from, callee = (uint32_t)arc.self;
		uint32_t line = graph->symbols->whole ? (uint32_t)(arc.from >> 32) : caller;
		bool kept = callee != NO_SYMBOL &&
		            arcs_keep(graph->filters, graph->symbols, line, caller, callee);
		uint32_t *slot, number, mark;

		if (i + PREFETCH_AHEAD < profile->arc_count)
			fetch_slot(graph, merging, &profile->arcs[i + PREFETCH_AHEAD]);
		if (run_traces(run, GPROFX_TRACE_ARCS))
			trace_arc(run, graph->symbols, caller, callee, arc.count,
			          kept ? "added" : "dropped");
		if (!kept)
			continue;
		if (merging->count >= merging->mask / 2)
			make_slots(run, merging, merging->bits + 1);
		graph->calls[callee] += arc.count;
		if (caller == graph->symbols->count) {
			/* Unknown callers are no graph, but a part of one. */
			if (!profile->has_arcs && !profile->stacks.is_there)
				continue;
			graph->function_count = graph->node_count = caller + 1;
			graph->has_outside = true;
		}
		if (graph->symbols->whole && caller != graph->symbols->count)
			sites_add(run, sites, line, caller, callee, arc.count);
		slot = find_slot(merging, caller, callee, &mark);
		number = number_in(merging, *slot);
		if (number != 0) {
			merging->pairs[number - 1].count += arc.count;
			continue;
		}
		merging->pairs[merging->count++] = (struct pair){caller, callee, arc.count};
		*slot = mark | merging->count;
	}
	memory_release(run, merging->slots);
}

/* What arcs are made of: recorded ones, then calls in the code that are none of these. */
struct arc_source {
	const struct pair *pairs;
	const struct static_call *calls;
	uint32_t pair_count, count; /* of pairs; of both */
};

static inline struct pair
pair_at(const struct arc_source *source, uint32_t i)
{
	const struct static_call *call;

	if (i < source->pair_count)
		return source->pairs[i];
	call = &source->calls[i - source->pair_count];
	return (struct pair){call->caller, call->callee, 0};
}

/* How often functions are at the ends of arcs: those of f in into[f] and out[f + 2]. */
static void
count_ends(const struct arc_source *source, uint32_t *into, uint32_t *out)
{
	for (uint32_t i = 0; i < source->count; i++) {
		struct pair pair = pair_at(source, i);

		into[pair.callee]++;
		out[pair.caller + 2]++;
	}
}

/*
 * Makes the arcs, with those of a caller side by side: the walks of the later stages mostly go from
 * callers to callees.  Lists are in reverse order of first appearance.
 */
static void
group_by_caller(struct run *run, struct graph *graph, const struct arc_source *source)
{
	uint32_t functions = graph->function_count, count = source->count;
	uint32_t *into, *into_item, *out, *out_item;

	memory_array(run, into, (size_t)functions + 1);
	memory_array(run, into_item, count);
	memory_array(run, out, (size_t)functions + 2);
	memory_array(run, out_item, count);
	memory_array(run, graph->arcs, count);
	graph->arc_count = count;
	if (graph->wants_order)
		memory_array(run, graph->arc_order, count);
	if (source->calls)
		memory_array(run, graph->found, count);
	count_ends(source, into, out);
	for (uint32_t f = 0; f < functions; f++) {
		into[f + 1] += into[f];
		out[f + 2] += out[f + 1];
	}
	/* into[f] is the end of f's list and becomes its start; out[f + 1] is a start, then an end.
	 */
	for (uint32_t i = 0; i < count; i++) {
		struct pair pair = pair_at(source, i);
		uint32_t arc = out[pair.caller + 1]++;

		graph->arcs[arc] = (struct graph_arc){pair.caller, pair.callee, pair.count, 0, 0};
		into_item[--into[pair.callee]] = arc;
		if (graph->arc_order)
			graph->arc_order[i] = arc;
		if (i >= source->pair_count)
			graph->found[arc] = source->calls[i - source->pair_count].kinds;
	}
	for (uint32_t f = 0; f < functions; f++)
		for (uint32_t i = out[f]; i < out[f + 1]; i++)
			out_item[i] = out[f] + out[f + 1] - 1 - i;
	graph->callers = (struct gprofx_lists){into, into_item};
	graph->callees = (struct gprofx_lists){out, out_item};
}

/* Puts calls without a caller behind the arcs. */
static void
append_calls(struct run *run, struct profile *profile)
{
	profile->arcs = memory_room(run, profile->arcs, sizeof *profile->arcs, profile->arc_count,
	                            &profile->arc_room, profile->call_count);
	for (uint32_t i = 0; i < profile->call_count; i++)
		profile->arcs[profile->arc_count++] = (struct gprofx_raw_arc){
			.self = profile->calls[i].self,
			.count = profile->calls[i].count,
		};
	memory_release(run, profile->calls);
	profile->calls = NULL;
	profile->call_count = profile->call_room = 0;
}

struct arc_rules
arcs_rules(struct run *run, const struct symbols *symbols)
{
	return (struct arc_rules){symbols, functions_of(run, symbols)};
}

void
graph_add_arcs(struct run *run, struct graph *graph, struct profile *profile)
{
	struct resolving resolving = {.rules = arcs_rules(run, graph->symbols),
	                              .known = profile->arc_count};
	struct merging merging = {.factor = hash_factor()};
	struct sites sites = {0};

	append_calls(run, profile);
	resolving.arcs = profile->arcs;
	if (run_traces(run, GPROFX_TRACE_LOOKUPS))
		for (uint32_t i = 0; i < resolving.known; i++) {
			uint32_t symbol = symbols_lookup(graph->symbols, profile->arcs[i].from);

			run_trace(run, "call site 0x%llx is in %s",
			          (unsigned long long)profile->arcs[i].from,
			          symbol == NO_SYMBOL ? "?" : graph->symbols->name[symbol]);
		}
	parallel_loop(run, profile->arc_count,
	              parallel_workers(run, profile->arc_count, LOOKUP_GRAIN), resolve, &resolving);
	/* The recorded arcs are used up; their memory holds the merged ones, then is given back. */
	merging.pairs = (struct pair *)(void *)profile->arcs;
	merge(run, graph, profile, &merging, &sites);
	profile->arcs = NULL;
	profile->arc_count = profile->arc_room = 0;
	merging.pairs = memory_grow(run, merging.pairs, merging.count * sizeof *merging.pairs,
	                            merging.count * sizeof *merging.pairs);
	group_by_caller(run, graph,
	                &(struct arc_source){merging.pairs, NULL, merging.count, merging.count});
	if (graph->symbols->whole)
		sites_finish(run, graph, &sites);
	memory_release(run, merging.pairs);
	memory_release(run, (void *)resolving.rules.function_of);
}

/* The arcs in order of first appearance. */
static struct pair *
list_again(struct run *run, const struct graph *graph)
{
	struct pair *pairs;

	memory_array(run, pairs, graph->arc_count);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct graph_arc *arc = &graph->arcs[graph->arc_order[i]];

		pairs[i] = (struct pair){arc->caller, arc->callee, arc->calls};
	}
	return pairs;
}

/*
 * For gprof a call of a line is there already if one of the function is that the line is in; that
 * happens where code is called that no function begins at.  NO_SYMBOL: there is no such function.
 */
static uint32_t
function_around(const struct symbols *symbols, uint32_t symbol)
{
	uint32_t function = symbol;

	if (symbol >= symbols->count || !(symbols->flags[symbol] & SYMBOL_LINE))
		return NO_SYMBOL;
	while (symbols->flags[function] & SYMBOL_LINE)
		if (function-- == 0)
			return NO_SYMBOL;
	return symbols->end[function] >= symbols->end[symbol] ? function : NO_SYMBOL;
}

/* What is known of the calls of one function, the caller, to another. */
struct known_callee {
	uint32_t caller; /* plus 1; for any other the rest means nothing */
	uint32_t call;   /* in the code: the number of the first one, plus 1; 0: there are arcs */
};

/* Calls in the code on their way to be arcs. */
struct adding {
	struct graph *graph;
	struct static_call *calls; /* the callee of those that are not needed becomes NO_SYMBOL */
	struct sites sites;
	struct known_callee *known; /* per symbol; one caller after the other has it */
};

/* Begins with the calls of another caller: its arcs are there already. */
static void
know_arcs(const struct adding *adding, uint32_t caller)
{
	const struct graph *graph = adding->graph;

	for (uint32_t i = graph->callees.first[caller]; i < graph->callees.first[caller + 1]; i++)
		adding->known[graph->arcs[graph->callees.item[i]].callee] = (struct known_callee){
			caller + 1, 0};
}

/* Takes the next call of the caller whose calls are known. */
static void
take_call(struct run *run, struct adding *adding, uint32_t number)
{
	struct static_call *call = &adding->calls[number];
	struct known_callee *known = &adding->known[call->callee];
	uint32_t around = function_around(adding->graph->symbols, call->callee);
	bool is_needed = known->caller != call->caller + 1;
	uint32_t first = is_needed ? number : known->call - 1;

	if (is_needed && around != NO_SYMBOL && adding->known[around].caller == call->caller + 1)
		first = NO_SYMBOL;
	if (first != NO_SYMBOL && adding->graph->symbols->whole)
		sites_add(run, &adding->sites, call->line, call->caller, call->callee, 0);
	if (first == number)
		*known = (struct known_callee){call->caller + 1, number + 1};
	else
		call->callee = NO_SYMBOL;
	if (first != NO_SYMBOL)
		adding->calls[first].kinds |= call->kinds;
}

/* The calls of a caller side by side, in their order; NULL: they are already. */
static uint32_t *
order_of_callers(struct run *run, const struct adding *adding, uint32_t count)
{
	uint32_t *order, sorted = 1;
	uint64_t *keys;

	while (sorted < count && adding->calls[sorted - 1].caller <= adding->calls[sorted].caller)
		sorted++;
	if (sorted >= count)
		return NULL;
	memory_array(run, order, count);
	memory_array(run, keys, count);
	for (uint32_t i = 0; i < count; i++) {
		order[i] = i;
		keys[i] = adding->calls[i].caller;
	}
	sort_ascending(run, keys, order, count);
	memory_release(run, keys);
	return order;
}

/* Leaves the first call of each caller to each callee that has no arc; returns how many. */
static uint32_t
leave_new_calls(struct run *run, struct adding *adding, uint32_t count)
{
	const struct symbols *symbols = adding->graph->symbols;
	uint32_t *order = order_of_callers(run, adding, count);
	uint32_t caller = NO_SYMBOL, left = 0;

	memory_array(run, adding->known, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = order ? order[i] : i;

		if (adding->calls[number].caller != caller) {
			caller = adding->calls[number].caller;
			know_arcs(adding, caller);
		}
		take_call(run, adding, number);
	}
	for (uint32_t i = 0; i < count; i++)
		if (adding->calls[i].callee != NO_SYMBOL)
			adding->calls[left++] = adding->calls[i];
	memory_release(run, adding->known);
	memory_release(run, order);
	return left;
}

void
graph_add_static_calls(struct run *run, struct graph *graph, const struct static_calls *calls)
{
	const struct symbols *symbols = graph->symbols;
	struct adding adding = {.graph = graph, .calls = calls->items};
	struct pair *recorded = list_again(run, graph);
	struct arc_source source = {recorded, calls->items, graph->arc_count, graph->arc_count};

	for (uint32_t i = 0; i < calls->count; i++)
		calls->items[i].caller = symbols_whole(symbols, calls->items[i].caller);
	if (symbols->whole)
		sites_begin_again(run, graph, &adding.sites);
	source.count += leave_new_calls(run, &adding, calls->count);
	for (uint32_t i = 0; i < source.count - source.pair_count; i++)
		if (calls->items[i].callee == symbols_indirect(symbols))
			graph->function_count = graph->node_count = symbols_indirect(symbols) + 1;
	memory_release(run, graph->arcs);
	memory_release(run, graph->arc_order);
	memory_release(run, (void *)graph->callers.first);
	memory_release(run, (void *)graph->callers.item);
	memory_release(run, (void *)graph->callees.first);
	memory_release(run, (void *)graph->callees.item);
	group_by_caller(run, graph, &source);
	if (symbols->whole)
		sites_finish(run, graph, &adding.sites);
	memory_release(run, recorded);
	memory_release(run, calls->items);
}
