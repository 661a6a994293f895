/* SPDX-License-Identifier: Apache-2.0 */
/* A process among its parent and children: who is at work, how far, and who does not answer. */
#ifndef MPI_TEAM_H
#define MPI_TEAM_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "tree.h"
#include "voice.h"
#include "wire.h"

enum child_state {
	CHILD_WORKS,
	CHILD_HAS_RESULT,
	CHILD_IS_OVER, /* its result was taken, or left */
	CHILD_IS_LOST  /* it does not answer, or not in our words */
};

struct child {
	int rank, past; /* it and what is behind it */
	int number;     /* as users know it */
	char host[JOB_HOST_ROOM];
	enum child_state state;
	bool knows_files;
	uint64_t files;   /* of its block; with --node-local, its own */
	char *first_file; /* NULL: none */
	uint64_t done;    /* files of its block that were read so far */
	struct wire_head result;
};

struct team {
	const struct job *job;
	struct voice *voice;
	struct tree_place place;
	struct child children[TREE_RADIX];
	int64_t timeout; /* in ms; 0: none */
	/* Of the process itself. */
	uint64_t files, done;
	const char *first_file; /* NULL: none */
	bool keeps_alive;       /* the parent hears how far it is */
	bool shows_progress;    /* on a terminal */
	bool prints_progress;   /* in lines */
	int64_t next_line;      /* when, in ms */
	uint64_t printed;       /* files in the last one */
	uint64_t total;         /* files of the job */
	/* Of those behind it that are over. */
	uint64_t left_out, lost, done_behind;
	bool lacks_notes;      /* there were more */
	char notes[WIRE_TEXT]; /* what was left out, first of all: a line each */
	size_t notes_length;
	uint32_t note_count;
	struct wire_outbox outbox;
	/* What tells the parent; the next one is sent when that has arrived. */
	struct wire_head alive;
	MPI_Request alive_request;
	bool is_underway;
	int64_t next_alive;
	/* Who is waited for, since when nothing was heard; NULL: no one. */
	struct child *awaited;
	int64_t heard;
};

/* A clock, in ms. */
int64_t team_now(void);

/* Finds parent and children, and exchanges names with them. */
void team_begin(struct team *team, const struct job *job, struct voice *voice);
void team_end(struct team *team);

/* To be called often: listens to children, and tells the parent.  opaque: the team.  False: the
 * child that is waited for has not answered in time. */
bool team_go_on(void *opaque);

/* Waits for the result of a child that works.  False: it is lost, which was reported. */
bool team_await(struct team *team, struct child *child);
/* Receives the bytes of a result.  NULL: the child is lost.  To be freed. */
uint8_t *team_take(struct team *team, struct child *child);
/* Adds up what a child's result states, whose bytes were taken, or are not wanted. */
void team_finish_child(struct team *team, struct child *child);
/* Waits for all children, and takes no more bytes. */
void team_dismiss(struct team *team);

/* Prints how many files were read, if there are more than the last time. */
void team_print_progress(struct team *team);

/* Notes something that was left out, for the summary. */
void team_note(struct team *team, const char *what);
/* Forgets what was noted and left out: all of it is read again. */
void team_forget_notes(struct team *team);
/* Waits until all that was sent has arrived. */
void team_flush(struct team *team);

#endif
