/* SPDX-License-Identifier: Apache-2.0 */
/* Presets: files of settings that are known by their names. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/run.h"
#include "config/settings-files.h"
#include "config/keys.h"
#include "schema/schema.h"
#include "plugin/plugins.h"

static const char suffix[] = ".yaml";

/* The folders, the program's own one as the last; NULL: no more. */
static const char *
folder(const struct engine_settings *settings, uint32_t i)
{
	if (i < settings->preset_folder_count)
		return settings->preset_folders[i];
	return i == settings->preset_folder_count ? settings->installed_presets : NULL;
}

/* The preset's file in the first folder that has it, or NULL. */
static const char *
find(struct run *run, const char *name, bool *is_installed)
{
	const struct engine_settings *settings = run->settings;

	if (strchr(name, '/') || name[0] == '.')
		return NULL;
	for (uint32_t i = 0; folder(settings, i); i++) {
		const char *path = text_format(run, "%s/%s%s", folder(settings, i), name, suffix);

		*is_installed = i == settings->preset_folder_count;
		if (access(path, F_OK) == 0)
			return path;
	}
	return NULL;
}

static int
is_preset(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), end = sizeof suffix - 1;

	return entry->d_name[0] != '.' && length > end &&
	       strcmp(entry->d_name + length - end, suffix) == 0;
}

static int
compare_names(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

/* The names of all presets with commas between them, each offered to the search. */
static const char *
list_names(struct run *run, struct nearest *nearest)
{
	const struct engine_settings *settings = run->settings;
	const char *list = NULL;

	for (uint32_t i = 0; folder(settings, i); i++) {
		struct dirent **entries;
		int count = scandir(folder(settings, i), &entries, is_preset, compare_names);

		for (int k = 0; k < count; k++) {
			const char *file = entries[k]->d_name;
			const char *name = text_keep(run, file, strlen(file) - (sizeof suffix - 1));

			nearest_offer(nearest, name);
			list = list ? text_format(run, "%s, %s", list, name) : name;
			free(entries[k]);
		}
		if (count >= 0)
			free(entries);
	}
	return list;
}

static void
fail_unknown(struct run *run, const char *name, const struct engine_origin *origin)
{
	struct gprofx_diagnostic diagnostic = config_diagnostic(NULL, origin,
	                                                        "config.unknown-preset", NULL);
	struct nearest nearest;
	const char *list;

	nearest_begin(&nearest, name, strlen(name));
	list = list_names(run, &nearest);
	diagnostic.text[0] = name;
	diagnostic.text[1] = nearest.found;
	diagnostic.hint = schema_meant(
		run, nearest.found,
		list ? text_format(run, "the available presets are: %s", list)
		     : PLUGIN_INSTALL("config-yaml") ", which comes with presets");
	run_fail(run, &diagnostic, "unknown preset \"%s\"", name);
}

void
config_read_preset(struct config *config, const char *name, const struct engine_origin *origin)
{
	bool is_installed;
	const char *file = find(config->run, name, &is_installed);

	/* The program comes from where its own presets do. */
	if (file)
		config_read_named(config, file, text_keep(config->run, name, strlen(name)),
		                  !is_installed || config->run->settings->is_privileged, origin);
	else
		fail_unknown(config->run, name, origin);
}
