/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a run has read besides those that its settings name: no output may replace them.
 */
#ifndef ENGINE_BASE_INPUTS_H
#define ENGINE_BASE_INPUTS_H

#include <sys/stat.h>

#include "base/run.h"

/* Notes an open file, or one by its name, as an input; what: in words, static. */
void inputs_note(struct run *run, int descriptor, const char *what);
void inputs_note_name(struct run *run, const char *name, const char *what);

/* What the regular file is as an input, in words; NULL: it is none that was noted. */
const char *inputs_find(const struct run *run, const struct stat *status);

/* Reports that an output would replace another file that the run uses; other: which, in words. */
enum gprofx_result inputs_refuse(struct run *run, const char *output, const char *other);

#endif
