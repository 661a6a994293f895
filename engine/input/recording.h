/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings: folders that "gprofx record" makes, with a file of the collector for each process, of
 * one program or of several.
 */
#ifndef ENGINE_INPUT_RECORDING_H
#define ENGINE_INPUT_RECORDING_H

#include "base/run.h"
#include "profile/profile.h"

/* A process. */
struct recorded {
	const char *file;    /* path, with that of the folder */
	const char *program; /* path of what it ran; "": not known */
	uint64_t samples, calls;
	uint32_t rate;      /* samples in a second */
	int64_t start, end; /* seconds since 1970; end: when it was written last */
};

struct recording {
	struct recorded *rows; /* by the names of their files */
	uint32_t count;
};

/*
 * Reads what a folder has.  Files that are not of the collector are skipped.  counts: also how
 * many samples and calls there are; otherwise they are 0.
 */
struct recording recording_read(struct run *run, const char *folder, bool counts);

/*
 * By what processes of a program are known that the user names by this path: by the path of the
 * file, if the recording has that; else by its name, since programs are moved.
 */
const char *recording_key(const struct recording *recording, const char *program);

/* Whether a process ran the program with this key. */
bool recording_is_of(const struct recorded *row, const char *key);

/*
 * Takes the recording of the settings in place of the usual profile, if the user named none, it is
 * of the program, and it is not older than that profile.
 */
enum gprofx_result recording_take(struct run *run);

/*
 * Whether all profiles of the settings are recordings, which say what their code is of: they can be
 * read without the program, unless something is wanted that needs it.
 */
bool recording_is_all(struct run *run);

/*
 * Warns of what was lost while the files of a run and of those after it were recorded.  Where
 * findings are wanted, they say it, with shares.
 */
void recording_warn_of_losses(struct run *run, const struct profile *profile);

#endif
