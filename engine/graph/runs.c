/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several runs of a program have one table of nodes and one of arcs.  Each run has a graph of its
 * own, which is given the calls of all others as calls that never happened: so all graphs have the
 * same rows, and the same cycles, and every stage does for each what it does for one.
 */
#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* The arcs of all runs behind each other: those of "own" with their calls, the others with none. */
static struct gprofx_raw_arc *
join_arcs(struct run *run, const struct profile *first, const struct profile *own, uint64_t count)
{
	struct gprofx_raw_arc *arcs, *to;

	memory_array(run, arcs, count);
	to = arcs;
	for (const struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; k < i->arc_count; k++) {
			*to = i->arcs[k];
			if (i != own)
				to->count = 0;
			to++;
		}
	return arcs;
}

static struct gprofx_raw_call *
join_calls(struct run *run, const struct profile *first, const struct profile *own, uint64_t count)
{
	struct gprofx_raw_call *calls, *to;

	memory_array(run, calls, count);
	to = calls;
	for (const struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; k < i->call_count; k++) {
			*to = i->calls[k];
			if (i != own)
				to->count = 0;
			to++;
		}
	return calls;
}

/* Rows of a run, before they take the place of those that it had. */
struct joined {
	struct gprofx_raw_arc *arcs;
	struct gprofx_raw_call *calls;
};

static void
share_calls(struct run *run, struct profile *first, uint32_t run_count)
{
	uint64_t arcs = 0, calls = 0;
	struct joined *joined;
	uint32_t number = 0;

	for (struct profile *i = first; i; i = i->next_run) {
		profile_merge_repeats(run, i);
		arcs += i->arc_count;
		calls += i->call_count;
	}
	if (arcs >= UINT32_MAX || calls >= UINT32_MAX) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "memory.exhausted",
			.hint = "report fewer runs at a time",
		};

		run_give_up(run, &diagnostic, "the runs have more than %lu arcs together",
		            (unsigned long)UINT32_MAX - 1);
	}
	memory_array(run, joined, run_count);
	for (const struct profile *i = first; i; i = i->next_run, number++) {
		joined[number].arcs = join_arcs(run, first, i, arcs);
		joined[number].calls = join_calls(run, first, i, calls);
	}
	number = 0;
	for (struct profile *i = first; i; i = i->next_run, number++) {
		memory_release(run, i->arcs);
		memory_release(run, i->calls);
		i->arcs = joined[number].arcs;
		i->calls = joined[number].calls;
		i->arc_count = i->arc_room = i->distinct_arcs = (uint32_t)arcs;
		i->call_count = i->call_room = i->distinct_calls = (uint32_t)calls;
	}
	memory_release(run, joined);
}

void
graph_join_runs(struct run *run, struct graph *first, struct profile *profile)
{
	bool has_outside = false, has_arcs = false;
	uint32_t count = 0;

	for (struct profile *i = profile; i; i = i->next_run) {
		i->counts_calls = i->has_arcs || i->stacks.calls.count > 0;
		i->counts_callees = i->counts_calls || i->call_count > 0;
		has_arcs = has_arcs || i->has_arcs || i->stacks.is_there;
	}
	if (!first->next_run)
		return;
	for (struct profile *i = profile; i; i = i->next_run)
		i->has_arcs = has_arcs;
	for (const struct graph *i = first; i; i = i->next_run, count++)
		has_outside = has_outside || i->has_outside;
	for (struct graph *i = first; i; i = i->next_run) {
		if (has_outside && !i->has_outside) {
			i->has_outside = true;
			i->function_count = i->node_count = i->symbols->count + 1;
		}
		i->wants_order = first->wants_order;
	}
	share_calls(run, profile, count);
}
