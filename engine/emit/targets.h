/* SPDX-License-Identifier: Apache-2.0 */
/* Files that outputs are written to. */
#ifndef ENGINE_EMIT_TARGETS_H
#define ENGINE_EMIT_TARGETS_H

#include "base/run.h"
#include "emit/emit.h"

/* A sum may replace a profile, whose records are in it, but nothing else that was read. */
enum gprofx_result emit_check_sum(struct run *run);

/* An output must not replace what was read, nor another output. */
enum gprofx_result emit_check_file(struct run *run, const struct emit_plan *plan, const char *file);

#endif
