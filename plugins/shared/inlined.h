/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined subroutines that the user named, in listings for people. */
#ifndef PLUGINS_SHARED_INLINED_H
#define PLUGINS_SHARED_INLINED_H

#include <gprofx/emitter.h>

/* Whether some were named for a listing (enum gprofx_inlined_listing). */
bool inlined_are_in(const struct gprofx_report *report, uint32_t listing);

/* Writes what their copies take.  width: columns of a line of text; 0: as it is. */
void inlined_put(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
                 uint32_t listing, size_t width);

#endif
