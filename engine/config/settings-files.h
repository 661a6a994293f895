/* SPDX-License-Identifier: Apache-2.0 */
/* Files of settings: from a name to what the file says. */
#ifndef ENGINE_CONFIG_SETTINGS_FILES_H
#define ENGINE_CONFIG_SETTINGS_FILES_H

#include "config/keys.h"
#include "engine.h"

/* Adds what a file says, and before it what the file includes.  Errors are reported. */
void config_read_file(struct config *config, const char *file, bool is_optional);

/* Likewise a document that is there already.  name: for messages. */
void config_read_text(struct config *config, const char *name, const char *text);

/*
 * Likewise the file of a preset that is named at this place, or, if it is NULL, by the user.
 * is_found: the file itself was not named, so that it matters who owns it.
 */
void config_read_named(struct config *config, const char *file, const char *preset, bool is_found,
                       const struct engine_origin *origin);

/* Likewise a preset by its name, wherever that is. */
void
config_read_preset(struct config *config, const char *name, const struct engine_origin *origin);

/* Likewise a file that the document under way names at this place. */
void config_include(struct config *config, const char *file, const struct engine_origin *origin);

#endif
