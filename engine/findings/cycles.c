/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time of a cycle that several functions call: it is divided by numbers of calls, so that a call at
 * the end of the program has as much of it as the one that did the work.
 */
#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "graph/graph.h"

enum {
	LEAST_SAMPLES = 20, /* fewer are too few for a share */
	MUCH = 2,           /* one part of so many is worth a word */
	NAMED = 3           /* names in a sentence */
};

/* Calls from outside of a cycle. */
struct cycle_calls {
	uint32_t callers;
	uint64_t calls;
	uint32_t arc[NAMED];
	uint64_t of_caller[NAMED]; /* calls */
};

static struct cycle_calls
find_entries(const struct graph *graph, uint32_t cycle)
{
	struct cycle_calls entries = {0};
	uint32_t last = UINT32_MAX;

	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct graph_arc *arc = &graph->arcs[i];

		if (arc->calls == 0 || graph->cycle[arc->callee] != cycle ||
		    graph->cycle[arc->caller] == cycle)
			continue;
		/* Arcs of one caller are side by side. */
		if (arc->caller != last && entries.callers++ < NAMED)
			entries.arc[entries.callers - 1] = i;
		if (entries.callers <= NAMED)
			entries.of_caller[entries.callers - 1] += arc->calls;
		entries.calls += arc->calls;
		last = arc->caller;
	}
	return entries;
}

/* "f (4), g (1) and 2 more" */
static const char *
callers_of(struct run *run, const struct graph *graph, const struct cycle_calls *entries)
{
	const char *text = "";

	for (uint32_t i = 0; i < entries->callers && i < NAMED; i++) {
		uint32_t caller = graph->arcs[entries->arc[i]].caller;

		text = text_format(run, "%s%s%s (%llu)", text, i > 0 ? ", " : "",
		                   caller < graph->function_count
		                           ? findings_name(run, graph->symbols, caller)
		                           : "unknown callers",
		                   (unsigned long long)entries->of_caller[i]);
	}
	if (entries->callers > NAMED)
		text = text_format(run, "%s and %u more", text, entries->callers - NAMED);
	return text;
}

static uint32_t
heaviest_member(const struct graph *graph, uint32_t cycle)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < graph->function_count; i++)
		if (graph->cycle[i] == cycle &&
		    (best == UINT32_MAX || graph->self[i] > graph->self[best]))
			best = i;
	return best;
}

void
findings_inspect_cycles(struct findings *findings, const struct graph *graph,
                        const struct gprofx_account *account)
{
	struct run *run = findings->run;

	if (!graph->is_analysed || graph->stacks || !graph->below ||
	    account->samples < LEAST_SAMPLES)
		return;
	/* Of another program, nothing in the graph means anything. */
	for (enum finding kind = FINDING_NO_SAMPLE_FITS; kind <= FINDING_STALE; kind++)
		if (finding_is_there(findings, kind))
			return;
	for (uint32_t cycle = 1; cycle <= graph->cycle_count; cycle++) {
		uint32_t node = graph->function_count + cycle - 1;
		double ticks = graph->self[node] + graph->below[node];
		struct cycle_calls entries;

		/* No two cycles have that much. */
		if (ticks * MUCH <= graph->total)
			continue;
		entries = find_entries(graph, cycle);
		if (entries.callers < 2)
			return;
		finding_add(findings, FINDING_CYCLE, NULL,
		            text_format(run,
		                        "%.0f %% of the time is in a cycle that %u functions call: "
		                        "what each of them has of it is a guess",
		                        100 * ticks / graph->total, entries.callers),
		            text_format(run,
		                        "%llu calls enter the cycle, of %s; its time is divided "
		                        "among them as if all calls took equally long",
		                        (unsigned long long)entries.calls,
		                        callers_of(run, graph, &entries)));
		finding_advise(
			findings, FINDING_CYCLE,
			text_format(
				run,
				"do not trust total times of functions that call the "
				"cycle; read its own entry, which --entry=%s shows, too, "
				"or sample call stacks (perf record -g)",
				findings_name(run, graph->symbols, heaviest_member(graph, cycle))));
		return;
	}
}
