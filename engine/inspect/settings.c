/* SPDX-License-Identifier: Apache-2.0 */
/* The list of all that may stand in a file of settings, from the tables that it is checked against.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "config/config.h"
#include "config/keys.h"
#include "inspect/print.h"
#include "plugin/manifest.h"
#include "plugin/plugins.h"

struct listing {
	void (*each)(void *opaque, const struct engine_setting_info *info);
};

static void
tell_option(struct run *run, const struct listing *listing, const char *before,
            const struct gprofx_option *option)
{
	const struct engine_setting_info info = {
		.path = text_format(run, "%s%s", before, option->key),
		.initial = option->initial,
		.values = option_values(run, option),
		.help = option->help,
	};

	listing->each(run->frontend->opaque, &info);
}

static void
tell_list(struct run *run, const struct listing *listing, const char *section, const char *key,
          const char *help)
{
	const struct engine_setting_info info = {
		.path = section ? text_format(run, "%s.%s", section, key) : key,
		.initial = "[]",
		.help = help,
	};

	listing->each(run->frontend->opaque, &info);
}

static void
tell_keys(struct run *run, const struct listing *listing)
{
	uint32_t count;
	const struct engine_key *keys = engine_keys(&count);

	for (uint32_t i = 0; i < count; i++)
		tell_option(run, listing,
		            keys[i].section ? text_format(run, "%s.", keys[i].section) : "",
		            &keys[i].option);
	tell_list(run, listing, NULL, "preset", "presets to read first, by name");
	tell_list(run, listing, NULL, "include",
	          "settings files to read first, relative to this file");
	tell_list(run, listing, "plugins", "load",
	          "plugins to load: names, or paths relative to this file");
	tell_list(run, listing, "plugins", "allow",
	          "the only plugins that may be loaded, by name; * matches anything");
	tell_list(run, listing, "plugins", "deny",
	          "plugins that must not be loaded, by name; * matches anything");
	tell_list(run, listing, NULL, "plugin-path",
	          "folders to search for plugins first; absolute paths");
	tell_list(run, listing, NULL, "outputs",
	          "what to write: mappings of format, file and options; empty: the tables that the "
	          "profile has data for");
}

static void
tell_corrections(struct run *run, const struct listing *listing)
{
	uint32_t count;
	const struct engine_correction *rows = engine_corrections(&count);

	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_option option = config_correction_option(&rows[i]);

		tell_option(run, listing, "corrections.", &option);
	}
}

/* Opens a plugin unless that was tried before. */
static void
open_other(struct run *run, const char *name)
{
	const struct engine_settings *settings = run->settings;

	for (uint32_t i = 0; i < settings->option_count; i++)
		if (strcmp(settings->options[i].plugin, name) == 0)
			return;
	plugin_try_to_open(run, name);
}

enum gprofx_result
inspect_open_all(struct run *run)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;
	enum gprofx_result result = config_apply(run);

	if (result == GPROFX_OK)
		result = config_open_plugins(run);
	/* What files say of a plugin is checked when it is opened. */
	for (uint32_t i = 0; i < run->settings->option_count; i++) {
		const struct engine_option *option = &run->settings->options[i];
		bool broken;

		if ((i == 0 || option[-1].plugin != option->plugin) &&
		    !plugin_by_name(run, option->plugin, &broken) && broken)
			result = GPROFX_FAILED;
	}
	for (; builtin && *builtin; builtin++)
		open_other(run, (*builtin)->name);
	for (const struct manifest *m = manifests(run); m; m = m->next)
		open_other(run, m->name);
	return result;
}

static enum gprofx_result
list_all(struct run *run, void *argument)
{
	const struct listing *listing = argument;
	enum gprofx_result result = inspect_open_all(run);

	tell_keys(run, listing);
	tell_corrections(run, listing);
	for (const struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
		for (uint32_t i = 0; i < plugin->descriptor.option_count; i++)
			tell_option(run, listing,
			            text_format(run, "options.%s.", plugin->descriptor.name),
			            plugin_option(plugin, i));
	return result;
}

bool
engine_list_settings(const struct engine_settings *settings, const struct engine_frontend *frontend,
                     void (*each)(void *opaque, const struct engine_setting_info *info))
{
	struct listing listing = {.each = each};

	return run_whole(settings, frontend, list_all, &listing);
}

/* The corrections that would be made, as the command line and files of settings choose them. */
static enum gprofx_result
choose_configured(struct run *run, void *argument)
{
	uint64_t *chosen = argument;
	enum gprofx_result result = config_apply(run);

	*chosen = engine_corrections_chosen(run->settings);
	return result;
}

struct looking {
	void (*look)(void *opaque, const struct engine_settings *settled);
	void *opaque;
};

static enum gprofx_result
look_at_settled(struct run *run, void *argument)
{
	const struct looking *looking = argument;
	enum gprofx_result result = config_apply(run);

	if (result == GPROFX_OK)
		looking->look(looking->opaque, run->settings);
	return result;
}

bool
engine_settle(const struct engine_settings *settings, const struct engine_frontend *frontend,
              void (*look)(void *opaque, const struct engine_settings *settled), void *opaque)
{
	struct looking looking = {look, opaque};

	return run_whole(settings, frontend, look_at_settled, &looking);
}

bool
engine_corrections_configured(const struct engine_settings *settings,
                              const struct engine_frontend *frontend, uint64_t *chosen)
{
	return run_whole(settings, frontend, choose_configured, chosen);
}
