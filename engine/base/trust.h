/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who could have written a file: one that was found, not named, must be the work of a trusted user.
 */
#ifndef ENGINE_BASE_TRUST_H
#define ENGINE_BASE_TRUST_H

#include <sys/stat.h>

#include "base/run.h"

/*
 * Why what is there could be the work of another user, or NULL: it belongs to a user that the
 * settings do not trust, or others may write to it.  writers: who must not (S_IWGRP, S_IWOTH);
 * what: how the words call it.
 */
typedef const char *
trust_judge(struct run *run, const struct stat *status, mode_t writers, const char *what);

trust_judge trust_doubt;

/* The same for any owner. */
trust_judge trust_doubt_about_writers;

/* Who else must not write: to a file or a folder that is used, and to its own folder. */
enum { TRUST_WRITERS = S_IWGRP | S_IWOTH };

/* How each folder on a way is judged. */
struct trust_rules {
	trust_judge *judge;
	mode_t ancestors; /* who must not write to a folder that leads to what is looked for */
};

/* Where a path leads to.  Its descriptor stays open for the run. */
struct trust_place {
	int folder;        /* of the folder itself, or of that in which the file is; -1: error */
	int error;         /* an errno value */
	const char *name;  /* of the file in the folder; it was no link */
	const char *path;  /* the same as a path without links */
	const char *doubt; /* why another user could have led there, or NULL */
};

/*
 * Goes along the path to a folder, or from there to a file, folder by folder: each is opened and
 * judged before the next one is looked for in it, and a link is followed in the same way.  So
 * nothing that happens meanwhile, or later, leads elsewhere.  Of a folder in which everybody has
 * things of their own (as in /tmp), what leads on must belong to a trusted user.
 */
struct trust_place
trust_find_folder(struct run *run, const char *path, const struct trust_rules *rules);
/* from: a folder that the path is seen from, or NULL. */
struct trust_place trust_find_file(struct run *run, const struct trust_place *from,
                                   const char *path, const struct trust_rules *rules);

#endif
