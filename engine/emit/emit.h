/* SPDX-License-Identifier: Apache-2.0 */
/* Which listings are written, by which emitters, where. */
#ifndef ENGINE_EMIT_EMIT_H
#define ENGINE_EMIT_EMIT_H

#include "base/run.h"
#include "profile/profile.h"
#include "report/model.h"
#include "symbols/symbols.h"

/* How an emitter that was asked for is used. */
enum emit_way {
	EMIT_NOT,
	EMIT_WITH_DATA, /* not asked for: it is written if the profile has the data for it */
	EMIT_EARLY,     /* its listings are written as soon as files are read */
	EMIT_IN_PLACE,  /* its listings stand on standard output at their places */
	EMIT_BEHIND     /* behind all listings, or in a file */
};

/* A use of an emitter. */
struct emit_use {
	enum emit_way way;
	const struct engine_output *output; /* its format, file and options */
	struct engine_output own;           /* that of a listing without options of its own */
	struct plugin *emitter;             /* NULL: as far as is known none is installed */
	void *options;
	struct gprofx_needs needs;
	uint32_t listings; /* that are written: bits by their number */
	bool goes_along;   /* ENGINE_WITH_OTHERS */
};

/* By what its values are split, if a profile has any of that. */
static inline uint32_t
emit_slices(const struct gprofx_needs *needs)
{
	return needs->slices | needs->slices_if_any;
}

/* By what the user asks for statistics: enum gprofx_slice_kind. */
static inline uint32_t
emit_asked_slices(const struct engine_settings *settings)
{
	return (settings->per_process ? (uint32_t)GPROFX_SLICE_PROCESS : 0) |
	       (settings->per_thread ? (uint32_t)GPROFX_SLICE_THREAD : 0) |
	       (settings->per_phase ? (uint32_t)GPROFX_SLICE_PHASE : 0);
}

/* One call of an emitter. */
struct emit_job {
	const struct emit_use *use;
	uint32_t listings; /* bits by their number */
	bool is_done;      /* written already */
};

struct emit_plan {
	struct emit_use *uses;
	struct emit_job *jobs;
	uint32_t use_count, count, room;
	uint32_t parts;                  /* of the report that the jobs need */
	uint32_t shown_parts;            /* those, and what they show if it is made */
	uint32_t possible_parts;         /* that are gathered while profiles are read */
	uint32_t parts_if_several;       /* likewise, if there are several */
	uint32_t slice_kinds;            /* by which values are kept apart, likewise */
	bool slices[SLICE_COMBINATIONS]; /* which of them are asked for together */
	uint32_t possible_contexts;      /* that are needed by those that are open before that */
	uint32_t context_forms;        /* 1 << report_context_form() of what the jobs need, each */
	struct writer *standard;       /* standard output; NULL: not begun */
	const struct profile *profile; /* what is reported; NULL: not read yet */
};

/*
 * Before profiles are read: opens the emitters that are known by then, for what has to be gathered
 * on the way, in plan->possible_parts.
 */
enum gprofx_result emit_open(struct run *run, struct emit_plan *plan);

/*
 * Writes listings of the profile files alone, if they go to standard output, once files were read
 * as far as they could be: what was read is reported even where the run then fails.
 */
enum gprofx_result emit_files(struct run *run, struct emit_plan *plan,
                              const struct symbols *symbols, const struct profile *profile);

/*
 * Decides what is written, now that it is known what the profile holds, opens the other emitters
 * and checks that the profile has what they need.
 */
enum gprofx_result
emit_choose(struct run *run, const struct profile *profile, struct emit_plan *plan);

/* The same for a comparison of two sides, which has no profile of its own. */
enum gprofx_result emit_choose_comparison(struct run *run, struct emit_plan *plan);

/* The listings of the settings that stand on standard output, as bits; those chosen are known. */
uint32_t emit_listings(const struct run *run, const struct emit_plan *plan);

/* Writes everything. */
enum gprofx_result
emit_all(struct run *run, struct emit_plan *plan, const struct report_model *model);

#endif
