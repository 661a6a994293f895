/* SPDX-License-Identifier: Apache-2.0 */
/* Adds what files of settings say to the settings of a run. */
#include "config/config.h"

#include "base/memory.h"
#include "base/origins.h"
#include "config/settings-files.h"
#include "config/keys.h"
#include "config/set.h"

/* Two lists of texts as one. */
static const char **
join(struct run *run, const char *const *first, uint32_t first_count, const char *const *second,
     uint32_t second_count)
{
	const char **joined;

	memory_array(run, joined, (size_t)first_count + second_count);
	for (uint32_t i = 0; i < first_count; i++)
		joined[i] = first[i];
	for (uint32_t i = 0; i < second_count; i++)
		joined[first_count + i] = second[i];
	return joined;
}

/* Plugins that were asked for on the command line take precedence over those of files. */
static void
add_plugins(struct config *config)
{
	struct engine_settings *settings = config->settings;
	struct run *run = config->run;
	uint32_t installed = settings->installed_folder_count;
	uint32_t asked = settings->plugin_folder_count - installed;
	const char *const *folders = settings->plugin_folders;

	settings->plugins = join(run, settings->plugins, settings->plugin_count, config->plugins,
	                         config->plugin_count);
	settings->plugin_count += config->plugin_count;
	settings->plugin_folders = join(run, folders, asked, config->plugin_folders,
	                                config->plugin_folder_count);
	asked += config->plugin_folder_count;
	settings->config_folder_count = config->plugin_folder_count;
	settings->plugin_folders = join(run, settings->plugin_folders, asked,
	                                folders + settings->plugin_folder_count - installed,
	                                installed);
	settings->plugin_folder_count = asked + installed;
}

static void
add_corrections(struct config *config)
{
	struct engine_settings *settings = config->settings;
	uint64_t on = settings->corrections_on, off = settings->corrections_off;

	settings->corrections_on = (config->corrections_on & ~off) | on;
	settings->corrections_off = (config->corrections_off & ~on) | off;
}

static void
read_config(struct config *config, const struct engine_config *which)
{
	switch (which->kind) {
	case ENGINE_CONFIG_FOUND:
	case ENGINE_CONFIG_FILE:
		config_read_file(config, which->word, which->kind == ENGINE_CONFIG_FOUND);
		break;
	case ENGINE_CONFIG_PRESET:
		config_read_preset(config, which->word, NULL);
		break;
	case ENGINE_CONFIG_TEXT:
		config_read_text(config, which->word, which->text);
		break;
	case ENGINE_CONFIG_VALUE:
		config_set(config, "--set", false, which->word);
		break;
	}
}

enum gprofx_result
config_apply(struct run *run)
{
	const struct engine_settings *given = run->settings;
	struct config *config;
	uint32_t errors = run->error_count;

	if (given->config_count == 0)
		return GPROFX_OK;
	config = memory_alloc(run, sizeof *config);
	config->run = run;
	config->settings = memory_alloc(run, sizeof *config->settings);
	config->origins = memory_alloc(run, sizeof *config->origins);
	*config->settings = *given;
	for (uint32_t i = 0; i < given->config_count; i++)
		read_config(config, &given->configs[i]);
	/* Half of the settings may be worse than none. */
	if (run->error_count > errors)
		return GPROFX_FAILED;
	if (config->documents == 0)
		return GPROFX_OK;
	if (!given->only_installed)
		add_plugins(config);
	add_corrections(config);
	if (!engine_is_given(given, ENGINE_SET_OUTPUTS) && config->output_count > 0) {
		config->settings->outputs = config->outputs;
		config->settings->output_count = config->output_count;
	}
	config->settings->options = config->options;
	config->settings->option_count = config->option_count;
	config->origins->found_plugins = config->plugins_are_found ? config->plugin_count : 0;
	run->origins = config->origins;
	run->settings = config->settings;
	run->threads = config->settings->threads;
	return GPROFX_OK;
}
