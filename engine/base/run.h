/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of the engine: its settings, its memory and its way to speak.  Every stage gets it as the
 * first argument.
 */
#ifndef ENGINE_BASE_RUN_H
#define ENGINE_BASE_RUN_H

#include <setjmp.h>

#include "engine.h" /* IWYU pragma: export */

struct memory_block;
struct region;
struct plugin_host;
struct run_origins;

struct run {
	/*
	 * What plugins see.  First, so that the host services find the run.  Plugins are called
	 * from the run's own thread only.
	 */
	struct gprofx gx;
	const struct engine_settings *settings;
	const struct engine_frontend *frontend;
	uint64_t corrections;               /* bits GPROFX_CORRECT_… */
	struct memory_block *blocks;        /* every live allocation */
	struct region *regions;             /* where large ones are */
	struct text_chunk *texts;           /* interned strings, newest chunk first */
	struct mapped_file *files;          /* files to unmap at the end */
	struct run_descriptor *descriptors; /* files to close at the end */
	struct run_closing *closings;       /* what else is to be closed then */
	struct input_files *inputs;         /* what was read besides; NULL: nothing */
	const struct run_origins *origins;  /* NULL: no files of settings were read */
	struct plugin_host *plugin_host; /* what plugin/ knows; NULL: nothing was asked for yet */
	const char *unfinished;          /* file to remove if the run ends before it is complete */
	const char *doing;               /* for diagnostics: "reading x with input-y", or NULL */
	const char *done;                /* what "doing" was before */
	bool errors_are_warnings;        /* while something is tried that the run can do without */
	bool is_silent;                  /* likewise, and it is not reported */
	uint32_t silenced;               /* messages that were not reported */
	bool told_reason;                /* a warning says why an output is not complete */
	uint32_t error_count;
	uint32_t threads; /* 0: not yet known, see parallel_workers() */
	jmp_buf give_up;  /* valid while the run runs */
};

/* Prepares a run.  The caller sets run->give_up before any other stage is called. */
void run_start(struct run *run, const struct engine_settings *settings,
               const struct engine_frontend *frontend);

/* Closes a file when the run ends. */
void run_keep_descriptor(struct run *run, int descriptor);

/*
 * Calls close(run, argument) when the run ends, however it does, while its memory is still there;
 * what was opened last is closed first.
 */
void
run_close_later(struct run *run, void (*close)(struct run *run, void *argument), void *argument);

/* Frees everything that belongs to the run. */
void run_finish(struct run *run);

/* A prepared run in memory of its own, or NULL, which was reported. */
struct run *run_new(const struct engine_settings *settings, const struct engine_frontend *frontend);
/* Calls stages(run, argument), and leaves it where the run gives up.  Returns whether it went well
 * and no error was reported. */
bool run_through(struct run *run, enum gprofx_result (*stages)(struct run *run, void *argument),
                 void *argument);
/* Ends a run that run_new() made.  NULL is allowed. */
void run_end(struct run *run);

/* A run from start to end: the three functions above. */
bool run_whole(const struct engine_settings *settings, const struct engine_frontend *frontend,
               enum gprofx_result (*stages)(struct run *run, void *argument), void *argument);

/* Reports an error and leaves the run at once, through run->give_up. */
_Noreturn void run_give_up(struct run *run, const struct gprofx_diagnostic *diagnostic,
                           const char *format, ...) GPROFX_PRINTF(3, 4);

/* Points a diagnostic to a word of the settings. */
static inline void
run_set_place(struct gprofx_diagnostic *diagnostic, const struct engine_origin *origin)
{
	gprofx_set_place(diagnostic, origin->file, origin->line, origin->column);
}

/* Stands for the id that a plugin gave none of its diagnostics. */
extern const char run_no_id[];

/* Reports an error; returns GPROFX_FAILED. */
enum gprofx_result run_fail(struct run *run, const struct gprofx_diagnostic *diagnostic,
                            const char *format, ...) GPROFX_PRINTF(3, 4);
void run_warn(struct run *run, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
	GPROFX_PRINTF(3, 4);
void run_trace(struct run *run, const char *format, ...) GPROFX_PRINTF(2, 3);

static inline bool
run_traces(const struct run *run, enum gprofx_trace topic)
{
	return (run->gx.trace_topics & (uint32_t)topic) != 0;
}

/* Whether the run makes a correction (GPROFX_CORRECT_…). */
static inline bool
run_corrects(const struct run *run, uint64_t correction)
{
	return (run->corrections & correction) != 0;
}

/*
 * States what the run is doing until the next call, for diagnostics; NULL: nothing particular.
 * The words live as long as the run.
 */
void run_doing(struct run *run, const char *format, ...) GPROFX_PRINTF(2, 3);
void run_doing_nothing(struct run *run);

#endif
