/* SPDX-License-Identifier: Apache-2.0 */
/* Which listings are written, by which emitters, where. */
#ifndef ENGINE_EMIT_EMIT_H
#define ENGINE_EMIT_EMIT_H

#include "plugin/plugins.h"
#include "report/model.h"

enum { EMIT_MOST_OWN_JOBS = 4 };

/* One piece of output. */
struct emit_job {
	struct plugin *emitter;
	void *options;
	const char *file; /* NULL: standard output */
};

struct emit_plan {
	struct emit_job *jobs;
	uint32_t count;
	uint32_t parts; /* of the report that the jobs need */
};

/*
 * Decides what is written, now that it is known what the profile holds, opens the emitters and
 * checks that the profile has what they need.
 */
enum gprofx_result
emit_plan(struct run *run, const struct profile *profile, struct emit_plan *plan);

/* Writes everything. */
enum gprofx_result
emit_all(struct run *run, const struct emit_plan *plan, const struct report_model *model);

#endif
