/* SPDX-License-Identifier: Apache-2.0 */
/* What has to be known about the values of a file. */
#ifndef OUTPUT_PPROF_COMMENTS_H
#define OUTPUT_PPROF_COMMENTS_H

#include <gprofx/emitter.h>

#include "frames.h"

/*
 * Adds the comments to the texts: returns their numbers, and how many there are in *count.
 * contexts: NULL: functions are written without callers.
 */
uint32_t *
pprof_comments(struct gprofx *gx, const struct gprofx_report *report,
               const struct gprofx_report_contexts *contexts, struct texts *texts, uint32_t *count);

#endif
