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
const char *
trust_doubt(struct run *run, const struct stat *status, mode_t writers, const char *what);

/* The same whoever it belongs to. */
const char *trust_doubt_about_writers(struct run *run, const struct stat *status, mode_t writers,
                                      const char *what);

/* The same as the first about the folder that a file is in. */
const char *trust_doubt_about_folder(struct run *run, const char *file, mode_t writers);

#endif
