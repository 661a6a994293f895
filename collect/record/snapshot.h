/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies of what a running process has recorded so far. */
#ifndef RECORD_SNAPSHOT_H
#define RECORD_SNAPSHOT_H

#include <limits.h>

enum snapshot {
	SNAPSHOT_FAILED,  /* nothing was written; errno says why */
	SNAPSHOT_RUNNING, /* the process runs on */
	SNAPSHOT_ENDED    /* the process has ended: the copy has all that it recorded */
};

/*
 * Copies the collector's open file of a process to a file, which appears when it is complete, in
 * place of one that is there.  The process is not stopped: each count is that of a moment during
 * the copy, and nothing counts twice.
 */
enum snapshot snapshot_copy(int source, int pid, const char *to);

/*
 * running.c: does so for the process that an option names as PID or PID:FILE.  The name of the file
 * is put into "to".  Returns SNAPSHOT_FAILED after a message.
 */
enum snapshot snapshot_take(const char *words, int *pid, char to[PATH_MAX]);

/*
 * running.c: opens the file of the collector that a process records into.  -1: it has none, or
 * *error, which is 0 otherwise, says why nobody can see.
 */
int snapshot_find(int pid, int *error);

#endif
