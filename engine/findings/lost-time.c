/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time is: in the profiling code, or where no sample was taken. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "findings/findings.h"
#include "findings/parts.h"
#include "graph/graph.h"
#include "profile/metrics.h"
#include "profile/profile.h"

enum {
	LEAST_SAMPLES = 20, /* fewer are too few for a share */
	MUCH = 3,           /* one part of so many is worth a word */
	NAMED = 3           /* names in a sentence */
};

/*
 * Typical seconds for counting a call: 3 to 20 ns where it was measured.  Of threads, one at a time
 * counts, and those that find it busy take time for nothing: for each call that was counted, two
 * threads took 9 ns, four 17, eight 39 and sixteen 56.
 */
static const double counting_takes = 5e-9, counting_takes_threads = 20e-9;

/* What it takes at least, and what is worth a word of it. */
static const double counting_takes_least = 3e-9, much_counting = 0.1;

/* The clock of processes and that of samples differ by so much. */
static const double clock_slack = 0.05;

static void
inspect_profiling(struct findings *findings, const struct gprofx_account *account)
{
	struct run *run = findings->run;
	const struct gprofx_account_part *part = &account->profiling;

	if (part->samples < LEAST_SAMPLES || part->ticks * MUCH < account->ticks)
		return;
	finding_add(findings, FINDING_PROFILING, NULL,
	            "much of the time was spent in the code that counts calls, which has no row: "
	            "the program ran that much longer than without -pg",
	            text_format(run,
	                        "%.0f of %llu samples (%.0f %%) are in mcount and similar "
	                        "functions",
	                        part->samples, (unsigned long long)account->samples,
	                        100 * part->ticks / account->ticks));
}

/* Where the time is that no sample covers: the way to see it depends on that. */
static void
inspect_unsampled(struct findings *findings, const struct gprofx_account *account,
                  const char *evidence)
{
	double counting = (findings->starter ? counting_takes_threads : counting_takes) *
	                  (double)account->counted_calls;
	bool is_counting = counting * MUCH >= account->unsampled;

	if (is_counting)
		evidence = text_format(findings->run,
		                       "%s; code in shared libraries counted %llu calls", evidence,
		                       (unsigned long long)account->counted_calls);
	finding_add(findings, FINDING_UNSAMPLED, NULL,
	            "much of the CPU time is in no sample, and so in no table", evidence);
	if (is_counting)
		finding_advise(
			findings, FINDING_UNSAMPLED,
			"compile small functions that are called very often " FINDINGS_UNCOUNTED
			", since counting so many calls takes time, too; "
			"link with -static to sample it");
	else if (account->library_count == 0)
		finding_advise(findings, FINDING_UNSAMPLED,
		               "make sure that the program does not use the profiling timer itself "
		               "(ITIMER_PROF, SIGPROF), and name the profiles of its child "
		               "processes, too");
}

static void
inspect_cpu_time(struct findings *findings, const struct gprofx_account *account)
{
	struct run *run = findings->run;
	double slack = clock_slack * (account->cpu_time + 1);
	const char *evidence;

	if (account->unsampled == 0 || (account->unsampled > -slack && account->unsampled < slack))
		return;
	evidence = text_format(run, "%.2f s of CPU time given, %.2f s sampled", account->cpu_time,
	                       account->cpu_time - account->unsampled);
	if (account->unsampled < 0) {
		finding_add(findings, FINDING_CPU_TIME, NULL,
		            "more time was sampled than the CPU time given", evidence);
		return;
	}
	if (account->unsampled * MUCH < account->cpu_time)
		return;
	inspect_unsampled(findings, account, evidence);
}

/* Few samples do not mean a short run where libraries, or whatever else, are not sampled. */
static void
inspect_few(struct findings *findings, const struct gprofx_account *account)
{
	const struct gprofx_finding *few = &findings->found[FINDING_FEW];
	const char *summary;

	if (!finding_is_there(findings, FINDING_FEW) || !profile_is_in_seconds(findings->profile))
		return;
	if (finding_is_there(findings, FINDING_UNSAMPLED)) {
		finding_add(findings, FINDING_FEW, NULL,
		            "few samples: much of the CPU time was not sampled", few->evidence);
		finding_advise(findings, FINDING_FEW, findings->found[FINDING_UNSAMPLED].advice);
		return;
	}
	if (account->cpu_time > 0 || account->library_count == 0)
		return;
	summary = text_format(
		findings->run, "few samples: the run was short, or its time was in %.80s%s",
		account->libraries[0], account->library_count == 1 ? "" : " and other libraries");
	finding_add(findings, FINDING_FEW, NULL, summary, few->evidence);
	finding_advise(findings, FINDING_FEW,
	               "add --cpu-time=SECONDS, the sum of user and sys of the shell's time, to "
	               "see which; run for longer, or link with -static to sample libraries");
}

/* "f (12 million), g (3 million)": what is called most. */
static const char *
most_called(struct run *run, const struct graph *graph)
{
	uint32_t best[NAMED], count = 0;
	const char *text = "";

	for (uint32_t i = 0; i < graph->function_count; i++) {
		uint32_t at = count < NAMED ? count++ : NAMED;

		for (; at > 0 && graph->calls[best[at - 1]] < graph->calls[i]; at--)
			if (at < NAMED)
				best[at] = best[at - 1];
		if (at < NAMED)
			best[at] = i;
	}
	for (uint32_t i = 0; i < count && (double)graph->calls[best[i]] >= 1e6; i++)
		text = text_format(run, "%s%s%s (%.0f million)", text, i > 0 ? ", " : "",
		                   findings_name(run, graph->symbols, best[i]),
		                   (double)graph->calls[best[i]] / 1e6);
	return text;
}

/*
 * Calls that a library counted are in no sample.  Where the processor time is stated, there is no
 * need to estimate; where there are no samples at all, another finding says so.
 */
static void
inspect_counting(struct findings *findings, const struct graph *graph,
                 const struct gprofx_account *account)
{
	struct run *run = findings->run;
	struct run_metric metric = metrics_row(findings->profile, 0);
	double calls = (double)account->counted_calls, least = counting_takes_least * calls;
	double sampled;
	const char *most;

	if (account->cpu_time > 0 || account->ticks <= 0 || !(metric.ticks_per_unit > 0) ||
	    strcmp(metric.unit, "seconds") != 0)
		return;
	sampled = account->ticks / metric.ticks_per_unit;
	if (least < much_counting || least * MUCH < sampled)
		return;
	most = most_called(run, graph);
	finding_add(
		findings, FINDING_COUNTING, NULL,
		least >= sampled
			? text_format(run,
	                              "counting %.0f million calls took longer than the %.2f "
	                              "s that were sampled",
	                              calls / 1e6, sampled)
			: text_format(run,
	                              "counting %.0f million calls took %.2f s or more%s, which "
	                              "is not in the %.2f s that were sampled",
	                              calls / 1e6, least,
	                              findings->starter ? " (with threads, many times that)" : "",
	                              sampled),
		text_format(run,
	                    "a shared library counted %.0f calls, which was not sampled; at "
	                    "3 ns for each, a low estimate, that is %.2f s%s%s%s",
	                    calls, least,
	                    findings->starter
	                            ? ", and if several threads ran, 3 to 20 times as much, "
	                              "since calls that were not counted took time, too"
	                            : "",
	                    most[0] ? "; called most: " : "", most));
}

/* Where the time of libraries is missing, recording it is less work than all else. */
static void
advise_recording(struct findings *findings)
{
	static const enum finding those[] = {FINDING_ALL_ZERO, FINDING_NO_SAMPLES,
	                                     FINDING_FEW,      FINDING_UNSAMPLED,
	                                     FINDING_STUBS,    FINDING_OWN_LIBRARIES};

	if (!findings->account->is_recordable)
		return;
	for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
		if (finding_is_there(findings, those[i]))
			finding_advise(findings, those[i],
			               text_format(findings->run,
			                           "use gprofx record PROGRAM, which samples "
			                           "libraries, too; otherwise %s",
			                           findings->found[those[i]].advice));
}

void
findings_inspect_account(struct findings *findings, const struct graph *graph,
                         const struct gprofx_account *account)
{
	if (!findings)
		return;
	findings->account = account;
	if (account) {
		inspect_profiling(findings, account);
		inspect_cpu_time(findings, account);
		inspect_counting(findings, graph, account);
		inspect_few(findings, account);
		findings_inspect_libraries(findings, account);
		findings_inspect_stubs(findings, graph, account);
		findings_inspect_plt_calls(findings, graph, account);
		findings_inspect_no_calls(findings, graph, account);
		findings_inspect_callers(findings, graph, account);
		findings_inspect_cycles(findings, graph, account);
		advise_recording(findings);
	}
	findings_make_list(findings);
}
