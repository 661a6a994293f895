/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that were not counted: none at all, not those behind a full table, not those of threads. */
#include "base/memory.h"
#include "base/run.h"
#include "findings/findings.h"
#include "findings/parts.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/*
 * Sizes of the table of calls in the C libraries that have one: a part of the bytes of code, but
 * not fewer and not more than some.
 */
static const struct {
	uint32_t percent;
	uint64_t most;
	const char *library;
} tables[] = {
	{2, 65534, "BSD, MinGW, Cygwin"},
	{3, 65534, "glibc before 2.37"},
	{3, 1048576, "glibc"},
};

enum { FEWEST_ARCS = 50 };

static const char raise_maximum[] =
	"enlarge the arc table: glibc.gmon.maxarcs in GLIBC_TUNABLES (the C library of Debian 12 "
	"lists it but ignores it), MAXARCS of other C libraries; or compile fewer files with -pg";

/* The table whose last place this many arcs take, or -1.  The first place is never used. */
static int
table_filled(uint64_t text_bytes, uint64_t arcs, uint64_t *size)
{
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		*size = text_bytes / 100 * tables[i].percent +
		        text_bytes % 100 * tables[i].percent / 100;
		if (*size < FEWEST_ARCS)
			*size = FEWEST_ARCS;
		if (*size > tables[i].most)
			*size = tables[i].most;
		if (arcs == *size || arcs == *size - 1)
			return (int)i;
	}
	return -1;
}

static void
inspect_table(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	uint64_t text_bytes, size;

	/* The range of the only histogram is what the table was made for. */
	if (profile->histogram_count != 1 ||
	    profile->histograms[0].high <= profile->histograms[0].low)
		return;
	text_bytes = profile->histograms[0].high - profile->histograms[0].low;
	for (uint32_t i = 0; i < profile->file_count; i++) {
		uint32_t arcs = profile->files[i].arc_count;
		int filled = table_filled(text_bytes, arcs, &size);

		if (filled < 0)
			continue;
		finding_add(
			findings, FINDING_TABLE_FULL, profile->files[i].name,
			"the arc table was full: calls that came later were not counted",
			text_format(
				findings->run,
				"%u arcs in a table of %llu, the size for 0x%llx bytes of code (%u "
				"per 100 bytes; %s)",
				arcs, (unsigned long long)size, (unsigned long long)text_bytes,
				tables[filled].percent, tables[filled].library));
		/* Where the bytes of code would give more, it is the upper bound that is reached.
		 */
		if (size == tables[filled].most)
			finding_advise(findings, FINDING_TABLE_FULL, raise_maximum);
		return;
	}
}

/* Functions that start threads, as programs that do need them. */
static const struct {
	const char *name, *shown;
} starters[] = {
	{"pthread_create", "pthread_create"},
	{"thrd_create", "thrd_create"},
	{"GOMP_parallel", "GOMP_parallel"},
	{"__kmpc_fork_call", "__kmpc_fork_call"},
	{"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
         "std::thread::_M_start_thread"},
};

/* Whether some calls come from a profiling runtime that can lose those of threads. */
static bool
can_lose_calls(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (profile->files[i].calls > 0 && !profile->files[i].is_recording)
			return true;
	return false;
}

const char *
findings_find_starter(const struct symbols *symbols, const struct profile *profile)
{
	if (!can_lose_calls(profile))
		return NULL;
	for (size_t i = 0; i < sizeof starters / sizeof starters[0]; i++)
		if (symbols_mention(symbols, starters[i].name))
			return starters[i].shown;
	return NULL;
}

/* Calls into other objects, whose callers were not recorded. */
static void
inspect_objects(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct symbols *symbols = findings->symbols;
	uint64_t calls = 0;
	uint32_t libraries = 0;
	bool *is_seen;

	memory_array(findings->run, is_seen, symbols->image_count);
	for (uint32_t i = 0; i < profile->call_count; i++) {
		uint64_t callee = profile->calls[i].self;
		const struct symbol_image *image = symbols_image_at(symbols, callee);

		if (symbols_is_program(symbols, callee))
			continue;
		calls += profile->calls[i].count;
		libraries += image != symbols->images && !is_seen[image - symbols->images];
		is_seen[image - symbols->images] = true;
	}
	memory_release(findings->run, is_seen);
	if (calls == 0)
		return;
	finding_add(findings, FINDING_OTHER_OBJECT, NULL,
	            "calls between objects are counted without their callers: the time of "
	            "libraries is not propagated to the functions that called them",
	            text_format(findings->run, "%llu calls of functions in %u %s from elsewhere",
	                        (unsigned long long)calls, libraries,
	                        libraries == 1 ? "library" : "libraries"));
}

/* Whether a graph can be of calls that were not counted. */
static bool
shows_code(const struct run *run)
{
	return run->settings->static_calls && run_corrects(run, GPROFX_CORRECT_STATIC_CALLS);
}

/*
 * Sparse samples are of formats that have calls only where they say so.  Where there are stacks,
 * the call graph is theirs.
 */
static bool
lacks_calls(const struct profile *profile)
{
	return (profile->has_histogram || profile->has_arcs) && !profile->stacks.is_there;
}

bool
findings_count_no_calls(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (!profile->files[i].counts_no_calls && profile->files[i].samples > 0)
			return false;
	return profile->file_count > 0;
}

void
findings_inspect_calls(struct findings *findings)
{
	inspect_objects(findings);
	if (findings->calls > 0) {
		inspect_table(findings);
		/* Counts alone do not show whether there were several threads. */
		findings->starter = findings_find_starter(findings->symbols, findings->profile);
	} else if (findings->samples > 0 && lacks_calls(findings->profile)) {
		finding_add(
			findings, FINDING_NO_CALLS, NULL,
			shows_code(findings->run)
				? "samples were taken, but no calls were counted: the call graph "
				  "has only static arcs, found in the code"
				: "samples were taken, but no calls were counted: there is no call "
				  "graph",
			text_format(findings->run, "%llu samples and no calls",
		                    (unsigned long long)findings->samples));
		if (findings_plt_counting(findings->profile) == PLT_COUNTING_ALL)
			finding_advise(findings, FINDING_NO_CALLS,
			               "run the program without LD_BIND_NOW, and link it with "
			               "-z lazy: LD_PROFILE counts calls that are bound while it "
			               "runs");
		else if (findings_count_no_calls(findings->profile))
			finding_advise(findings, FINDING_NO_CALLS,
			               "go by self times: a debugger that samples the program "
			               "counts no calls; for calls, let the program write a "
			               "profile itself, compiled with -pg");
	}
}
