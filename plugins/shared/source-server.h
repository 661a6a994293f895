/* SPDX-License-Identifier: Apache-2.0 */
/* Sources from the servers that the user's environment names in DEBUGINFOD_URLS. */
#ifndef PLUGINS_SHARED_SOURCE_SERVER_H
#define PLUGINS_SHARED_SOURCE_SERVER_H

#include <gprofx/emitter.h>

/*
 * Opens a source of the image's build.  -1: there is none; *why is the reason, or NULL where no
 * server is to be asked.
 */
int server_open(const struct gprofx_report *report, const char *name, const char **why);

#endif
