/* SPDX-License-Identifier: Apache-2.0 */
/* Who could have written a file: what nobody named must be the work of a user that is trusted. */
#ifndef ENGINE_BASE_TRUST_H
#define ENGINE_BASE_TRUST_H

#include <sys/stat.h>

#include "base/run.h"

/*
 * Why what is there could be the work of somebody else, or NULL: it belongs to a user that the
 * settings do not trust, or others may write to it.  writers: who must not (S_IWGRP, S_IWOTH);
 * what: how the words call it.
 */
typedef const char *
trust_judge(struct run *run, const struct stat *status, mode_t writers, const char *what);

trust_judge trust_doubt;

/* The same whoever it belongs to. */
trust_judge trust_doubt_about_writers;

/* The same as one of these about the folder that a file is in. */
const char *
trust_doubt_about_folder(struct run *run, const char *file, mode_t writers, trust_judge *judge);

#endif
