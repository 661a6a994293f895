/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: causes of suspicious or missing numbers.  The stage looks at the input before the graph
 * is made of it, and reports everything once, before the report is written.
 */
#ifndef ENGINE_FINDINGS_FINDINGS_H
#define ENGINE_FINDINGS_FINDINGS_H

#include "base/run.h"
#include "fit/fit.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

struct findings;

/*
 * Looks at everything that was read, as long as it is by address; where there is no program, at
 * what needs none.  NULL if the settings do not want findings.
 */
struct findings *findings_inspect(struct run *run, struct scan *scan, const struct profile *profile,
                                  const struct fit *fit);

/* Whether they ask the scan for imports, which it then has to have: where no call was counted. */
bool findings_need_imports(const struct run *run, const struct profile *profile);

/*
 * Looks at where the samples are; account may be NULL.  The last thing that is looked at: the list
 * is complete then.
 */
void findings_inspect_account(struct findings *findings, const struct graph *graph,
                              const struct gprofx_account *account);

/*
 * Tells the front end what was found and, if the settings want it, how to read the tables.  The
 * graph is complete, its profile's arcs are used up.  findings may be NULL.  listings: see struct
 * engine_findings.
 */
void findings_tell(struct findings *findings, const struct graph *graph, uint32_t listings);

/* The findings in the order of their weight; run lifetime.  findings may be NULL. */
const struct gprofx_finding *findings_list(const struct findings *findings, uint32_t *count);

/* The same of several runs, one behind the other. */
const struct gprofx_finding *findings_list_runs(struct run *run, struct findings *const *findings,
                                                uint32_t run_count, uint32_t *count);

/*
 * The name of a function that starts threads, which the image has or imports; NULL if it has none,
 * or if calls come from recordings alone, which lose none of threads.
 */
const char *findings_find_starter(const struct symbols *symbols, const struct profile *profile);
/* The same, where calls were counted, from findings that were looked for. */
const char *findings_starter(const struct findings *findings);

#endif
