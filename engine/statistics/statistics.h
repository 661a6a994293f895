/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of each function every profile file has: per-file statistics, taken while they are read.
 * Nothing is kept of a file but its extremes, what it has of bins that functions share, and of
 * these functions; the same of calls in doubt; and, if they are asked for, its values.
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

struct sliced; /* report/slices.h */
struct statistics;

/* Whether the front end asks for per-file statistics, so that they are what the run is for.
 */
static inline bool
statistics_is_aim(const struct engine_settings *settings)
{
	return settings->per_file && engine_is_given(settings, ENGINE_SET_PER_FILE);
}

/* The same of statistics by process, thread or phase. */
static inline bool
slices_are_aim(const struct engine_settings *settings)
{
	return (settings->per_process && engine_is_given(settings, ENGINE_SET_PER_PROCESS)) ||
	       (settings->per_thread && engine_is_given(settings, ENGINE_SET_PER_THREAD)) ||
	       (settings->per_phase && engine_is_given(settings, ENGINE_SET_PER_PHASE));
}

/*
 * Begins to watch the profile, before a file is read.  keeps_values: what each file has of each
 * function is to be in the report, too.  NULL after an error: a bad pattern.
 */
struct statistics *
statistics_new(struct run *run, const struct symbols *symbols, const struct filters *filters,
               struct scan *scan, struct profile *profile, bool keeps_values);

/* Frees what statistics that are not reported hold outside of the run's memory. */
void statistics_forget(struct statistics *statistics);

/*
 * Divides bins that functions share, as they are divided in the sum of all files, whose counters
 * are still there.
 */
void statistics_divide(struct statistics *statistics, const struct profile *profile);

/*
 * Has the values of slices, which are distinguished by file (slices_are_by_file()), take the place
 * of what was taken while files were read.
 */
void statistics_take_slices(struct statistics *statistics, struct profile *profile,
                            const struct sliced *sliced);

/*
 * Puts what was found into the report, whose functions and files are known; the profile is read,
 * and so are the true callers, or NULL.  is_optional: the report can do without, so what cannot be
 * distinguished is no error.
 */
enum gprofx_result
statistics_report(struct statistics *statistics, const struct profile *profile,
                  const struct attribution *callers, bool is_optional, struct report_parts *parts);

#endif
