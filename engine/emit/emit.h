/* SPDX-License-Identifier: Apache-2.0 */
/* Which listings are written, by which emitters, where. */
#ifndef ENGINE_EMIT_EMIT_H
#define ENGINE_EMIT_EMIT_H

#include "base/run.h"
#include "profile/profile.h"
#include "report/model.h"
#include "symbols/symbols.h"

/* Each listing, and the call graph in two parts. */
enum { EMIT_MOST_OWN_JOBS = ENGINE_LISTING_COUNT + 1 };

/* One piece of output. */
struct emit_job {
	struct plugin *emitter;
	void *options;
	struct gprofx_needs needs; /* of the emitter with these options */
	const char *file;          /* NULL: standard output */
	bool is_done;              /* written already */
};

struct emit_plan {
	struct emit_job *jobs;
	uint32_t count;
	uint32_t parts;                /* of the report that the jobs need */
	uint32_t shown_parts;          /* those, and what they show if it is made */
	uint32_t possible_parts;       /* those that any of the outputs asked for may need */
	struct writer *standard;       /* standard output; NULL: not begun */
	const struct profile *profile; /* what is reported; NULL: not read yet */
};

/* The format of the i-th of these listings (bits of enum engine_listing); NULL: there are fewer. */
const char *emit_own_format(uint32_t i, uint32_t listings);

/*
 * Before profiles are read: opens the emitters that are known by then, for what has to be noted on
 * the way, in plan->possible_parts.
 */
enum gprofx_result emit_open(struct run *run, struct emit_plan *plan);

/*
 * Writes the list of profile files, if it goes to standard output, once they were read as far as
 * they could be: what was read is told even where the run then fails.
 */
enum gprofx_result emit_files(struct run *run, struct emit_plan *plan,
                              const struct symbols *symbols, const struct profile *profile);

/*
 * Decides what is written, now that it is known what the profile holds, opens the other emitters
 * and checks that the profile has what they need.
 */
enum gprofx_result
emit_choose(struct run *run, const struct profile *profile, struct emit_plan *plan);

/* Writes everything. */
enum gprofx_result
emit_all(struct run *run, struct emit_plan *plan, const struct report_model *model);

#endif
