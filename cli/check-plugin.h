/* SPDX-License-Identifier: Apache-2.0 */
/* --check-plugin: what is wrong with a module, in words. */
#ifndef CLI_CHECK_PLUGIN_H
#define CLI_CHECK_PLUGIN_H

#include <stdbool.h>

#include "command.h"

/* Checks the modules that were named.  Returns whether nothing is wrong with any. */
bool check_plugins(const struct command *command);

#endif
