/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a process says: of many that find the same about the program, one says it.  Each reports
 * what concerns its own files, and errors.
 */
#ifndef MPI_VOICE_H
#define MPI_VOICE_H

#include "console.h"
#include "engine.h"
#include "job.h"

enum { VOICE_NAME_ROOM = JOB_HOST_ROOM + 64 };

struct voice {
	struct console console;
	const struct job *job;
	char name[VOICE_NAME_ROOM]; /* with the process and its host */
	/* The files that the process reads, as messages name them, sorted. */
	const char **files;
	bool *is_left_out; /* for each: there was an error about it */
	uint64_t file_count, left_out;
	bool is_trying;  /* what is said about files is not reported: it will be said again */
	bool repeats;    /* what is said about files was reported before */
	bool has_failed; /* an error about something else than a file was reported */
};

void voice_open(struct voice *voice, const struct job *job);
/*
 * Sets which files are the process's own: copies of their names.  host: before each, with a colon;
 * NULL: nothing.  Forgets those before.
 */
void
voice_set_files(struct voice *voice, const char *const *files, uint64_t count, const char *host);
/* Whether a file is among those left out so far; their number is left_out. */
bool voice_left_out(const struct voice *voice, uint64_t number);
/* Writes what is left to standard output.  False: that failed. */
bool voice_close(struct voice *voice);

/* struct engine_frontend.diagnose */
void
voice_diagnose(void *opaque, enum engine_severity severity,
               const struct gprofx_diagnostic *diagnostic, const char *message, const char *doing);

/* Says something that no other process says. */
void voice_fail(struct voice *voice, const struct gprofx_diagnostic *diagnostic, const char *format,
                ...) GPROFX_PRINTF(3, 4);
void voice_warn(struct voice *voice, const struct gprofx_diagnostic *diagnostic, const char *format,
                ...) GPROFX_PRINTF(3, 4);

#endif
