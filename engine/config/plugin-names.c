/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins that settings name: those to be opened, and those whose options are set. */
#include <string.h>

#include "base/nearest.h"
#include "base/run.h"
#include "config/config.h"
#include "config/set.h"
#include "schema/schema.h"
#include "plugin/plugins.h"

/* What is reported about a name that no plugin has. */
static struct gprofx_diagnostic
unknown_name(const struct engine_option *option)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "option.unknown-plugin",
		.hint = "use --list-plugins to see the installed plugins",
		.text = {option->plugin},
	};

	run_set_place(&diagnostic, &option->plugin_origin);
	return diagnostic;
}

/* Whether something installed has the name, or is an emitter of that format. */
static bool
plugin_is_there(struct run *run, const char *name)
{
	return plugin_is_installed(run, name) || plugin_has_emitter(run, name);
}

/* A plugin whose options are set need not be there, but its name could be misspelt. */
static void
check_name(struct run *run, const struct engine_option *option)
{
	struct gprofx_diagnostic diagnostic = unknown_name(option);
	struct nearest nearest;

	if (plugin_is_there(run, option->plugin))
		return;
	nearest_begin(&nearest, option->plugin, strlen(option->plugin));
	plugins_offer_names(run, &nearest);
	diagnostic.text[1] = nearest.found;
	diagnostic.hint = schema_meant(run, nearest.found, diagnostic.hint);
	run_warn(run, &diagnostic, "no plugin with the name \"%s\" is installed", option->plugin);
}

/*
 * A name that stands where settings stand is one of them, or that of a plugin.  A plugin whose
 * option was set by itself is opened even if it is not used: then the value is checked.
 */
static enum gprofx_result
check_required(struct run *run, const struct engine_option *option)
{
	struct gprofx_diagnostic diagnostic = unknown_name(option);
	struct nearest nearest;
	const char *format;
	bool broken;

	if (!option->is_set && plugin_is_there(run, option->plugin))
		return GPROFX_OK;
	if (plugin_by_name(run, option->plugin, &broken) || broken ||
	    plugin_by_format(run, PLUGIN_EMITTER, option->plugin, &broken) || broken)
		return broken ? GPROFX_FAILED : GPROFX_OK;
	nearest_begin(&nearest, option->plugin, strlen(option->plugin));
	config_offer_sections(&nearest);
	format = plugin_nearest_format(run, PLUGIN_EMITTER, option->plugin);
	if (format)
		nearest_offer(&nearest, format);
	plugins_offer_names(run, &nearest);
	diagnostic.text[1] = nearest.found;
	diagnostic.hint = schema_meant(run, nearest.found,
	                               "use --list-settings to see all "
	                               "settings");
	return run_fail(run, &diagnostic,
	                "unknown key \"%s\": it is no setting, no plugin and no output format",
	                option->plugin);
}

static enum gprofx_result
check_names(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < settings->option_count; i++) {
		const struct engine_option *option = &settings->options[i];

		if (i > 0 && option[-1].plugin == option->plugin)
			continue;
		if (!option->is_plugin_required)
			check_name(run, option);
		else if (check_required(run, option) != GPROFX_OK)
			result = GPROFX_FAILED;
	}
	return result;
}

enum gprofx_result
config_open_plugins(struct run *run)
{
	enum gprofx_result opened = plugins_open_named(run), named = check_names(run);

	return opened == GPROFX_OK ? named : opened;
}
