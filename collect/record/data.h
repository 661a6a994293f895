/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The folder of a recording, and what is in its files. */
#ifndef RECORD_DATA_H
#define RECORD_DATA_H

#include <stdbool.h>
#include <stdint.h>

/* What was recorded, of all files together. */
struct summary {
	uint64_t samples, calls, blocks, threads, processes; /* blocks: executions of them */
	uint64_t lost_calls, lost_samples, lost_blocks;
	double waited;       /* seconds, of all threads */
	bool has_waits;      /* it was looked for them */
	uint32_t unfinished; /* files of processes that had no chance to close them */
	bool is_instrumented;
	char program[4096];   /* path of the first one that was seen; "": not known */
	bool has_several;     /* programs */
	bool is_attached;     /* recorded from outside, by performance events */
	double unsampled;     /* seconds of processor time without samples, of such */
	bool has_other_clock; /* than the one that was asked for */
	bool is_unwritten;    /* what was lost had no room in a file */
};

/*
 * Makes the folder; one of an earlier recording gets ".old" behind its name, and the one that had
 * that name before another one (*has_moved).  Returns false after a message: nothing was touched
 * that is no recording, and data_forget_folder() is due.
 */
bool data_make_folder(const char *folder, bool *has_moved);

/* Nothing was recorded: removes the empty folder, and earlier recordings get their names back. */
void data_forget_folder(const char *folder, bool has_moved);

/* Something is being recorded: removes the recording before the earlier one. */
void data_drop_earlier(const char *folder);

/* Whether a file in a recording has the name of a process's. */
bool data_is_file(const char *name);

/* Whether a file of a page can be written there. */
bool data_has_room(const char *folder);

/* Reads the files of a folder.  false: it has none. */
bool data_summarize(const char *folder, struct summary *summary);

/* Reads one file.  false: it is none of the collector's. */
bool data_summarize_file(const char *file, struct summary *summary);

/*
 * Writes a gmon.out from a file of the collector.  Returns false after a message.
 */
bool data_recover(const char *file, const char *to);

#endif
