/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of plugins: those asked for, those linked in, those with a manifest.  A module that is
 * only listed is not opened.
 */
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/run.h"
#include "config/config.h"
#include "plugin/modules.h"
#include "plugin/manifest.h"
#include "plugin/plugins.h"

struct listing {
	struct run *run;
	void (*each)(void *opaque, const struct engine_plugin_info *info);
};

static void
tell(const struct listing *listing, const struct engine_plugin_info *info)
{
	listing->each(listing->run->frontend->opaque, info);
}

static const char *
positions_detail(bool has_positions)
{
	return has_positions ? "source positions" : NULL;
}

static const char *
machines_detail(struct run *run, const char *machines)
{
	return machines ? text_format(run, "ELF machine %s", machines) : NULL;
}

static const char *
machine_numbers(struct run *run, const struct gprofx_findcall *findcall)
{
	const char *words = text_format(run, "%u", findcall->machines[0]);

	for (uint32_t i = 1; i < findcall->machine_count; i++)
		words = text_format(run, "%s, %u", words, findcall->machines[i]);
	return words;
}

/* The interfaces of an open plugin; returns their number. */
static uint32_t
interfaces_of(struct run *run, const struct plugin *plugin,
              struct engine_plugin_info infos[PLUGIN_KINDS])
{
	const struct gprofx_plugin *d = &plugin->descriptor;
	uint32_t count = 0;

	for (uint32_t kind = 0; kind < PLUGIN_KINDS; kind++) {
		const char *detail = plugin_word(plugin, kind);

		if (!plugin_is(plugin, kind))
			continue;
		if (kind == PLUGIN_SYMBOLS)
			detail = positions_detail(plugin->symbols.locate);
		if (kind == PLUGIN_FINDCALL)
			detail = machines_detail(run, machine_numbers(run, &plugin->findcall));
		infos[count++] = (struct engine_plugin_info){
			.name = d->name,
			.summary = d->summary,
			.kind = plugin_kind_name(kind),
			.detail = detail,
			.file = plugin->file,
		};
	}
	return count;
}

/* One line for each interface of an open plugin. */
static void
list_open(const struct listing *listing, const struct plugin *plugin)
{
	struct engine_plugin_info infos[PLUGIN_KINDS];
	uint32_t count = interfaces_of(listing->run, plugin, infos);

	for (uint32_t i = 0; i < count; i++)
		tell(listing, &infos[i]);
}

static const char *
problem_of(struct run *run, const struct manifest *manifest)
{
	const char *doubt;

	if (manifest->is_broken)
		return "its manifest is invalid";
	if (manifest->abi != GPROFX_ABI_MAJOR)
		return text_format(run,
		                   "it was built for interface %u, but this program provides "
		                   "%d",
		                   manifest->abi, GPROFX_ABI_MAJOR);
	if (access(manifest->module, F_OK) != 0)
		return "its module is missing";
	doubt = plugin_module_doubt(run, manifest->folder, manifest->module);
	if (doubt)
		return doubt;
	return plugin_denial(run, manifest->name);
}

/* One line for each interface that the manifest states, one for a broken manifest. */
static void
list_manifest(const struct listing *listing, const struct manifest *manifest)
{
	struct engine_plugin_info info = {
		.name = manifest->name,
		.summary = manifest->summary,
		.kind = "unknown",
		.file = manifest->module,
		.problem = problem_of(listing->run, manifest),
	};

	if (manifest->is_broken)
		tell(listing, &info);
	for (uint32_t kind = 0; kind < PLUGIN_KINDS; kind++) {
		if (!(manifest->kinds & 1u << kind))
			continue;
		info.kind = plugin_kind_name(kind);
		info.detail = manifest->format[kind];
		if (kind == PLUGIN_SYMBOLS)
			info.detail = positions_detail(manifest->has_positions);
		if (kind == PLUGIN_FINDCALL)
			info.detail = machines_detail(listing->run, manifest->machines);
		tell(listing, &info);
	}
}

/* Whether a plugin of that name was asked for; it takes precedence over others of the name. */
static bool
is_asked_for(struct run *run, const char *name)
{
	for (const struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
		if (plugin->asked_for && strcmp(plugin->descriptor.name, name) == 0)
			return true;
	return false;
}

static enum gprofx_result
list_all(struct run *run, void *argument)
{
	struct listing *listing = argument;
	enum gprofx_result configured = config_apply(run), named = config_open_plugins(run);
	const struct gprofx_plugin *const *builtin = run->settings->builtin;

	listing->run = run;
	for (const struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
		if (plugin->asked_for)
			list_open(listing, plugin);
	for (; builtin && *builtin; builtin++) {
		const struct engine_plugin_info info = {
			.name = (*builtin)->name,
			.summary = (*builtin)->summary,
			.kind = "unknown",
			.problem = plugin_denial(run, (*builtin)->name),
		};
		const struct plugin *plugin;
		bool broken;

		if (info.problem) {
			tell(listing, &info);
			continue;
		}
		plugin = plugin_by_name(run, (*builtin)->name, &broken);
		if (plugin && !plugin->asked_for)
			list_open(listing, plugin);
	}
	for (const struct manifest *manifest = manifests(run); manifest; manifest = manifest->next)
		if (!is_asked_for(run, manifest->name))
			list_manifest(listing, manifest);
	return configured == GPROFX_OK ? named : configured;
}

bool
engine_list_plugins(const struct engine_settings *settings, const struct engine_frontend *frontend,
                    void (*each)(void *opaque, const struct engine_plugin_info *info))
{
	struct listing listing = {.each = each};

	return run_whole(settings, frontend, list_all, &listing);
}

struct description {
	const char *word;
	void (*each)(void *opaque, const struct engine_plugin_details *details);
};

static enum gprofx_result
describe(struct run *run, void *argument)
{
	const struct description *description = argument;
	enum gprofx_result configured = config_apply(run);
	const struct plugin *plugin = plugin_open_asked(run, description->word);
	struct engine_plugin_info infos[PLUGIN_KINDS];
	struct engine_plugin_details details;
	const struct gprofx_option **options;
	const char **values;

	if (!plugin)
		return GPROFX_FAILED;
	details = (struct engine_plugin_details){
		.name = plugin->descriptor.name,
		.version = plugin->descriptor.version,
		.summary = plugin->descriptor.summary,
		.file = plugin->file,
		.abi_major = plugin->descriptor.abi_major,
		.abi_minor = plugin->descriptor.abi_minor,
		.interfaces = infos,
		.interface_count = interfaces_of(run, plugin, infos),
		.option_count = plugin->descriptor.option_count,
	};
	options = memory_alloc_array(run, sizeof(const struct gprofx_option *),
	                             details.option_count);
	memory_array(run, values, details.option_count);
	for (uint32_t i = 0; i < details.option_count; i++) {
		options[i] = plugin_option(plugin, i);
		values[i] = option_values(run, options[i]);
	}
	details.options = options;
	details.values = values;
	description->each(run->frontend->opaque, &details);
	return configured;
}

bool
engine_describe_plugin(const struct engine_settings *settings,
                       const struct engine_frontend *frontend, const char *word,
                       void (*each)(void *opaque, const struct engine_plugin_details *details))
{
	struct description description = {.word = word, .each = each};

	return run_whole(settings, frontend, describe, &description);
}
