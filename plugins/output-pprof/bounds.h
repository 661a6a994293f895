/* SPDX-License-Identifier: Apache-2.0 */
/* How large a file may become. */
#ifndef OUTPUT_PPROF_BOUNDS_H
#define OUTPUT_PPROF_BOUNDS_H

#include <gprofx/emitter.h>

/* Fails where the stacks of the contexts have too many frames together. */
enum gprofx_result bounds_check(struct gprofx *gx, const struct gprofx_report_contexts *contexts);

#endif
