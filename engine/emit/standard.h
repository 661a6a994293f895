/* SPDX-License-Identifier: Apache-2.0 */
/* What stands together on standard output. */
#ifndef ENGINE_EMIT_STANDARD_H
#define ENGINE_EMIT_STANDARD_H

#include <sys/stat.h>

#include "base/run.h"
#include "emit/emit.h"

/* Whether the file is what standard output goes to. */
bool emit_is_standard_output(const struct stat *file);

/* Tables can follow each other; a document for programs has to be alone. */
enum gprofx_result
emit_check_standard(struct run *run, const struct emit_use *const *uses, uint32_t count);

#endif
