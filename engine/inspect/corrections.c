/* SPDX-License-Identifier: Apache-2.0 */
/* The corrections that would be made, as the command line and files of settings choose them. */
#include "base/run.h"
#include "config/config.h"

static enum gprofx_result
choose_configured(struct run *run, void *argument)
{
	uint64_t *chosen = argument;
	enum gprofx_result result = config_apply(run);

	*chosen = engine_corrections_chosen(run->settings);
	return result;
}

bool
engine_corrections_configured(const struct engine_settings *settings,
                              const struct engine_frontend *frontend, uint64_t *chosen)
{
	return run_whole(settings, frontend, choose_configured, chosen);
}
