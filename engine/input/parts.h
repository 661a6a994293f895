/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings that are folders: a first file, "data", and parts, "data.0", "data.1" and so on. */
#ifndef ENGINE_INPUT_PARTS_H
#define ENGINE_INPUT_PARTS_H

#include "base/run.h"

/* The first file of the recording that a folder is; NULL: it is none.  Run lifetime. */
const char *parts_first(struct run *run, const char *folder);

/* Notes the files of a folder as profiles that are read, if it is such a recording. */
void parts_note(struct run *run, const char *folder);

/* Opens the parts that are beside the first file, if it is one.  *bytes: of all, with this. */
void parts_open(struct run *run, struct gprofx_file *first, uint64_t *bytes);

/* Takes the first file in place of a folder that stands where the program does. */
void parts_take(struct run *run);

#endif
