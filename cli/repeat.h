/* SPDX-License-Identifier: Apache-2.0 */
/* Options that another command about the same data needs, too. */
#ifndef CLI_REPEAT_H
#define CLI_REPEAT_H

#include <stdbool.h>

#include "command.h"
#include "options.h"

/*
 * Notes an option of the command line, with its value or NULL, if reports without it are of other
 * data or have other names.  Returns false if there is no memory, which was reported.
 */
bool repeat_note(struct command *command, const struct cli_option *option, const char *value);

#endif
