/* SPDX-License-Identifier: Apache-2.0 */
/* --list-plugins and --dump-plugin */
#ifndef CLI_PLUGINS_H
#define CLI_PLUGINS_H

#include "command.h"
#include "engine.h"

/* Returns false if the list is not complete; the console has reported why. */
bool plugins_print(const struct command *command, const struct engine_frontend *frontend);

/* Likewise for all that is known of one plugin. */
bool plugins_dump(const struct command *command, const struct engine_frontend *frontend);

#endif
