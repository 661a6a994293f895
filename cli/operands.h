/* SPDX-License-Identifier: Apache-2.0 */
/* Operands that are missing or misplaced, outside of GNU mode. */
#ifndef CLI_OPERANDS_H
#define CLI_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "args.h"
#include "command.h"

/* To be called for each option: notes which word may have been meant for its argument, or is it. */
void operands_note(struct command *command, const struct args *args);

/* Has the engine give a hint that fits the command line if the program is not there. */
void operands_advise(struct command *command, char **operands);

/* Whether there is a program of that name in the working directory. */
bool operands_is_program(const char *name);

/*
 * Writes operands as words of a command, the program so that a shell finds it; "PROGRAM" if there
 * are none, or some that a shell would not take as they are.
 */
void operands_write(char *text, size_t room, char *const *operands);

#endif
