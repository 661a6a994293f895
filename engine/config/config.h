/* SPDX-License-Identifier: Apache-2.0 */
/* Files of settings. */
#ifndef ENGINE_CONFIG_CONFIG_H
#define ENGINE_CONFIG_CONFIG_H

#include "base/run.h"

/*
 * Reads the files of settings, if the settings name any that are there, and gives the run settings
 * that are the old ones with what the files say.  The first stage of a run: what it changes has not
 * been looked at.
 */
enum gprofx_result config_apply(struct run *run);

/* Where the files of settings state a setting (ENGINE_SET_…); no file: they do not. */
const struct engine_origin *config_origin(const struct run *run, uint64_t setting);

/*
 * Makes the settings of a run that does nothing but tell of them final, and opens all plugins; one
 * that cannot be used has nothing to tell of.
 */
enum gprofx_result config_open_all(struct run *run);

#endif
