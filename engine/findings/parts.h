/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the stage: what its parts share.  Each part looks at one subject. */
#ifndef ENGINE_FINDINGS_PARTS_H
#define ENGINE_FINDINGS_PARTS_H

#include "base/run.h"
#include "graph/graph.h"
#include "profile/file-names.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

struct fit;

/* How to compile functions whose calls are not to be counted, in hints. */
#define FINDINGS_UNCOUNTED                                                                         \
	"without -pg (C and C++: __attribute__((no_instrument_function)); otherwise in a file of " \
	"their own)"

/* In the order of weight: what makes more of the report worthless comes first. */
enum finding {
	FINDING_NO_SAMPLE_FITS,
	FINDING_NO_CALL_FITS,
	FINDING_OTHER_PROGRAM,
	FINDING_OTHER_BUILD,
	FINDING_STALE,
	FINDING_EMPTY,
	FINDING_ZERO_RATE,
	FINDING_ABSURD_RATE,
	FINDING_RATES_DIFFER,
	FINDING_FULL,
	FINDING_WRAPPED,
	FINDING_NO_HISTOGRAM,
	FINDING_ALL_ZERO,
	FINDING_NO_SAMPLES,
	FINDING_STOPPED,
	FINDING_LOST,
	FINDING_NO_CALLS,
	FINDING_TABLE_FULL,
	FINDING_THREADS,
	FINDING_SEPARATE_RUNS,
	FINDING_OVERLAYS,
	FINDING_OTHER_OBJECT,
	FINDING_PLT_CALLS,
	FINDING_COUNTS_DIFFER,
	FINDING_CALLS_DIFFER,
	FINDING_SHARES_DIFFER,
	FINDING_SUMS_DIFFER,
	FINDING_CUT_STACKS,
	FINDING_LOST_CALLERS,
	FINDING_OUTSIDE,
	FINDING_CPU_TIME,
	FINDING_UNSAMPLED,
	FINDING_STUBS,
	FINDING_OWN_LIBRARIES,
	FINDING_COUNTING,
	FINDING_NO_CALLERS,
	FINDING_CYCLE,
	FINDING_PROFILING,
	FINDING_FORKED,
	FINDING_COPIES_TAKEN,
	FINDING_NOT_USED,
	FINDING_CALLS_NOT_USED,
	FINDING_UNCOUNTED,
	FINDING_OVERHEAD,
	FINDING_CLOCK,
	FINDING_WAITING,
	FINDING_INSTRUMENTATION,
	FINDING_UNFINISHED,
	FINDING_SNAPSHOT,
	FINDING_FEW,
	FINDING_KINDS
};

/* Addresses at which something begins in the image, named in the report or not; ascending. */
struct entries {
	uint64_t *address;
	uint64_t *covered; /* first address behind everything that begins at or before this one */
	uint32_t count;
};

/*
 * Where calls lead to: distinct callee addresses, of all arcs or of evenly spaced ones, without
 * calls from the program to somewhere else.
 */
struct targets {
	uint64_t *address; /* ascending, unique */
	uint32_t count;
	uint32_t outside;     /* not in code */
	uint32_t near;        /* at an entry or just behind it */
	uint32_t far;         /* in code, but not near an entry */
	uint32_t common;      /* the distance from an entry that most of the near ones have */
	uint32_t with_common; /* how many */
};

/* Where samples lie. */
struct places {
	uint64_t samples;     /* all of them, or those of evenly spaced blocks of bins */
	uint64_t in_code;     /* in executable sections */
	uint64_t nameless;    /* in code that no function of the report covers */
	uint64_t first, last; /* lowest and highest address with samples */
};

struct findings {
	struct run *run;
	const struct symbols *symbols;
	struct scan *scan;
	const struct profile *profile;
	const struct fit *fit;                      /* how the calls agree with the code */
	struct gprofx_finding found[FINDING_KINDS]; /* without an id: not found */
	struct gprofx_finding *list;
	uint32_t count;
	const struct entries *entries; /* NULL: not needed yet */
	struct targets targets;
	struct places places;
	uint64_t samples, calls;
	const char *starter; /* by which the image starts threads, as it is shown; NULL: none */
	const struct gprofx_account *account; /* NULL: not known, or not yet */
};

/* Adds a finding; texts have run lifetime.  file: NULL if it is about the run as a whole. */
void finding_add(struct findings *findings, enum finding kind, const char *file,
                 const char *summary, const char *evidence);
/* Replaces the usual advice. */
void finding_advise(struct findings *findings, enum finding kind, const char *advice);

/* Lists what was found, by weight. */
void findings_make_list(struct findings *findings);

static inline bool
finding_is_there(const struct findings *findings, enum finding kind)
{
	return findings->found[kind].id != NULL;
}

/* entries.c */
const struct entries *findings_entries(struct findings *findings);
/* The number of the last entry at or below an address, or NO_SYMBOL. */
uint32_t entries_at_or_below(const struct entries *entries, uint64_t address);
/* Where the code of the image begins and ends. */
void findings_code_bounds(const struct findings *findings, uint64_t *begin, uint64_t *end);

/* waiting.c: the weights of a metric of stacks, or NULL. */
const struct stacks *findings_metric(const struct stacks *stacks, const char *name);
/* Whether threads wait most of the time, in recordings that have that. */
void findings_inspect_waiting(struct findings *findings);
/*
 * Whether an object is code, and not just a name for something, that a user compiles: nobody builds
 * libraries of the system with -pg.
 */
bool findings_is_users_code(const struct symbol_image *image);

/* places.c: where the samples lie. */
void findings_find_places(struct findings *findings);
void findings_inspect_places(struct findings *findings);
/* targets.c: where the calls lead to. */
void findings_find_targets(struct findings *findings);
void findings_inspect_targets(struct findings *findings);
/* histogram.c: counters and rates. */
void findings_inspect_histogram(struct findings *findings);
/* calls.c: what was not counted. */
void findings_inspect_calls(struct findings *findings);
/* counts.c: recorded calls per symbol, recursive ones included; to be released. */
uint64_t *findings_recorded_calls(const struct findings *findings);
/* Whether calls agree with what was counted in the source. */
void findings_inspect_counts(struct findings *findings);
/* copies.c: whether files are those of forked children. */
void findings_inspect_copies(struct findings *findings);
/* recordings.c: how well files were recorded, and in which code calls were not counted. */
void findings_inspect_recordings(struct findings *findings);

/* Of recordings of other profilers. */
void findings_inspect_other_recordings(struct findings *findings);
/* contradictions.c: whether samples and stacks say the same. */
void findings_inspect_contradictions(struct findings *findings);
/* The file that values are from, or how many there are, in words. */
const char *findings_files_of(struct run *run, const struct file_names *files);
/* costed-calls.c: whether counters and calls that were measured as a whole say the same. */
void findings_inspect_costed_calls(struct findings *findings);
/* lost-callers.c: whether stacks lack callers of their innermost functions. */
void findings_inspect_lost_callers(struct findings *findings);
/* overlays.c: sections that share addresses. */
void findings_inspect_overlays(struct findings *findings);
/* image.c: whether the image is older than the profile. */
void findings_inspect_image(struct findings *findings);

/* separate-runs.c: profiles of several objects. */
void findings_inspect_objects(struct findings *findings);

/* explain.c: a function's name as the tables show it, but for its length. */
const char *findings_name(struct run *run, const struct symbols *symbols, uint32_t function);

/* cycles.c: time of a cycle that several functions call. */
void findings_inspect_cycles(struct findings *findings, const struct graph *graph,
                             const struct gprofx_account *account);

/* no-callers.c: time of functions whose calls nothing counts. */
void findings_inspect_callers(struct findings *findings, const struct graph *graph,
                              const struct gprofx_account *account);

/* no-calls.c: why no call was counted, by the code of functions with time. */
void findings_inspect_no_calls(struct findings *findings, const struct graph *graph,
                               const struct gprofx_account *account);

/* stubs.c: time in PLT stubs. */
void findings_inspect_stubs(struct findings *findings, const struct graph *graph,
                            const struct gprofx_account *account);

/* uncounted-calls.c: whether what wrote the files never counts calls. */
bool findings_count_no_calls(const struct profile *profile);

/* plt-calls.c: calls inside of libraries, which LD_PROFILE does not count. */
void findings_inspect_plt_calls(struct findings *findings, const struct graph *graph,
                                const struct gprofx_account *account);
/* Of how many of the files that have calls or samples this is the way of counting them. */
enum plt_counting { PLT_COUNTING_NONE, PLT_COUNTING_SOME, PLT_COUNTING_ALL };
enum plt_counting findings_plt_counting(const struct profile *profile);

/* own-libraries.c: libraries outside of the system's folders, of which no sample was taken. */
void findings_inspect_libraries(struct findings *findings, const struct gprofx_account *account);

/* slide.c: advises --slide=auto, if it was not asked for and would make the calls fit. */
void findings_advise_slide(struct findings *findings, enum finding kind);

/* explain.c: how to read the tables of this run, a paragraph each. */
const char *const *
findings_explain(struct findings *findings, const struct graph *graph, uint32_t *count);

#endif
