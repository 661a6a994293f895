/* SPDX-License-Identifier: Apache-2.0 */
/* What makes shells complete the options. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdbool.h>

#include "console.h"

/* Prints it for bash, zsh or fish; console: NULL to find out whether the shell is known. */
bool completion_print(struct console *console, const char *shell);

#endif
