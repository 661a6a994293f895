/* SPDX-License-Identifier: Apache-2.0 */
/* The stages, for whoever keeps what they made. */
#ifndef ENGINE_PIPELINE_H
#define ENGINE_PIPELINE_H

#include "base/run.h"

/* All stages of a run; run->report is the report then, unless only a sum was asked for. */
enum gprofx_result pipeline_run(struct run *run, void *nothing);

#endif
