/* SPDX-License-Identifier: Apache-2.0 */
/* Buffered output that remembers its first failure. */
#ifndef ENGINE_EMIT_WRITER_H
#define ENGINE_EMIT_WRITER_H

#include "base/run.h"

struct writer {
	struct gprofx_writer public; /* first */
	struct run *run;
	char *buffer;
	int descriptor;        /* of a file, or -1: standard output, through the front end */
	int error;             /* first errno value of a failed write, or 0 */
	bool has_listing;      /* a listing was begun */
	bool is_raw;           /* texts of unknown origin go out as they are */
	bool color;            /* the bytes are for a terminal that shows colors */
	const char *failure;   /* id of the diagnostic about a failed write */
	const char *name;      /* of the file as the user gave it, or NULL */
	const char *target;    /* the same with all links followed */
	const char *temporary; /* name while it is written, or NULL: written in place */
	const char *before;    /* run->unfinished as it was before the file was begun */
	/* Refuses files that must not be replaced, after telling; with what it needs for that. */
	enum gprofx_result (*check)(struct run *run, const void *context, const char *name);
	const void *context;
};

/* A writer on standard output. */
struct writer *writer_to_standard_output(struct run *run);

/* The same with a buffer of the caller's, at least GPROFX_WRITER_ROOM bytes, without colors. */
struct writer *writer_in_room(struct run *run, char *buffer, size_t bytes);

/*
 * A writer on a file that appears under its name only when writer_close() succeeds; what cannot be
 * replaced (a device, a pipe) is written to as it is.  NULL after an error was reported, with the
 * id "failure".
 */
struct writer *writer_to_file(struct run *run, const char *name, const char *failure);

/* Writes out what is buffered. */
void writer_flush(struct writer *writer);

/*
 * Flushes and finishes.  keep: the content is complete; else a file is removed.  Reports the first
 * failure of all writes.
 */
enum gprofx_result writer_close(struct run *run, struct writer *writer, bool keep);

#endif
