/* SPDX-License-Identifier: Apache-2.0 */
/* How a plan comes about. */
#ifndef ENGINE_EMIT_PLAN_H
#define ENGINE_EMIT_PLAN_H

#include "base/run.h"
#include "emit/emit.h"

/* Whether nothing was asked for, so that listings stand there by default. */
bool emit_is_default(const struct engine_settings *settings);

/* Adds a use, of an output or, if that is NULL, of a listing with this format. */
struct emit_use *emit_add_use(struct emit_plan *plan, enum emit_way way, const char *format,
                              const struct engine_output *output);

/*
 * Opens its emitter and asks what that needs; one that is not installed is reported when it is
 * needed.
 */
enum gprofx_result emit_open_use(struct run *run, struct emit_use *use);

/* Adds a call of its emitter for these listings (bits). */
enum gprofx_result emit_add_job(struct run *run, struct emit_plan *plan, const struct emit_use *use,
                                uint32_t listings);

#endif
