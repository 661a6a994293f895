/* SPDX-License-Identifier: Apache-2.0 */
/* The effects of gprof's options. */
#ifndef CLI_COMPAT_H
#define CLI_COMPAT_H

#include "command.h"
#include "engine.h"
#include "options.h"

/* Name of gprof: under it, or as TRIPLET-gprof, the program behaves as GNU gprof does. */
bool compat_is_gprof(const char *base_name);

/*
 * Lets one of gprof's options act; value is its argument or NULL.  Returns false if the argument is
 * no good; the console has reported it.
 */
bool compat_apply(struct command *command, const struct cli_option *option, const char *value);

/* Switches the listing of an option on or off, and takes its symspec, or NULL. */
void compat_list(struct command *command, const struct cli_option *option, const char *spec);

/* Does what can be done only when all options have acted; false: there is no memory for it. */
bool compat_finish(struct command *command);

/* Symspecs that one word of the command line can stand for, and those that are always there. */
enum { COMPAT_SPECS_PER_WORD = 2, COMPAT_DEFAULT_SPECS = ENGINE_COLLECTOR_SPECS };

/* Options of emitters that compat_finish() and terminal_prepare() set at most. */
enum { COMPAT_EMITTER_OPTIONS = 15 };

#endif
