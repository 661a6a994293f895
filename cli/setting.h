/* SPDX-License-Identifier: Apache-2.0 */
/* Options that set a setting with a single value, by the engine's table of settings. */
#ifndef CLI_SETTING_H
#define CLI_SETTING_H

#include "command.h"
#include "engine.h"
#include "options.h"

/*
 * Gives the setting of an option the value of its argument, or, without one, the opposite of its
 * default.  False: the argument is no good; the console has reported it.
 */
bool setting_apply(struct command *command, const struct cli_option *option, const char *value);

/* The words that a setting takes; ends with NULL.  NULL: none, or no setting.  Static. */
const char *const *setting_words(enum engine_setting setting);

#endif
