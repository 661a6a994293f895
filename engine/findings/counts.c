/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that were recorded, and executions that were counted in the source. */
#include <gprofx/reader.h>

#include "base/memory.h"
#include "findings/parts.h"
#include "profile/executions.h"
#include "profile/profile.h"
#include "profile/source-counts.h"
#include "symbols/symbols.h"

uint64_t *
findings_recorded_calls(const struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct symbols *symbols = findings->symbols;
	uint64_t *calls;

	memory_array(findings->run, calls, symbols->count);
	for (uint32_t i = 0; i < profile->arc_count; i++) {
		uint32_t symbol = symbols_lookup(symbols, profile->arcs[i].self);

		if (symbol != NO_SYMBOL)
			calls[symbol] += profile->arcs[i].count;
	}
	for (uint32_t i = 0; i < profile->call_count; i++) {
		uint32_t symbol = symbols_lookup(symbols, profile->calls[i].self);

		if (symbol != NO_SYMBOL)
			calls[symbol] += profile->calls[i].count;
	}
	return calls;
}

static uint64_t
distance(uint64_t left, uint64_t right)
{
	return left > right ? left - right : right - left;
}

/*
 * Whether all that differs can be calls that threads lost: fewer were recorded than the source
 * counted, and not by so many that whole call sites must have been inlined.
 */
static bool
is_slightly_less(uint64_t recorded, uint64_t count)
{
	return recorded < count && count - recorded <= count / 2;
}

static void
tell_difference(struct findings *findings, bool is_of_threads, const char *evidence)
{
	if (is_of_threads)
		finding_add(findings, FINDING_THREADS, NULL,
		            "calls that two threads made at the same time were not counted",
		            text_format(findings->run, "the image uses %s; %s", findings->starter,
		                        evidence));
	else
		finding_add(findings, FINDING_COUNTS_DIFFER, NULL,
		            "recorded calls differ from the source counts, which -C shows",
		            evidence);
}

/* A function of which no call was recorded was not compiled with -pg, or is called by others. */
void
findings_inspect_counts(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct executions *executions = profile->executions;
	uint32_t differ = 0, lost = 0, both = 0, widest = 0;
	uint64_t *calls, most = 0;

	if (!executions || findings->calls == 0)
		return;
	calls = findings_recorded_calls(findings);
	for (uint32_t i = 0; i < profile->source_function_count; i++) {
		uint32_t symbol = executions->symbol[i];
		uint64_t count = profile->source_functions[i].count;

		if (symbol == NO_SYMBOL || calls[symbol] == 0)
			continue;
		both++;
		if (calls[symbol] == count)
			continue;
		differ++;
		lost += is_slightly_less(calls[symbol], count);
		if (distance(calls[symbol], count) > most) {
			most = distance(calls[symbol], count);
			widest = i;
		}
	}
	if (differ > 0)
		tell_difference(
			findings, findings->starter && lost == differ,
			text_format(findings->run,
		                    "%u of %u functions differ; %s has %llu recorded calls, but "
		                    "was executed %llu times by the source counts",
		                    differ, both,
		                    findings->symbols->name[executions->symbol[widest]],
		                    (unsigned long long)calls[executions->symbol[widest]],
		                    (unsigned long long)profile->source_functions[widest].count));
	memory_release(findings->run, calls);
}
