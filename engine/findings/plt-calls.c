/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls inside of libraries.  The dynamic linker, which writes the profile of a library under
 * LD_PROFILE, counts calls that go through the PLT; those of static and hidden functions do not.
 */
#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

enum {
	LEAST_SAMPLES = 20, /* fewer are too few for a share */
	MUCH = 10           /* one part of so many is worth a word */
};

enum plt_counting
findings_plt_counting(const struct profile *profile)
{
	uint32_t with = 0, without = 0;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		if (file->counts_plt_calls)
			with++;
		else if (file->calls > 0 || file->samples > 0)
			without++;
	}
	return with == 0 ? PLT_COUNTING_NONE : without == 0 ? PLT_COUNTING_ALL : PLT_COUNTING_SOME;
}

/* Whether calls of an object's functions were counted in this way; NULL: of the program's. */
static bool
counts_plt_calls(const struct profile *profile, const struct symbol_image *object)
{
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (profile->files[i].counts_plt_calls && profile->files[i].calls > 0 &&
		    profile->files[i].image == object)
			return true;
	return false;
}

/* Functions with time of which no call was counted: the heaviest one, how many, how much. */
struct uncalled {
	uint32_t symbol, count;
	double ticks;
};

static struct uncalled
find_uncalled(const struct findings *findings, const struct graph *graph)
{
	const struct symbols *symbols = findings->symbols;
	const struct symbol_image *last = NULL;
	struct uncalled found = {NO_SYMBOL, 0, 0};
	bool is_known = false, is_counted = false;

	for (uint32_t i = 0; i < symbols->count; i++) {
		const struct symbol_image *object;

		if (!(graph->self[i] > 0) || graph->calls[i] != 0 ||
		    (graph->is_analysed && graph->recursive[i] != 0) || symbols_import(symbols, i))
			continue;
		object = symbols_object_of(symbols, i);
		if (object && symbols->name[i] == object->rest)
			continue;
		/* Objects are one behind the other. */
		if (!is_known || object != last)
			is_counted = counts_plt_calls(findings->profile, object);
		is_known = true;
		last = object;
		if (!is_counted)
			continue;
		if (found.count == 0 || graph->self[i] > graph->self[found.symbol])
			found.symbol = i;
		found.count++;
		found.ticks += graph->self[i];
	}
	return found;
}

void
findings_inspect_plt_calls(struct findings *findings, const struct graph *graph,
                           const struct gprofx_account *account)
{
	const struct symbols *symbols = findings->symbols;
	struct run *run = findings->run;
	const struct symbol_image *object;
	struct uncalled uncalled;

	if (account->is_of_stacks || account->samples < LEAST_SAMPLES || !graph->self ||
	    findings_plt_counting(findings->profile) == PLT_COUNTING_NONE)
		return;
	uncalled = find_uncalled(findings, graph);
	if (uncalled.count == 0 || uncalled.ticks * MUCH < account->ticks)
		return;
	object = symbols_object_of(symbols, uncalled.symbol);
	finding_add(findings, FINDING_PLT_CALLS, NULL,
	            text_format(run,
	                        "LD_PROFILE counts calls through the PLT only: calls inside of %s "
	                        "are missing, and with them the callers of %s",
	                        object ? object->name : symbols->images[0].name,
	                        findings_name(run, symbols, uncalled.symbol)),
	            text_format(run, "no call was counted of %u %s with %.0f %% of %llu samples",
	                        uncalled.count, uncalled.count == 1 ? "function" : "functions",
	                        100 * uncalled.ticks / account->ticks,
	                        (unsigned long long)account->samples));
	if (!object && !run->settings->static_calls)
		finding_advise(
			findings, FINDING_PLT_CALLS,
			"go by self times; add -c to see which functions call these, without "
			"numbers; to count all calls, compile the library with -pg and link it "
			"statically");
}
