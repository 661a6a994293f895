/* SPDX-License-Identifier: Apache-2.0 */
/* The command that compares two profiles. */
#ifndef CLI_DIFF_H
#define CLI_DIFF_H

#include <stdbool.h>

#include "command.h"
#include "options.h"

/* The exit status where the new side is slower than --fail-if-slower allows. */
enum { DIFF_STATUS_SLOWER = 3 };

/* Sets what its options are set to if they are not given. */
void diff_begin(struct command *command);

/* Applies one of its options; false: the console has reported what is wrong with the value. */
bool diff_apply(struct command *command, const struct cli_option *option, const char *value);

/* Takes its operands, which end with NULL; false: reported. */
bool diff_finish(struct command *command, char **operands);

#endif
