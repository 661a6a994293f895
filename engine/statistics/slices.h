/* SPDX-License-Identifier: Apache-2.0 */
/* What functions have of each process, thread and phase, from what the profile kept of slices. */
#ifndef ENGINE_STATISTICS_SLICES_H
#define ENGINE_STATISTICS_SLICES_H

#include "base/run.h"
#include "attribution/attribution.h"
#include "profile/profile.h"
#include "scan/scan.h"
#include "select/filters.h"
#include "symbols/symbols.h"

struct sliced; /* report/slices.h */

/*
 * The values of all slices, or NULL: not wanted.  Everything was read, the counters of histograms
 * are still there, and the functions of stacks are known.
 */
struct sliced *
slices_credit(struct run *run, const struct symbols *symbols, const struct filters *filters,
              struct scan *scan, const struct profile *profile, const struct attribution *callers);

#endif
