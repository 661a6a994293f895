/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts about settings have in common. */
#ifndef ENGINE_CONFIG_PRINT_H
#define ENGINE_CONFIG_PRINT_H

#include <gprofx/emitter.h>

/* Text in double quotes, as YAML and JSON have it. */
void config_put_quoted(struct gprofx_writer *out, const char *text);

#endif
