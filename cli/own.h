/* SPDX-License-Identifier: Apache-2.0 */
/* The options that GNU gprof does not have. */
#ifndef CLI_OWN_H
#define CLI_OWN_H

#include "command.h"
#include "engine.h"
#include "options.h"

/* Applies one of them; false: the value was refused, and the console has reported why. */
bool own_apply(struct command *command, const struct cli_option *option, const char *value);

/* Whether what goes to standard output is to be colored. */
bool own_wants_color(const struct command *command);

/* Adds a folder of plugins; false: there is no memory for it. */
bool own_add_folder(struct command *command, const char *path, size_t length);

#endif
