/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sum of all profiles as a profile: without loss, in records that GNU gprof adds up again.
 */
#ifndef ENGINE_PROFILE_WRITER_PROFILE_WRITER_H
#define ENGINE_PROFILE_WRITER_PROFILE_WRITER_H

#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* Whether nothing was asked for besides a sum. */
bool profile_writes_sum_only(const struct engine_settings *settings);

/* Whether a sum has what the format has room for, of recordings of a program. */
bool profile_sum_takes_recordings(const struct symbols *symbols, const struct profile *profile);

/*
 * Writes the file that the settings name, with the records of the profile as they were read; or, if
 * the settings say so, as GNU gprof would: calls between functions, after selection.  graph: of all
 * recorded calls; NULL is allowed unless the sum is GNU gprof's.
 */
enum gprofx_result profile_write_sum(struct run *run, const struct symbols *symbols,
                                     struct profile *profile, const struct graph *graph);

#endif
