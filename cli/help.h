/* SPDX-License-Identifier: Apache-2.0 */
/* Usage, help and version. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "base/nearest.h"
#include "console.h"
#include "command.h"
#include "engine.h"
#include "message.h"

/* What follows a usage error. */
void help_usage(struct message *message, const char *program);

/* --help: one screen of what is used most; --help=all; --version.  On standard output. */
void help_print(struct console *console);
void help_print_all(struct console *console);
void help_print_version(struct console *console);

/*
 * --help=TOPIC, which names a group of options or a single one.  help_print_topic() takes only
 * topics that there are.
 */
bool help_has_topic(const char *topic);
void help_offer_topics(struct nearest *nearest);
void help_print_topic(struct console *console, const char *topic);

/*
 * The table of corrections, and which of them are on.  Returns whether all went well; else an error
 * was diagnosed.
 */
bool help_print_corrections(const struct command *command, const struct engine_frontend *frontend);

/* Whether a topic of help is about settings: a part of their names, or how names are shortened. */
bool help_is_about_settings(const char *topic);

/* What files of settings may say.  Likewise. */
bool help_print_settings(const struct command *command, const struct engine_frontend *frontend);

/* One setting, or option of a plugin; opaque: the console. */
void help_print_setting(void *opaque, const struct engine_setting_info *info);

#endif
