/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of each function every profile file has: per-file statistics, taken while they are read.
 * Nothing is kept of a file but its extremes, what it has of bins that functions share, and of
 * these functions.
 */
#ifndef ENGINE_STATISTICS_STATISTICS_H
#define ENGINE_STATISTICS_STATISTICS_H

#include "base/run.h"
#include "attribution/attribution.h"
#include "profile/profile.h"
#include "report/model.h"
#include "select/filters.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

struct statistics;

/* Whether the front end asks for per-file statistics, so that they are what the run is for.
 */
static inline bool
statistics_is_aim(const struct engine_settings *settings)
{
	return settings->per_file && engine_is_given(settings, ENGINE_SET_PER_FILE);
}

/* Begins to watch the profile, before a file is read.  NULL after an error: a bad pattern. */
struct statistics *
statistics_new(struct run *run, const struct symbols *symbols, const struct filters *filters,
               struct scan *scan, struct profile *profile);

/*
 * Divides bins that functions share, as they are divided in the sum of all files, whose counters
 * are still there.
 */
void statistics_divide(struct statistics *statistics, const struct profile *profile);

/*
 * Puts what was found into the report, whose functions and files are known; the profile is read,
 * and so are the true callers, or NULL.
 */
enum gprofx_result statistics_report(struct statistics *statistics, const struct profile *profile,
                                     const struct attribution *callers, struct report_parts *parts);

#endif
