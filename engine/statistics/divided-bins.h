/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bins that functions share, of which it turns out only once all files were read how they are
 * divided.  They wait, and with them what else the same file has of these functions.
 */
#ifndef ENGINE_STATISTICS_DIVIDED_BINS_H
#define ENGINE_STATISTICS_DIVIDED_BINS_H

#include "base/loose.h"
#include "base/run.h"
#include "graph/samples.h"
#include "profile/profile.h"
#include "statistics/file-values.h"
#include "statistics/series.h"

/* Ticks of a function in a file, in bins of its own, beside which it may have some of others. */
struct known_ticks {
	uint32_t file, symbol;
	double ticks;
};

/*
 * Adds what waits to the series of the functions: a list of struct shared_bin, and one of struct
 * known_ticks, a row for each function that waits in a file, both by file; they are used up.
 * Values are added to "values", too, unless that is NULL.
 */
void bins_finish(struct run *run, const struct sample_rules *rules, const struct profile *profile,
                 struct loose_list *bins, struct loose_list *known, const struct series_table *self,
                 struct file_values *values);

#endif
