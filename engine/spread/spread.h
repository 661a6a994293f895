/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of each function every profile file has: statistics over the files, taken while they
 * are read.  Nothing is kept of a file but its extremes, what it has of bins that functions share,
 * and of these functions.
 */
#ifndef ENGINE_SPREAD_SPREAD_H
#define ENGINE_SPREAD_SPREAD_H

#include "base/run.h"
#include "callers/callers.h"
#include "profile/profile.h"
#include "select/filters.h"
#include "symbols/symbols.h"

struct spread;

/* The format of the listing that shows them. */
#define SPREAD_FORMAT "per-file"

/* Whether the settings ask for statistics over the files. */
bool spread_is_wanted(const struct engine_settings *settings);

/* Whether the front end does, so that they are what the run is for. */
static inline bool
spread_is_aim(const struct engine_settings *settings)
{
	return settings->per_file && (settings->given & ENGINE_SET_PER_FILE);
}

/* Begins to watch the profile, before a file is read.  NULL after an error: a bad pattern. */
struct spread *spread_new(struct run *run, const struct symbols *symbols,
                          const struct filters *filters, struct profile *profile);

/*
 * Divides bins that functions share, as they are divided in the sum of all files, whose counters
 * are still there.
 */
void spread_divide(struct spread *spread, const struct profile *profile);

/*
 * Puts what was found into the report, whose functions and files are known; the profile is read,
 * and so are the true callers, or NULL.
 */
enum gprofx_result spread_report(struct spread *spread, const struct profile *profile,
                                 const struct callers *callers, struct gprofx_report *report);

#endif
