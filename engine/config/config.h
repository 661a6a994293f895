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

/*
 * Opens the plugins that settings ask for, and makes sure that those exist whose options are set.
 * Failures have been reported.
 */
enum gprofx_result config_open_plugins(struct run *run);

#endif
