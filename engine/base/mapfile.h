/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files as bytes: mapped where that is possible, read where it is not. */
#ifndef ENGINE_BASE_MAPFILE_H
#define ENGINE_BASE_MAPFILE_H

#include <errno.h>

#include "base/run.h"

struct mapped_file {
	struct mapped_file *next;
	uint8_t *bytes; /* private to the process; may be written; NULL if the file is empty */
	size_t length;
	int64_t modified;       /* seconds since 1970; 0: not a regular file */
	uint64_t device, inode; /* which file it is; 0: not a regular one */
	bool is_mapped;         /* else the bytes belong to the run's memory */
	bool is_pipe;
	bool is_stream; /* a pipe or a terminal: there is no way back to its beginning */
};

enum mapfile_way {
	MAPFILE_STANDARD_INPUT = 1, /* "-" is standard input */
	MAPFILE_WHOLE = 2,          /* it is read from end to end, so it must not be all holes */
	MAPFILE_REGULAR = 4         /* nothing but a regular file is read */
};

/* What else than the system's errors there can be; each is the errno value that comes nearest. */
enum mapfile_error {
	MAPFILE_ENDLESS = EFBIG,
	MAPFILE_HOLLOW = ENODATA,
	MAPFILE_NO_WRITER = ETIME,
};

/*
 * Opens a file, in the ways (enum mapfile_way) that are set.  Returns NULL and sets *error to an
 * errno value when that fails.
 */
struct mapped_file *mapfile_open(struct run *run, const char *name, uint32_t ways, int *error);
/* The same of a file in a folder that is open, or AT_FDCWD. */
struct mapped_file *
mapfile_open_in(struct run *run, int folder, const char *name, uint32_t ways, int *error);
/* The words for such a value. */
const char *mapfile_words(int error);
/* Gives the bytes back before the run ends. */
void mapfile_close(struct run *run, struct mapped_file *file);
/* The file of the run that holds a byte, or NULL. */
struct mapped_file *mapfile_of(const struct run *run, const uint8_t *byte);
/*
 * Lets memory go that holds bytes of a mapped file, to which nothing was written: they are there
 * again when they are read.  From any thread.
 */
void mapfile_let_go(const struct mapped_file *file, const uint8_t *bytes, size_t length);
/* The same for all of the file of the run that holds a byte, if there is one. */
void mapfile_let_all_go(const struct run *run, const uint8_t *byte);
/* Unmaps all files of the run. */
void mapfile_close_all(struct run *run);

#endif
