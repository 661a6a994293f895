/* SPDX-License-Identifier: Apache-2.0 */
/* The share of a process in the run: its own files, and what its children have read. */
#ifndef MPI_SHARE_H
#define MPI_SHARE_H

#include "engine.h"
#include "job.h"
#include "listing.h"
#include "team.h"
#include "voice.h"
#include "wire.h"

/* Bytes from malloc. */
struct share_bytes {
	uint8_t *items;
	size_t count, room;
};

struct share {
	struct job job;
	struct voice voice;
	struct team team;
	/* Of all processes: no files, and what the operands are. */
	struct engine_settings settings;
	bool keeps_going;
	bool lacks_operands; /* on process 0: a folder or pattern stands for no file */
	/* The names of the process and of those that get them from it. */
	struct name_list list;
	uint64_t group_files; /* of the group */
	const char **names;   /* the first ones are its own */
	uint32_t name_count;  /* of these */
	uint64_t first;       /* so many files of the group come before them */
	struct share_bytes base;
	struct share_bytes partial; /* what the process has read, for its parent */
	bool has_partial;
	bool has_noted; /* what the process itself left out */
	/* While children are asked. */
	int next_child;
	uint8_t *received; /* the last result */
	bool is_refused;   /* the engine has reported an error about it */
	bool has_copies;   /* files of forked children were read by several processes */
	bool has_misfit;   /* a result does not fit what the process has */
	char partial_name[WIRE_TEXT + JOB_HOST_ROOM];
};

/*
 * Makes a base of the first of the listed files that can be read; of none: there is none.  False:
 * something else is wrong, which was reported.
 */
bool share_make_base(struct share *share);

/* Reads the files and adds what children have read.  Process 0 writes the outputs. */
bool share_run(struct share *share);

void share_free_bytes(struct share_bytes *bytes);

#endif
