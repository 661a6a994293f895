/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arcs that rounding can have given to the wrong function, each pair of call site and callee once,
 * are looked up among the calls that stand in the code.
 */
#include "attribution/attribution.h"

#include "base/memory.h"
#include "base/sort.h"
#include "attribution/reach.h"
#include "attribution/rounding.h"
#include "graph/arcs.h"
#include "scan/scan.h"

/* An arc whose caller is in doubt. */
struct doubt {
	uint64_t from, self, calls;
	uint32_t first_share, share_count; /* 0: it stays as it is */
};

/* A part of an arc's calls, by the address of an instruction. */
struct share {
	uint64_t from, calls;
};

struct attribution {
	struct rounding rounding;
	struct doubt *doubts; /* by call site and callee */
	uint32_t doubt_count;
	struct share *shares;
	uint32_t share_count, share_room;
	uint64_t *divided; /* pairs of functions whose arcs have a part only, ascending */
	uint32_t divided_count, divided_room;
	struct gprofx_rounding told;
};

static uint64_t
add_calls(uint64_t calls, uint64_t more)
{
	return calls + more < calls ? UINT64_MAX : calls + more;
}

/* Notes each different arc that is in doubt. */
static void
note_doubts(struct run *run, struct attribution *callers, const struct profile *profile)
{
	uint32_t *arcs, count = 0, room = 0;
	struct doubt *last = NULL;
	uint64_t *keys;

	for (uint32_t i = 0; i < profile->arc_count; i++)
		room += rounding_may_matter(&callers->rounding, profile->arcs[i].from);
	if (room == 0)
		return;
	memory_array(run, arcs, room);
	memory_array(run, keys, room);
	for (uint32_t i = 0; i < profile->arc_count; i++)
		if (rounding_may_matter(&callers->rounding, profile->arcs[i].from) &&
		    rounding_matters(&callers->rounding, profile->arcs[i].from))
			arcs[count++] = i;
	for (uint32_t i = 0; i < count; i++)
		keys[i] = profile->arcs[arcs[i]].self;
	sort_ascending(run, keys, arcs, count);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = profile->arcs[arcs[i]].from;
	sort_ascending(run, keys, arcs, count);
	memory_array(run, callers->doubts, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_raw_arc *arc = &profile->arcs[arcs[i]];

		if (last && last->from == arc->from && last->self == arc->self) {
			last->calls = add_calls(last->calls, arc->count);
			continue;
		}
		last = &callers->doubts[callers->doubt_count++];
		*last = (struct doubt){arc->from, arc->self, arc->count, 0, 0};
	}
	memory_release(run, arcs);
	memory_release(run, keys);
}

/* Adds addresses at or behind those that are there. */
static void
add_window(struct scan_windows *windows, uint64_t first, uint64_t last)
{
	if (windows->count == 0 || windows->last[windows->count - 1] < first)
		windows->first[windows->count++] = first;
	if (windows->last[windows->count - 1] < last)
		windows->last[windows->count - 1] = last;
}

/*
 * What the call sites in doubt stand for, and where some function returns to that notifies the
 * profiling runtime of a call.
 */
static struct scan_windows
windows_of(struct run *run, const struct attribution *callers)
{
	uint64_t self = callers->doubts[0].self;
	struct scan_windows windows = {0};
	bool has_self = false;

	memory_array(run, windows.first, (size_t)callers->doubt_count + 1);
	memory_array(run, windows.last, (size_t)callers->doubt_count + 1);
	for (uint32_t i = 0; i < callers->doubt_count; i++) {
		uint64_t from = callers->doubts[i].from;

		if (!has_self && self <= from)
			add_window(&windows, self, self);
		has_self = has_self || self <= from;
		add_window(&windows, from, rounding_last(&callers->rounding, from));
	}
	if (!has_self)
		add_window(&windows, self, self);
	return windows;
}

/*
 * Takes out the calls by which functions notify the profiling runtime that they were called: it
 * states where they return as the callee's address.  Those of other functions go through the same
 * pointer.
 */
static void
drop_own_calls(struct run *run, const struct attribution *callers, const struct profile *profile,
               struct call_sites *sites)
{
	uint64_t *backs, *pointers;
	uint32_t kept = 0, pointer_count = 0, *ids;
	bool *is_own;

	memory_array(run, is_own, sites->count);
	memory_array(run, backs, sites->count);
	memory_array(run, pointers, sites->count);
	memory_array(run, ids, sites->count);
	for (uint32_t i = 0; i < sites->count; i++)
		backs[i] = sites->items[i].back;
	for (uint32_t i = 0; i < profile->arc_count; i++) {
		uint64_t self = profile->arcs[i].self;
		uint32_t up_to = rounding_may_matter(&callers->rounding, self) ||
		                                 self == callers->doubts[0].self
		                         ? sorted_up_to(backs, sites->count, self)
		                         : 0;

		if (up_to > 0 && backs[up_to - 1] == self)
			is_own[up_to - 1] = true;
	}
	for (uint32_t i = 0; i < sites->count; i++)
		if (is_own[i] && sites->items[i].is_indirect)
			pointers[pointer_count++] = sites->items[i].to;
	sort_ascending(run, pointers, ids, pointer_count);
	for (uint32_t i = 0; i < sites->count; i++) {
		const struct call_site *site = &sites->items[i];
		uint32_t up_to = site->is_indirect && site->to != 0
		                         ? sorted_up_to(pointers, pointer_count, site->to)
		                         : 0;

		if (!is_own[i] && !(up_to > 0 && pointers[up_to - 1] == site->to))
			sites->items[kept++] = *site;
	}
	sites->count = kept;
	memory_release(run, is_own);
	memory_release(run, backs);
	memory_release(run, pointers);
	memory_release(run, ids);
}

/* A call that an arc can be of, with the function and the symbol that it stands in. */
struct candidate {
	uint32_t function, symbol;
	uint64_t from;
	/* The first candidates with the same function and the same symbol, maybe itself. */
	uint32_t first_of_function, first_of_symbol;
	uint32_t symbols; /* of the first one of a function: in so many of its symbols are some */
};

struct candidates {
	struct candidate items[ENGINE_QUANTUM_AT_MOST]; /* calls return to different addresses */
	uint32_t count;
	uint32_t functions; /* different ones */
	uint32_t booked;    /* the function that the arc counts for without us, or NO_SYMBOL */
	uint32_t callee;
};

static void
add_candidate(struct candidates *found, uint32_t function, uint32_t symbol, uint64_t from)
{
	struct candidate *item = &found->items[found->count];
	uint32_t same = 0;

	*item = (struct candidate){.function = function, .symbol = symbol, .from = from};
	while (found->items[same].function != function)
		same++;
	item->first_of_function = same;
	found->functions += same == found->count;
	for (same = 0; found->items[same].symbol != symbol;)
		same++;
	item->first_of_symbol = same;
	found->items[item->first_of_function].symbols += same == found->count;
	found->count++;
}

/* The function that is called at an address, by any caller. */
static uint32_t
called_at(const struct arc_rules *rules, uint64_t address)
{
	const struct gprofx_raw_arc arc = {.self = address};
	uint32_t caller, callee;

	arcs_resolve(rules, &arc, false, &caller, &callee);
	return callee;
}

/* The doubts are decided on one after the other. */
struct deciding {
	struct attribution *callers;
	const struct call_sites *sites;
	struct arc_rules rules;
	struct reach reach;
	uint32_t first_site; /* the first one at or behind the call site in doubt */
	struct candidates found;
};

/* Whether a call can end up in the function that is called. */
static bool
can_have_called(struct deciding *at, const struct call_site *site)
{
	uint32_t callee = at->found.callee, called;
	uint64_t address;

	if (!reach_target(at->rules.symbols, site, &address))
		return true;
	called = called_at(&at->rules, address);
	return called == callee || (called != NO_SYMBOL && reach_has(&at->reach, called, callee));
}

/* The line, by its row, or the function that an address is in. */
static uint32_t
line_of(const struct symbols *symbols, uint64_t address)
{
	return symbols_first_piece(symbols, symbols_lookup(symbols, address));
}

/* The calls of what an arc's call site stands for that can reach its callee, by address. */
static void
find_candidates(struct deciding *at, const struct doubt *doubt)
{
	const struct call_sites *sites = at->sites;
	struct candidates *found = &at->found;
	uint64_t last = rounding_last(&at->callers->rounding, doubt->from);
	struct gprofx_raw_arc arc = {.from = doubt->from, .self = doubt->self};
	uint32_t callee;

	found->count = found->functions = 0;
	arcs_resolve(&at->rules, &arc, true, &found->booked, &callee);
	found->callee = called_at(&at->rules, doubt->self);
	for (uint32_t i = at->first_site; i < sites->count && sites->items[i].back <= last; i++) {
		const struct call_site *site = &sites->items[i];
		uint32_t function;

		if (found->count == ENGINE_QUANTUM_AT_MOST)
			break;
		if (!can_have_called(at, site))
			continue;
		arc.from = site->from;
		arcs_resolve(&at->rules, &arc, true, &function, &callee);
		if (callee != NO_SYMBOL)
			add_candidate(found, function, line_of(at->rules.symbols, site->from),
			              site->from);
	}
}

/* One of "parts" equal parts of calls; the first one has what is left over. */
static uint64_t
part_of(uint64_t calls, uint32_t parts, bool is_first)
{
	return calls / parts + (is_first ? calls % parts : 0);
}

/* Notes that the arc between these functions has a part of some calls only. */
static void
note_divided(struct run *run, struct attribution *callers, uint32_t caller, uint32_t callee)
{
	callers->divided = memory_room(run, callers->divided, sizeof *callers->divided,
	                               callers->divided_count, &callers->divided_room, 1);
	callers->divided[callers->divided_count++] = (uint64_t)caller << 32 | callee;
}

/* Gives the calls to those who can have made them: first to functions, then to their lines. */
static void
share_out(struct run *run, struct attribution *callers, struct doubt *doubt,
          const struct candidates *found)
{
	doubt->first_share = callers->share_count;
	for (uint32_t i = 0; i < found->count; i++) {
		const struct candidate *candidate = &found->items[i];
		uint32_t first = candidate->first_of_function;
		uint32_t symbols = found->items[first].symbols;
		uint64_t calls = part_of(part_of(doubt->calls, found->functions, first == 0),
		                         symbols, first == i);

		/* There has to be one even if there are no calls. */
		if (candidate->first_of_symbol != i || (calls == 0 && i > 0))
			continue;
		callers->shares = memory_room(run, callers->shares, sizeof *callers->shares,
		                              callers->share_count, &callers->share_room, 1);
		callers->shares[callers->share_count++] = (struct share){candidate->from, calls};
		if (found->functions > 1 || symbols > 1)
			note_divided(run, callers, candidate->function, found->callee);
	}
	doubt->share_count = callers->share_count - doubt->first_share;
}

/* Whether what a call site stands for has addresses of several functions, not just lines. */
static bool
has_functions(const struct deciding *at, const struct doubt *doubt)
{
	const struct symbols *symbols = at->rules.symbols;
	uint64_t last = rounding_last(&at->callers->rounding, doubt->from);
	uint32_t next = sorted_up_to(symbols->address, symbols->count, doubt->from), other, callee;
	struct gprofx_raw_arc arc = {.self = doubt->self};

	for (; next < symbols->count && symbols->address[next] <= last; next++) {
		arc.from = symbols->address[next];
		arcs_resolve(&at->rules, &arc, true, &other, &callee);
		if (other != at->found.booked)
			return true;
	}
	return false;
}

static void
tell(struct deciding *at, const struct doubt *doubt)
{
	const struct candidates *found = &at->found;
	struct gprofx_rounding *told = &at->callers->told;

	if (found->functions == 1 && found->items[0].function != found->booked) {
		told->moved_arcs++;
		told->moved_calls = add_calls(told->moved_calls, doubt->calls);
	} else if (found->functions > 1) {
		told->split_arcs++;
		told->split_calls = add_calls(told->split_calls, doubt->calls);
	} else if (!has_functions(at, doubt)) {
		return;
	}
	told->doubtful_arcs++;
	told->doubtful_calls = add_calls(told->doubtful_calls, doubt->calls);
}

static void
decide(struct run *run, struct attribution *callers, struct scanner *scanner,
       const struct call_sites *sites)
{
	struct deciding *at = memory_alloc(run, sizeof *at);
	uint32_t *ids;

	at->callers = callers;
	at->sites = sites;
	at->rules = arcs_rules(run, callers->rounding.symbols);
	if (scanner)
		at->reach = reach_find(run, scanner, &at->rules, sites);
	for (uint32_t i = 0; i < callers->doubt_count; i++) {
		struct doubt *doubt = &callers->doubts[i];

		while (at->first_site < sites->count &&
		       sites->items[at->first_site].back < doubt->from)
			at->first_site++;
		find_candidates(at, doubt);
		if (at->found.callee == NO_SYMBOL)
			continue;
		tell(at, doubt);
		if (at->found.count > 0)
			share_out(run, callers, doubt, &at->found);
	}
	memory_array(run, ids, callers->divided_count);
	sort_ascending(run, callers->divided, ids, callers->divided_count);
	memory_release(run, ids);
	reach_release(run, &at->reach);
	memory_release(run, (void *)at->rules.function_of);
	memory_release(run, at);
}

/*
 * Whether some call site in doubt is no address that a call returns to, though one behind it is: so
 * it was rounded.
 */
static bool
is_rounded(const struct attribution *callers, const struct call_sites *sites)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < callers->doubt_count; i++) {
		const struct doubt *doubt = &callers->doubts[i];

		while (next < sites->count && sites->items[next].back < doubt->from)
			next++;
		if (doubt->share_count > 0 && next < sites->count &&
		    sites->items[next].back != doubt->from)
			return true;
	}
	return false;
}

/*
 * Leaves the doubts that do not depend on rounding: the call stands right before the function that
 * it was counted for, so that it returns to its first address.  That function cannot have made it.
 */
static bool
keep_proven(struct attribution *callers)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < callers->doubt_count; i++) {
		struct doubt *doubt = &callers->doubts[i];
		uint32_t before = 0;

		for (uint32_t k = 0; k < doubt->share_count; k++)
			before += callers->shares[doubt->first_share + k].from < doubt->from;
		if (before == 0)
			continue;
		callers->doubts[kept] = *doubt;
		callers->doubts[kept++].share_count = 0;
	}
	callers->doubt_count = kept;
	callers->share_count = callers->divided_count = 0;
	callers->told = (struct gprofx_rounding){
		.size = sizeof callers->told,
		.quantum = callers->told.quantum,
		.was_scanned = callers->told.was_scanned,
	};
	return kept > 0;
}

/* Sums have the arcs as they were recorded, those in GNU gprof's way from the graph. */
uint32_t
attribution_quantum_most(const struct run *run)
{
	const struct engine_settings *settings = run->settings;

	if (!run_corrects(run, GPROFX_CORRECT_CALL_SITES) ||
	    (settings->sum_file && settings->sum_as_gprof))
		return 1;
	return settings->quantum != 0 ? settings->quantum : ROUNDING_USUAL_MOST;
}

/* Whether some calls go through pointers of which it is known where they are. */
static bool
have_pointers(const struct call_sites *sites)
{
	for (uint32_t i = 0; i < sites->count; i++)
		if (sites->items[i].is_indirect && sites->items[i].to != 0)
			return true;
	return false;
}

struct attribution *
attribution_find(struct run *run, struct symbols *symbols, struct scan *scan,
                 struct profile *profile)
{
	struct call_sites sites = {0};
	struct scan_windows windows;
	struct scanner *scanner;
	struct attribution *callers;

	if (attribution_quantum_most(run) == 1 || profile->arc_count == 0)
		return NULL;
	callers = memory_alloc(run, sizeof *callers);
	callers->rounding = rounding_of(run, symbols, profile);
	if (callers->rounding.blocks)
		note_doubts(run, callers, profile);
	if (callers->doubt_count == 0)
		return NULL;
	scanner = scan_open_for_sites(run, scan, true);
	windows = windows_of(run, callers);
	if (scanner)
		sites = scan_sites(run, scanner, &windows);
	drop_own_calls(run, callers, profile, &sites);
	if (have_pointers(&sites))
		symbols_find_slots(run, symbols);
	callers->told.size = sizeof callers->told;
	callers->told.quantum = callers->rounding.quantum;
	callers->told.was_scanned = scanner != NULL;
	decide(run, callers, scanner, &sites);
	memory_release(run, windows.first);
	memory_release(run, windows.last);
	if (!scanner)
		callers->told.advice = scan_advice(run, symbols->table.target.machine);
	if (!callers->rounding.is_certain && !is_rounded(callers, &sites)) {
		/* Not known if the code could not be scanned. */
		if (callers->told.advice)
			callers->told.is_supposed = true;
		else if (keep_proven(callers))
			decide(run, callers, scanner, &sites);
		else
			return NULL;
	}
	if (callers->told.doubtful_arcs > 0)
		profile->rounding = &callers->told;
	memory_release(run, sites.items);
	return callers;
}

static const struct doubt *
find_doubt(const struct attribution *callers, const struct gprofx_raw_arc *arc)
{
	uint32_t low = 0, high = callers->doubt_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct doubt *doubt = &callers->doubts[middle];

		if (doubt->from == arc->from && doubt->self == arc->self)
			return doubt;
		if (doubt->from < arc->from ||
		    (doubt->from == arc->from && doubt->self < arc->self))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

void
attribution_apply(struct run *run, const struct attribution *callers, struct profile *profile)
{
	uint32_t recorded = profile->arc_count;
	bool *is_done;

	if (!callers || callers->share_count == 0)
		return;
	memory_array(run, is_done, callers->doubt_count);
	profile->arcs = memory_room(run, profile->arcs, sizeof *profile->arcs, recorded,
	                            &profile->arc_room, callers->share_count);
	for (uint32_t i = 0; i < recorded; i++) {
		struct gprofx_raw_arc *arc = &profile->arcs[i];
		const struct doubt *doubt = rounding_may_matter(&callers->rounding, arc->from)
		                                    ? find_doubt(callers, arc)
		                                    : NULL;
		const struct share *shares;

		if (!doubt || doubt->share_count == 0)
			continue;
		shares = callers->shares + doubt->first_share;
		arc->from = shares[0].from;
		/* The first of equal ones has the calls of all. */
		arc->count = 0;
		if (is_done[doubt - callers->doubts])
			continue;
		is_done[doubt - callers->doubts] = true;
		arc->count = shares[0].calls;
		for (uint32_t k = 1; k < doubt->share_count; k++)
			profile->arcs[profile->arc_count++] = (struct gprofx_raw_arc){
				shares[k].from, doubt->self, shares[k].calls};
	}
	memory_release(run, is_done);
}

void
attribution_mark(struct run *run, const struct attribution *callers, struct graph *graph)
{
	if (!callers || callers->divided_count == 0)
		return;
	memory_array(run, graph->divided, graph->arc_count);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		uint64_t pair = (uint64_t)graph->arcs[i].caller << 32 | graph->arcs[i].callee;
		uint32_t up_to = sorted_up_to(callers->divided, callers->divided_count, pair);

		graph->divided[i] = up_to > 0 && callers->divided[up_to - 1] == pair;
	}
}

uint64_t
attribution_others(const struct attribution *callers, const struct arc_rules *rules,
                   const struct gprofx_raw_arc *arc)
{
	const struct doubt *doubt = callers ? find_doubt(callers, arc) : NULL;
	uint32_t functions[ENGINE_QUANTUM_AT_MOST], count = 0, shares = 1, callee;
	struct gprofx_raw_arc part = *arc;
	uint64_t calls = 0;

	if (doubt && doubt->share_count > 0)
		shares = doubt->share_count;
	for (uint32_t i = 0; i < shares; i++) {
		uint32_t same = 0;

		if (doubt && doubt->share_count > 0)
			part.from = callers->shares[doubt->first_share + i].from;
		arcs_resolve(rules, &part, true, &functions[count], &callee);
		while (functions[same] != functions[count])
			same++;
		count += same == count && callee != NO_SYMBOL;
	}
	callee = called_at(rules, arc->self);
	for (uint32_t i = 0; i < count; i++)
		if (functions[i] != callee)
			calls += part_of(arc->count, count, i == 0);
	return calls;
}
