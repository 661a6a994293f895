/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that were counted in two ways: by counters in the program, which tables show, and by a
 * profile that measured calls as a whole.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sums.h"
#include "findings/parts.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* Calls per function by both. */
struct two_counts {
	uint64_t *counted, *costed;
	uint32_t both, differ, widest;
	double factor; /* by which they differ most */
};

static uint64_t *
add_costed(struct findings *findings)
{
	const struct symbols *symbols = findings->symbols;
	const struct stacks *stacks = &findings->profile->stacks;
	uint64_t *calls;

	memory_array(findings->run, calls, symbols->count);
	for (uint32_t i = 0; i < stacks->calls.count; i++) {
		uint32_t callee = stacks->function[stacks->calls.items[i].callee];

		if (callee < symbols->count)
			sum_add(&calls[symbols_function(symbols, callee)],
			        stacks->calls.items[i].count);
	}
	return calls;
}

static void
compare(const struct symbols *symbols, struct two_counts *counts)
{
	for (uint32_t i = 0; i < symbols->count; i++) {
		double one = (double)counts->counted[i], other = (double)counts->costed[i];
		double factor;

		if (one == 0 || other == 0)
			continue;
		counts->both++;
		if (one == other)
			continue;
		factor = one > other ? one / other : other / one;
		if (counts->differ++ == 0 || factor > counts->factor) {
			counts->factor = factor;
			counts->widest = i;
		}
	}
}

void
findings_inspect_costed_calls(struct findings *findings)
{
	const struct stacks *stacks = &findings->profile->stacks;
	const struct symbols *symbols = findings->symbols;
	struct run *run = findings->run;
	struct two_counts counts = {0};
	const char *file;

	if (stacks->calls.count == 0 || !stacks->function || findings->calls == 0)
		return;
	file = findings_files_of(run, &stacks->calls.files);
	counts.counted = findings_recorded_calls(findings);
	counts.costed = add_costed(findings);
	compare(symbols, &counts);
	if (counts.differ > 0)
		finding_add(findings, FINDING_CALLS_DIFFER, NULL,
		            text_format(run,
		                        "profiles contradict each other: the calls of %u of %u "
		                        "functions, as counters counted them, differ from those of "
		                        "%s, which are in no table",
		                        counts.differ, counts.both, file),
		            text_format(run, "%s: %llu calls by counters, %llu by %s",
		                        findings_name(run, symbols, counts.widest),
		                        (unsigned long long)counts.counted[counts.widest],
		                        (unsigned long long)counts.costed[counts.widest], file));
	else
		finding_add(
			findings, FINDING_CALLS_NOT_USED, NULL,
			text_format(run,
		                    "numbers of calls come from counters: those of %s are in "
		                    "no table",
		                    file),
			counts.both > 0
				? text_format(run, "%u %s calls in both, all equal", counts.both,
		                              counts.both == 1 ? "function has" : "functions have")
				: "no function has calls in both");
	memory_release(run, counts.counted);
	memory_release(run, counts.costed);
}
