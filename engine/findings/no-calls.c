/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why no call was counted: nothing was compiled with -pg, or not what took the time, or it was, but
 * what it calls was inlined or is in libraries.
 */
#include "base/memory.h"
#include "base/run.h"
#include "findings/findings.h"
#include "findings/parts.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "scan/scan.h"
#include "select/filters.h"
#include "symbols/symbols.h"

/* Functions with time of one kind. */
struct kind {
	uint32_t heaviest;
	double most, ticks; /* of that one, and of all */
};

bool
findings_need_imports(const struct run *run, const struct profile *profile)
{
	return (run->settings->findings || run->settings->explain) && profile->arc_count == 0 &&
	       profile->call_count == 0 && profile->has_histogram;
}

static void
take(struct kind *kind, uint32_t function, double ticks)
{
	if (kind->ticks == 0 || ticks > kind->most) {
		kind->heaviest = function;
		kind->most = ticks;
	}
	kind->ticks += ticks;
}

/* Functions whose calls are counted, by their code, and others. */
static void
sort_functions(const struct findings *findings, const struct graph *graph, struct kind *counted,
               struct kind *others)
{
	const struct symbols *symbols = findings->symbols;
	const double *self = graph->line_self ? graph->line_self : graph->self;

	/* The lines of a function follow it. */
	for (uint32_t i = 0, end; i < symbols->count; i = end) {
		double ticks = self[i];

		for (end = i + 1; end < symbols->count && (symbols->flags[end] & SYMBOL_LINE);
		     end++)
			ticks += self[end];
		if (!(ticks > 0) || !symbols_is_program(symbols, symbols->address[i]) ||
		    symbols_import(symbols, i) || filter_is_collector(symbols->name[i]))
			continue;
		take(scan_calls_hook(findings->scan, symbols->address[i]) ? counted : others, i,
		     ticks);
	}
}

/* More than what is said where only the numbers are known. */
static void
explain(struct findings *findings, const char *reason, const char *evidence, const char *advice)
{
	struct gprofx_finding *finding = &findings->found[FINDING_NO_CALLS];

	finding->summary = text_format(findings->run, "%s; %s", finding->summary, reason);
	finding->evidence = text_format(findings->run, "%s; %s", finding->evidence, evidence);
	finding_advise(findings, FINDING_NO_CALLS, advice);
}

/* What has the time is compiled with -pg. */
static void
explain_counted(struct findings *findings, const struct kind *counted, double total)
{
	static const char advice[] =
		"look at the lines that take the time (-b -l -p), or keep the calls, with "
		"-fno-inline or __attribute__((noinline))%s";
	bool is_recordable = findings->account->is_recordable;
	const char *name = findings_name(findings->run, findings->symbols, counted->heaviest);

	explain(findings,
	        text_format(findings->run,
	                    "%s was compiled with -pg, but what it calls was inlined or is not",
	                    name),
	        text_format(findings->run,
	                    "%.0f %% of the time is in functions that call a profiling function "
	                    "(mcount), mostly in %s",
	                    100 * counted->ticks / total, name),
	        text_format(findings->run, advice,
	                    is_recordable ? "; gprofx record PROGRAM samples call stacks instead"
	                                  : ""));
}

void
findings_inspect_no_calls(struct findings *findings, const struct graph *graph,
                          const struct gprofx_account *account)
{
	struct run *run = findings->run;
	struct kind counted = {0}, others = {0};
	double total;

	if (!finding_is_there(findings, FINDING_NO_CALLS) || account->is_of_stacks ||
	    !graph->self || findings_count_no_calls(findings->profile) ||
	    findings_plt_counting(findings->profile) != PLT_COUNTING_NONE)
		return;
	if (symbols_lack_counting(findings->symbols)) {
		explain(findings, "the program has no profiling calls, as if compiled without -pg",
		        "the program names no profiling function such as mcount or __fentry__",
		        "compile every source file with -pg, not only the last step of the build");
		return;
	}
	sort_functions(findings, graph, &counted, &others);
	total = counted.ticks + others.ticks;
	if (counted.ticks * 2 > total) {
		explain_counted(findings, &counted, total);
	} else if (counted.ticks > 0) {
		const char *name = findings_name(run, findings->symbols, others.heaviest);

		explain(findings,
		        text_format(run, "%s has no profiling call, as if compiled without -pg",
		                    name),
		        text_format(run,
		                    "%.0f %% of the time is in functions that call no profiling "
		                    "function (mcount), mostly in %s",
		                    100 * others.ticks / total, name),
		        "compile every source file with -pg, not only some of them");
	}
}
