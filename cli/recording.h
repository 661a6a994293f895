/* SPDX-License-Identifier: Apache-2.0 */
/* The last recording, where the command line names no program. */
#ifndef CLI_RECORDING_H
#define CLI_RECORDING_H

#include "command.h"
#include "engine.h"

/* What "gprofx record" writes without -o. */
#define RECORDING_FOLDER "gprofx.data"

/*
 * Takes the program of the last recording if it has one; lists its programs if there are several,
 * or if the operand is a script, which is none of them.  An operand that is a folder is the
 * recording.
 * Returns true if that was all: then *is_done says whether it went well.
 */
bool
recording_choose(struct command *command, const struct engine_frontend *frontend, bool *went_well);

#endif
