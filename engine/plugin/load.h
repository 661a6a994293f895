/* SPDX-License-Identifier: Apache-2.0 */
/* Opening modules and taking over their descriptors. */
#ifndef ENGINE_PLUGIN_LOAD_H
#define ENGINE_PLUGIN_LOAD_H

#include "plugin/plugins.h"

/*
 * Opens the module in a file and returns its descriptor, or NULL after an error was reported.
 */
const struct gprofx_plugin *plugin_load(struct run *run, const char *path);

/*
 * Checks a descriptor and copies it.  expected_name: what the file name says it is called, or NULL.
 * Returns NULL after an error was reported.
 */
struct plugin *plugin_check(struct run *run, const struct gprofx_plugin *descriptor,
                            const char *path, const char *expected_name);

#endif
