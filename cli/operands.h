/* SPDX-License-Identifier: Apache-2.0 */
/* Operands that are missing or misplaced, outside of GNU mode. */
#ifndef CLI_OPERANDS_H
#define CLI_OPERANDS_H

#include <stdbool.h>

#include "args.h"
#include "command.h"

/* To be called for each option: notes which word may have been meant for its argument, or is it. */
void operands_note(struct command *command, const struct args *args);

/* Has the engine give a hint that fits the command line if the program is not there. */
void operands_advise(struct command *command, char **operands);

/* Whether there is a program of that name in the working directory. */
bool operands_is_program(const char *name);

#endif
