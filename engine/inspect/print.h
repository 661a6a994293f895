/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts about settings have in common. */
#ifndef ENGINE_INSPECT_PRINT_H
#define ENGINE_INSPECT_PRINT_H

#include "base/run.h"

/* Text in double quotes, as YAML and JSON have it. */
void inspect_put_quoted(struct gprofx_writer *out, const char *text);

/*
 * Finalizes the settings of a run that only prints them, and opens all plugins; one that cannot be
 * used has nothing to print.
 */
enum gprofx_result inspect_open_all(struct run *run);

#endif
