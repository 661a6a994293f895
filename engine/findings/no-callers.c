/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time of functions whose calls nothing counts, as those of objects compiled without -pg and of
 * libraries that were linked statically.  It is in no total but their own.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "graph/graph.h"
#include "scan/scan.h"
#include "select/filters.h"
#include "symbols/symbols.h"

enum {
	LEAST_SAMPLES = 20, /* fewer are too few for a share */
	MUCH = 2,           /* one part of so many is worth a word */
	NAMED = 3           /* names in a sentence */
};

/* Functions with time whose calls were not counted, the heaviest ones by name. */
struct uncounted {
	uint32_t count;
	uint32_t function[NAMED];
	double of_function[NAMED]; /* ticks */
	double ticks;
};

/* Nothing that is reported calls these, so that no total lacks their time. */
static bool
is_root(const char *name)
{
	static const char *const names[] = {"main", "_start", "__start", "start"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool
is_uncounted(const struct findings *findings, const struct graph *graph, uint32_t function)
{
	const struct symbols *symbols = findings->symbols;

	return graph->calls[function] == 0 &&
	       !(graph->is_analysed && graph->recursive[function] != 0) &&
	       symbols_is_program(symbols, symbols->address[function]) &&
	       !symbols_import(symbols, function) && !is_root(symbols->name[function]) &&
	       !filter_is_collector(symbols->name[function]);
}

static void
take(struct uncounted *found, uint32_t function, double ticks)
{
	uint32_t at = found->count < NAMED ? found->count : NAMED;

	found->count++;
	found->ticks += ticks;
	for (; at > 0 && found->of_function[at - 1] < ticks; at--) {
		if (at == NAMED)
			continue;
		found->function[at] = found->function[at - 1];
		found->of_function[at] = found->of_function[at - 1];
	}
	if (at == NAMED)
		return;
	found->function[at] = function;
	found->of_function[at] = ticks;
}

/*
 * reads_code: leaves out functions that have their calls counted.  Of those that are there anyway,
 * what called them is not in the profile: a library that starts threads or sorts, for example.
 */
static struct uncounted
find_uncounted(const struct findings *findings, const struct graph *graph, bool reads_code)
{
	const struct symbols *symbols = findings->symbols;
	const double *self = graph->line_self ? graph->line_self : graph->self;
	struct uncounted found = {0};

	/* The lines of a function follow it. */
	for (uint32_t i = 0, end; i < symbols->count; i = end) {
		double ticks = self[i];

		for (end = i + 1; end < symbols->count && (symbols->flags[end] & SYMBOL_LINE);
		     end++)
			ticks += self[end];
		if (ticks > 0 && is_uncounted(findings, graph, i) &&
		    !(reads_code &&
		      scan_counts_calls(symbols, &findings->scan->counting, symbols->address[i])))
			take(&found, i, ticks);
	}
	return found;
}

/* "f (60 %), g (12 %)" */
static const char *
heaviest(const struct findings *findings, const struct uncounted *found, double total)
{
	const char *text = "";

	for (uint32_t i = 0; i < found->count && i < NAMED; i++)
		text = text_format(
			findings->run, "%s%s%s (%.0f %%)", text, i > 0 ? ", " : "",
			findings_name(findings->run, findings->symbols, found->function[i]),
			100 * found->of_function[i] / total);
	return text;
}

static bool
is_worth_a_look(const struct findings *findings, const struct graph *graph,
                const struct gprofx_account *account)
{
	/* Where nothing was counted, or another way of counting is known, others say so. */
	if (account->is_of_stacks || account->samples < LEAST_SAMPLES || findings->calls == 0 ||
	    !findings->scan->counting.is_known || !graph->self ||
	    findings_plt_counting(findings->profile) != PLT_COUNTING_NONE)
		return false;
	/* Of another program, nothing in the graph means anything. */
	for (enum finding kind = FINDING_NO_SAMPLE_FITS; kind <= FINDING_STALE; kind++)
		if (finding_is_there(findings, kind))
			return false;
	return true;
}

void
findings_inspect_callers(struct findings *findings, const struct graph *graph,
                         const struct gprofx_account *account)
{
	struct run *run = findings->run;
	/* Shares are of the program's own time, as they are in the flat profile. */
	double total = account->ticks - account->profiling.ticks;
	struct uncounted found;

	if (!is_worth_a_look(findings, graph, account) ||
	    find_uncounted(findings, graph, false).ticks * MUCH <= total)
		return;
	found = find_uncounted(findings, graph, true);
	if (found.ticks * MUCH <= total)
		return;
	finding_add(findings, FINDING_NO_CALLERS, NULL,
	            text_format(run,
	                        "%.0f %% of the time is in functions whose calls are not counted, "
	                        "mostly in %s: the total times of their callers do not include it",
	                        100 * found.ticks / total,
	                        findings_name(run, findings->symbols, found.function[0])),
	            text_format(run,
	                        "%u %s without the call that counts calls, as if compiled without "
	                        "-pg: %s%s; %llu samples",
	                        found.count, found.count == 1 ? "function" : "functions",
	                        heaviest(findings, &found, total),
	                        found.count > NAMED ? " and others" : "",
	                        (unsigned long long)account->samples));
	if (symbols_can_record(findings->symbols))
		finding_advise(findings, FINDING_NO_CALLERS,
		               "go by self times; compile these functions with -pg, too, or use "
		               "gprofx record PROGRAM, which measures totals by call stacks");
}
