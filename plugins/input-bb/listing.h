/* SPDX-License-Identifier: Apache-2.0 */
/* The readable form of basic-block counts. */
#ifndef INPUT_BB_LISTING_H
#define INPUT_BB_LISTING_H

#include <gprofx/reader.h>

/* How sure it is that the file is such a listing: 0 … 100. */
int bb_listing_weigh(const struct gprofx_file *file);

enum gprofx_result
bb_listing_read(struct gprofx *gx, const struct gprofx_file *file,
                const struct gprofx_target *target, struct gprofx_profile *profile);

#endif
