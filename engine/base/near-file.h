/* SPDX-License-Identifier: Apache-2.0 */
/* What may be meant by a name of a file that does not exist. */
#ifndef ENGINE_BASE_NEAR_FILE_H
#define ENGINE_BASE_NEAR_FILE_H

#include "base/run.h"

/*
 * A hint: what the front end advises, or a name in its folder that is like this one, or begins with
 * it and a dot; NULL: there is none.  is_program: only names of files that can be executed, and the
 * only one that begins with it.
 */
const char *near_file(struct run *run, const char *name, bool is_program);

/* Whether the first bytes of a file are text. */
bool near_file_is_text(const void *bytes, uint64_t length);

#endif
