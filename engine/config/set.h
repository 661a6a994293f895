/* SPDX-License-Identifier: Apache-2.0 */
/* Settings one by one, as the command line gives them. */
#ifndef ENGINE_CONFIG_SET_H
#define ENGINE_CONFIG_SET_H

#include <stdbool.h>

#include "base/nearest.h"
#include "config/keys.h"

/* Offers the keys of files in which there are others. */
void config_offer_sections(struct nearest *nearest);

/*
 * Adds "PATH=VALUE".  speaker: the option or the variable of the environment that says so.  Errors
 * are reported.
 */
void config_set(struct config *config, const char *speaker, bool is_environment, const char *words);

/* Whether a text starts with the path of a setting and "=". */
bool config_is_setting(const char *text);

#endif
