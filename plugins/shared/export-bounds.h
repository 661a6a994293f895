/* SPDX-License-Identifier: Apache-2.0 */
/* How large a file in which each stack is spelled out may become. */
#ifndef PLUGINS_SHARED_EXPORT_BOUNDS_H
#define PLUGINS_SHARED_EXPORT_BOUNDS_H

#include <gprofx/emitter.h>

/*
 * Fails, with a diagnostic of this ID, where the stacks of the contexts have too many frames
 * together.  *deepest, unless NULL: how many the longest one has.
 */
enum gprofx_result
export_check_frames(struct gprofx *gx, const struct gprofx_report_contexts *contexts,
                    const char *id, uint32_t *deepest);

#endif
