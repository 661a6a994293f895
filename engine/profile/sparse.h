/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sparse samples: weights at single addresses, beside histograms.  Those of a file wait until it is
 * known that the whole file counts; then they belong to their metric.
 */
#ifndef ENGINE_PROFILE_SPARSE_H
#define ENGINE_PROFILE_SPARSE_H

#include "base/run.h"
#include "profile/kept-rows.h"
#include "profile/slices.h"

/* A row of struct kept_rows. */
struct sparse_sample {
	uint32_t slice, rate; /* slice: see slices.h; rate: ticks per unit */
	uint64_t address, weight;
};

/* What one call of a reader passed: rows of the file that have the metric and slice. */
struct sparse_batch {
	uint32_t metric; /* number that the file knows it by; 0: samples */
	uint32_t slice;
	uint32_t first, count;
};

/* What waits of the file that is being read. */
struct sparse_file {
	struct gprofx_raw_sample *rows;
	uint32_t count, room;
	struct sparse_batch *batches;
	uint32_t batch_count, batch_room;
	uint32_t negative; /* rows that were left out, as their weights are below 0 */
};

/* The member "samples" of the profile builder. */
void
sparse_build(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
             const struct gprofx_from *from, const struct gprofx_raw_sample *rows, uint32_t count);

/*
 * Gives what waits to the metrics.  Fails, with a diagnostic, where one does not agree with what
 * was there before.
 */
enum gprofx_result
sparse_commit(struct run *run, struct profile *profile, const struct gprofx_file *file);

/*
 * All files were read: samples ascend by address; where stacks measure the same, they are some.
 * Fails where those cannot be added up.
 */
enum gprofx_result sparse_finish(struct run *run, struct profile *profile);

/* Sorts samples by their addresses. */
void sparse_sort(struct run *run, struct kept_rows *rows);

/* Whether a sample of the metric of one profile lies from "low" to below "past". */
bool sparse_is_within(const struct profile *profile, uint64_t low, uint64_t past);

/* The samples of a profile's own metric. */
static inline const struct sparse_sample *
sparse_rows(const struct kept_rows *rows)
{
	return rows->items;
}

#endif
