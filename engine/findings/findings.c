/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of findings: what can be found, in which order it is reported, and what to do about it.
 */
#include "findings/findings.h"

#include "base/memory.h"
#include "base/sums.h"
#include "findings/parts.h"
#include "symbols/symbols.h"

static const struct engine_finding_kind kinds[FINDING_KINDS] = {
	[FINDING_NO_SAMPLE_FITS] = {"image.no-sample-fits",
                                    "name the program that wrote the profile"},
	[FINDING_NO_CALL_FITS] = {"image.no-call-fits", "name the program that wrote the profile"},
	[FINDING_OTHER_PROGRAM] = {"image.other-program",
                                   "name the exact file that was run; after rebuilding it, run the "
                                   "program again"},
	[FINDING_OTHER_BUILD] = {"image.other-build",
                                 "run the program again, or name the file that was run"},
	[FINDING_STALE] = {"image.stale", "run the program again, or name the file that was run"},
	[FINDING_EMPTY] = {"profile.empty",
                           "compile and link the program with -pg, and run it to a normal exit"},
	[FINDING_ZERO_RATE] = {"rate.zero",
                               "read times as numbers of samples, or set the sampling rate with "
                               "--hz=N if you know it; shares are right either way"},
	[FINDING_ABSURD_RATE] =
		{"rate.absurd", "set the sampling rate with --hz=N if you know it, or compare only "
                                "shares and calls; the file may be damaged or of the other byte "
                                "order"},
	[FINDING_RATES_DIFFER] = {"rate.differs", "report these profiles separately"},
	[FINDING_FULL] = {"histogram.saturated",
                          "run for a shorter time, or add up several short runs"},
	[FINDING_WRAPPED] = {"histogram.wrapped",
                             "run for a shorter time, or add up several short runs"},
	[FINDING_NO_HISTOGRAM] = {"histogram.missing",
                                  "use the call counts; the system that wrote this file took no "
                                  "samples"},
	[FINDING_ALL_ZERO] =
		{"histogram.all-zero",
                 "run the program for several seconds; link with -static to sample time in "
                 "libraries, too; make sure that the program does not use the profiling timer "
                 "itself (ITIMER_PROF, SIGPROF)"},
	[FINDING_NO_SAMPLES] =
		{"samples.none",
                 "use the call counts; to get times, run for several seconds, link with -static if "
                 "the work is done in libraries, and restart the timer in a forked child "
                 "(setitimer with ITIMER_PROF)"},
	[FINDING_STOPPED] = {"recording.stopped",
                             "record with another signal: gprofx record --signal=RTMIN+4 PROGRAM"},
	[FINDING_LOST] = {"recording.lost",
                          "allow the collector more memory: gprofx record --memory=1G PROGRAM"},
	[FINDING_NO_CALLS] = {"calls.none",
                              "compile every source file with -pg, not only the last step of the "
                              "build; inlined calls (see -fno-inline) and calls from libraries are "
                              "not counted"},
	[FINDING_TABLE_FULL] =
		{"calls.table-full",
                 "enlarge the arc table: glibc.gmon.minarcs in GLIBC_TUNABLES (the C library of "
                 "Debian 12 lists it but ignores it), MINARCS or ARCDENSITY of other C libraries; "
                 "or compile fewer files with -pg"},
	[FINDING_THREADS] = {"calls.threads",
                             "treat call counts as lower bounds, and times per call as upper "
                             "bounds; profile with one thread to get exact counts"},
	[FINDING_SEPARATE_RUNS] = {"profile.separate-runs", "compare functions of one object only"},
	[FINDING_OVERLAYS] = {"image.overlays",
                              "link the overlays at addresses of their own to profile them"},
	[FINDING_OTHER_OBJECT] = {"calls.between-objects",
                                  "read a library's entries separately: its profile does not have "
                                  "its callers, and the program's profile does not have its calls "
                                  "to the library; a statically linked program has all calls in "
                                  "one profile"},
	[FINDING_PLT_CALLS] =
		{"calls.plt-only",
                 "go by self times; to count all calls, compile the library with -pg and link it "
                 "statically"},
	[FINDING_COUNTS_DIFFER] =
		{"calls.source-differs",
                 "take both from the same runs: remove the .gcda files before the run, and name "
                 "the profiles of all runs since then; calls from libraries and inlined calls are "
                 "in the source counts only"},
	[FINDING_CALLS_DIFFER] =
		{"profile.calls-differ",
                 "name profiles of the same runs, with the same input; counters of the C library "
                 "lose calls of threads, which gprofx record does not"},
	[FINDING_SHARES_DIFFER] =
		{"profile.shares-differ",
                 "profile the same build with the same input and options, or report the profiles "
                 "one by one"},
	[FINDING_SUMS_DIFFER] = {"profile.sums-differ",
                                 "name profiles of the same runs, or of as many runs for both; "
                                 "otherwise go by shares and calls, not by times per call"},
	[FINDING_CUT_STACKS] =
		{"stacks.incomplete",
                 "go by self times, which are complete; compile with -fno-omit-frame-pointer, or "
                 "follow stacks by unwind information: gprofx record --stack=cfi PROGRAM"},
	[FINDING_LOST_CALLERS] =
		{"stacks.lost-callers",
                 "go by self times, which are complete; follow stacks by unwind information "
                 "(gprofx record --stack=cfi PROGRAM), or compile with gcc -pg, which gives all "
                 "functions frames"},
	[FINDING_OUTSIDE] =
		{"samples.outside-symbols",
                 "name the program as it was linked, before it was stripped, or install its "
                 "debug symbols"},
	[FINDING_CPU_TIME] = {"account.cpu-time",
                              "give --cpu-time the sum of user and sys as printed by the shell's "
                              "time, over the runs of all profiles"},
	[FINDING_UNSAMPLED] =
		{"account.unsampled",
                 "link with -static to sample time in libraries, too, or profile a library with "
                 "LD_PROFILE in a run of the program built without -pg, and report it by "
                 "itself: gprofx LIB LIB.profile"},
	[FINDING_STUBS] = {"samples.plt-stub", "link with -static to sample what is in libraries"},
	[FINDING_OWN_LIBRARIES] = {"account.own-libraries",
                                   "link the library statically to have its time sampled"},
	[FINDING_COUNTING] = {"account.counting",
                              "compile small functions that are called most " FINDINGS_UNCOUNTED
                              ", or with -O2, "
                              "which inlines them; link with -static to sample the counting, too"},
	[FINDING_NO_CALLERS] = {"calls.no-callers",
                                "go by self times; compile these functions with -pg, too, to have "
                                "their time in the totals of their callers"},
	[FINDING_CYCLE] = {"calls.into-cycle", "read the entry of the cycle itself"},
	[FINDING_PROFILING] =
		{"account.profiling",
                 "compile small functions that are called very often " FINDINGS_UNCOUNTED
                 ", or with "
                 "-O2, which inlines them; the times of other functions are right"},
	[FINDING_FORKED] =
		{"profile.forked",
                 "report these profiles separately: what a child's profile has beyond its parent's "
                 "is its own; fork before the work begins, or let children run another program "
                 "(exec), and restart the timer in them (setitimer with ITIMER_PROF)"},
	[FINDING_COPIES_TAKEN] =
		{"profile.copies-taken-out",
                 "if these are separate runs, such as those of a simulator, which samples at the "
                 "same places each time, add --correct=no-forked-copies; restart the timer in "
                 "children (setitimer with ITIMER_PROF) to sample them, too"},
	[FINDING_NOT_USED] = {"samples.not-used",
                              "leave out the profiles with stacks to report other samples"},
	[FINDING_CALLS_NOT_USED] =
		{"calls.not-used",
                 "leave out the profiles of counters to see these calls, which are those of all "
                 "functions"},
	[FINDING_UNCOUNTED] =
		{"calls.partly-counted",
                 "its times and callers are measured like all others; if it is yours, compile it "
                 "with -pg to count its calls, too"},
	[FINDING_OVERHEAD] =
		{"recording.overhead",
                 "compile without this option: gprofx record samples all the same, but does not "
                 "count; or compile only some files with it"},
	[FINDING_CLOCK] =
		{"recording.clock",
                 "allow performance events (sysctl kernel.perf_event_paranoid=2, or fewer "
                 "restrictions of the container) for finer samples; the sums are right"},
	[FINDING_INSTRUMENTATION] =
		{"recording.instrumentation",
                 "nothing is needed: times are without it; if it is much more than they are, "
                 "compile small functions without -finstrument-functions"},
	[FINDING_WAITING] = {"time.waiting", "see where it waits: gprofx --metric=wait PROGRAM"},
	[FINDING_UNFINISHED] =
		{"recording.unfinished",
                 "nothing is needed if the program was stopped on purpose; otherwise let it end "
                 "by itself, or read the recording again once it has"},
	[FINDING_SNAPSHOT] =
		{"recording.snapshot",
                 "nothing is needed; take another snapshot later, or read the recording itself once "
                 "the program has ended"},
	[FINDING_FEW] = {"samples.few",
                         "run for longer, or add up several runs (gprofx PROGRAM PROFILE...)"},
};

const struct engine_finding_kind *
engine_finding_kinds(uint32_t *count)
{
	*count = FINDING_KINDS;
	return kinds;
}

void
finding_add(struct findings *findings, enum finding kind, const char *file, const char *summary,
            const char *evidence)
{
	findings->found[kind] = (struct gprofx_finding){.size = sizeof(struct gprofx_finding),
	                                                .id = kinds[kind].id,
	                                                .file = file,
	                                                .summary = summary,
	                                                .evidence = evidence,
	                                                .advice = kinds[kind].advice};
}

void
finding_advise(struct findings *findings, enum finding kind, const char *advice)
{
	findings->found[kind].advice = advice;
}

/* A program that no profile can be of is no reason to look for another build. */
static void
advise_profiling(struct findings *findings)
{
	static const enum finding those[] = {FINDING_NO_SAMPLE_FITS, FINDING_NO_CALL_FITS,
	                                     FINDING_OTHER_PROGRAM, FINDING_OTHER_BUILD,
	                                     FINDING_STALE};

	if (!symbols_lack_profiling(findings->symbols))
		return;
	for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
		if (finding_is_there(findings, those[i]) &&
		    findings->found[those[i]].advice == kinds[those[i]].advice)
			finding_advise(findings, those[i],
			               "name the program that wrote the profile: this one has no "
			               "profiling calls, as if compiled without -pg");
}

void
findings_make_list(struct findings *findings)
{
	memory_array(findings->run, findings->list, FINDING_KINDS);
	for (int kind = 0; kind < FINDING_KINDS; kind++)
		if (finding_is_there(findings, (enum finding)kind))
			findings->list[findings->count++] = findings->found[kind];
}

struct findings *
findings_inspect(struct run *run, struct scan *scan, const struct profile *profile,
                 const struct fit *fit)
{
	const struct symbols *symbols = scan->symbols;
	struct findings *findings;

	if (!run->settings->findings && !run->settings->explain)
		return NULL;
	findings = memory_alloc(run, sizeof *findings);
	findings->run = run;
	findings->symbols = symbols;
	findings->scan = scan;
	findings->profile = profile;
	findings->fit = fit;
	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		sum_add(&findings->samples, file->samples - file->copied_samples);
		findings->calls += file->calls - file->copied_calls;
	}
	if (symbols_have_image(symbols)) {
		findings_find_places(findings);
		findings_find_targets(findings);
		findings_inspect_targets(findings);
		findings_inspect_places(findings);
		findings_inspect_image(findings);
		findings_inspect_overlays(findings);
	}
	findings_inspect_histogram(findings);
	if (symbols_have_image(symbols)) {
		findings_inspect_objects(findings);
		findings_inspect_calls(findings);
		findings_inspect_counts(findings);
		findings_inspect_costed_calls(findings);
	}
	findings_inspect_contradictions(findings);
	findings_inspect_lost_callers(findings);
	findings_inspect_recordings(findings);
	findings_inspect_other_recordings(findings);
	findings_inspect_copies(findings);
	advise_profiling(findings);
	return findings;
}

const struct gprofx_finding *
findings_list(const struct findings *findings, uint32_t *count)
{
	*count = findings ? findings->count : 0;
	return findings ? findings->list : NULL;
}

const struct gprofx_finding *
findings_list_runs(struct run *run, struct findings *const *findings, uint32_t run_count,
                   uint32_t *count)
{
	struct gprofx_finding *list = NULL;
	uint32_t room = 0;

	if (run_count == 1)
		return findings_list(findings[0], count);
	*count = 0;
	for (uint32_t i = 0; i < run_count; i++) {
		uint32_t own;
		const struct gprofx_finding *of_run = findings_list(findings[i], &own);

		if (own == 0)
			continue;
		list = memory_room(run, list, sizeof *list, *count, &room, own);
		for (uint32_t k = 0; k < own; k++) {
			list[*count] = of_run[k];
			list[(*count)++].run = i;
		}
	}
	return list;
}

void
findings_tell(struct findings *findings, const struct graph *graph, uint32_t listings)
{
	struct engine_findings told = {.listings = listings};
	const struct engine_frontend *frontend;

	if (!findings || !findings->run->frontend->find)
		return;
	frontend = findings->run->frontend;
	told.findings = findings_list(findings, &told.finding_count);
	if (findings->run->settings->explain)
		told.paragraphs = findings_explain(findings, graph, &told.paragraph_count);
	if (told.finding_count > 0 || told.paragraph_count > 0)
		frontend->find(frontend->opaque, &told);
}

const char *
findings_starter(const struct findings *findings)
{
	return findings->starter;
}
