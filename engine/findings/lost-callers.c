/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether stacks lack callers: those that were followed by frame pointers lack the caller of a
 * function that sets up no frame of its own, which compilers leave out in leaves even with
 * -fno-omit-frame-pointer.  The code shows it: the call at the place of a frame leads to another
 * function than the one that the stack has below it, and to none that goes on there with a jump.
 */
#include <string.h>

#include "attribution/reach.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "findings/parts.h"
#include "graph/arcs.h"
#include "profile/profile.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

enum {
	LEAST_SAMPLES = 20, /* fewer are too few for a share */
	SELDOM = 20 /* less than one part of so many is of interruptions while a frame is set up */
};

/* A frame whose caller's call leads elsewhere. */
struct odd_frame {
	uint64_t pair; /* the function that is called, and the one that the stack has */
	uint32_t frame, caller_place;
};

struct odd_frames {
	struct odd_frame *items;
	uint32_t count, room;
};

/* What is known of a place: the function that the call there leads to. */
struct place_calls {
	uint32_t *function; /* per place; NO_SYMBOL: not known */
	struct call_site *site;
};

/* How many samples the stacks are made of, as far as the squares of their weights show that. */
static double
samples_in(const struct stacks *stacks)
{
	const struct stacks *squares = stacks->are_squares ? stacks : stacks->squares;

	if (!squares || squares->total == 0)
		return stacks->count;
	return (double)stacks->total / (double)squares->total * (double)stacks->total;
}

/* A call whose address is exact: names have addresses, too, but only those of functions. */
static bool
find_call(const struct findings *findings, const struct stack_place *place, struct call_site *site,
          uint32_t *function)
{
	const struct symbols *symbols = findings->symbols;
	uint64_t target;

	*function = NO_SYMBOL;
	if (place->names->function || !symbols_is_program(symbols, place->address) ||
	    !scan_call_before(symbols, place->address + 1, site) ||
	    !reach_target(symbols, site, &target) || !symbols_is_program(symbols, target))
		return false;
	*function = symbols_lookup(symbols, target);
	if (*function == NO_SYMBOL || symbols_import(symbols, *function)) {
		*function = NO_SYMBOL;
		return false;
	}
	*function = symbols_function(symbols, *function);
	return true;
}

/* Whether compilers have made both of one function, as its part that seldom runs. */
static bool
are_of_one(const struct symbols *symbols, uint32_t one, uint32_t other)
{
	const char *left = symbols->name[one], *right = symbols->name[other];
	size_t bytes = strcspn(left, ".");

	return one == other ||
	       (bytes > 0 && bytes == strcspn(right, ".") && strncmp(left, right, bytes) == 0);
}

static uint32_t
find_main(const struct symbols *symbols)
{
	for (uint32_t i = 0; i < symbols->count; i++)
		if (symbols_is_program(symbols, symbols->address[i]) &&
		    strcmp(symbols->name[i], "main") == 0)
			return i;
	return NO_SYMBOL;
}

/* What calls main, and nothing else of the program, through a pointer. */
static bool
is_of_start(const char *name)
{
	return strcmp(name, "__libc_start_call_main") == 0 ||
	       strcmp(name, "libc_start_main_stage2") == 0;
}

static struct place_calls
find_calls(struct findings *findings, const struct stacks *stacks)
{
	const struct symbols *symbols = findings->symbols;
	uint32_t main_symbol = find_main(symbols);
	struct place_calls calls;

	memory_array(findings->run, calls.function, stacks->place_count);
	memory_array(findings->run, calls.site, stacks->place_count);
	for (uint32_t i = 0; i < stacks->place_count; i++) {
		const struct stack_place *place = &stacks->places[i];
		uint32_t function = stacks->function[i];

		if (find_call(findings, place, &calls.site[i], &calls.function[i]) ||
		    main_symbol == NO_SYMBOL || function >= symbols->count ||
		    !is_of_start(symbols->name[function]))
			continue;
		calls.function[i] = main_symbol;
		calls.site[i] = (struct call_site){.back = place->address + 1,
		                                   .to = symbols->address[main_symbol]};
	}
	return calls;
}

/* Frames that the call of their caller does not lead to. */
static struct odd_frames
find_odd(struct findings *findings, const struct stacks *stacks, const struct place_calls *calls)
{
	const struct symbols *symbols = findings->symbols;
	struct stack_sweep at = {0};
	struct odd_frames odd = {0};

	while (stacks_sweep(stacks, &at)) {
		uint32_t below = stacks->function[stacks->place[at.frame]], called, caller_place;

		if (at.above == NO_FRAME || below >= symbols->count ||
		    !symbols_is_program(symbols, symbols->address[below]) ||
		    symbols_import(symbols, below))
			continue;
		caller_place = stacks->place[at.above];
		called = calls->function[caller_place];
		below = symbols_function(symbols, below);
		if (called == NO_SYMBOL || are_of_one(symbols, called, below))
			continue;
		odd.items = memory_room(findings->run, odd.items, sizeof *odd.items, odd.count,
		                        &odd.room, 1);
		odd.items[odd.count++] = (struct odd_frame){(uint64_t)called << 32 | below,
		                                            at.frame, caller_place};
	}
	return odd;
}

/* The calls at the places of callers, each once, by where they return. */
static struct call_sites
list_sites(struct run *run, const struct odd_frames *odd, const struct place_calls *calls)
{
	struct call_sites sites = {0};
	uint64_t *backs;
	uint32_t *ids;

	memory_array(run, sites.items, odd->count);
	memory_array(run, backs, odd->count);
	memory_array(run, ids, odd->count);
	for (uint32_t i = 0; i < odd->count; i++) {
		backs[i] = calls->site[odd->items[i].caller_place].back;
		ids[i] = i;
	}
	sort_ascending(run, backs, ids, odd->count);
	for (uint32_t i = 0; i < odd->count; i++)
		if (i == 0 || backs[i] != backs[i - 1])
			sites.items[sites.count++] = calls->site[odd->items[ids[i]].caller_place];
	memory_release(run, backs);
	memory_release(run, ids);
	return sites;
}

/* Leaves those that no jump from the called function explains; false: jumps cannot be found. */
static bool
drop_jumps(struct findings *findings, struct odd_frames *odd, const struct place_calls *calls)
{
	struct run *run = findings->run;
	struct scanner *scanner = scan_open_for_sites(run, findings->scan, false);
	struct arc_rules rules;
	struct call_sites sites;
	struct reach reach;
	uint64_t known = UINT64_MAX;
	uint32_t kept = 0;
	bool is_odd = false;

	if (!scanner)
		return false;
	rules = arcs_rules(run, findings->symbols);
	sites = list_sites(run, odd, calls);
	reach = reach_find(run, scanner, &rules, &sites);
	for (uint32_t i = 0; i < odd->count; i++) {
		uint64_t pair = odd->items[i].pair;

		/* Equal ones mostly follow each other. */
		if (pair != known)
			is_odd = !reach_has(&reach, (uint32_t)(pair >> 32), (uint32_t)pair);
		known = pair;
		if (is_odd)
			odd->items[kept++] = odd->items[i];
	}
	odd->count = kept;
	reach_release(run, &reach);
	memory_release(run, (void *)rules.function_of);
	memory_release(run, sites.items);
	return true;
}

/* What the stacks through each odd frame weigh; returns what all of them weigh, each once. */
static double
weigh(struct run *run, const struct stacks *stacks, const struct odd_frames *odd, double *of)
{
	struct stack_sweep at = {0};
	uint32_t *odd_above, next = 0;
	double all = 0;

	/* The innermost odd frame on the way to each; odd frames ascend as all do. */
	memory_array(run, odd_above, stacks->frame_count);
	while (stacks_sweep(stacks, &at)) {
		odd_above[at.frame] = at.above == NO_FRAME ? NO_FRAME : odd_above[at.above];
		if (next < odd->count && odd->items[next].frame == at.frame)
			odd_above[at.frame] = next++;
	}
	for (uint32_t i = 0; i < stacks->weighed; i++) {
		uint32_t end = stacks_end(stacks, i);

		if (end == NO_FRAME || odd_above[end] == NO_FRAME)
			continue;
		of[odd_above[end]] += (double)stacks->weight[i];
		all += (double)stacks->weight[i];
	}
	memory_release(run, odd_above);
	return all;
}

/* The pair with the most weight, and that weight. */
static uint32_t
heaviest(struct run *run, const struct odd_frames *odd, const double *of)
{
	uint64_t *pairs;
	uint32_t *ids, best = 0;
	double most = 0, sum = 0;

	memory_array(run, pairs, odd->count);
	memory_array(run, ids, odd->count);
	for (uint32_t i = 0; i < odd->count; i++) {
		pairs[i] = odd->items[i].pair;
		ids[i] = i;
	}
	sort_ascending(run, pairs, ids, odd->count);
	for (uint32_t i = 0; i < odd->count; i++) {
		sum = (i > 0 && pairs[i] == pairs[i - 1] ? sum : 0) + of[ids[i]];
		if (sum > most) {
			most = sum;
			best = ids[i];
		}
	}
	memory_release(run, pairs);
	memory_release(run, ids);
	return best;
}

static void
tell(struct findings *findings, const struct stacks *stacks, const struct odd_frames *odd,
     double ticks, uint32_t example)
{
	struct run *run = findings->run;
	const struct symbols *symbols = findings->symbols;
	uint64_t pair = odd->items[example].pair;
	uint32_t caller_place = odd->items[example].caller_place;
	uint64_t back = stacks->places[caller_place].address + 1;
	const char *site = symbols_is_program(symbols, back)
	                           ? text_format(run, " before 0x%llx", (unsigned long long)back)
	                           : "";

	finding_add(findings, FINDING_LOST_CALLERS, NULL,
	            text_format(run,
	                        "%.0f %% of the time is in call stacks that lack a caller, whose "
	                        "total time is too low",
	                        100 * ticks / (double)stacks->total),
	            text_format(run,
	                        "%s calls %s%s, but stacks have %s there, which had no frame "
	                        "of its own: compilers give none to most functions that call "
	                        "nothing, and it is not there while a function begins or "
	                        "returns",
	                        findings_name(run, symbols, stacks->function[caller_place]),
	                        findings_name(run, symbols, (uint32_t)(pair >> 32)), site,
	                        findings_name(run, symbols, (uint32_t)pair)));
}

void
findings_inspect_lost_callers(struct findings *findings)
{
	const struct stacks *stacks = &findings->profile->stacks;
	struct run *run = findings->run;
	struct place_calls calls;
	struct odd_frames odd;

	if (!stacks->is_there || !stacks->function || samples_in(stacks) < LEAST_SAMPLES ||
	    !symbols_have_image(findings->symbols))
		return;
	calls = find_calls(findings, stacks);
	odd = find_odd(findings, stacks, &calls);
	if (odd.count > 0 && drop_jumps(findings, &odd, &calls) && odd.count > 0) {
		double *of, ticks;

		memory_array(run, of, odd.count);
		ticks = weigh(run, stacks, &odd, of);
		if (ticks * SELDOM >= (double)stacks->total)
			tell(findings, stacks, &odd, ticks, heaviest(run, &odd, of));
		memory_release(run, of);
	}
	memory_release(run, odd.items);
	memory_release(run, calls.site);
	memory_release(run, calls.function);
}
