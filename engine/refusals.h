/* SPDX-License-Identifier: Apache-2.0 */
/* What can be asked for, and cannot be made of what the profiles have. */
#ifndef ENGINE_REFUSALS_H
#define ENGINE_REFUSALS_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/*
 * Refuses what cannot be made once profiles brought images: sums, but of recordings, and per-file
 * statistics unless slices are distinguished by file.
 */
enum gprofx_result refuse_images(struct run *run, const struct symbols *symbols,
                                 const struct profile *profile, bool needs_statistics);

/*
 * Refuses a sum that would lack stacks, unless they are those of recordings, or samples at single
 * addresses.
 */
enum gprofx_result
refuse_sum(struct run *run, const struct symbols *symbols, const struct profile *profile);

#endif
