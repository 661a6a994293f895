/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of settings state what is set, for messages and listings. */
#ifndef ENGINE_BASE_ORIGINS_H
#define ENGINE_BASE_ORIGINS_H

#include "base/run.h"

enum { ORIGIN_BITS = 64 };

/* Without a file: no file says anything of it. */
struct run_origins {
	struct engine_origin setting[ENGINE_SET_COUNT];
	struct engine_origin correction[ORIGIN_BITS]; /* by the bits GPROFX_CORRECT_… */
	struct engine_origin plugins, plugin_folders, outputs;
	/*
	 * The number of settings->plugins, the last ones, that are of a file that was found, not
	 * named.
	 */
	uint32_t found_plugins;
};

/* Where the files of settings state a setting. */
static inline const struct engine_origin *
run_origin(const struct run *run, enum engine_setting setting)
{
	static const struct engine_origin no_file;

	return run->origins ? &run->origins->setting[setting] : &no_file;
}

#endif
