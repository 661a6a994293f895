/* SPDX-License-Identifier: Apache-2.0 */
/* "gprofx open": a report for another program, and that program. */
#ifndef CLI_OPEN_H
#define CLI_OPEN_H

#include "command.h"
#include "engine.h"

/* --with=NAME.  False: there is no such viewer, which the console has reported. */
bool open_choose(struct command *command, const char *value);

/* Whether the command can be run; false: the console has reported why not. */
bool open_check(const struct command *command);

/* Writes the report and shows it.  False: an error was reported. */
bool open_run(struct command *command, const struct engine_frontend *frontend);

#endif
