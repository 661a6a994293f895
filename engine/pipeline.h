/* SPDX-License-Identifier: Apache-2.0 */
/* The stages, for callers that keep what they made. */
#ifndef ENGINE_PIPELINE_H
#define ENGINE_PIPELINE_H

#include "base/run.h"

/*
 * All stages of a run.  report_made: a struct gprofx_report *, which is set to the report; NULL
 * if none was made, as where only a sum was asked for.  It has run lifetime.
 */
enum gprofx_result pipeline_run(struct run *run, void *report_made);

#endif
