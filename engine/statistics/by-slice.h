/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per-file statistics of files whose samples are call stacks, and of recordings: from the values
 * of their slices, since stacks and images can be assigned to functions only after all was read.
 */
#ifndef ENGINE_STATISTICS_BY_SLICE_H
#define ENGINE_STATISTICS_BY_SLICE_H

#include <string.h>

#include "base/run.h"
#include "profile/profile.h"
#include "report/slices.h"
#include "statistics/file-values.h"
#include "statistics/series.h"

/* Whether the file has what is measured, or is of no run: others count as 0. */
static inline bool
by_slice_has_file(const struct profile *profile, const struct profile_file *file)
{
	const struct stacks *stacks = &profile->stacks;

	if (profile_is_source_only(file) || file->has_sparse)
		return true;
	return stacks->is_there
	               ? file->has_stacks && strcmp(file->stack_dimension, stacks->dimension) == 0
	               : file->is_recording;
}

/*
 * Adds what each file has of each function, of the number given, to the series and to the values
 * (NULL: not wanted), and sets the ticks of the profile's files.  Returns how many files are
 * distinguished.
 */
uint32_t by_slice_add(struct run *run, struct profile *profile, const struct sliced *sliced,
                      uint32_t functions, const struct series_table *self,
                      const struct series_table *calls, struct file_values *values);

#endif
