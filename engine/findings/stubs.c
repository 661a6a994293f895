/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time in PLT stubs, through which a program calls functions of libraries: a stub only jumps, so
 * much of it means many calls of a function whose own time is in no sample.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "graph/graph.h"
#include "symbols/symbols.h"

enum {
	LEAST_SAMPLES = 20, /* fewer are too few for a share */
	MUCH = 10           /* one part of so many is worth a word */
};

/* Whether a library is one of those that are not sampled. */
static bool
is_unsampled(const struct gprofx_account *account, const char *library)
{
	for (uint32_t i = 0; i < account->library_count; i++)
		if (strcmp(account->libraries[i], library) == 0)
			return true;
	return false;
}

/* Stubs of functions whose library is known: the heaviest one, how many have time, and how much. */
struct heavy {
	uint32_t symbol, count;
	double ticks;
};

static struct heavy
find_heavy(const struct symbols *symbols, const struct graph *graph)
{
	struct heavy heavy = {NO_SYMBOL, 0, 0};

	for (uint32_t i = 0; i < symbols->count; i++) {
		const struct symbol_import *import = symbols_import(symbols, i);

		if (!import || !import->library || import->is_slot || !(graph->self[i] > 0))
			continue;
		if (heavy.count == 0 || graph->self[i] > graph->self[heavy.symbol])
			heavy.symbol = i;
		heavy.count++;
		heavy.ticks += graph->self[i];
	}
	return heavy;
}

void
findings_inspect_stubs(struct findings *findings, const struct graph *graph,
                       const struct gprofx_account *account)
{
	static const char suffix[] = "@plt";
	const struct symbols *symbols = findings->symbols;
	struct run *run = findings->run;
	const char *stub, *library;
	struct heavy heavy;
	int length;

	if (account->is_of_stacks || account->samples < LEAST_SAMPLES ||
	    symbols->import_count == 0 || !graph->self)
		return;
	heavy = find_heavy(symbols, graph);
	if (heavy.count == 0 || heavy.ticks * MUCH < account->ticks)
		return;
	stub = symbols->name[heavy.symbol];
	library = symbols_import(symbols, heavy.symbol)->library;
	if (!is_unsampled(account, library))
		return;
	length = (int)(strlen(stub) - (sizeof suffix - 1));
	finding_add(findings, FINDING_STUBS, NULL,
	            text_format(run,
	                        "%s is only the jump to %.*s in %s, whose own time is in no sample",
	                        stub, length, stub, library),
	            text_format(run, "%.0f %% of %llu samples are in %u %s of calls to libraries",
	                        100 * heavy.ticks / account->ticks,
	                        (unsigned long long)account->samples, heavy.count,
	                        heavy.count == 1 ? "stub" : "stubs"));
	finding_advise(
		findings, FINDING_STUBS,
		text_format(run,
	                    "link with -static to see the time of %.*s and of what it calls; "
	                    "if it has to stay in the library, call it less often",
	                    length, stub));
}
