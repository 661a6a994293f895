/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds plugins: linked in, already open, by path, by the name of their module.  Manifests are read
 * only when a plugin is wanted whose module's name is not known.
 */
#include <fnmatch.h>
#include <string.h>

#include "base/memory.h"
#include "base/origins.h"
#include "base/nearest.h"
#include "base/run.h"
#include "base/text.h"
#include "plugin/modules.h"
#include "plugin/manifest.h"
#include "plugin/plugins.h"

struct told_name {
	const struct told_name *next;
	const char *name;
};

struct plugin_set {
	struct plugin *first;
	struct plugin **end;
	/* What was reported once: must not be loaded, cannot be used. */
	const struct told_name *denied, *broken;
};

static struct plugin_set *
plugin_set(struct run *run)
{
	struct plugin_host *host = plugin_host(run);

	if (!host->set) {
		host->set = memory_alloc(run, sizeof *host->set);
		host->set->end = &host->set->first;
	}
	return host->set;
}

struct plugin *
plugins_open(struct run *run)
{
	return plugin_set(run)->first;
}

static struct plugin *
take(struct run *run, const struct gprofx_plugin *descriptor, const char *path,
     const char *expected_name)
{
	struct plugin_set *set = plugin_set(run);
	struct plugin *plugin = plugin_check(run, descriptor, path, expected_name);

	if (!plugin)
		return NULL;
	*set->end = plugin;
	set->end = &plugin->next;
	return plugin;
}

static struct plugin *
open_found(struct run *run, const struct plugin_module *module, const char *expected_name)
{
	const struct gprofx_plugin *descriptor = plugin_load(run, module);

	return descriptor ? take(run, descriptor, module->path, expected_name) : NULL;
}

/* The module NAME.so in the first plugin folder that has it, whose number is *folder; or NULL. */
static const char *
module_path(struct run *run, const char *name, uint32_t *folder)
{
	const struct engine_settings *settings = run->settings;

	if (strchr(name, '/'))
		return NULL;
	for (uint32_t i = 0; i < settings->plugin_folder_count; i++) {
		const char *file = text_format(run, "%s.so", name);

		if (!plugin_folder_has(run, i, file))
			continue;
		*folder = i;
		return text_format(run, "%s/%s", settings->plugin_folders[i], file);
	}
	return NULL;
}

static bool
fits_any(const char *const *patterns, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (fnmatch(patterns[i], name, 0) == 0)
			return true;
	return false;
}

/* Whether it is the plugin of others, and only the project's own are wanted. */
static bool
is_left_out(const struct engine_settings *settings, const char *name)
{
	const char *const *own = settings->only_installed ? settings->own_plugins : NULL;

	while (own && *own && strcmp(*own, name) != 0)
		own++;
	return own && !*own;
}

const char *
plugin_denial(struct run *run, const char *name)
{
	const struct engine_settings *settings = run->settings;
	const struct engine_origin *origin = &settings->allowed_origin;

	if (is_left_out(settings, name))
		return "only the plugins of gprofx itself are allowed";
	if (settings->denied_count > 0 &&
	    fits_any(settings->denied, settings->denied_count, name)) {
		origin = &settings->denied_origin;
		return text_format(run, "%s:%u:%u denies it", origin->file, origin->line,
		                   origin->column);
	}
	if (settings->allowed_count > 0 &&
	    !fits_any(settings->allowed, settings->allowed_count, name))
		return text_format(run, "%s:%u:%u allows only others", origin->file, origin->line,
		                   origin->column);
	return NULL;
}

static bool
was_told(const struct told_name *first, const char *name)
{
	for (; first; first = first->next)
		if (strcmp(first->name, name) == 0)
			return true;
	return false;
}

static void
note_told(struct run *run, const struct told_name **first, const char *name)
{
	struct told_name *told = memory_alloc(run, sizeof *told);

	*told = (struct told_name){*first, text_keep(run, name, strlen(name))};
	*first = told;
}

/* Whether a plugin must not be loaded, which is reported once: as an error, or as a warning. */
static bool
is_denied(struct run *run, const char *name, bool is_error)
{
	struct plugin_set *set = plugin_set(run);
	const char *denial = plugin_denial(run, name);
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.denied",
		.file = name,
		.hint = is_left_out(run->settings, name)
	                        ? "leave out --no-plugins"
	                        : "change plugins.allow or plugins.deny there, or use --no-config",
	};

	if (!denial)
		return false;
	if (is_error) {
		run_fail(run, &diagnostic, "the plugin must not be loaded: %s", denial);
		return true;
	}
	if (was_told(set->denied, name))
		return true;
	note_told(run, &set->denied, name);
	run_warn(run, &diagnostic, "the plugin must not be loaded: %s", denial);
	return true;
}

struct plugin *
plugin_by_name(struct run *run, const char *name, bool *broken)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;
	const char *path;
	struct plugin_module module;
	struct plugin *plugin;
	uint32_t folder;

	*broken = false;
	for (plugin = plugins_open(run); plugin; plugin = plugin->next)
		if (strcmp(plugin->descriptor.name, name) == 0)
			return plugin;
	for (; builtin && *builtin; builtin++)
		if (strcmp((*builtin)->name, name) == 0) {
			if (is_denied(run, name, false))
				return NULL;
			plugin = take(run, *builtin, NULL, NULL);
			*broken = !plugin;
			return plugin;
		}
	path = module_path(run, name, &folder);
	if (!path || is_denied(run, name, false))
		return NULL;
	plugin = plugin_find_module(run, folder, path, &module) == GPROFX_OK
	                 ? open_found(run, &module, name)
	                 : NULL;
	*broken = !plugin;
	return plugin;
}

static bool
has_format(const struct plugin *plugin, enum plugin_kind kind, const char *format)
{
	const char *own = plugin_word(plugin, kind);

	return own && strcmp(own, format) == 0;
}

const char *
plugin_install_hint(struct run *run, const char *name, const char *rest)
{
	return text_format(run, PLUGIN_INSTALL("%s") "%s", name, name, rest);
}

const char *
plugin_of_format(struct run *run, enum plugin_kind kind, const char *format)
{
	/* The one format whose reader has a longer name than "input-FORMAT". */
	const char *word = kind == PLUGIN_READER && strcmp(format, "magic") == 0 ? "gmon-magic"
	                                                                         : format;

	return text_format(run, "%s-%s", plugin_kind_prefix(kind), word);
}

struct plugin *
plugin_by_format(struct run *run, enum plugin_kind kind, const char *format, bool *broken)
{
	struct plugin *plugin;

	*broken = false;
	for (plugin = plugins_open(run); plugin; plugin = plugin->next)
		if (has_format(plugin, kind, format))
			return plugin;
	plugin = plugin_by_name(run, plugin_of_format(run, kind, format), broken);
	if (*broken || (plugin && has_format(plugin, kind, format)))
		return plugin;
	for (struct manifest *m = manifests(run); m; m = m->next) {
		if (!(m->kinds & 1u << kind) || !m->format[kind] ||
		    strcmp(m->format[kind], format) != 0)
			continue;
		plugin = plugin_by_name(run, m->name, broken);
		if (*broken || (plugin && has_format(plugin, kind, format)))
			return plugin;
	}
	return NULL;
}

const char *
plugin_nearest_format(struct run *run, enum plugin_kind kind, const char *word)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;
	struct nearest nearest;

	nearest_begin(&nearest, word, strlen(word));
	for (const struct plugin *p = plugins_open(run); p; p = p->next)
		if (plugin_word(p, kind))
			nearest_offer(&nearest, plugin_word(p, kind));
	for (; builtin && *builtin; builtin++) {
		if (kind == PLUGIN_READER && (*builtin)->reader)
			nearest_offer(&nearest, (*builtin)->reader->format);
		if (kind == PLUGIN_EMITTER && (*builtin)->emitter)
			nearest_offer(&nearest, (*builtin)->emitter->format);
	}
	for (const struct manifest *m = manifests(run); m; m = m->next)
		if ((m->kinds & 1u << kind) && m->format[kind])
			nearest_offer(&nearest, m->format[kind]);
	return nearest.found;
}

void
plugin_try_to_open(struct run *run, const char *name)
{
	struct plugin_set *set = plugin_set(run);
	bool broken;

	if (plugin_denial(run, name) || was_told(set->broken, name))
		return;
	run->errors_are_warnings = true;
	plugin_by_name(run, name, &broken);
	run->errors_are_warnings = false;
	if (broken)
		note_told(run, &set->broken, name);
}

void
plugins_open_by_magic(struct run *run, enum plugin_kind kind, const uint8_t *head, size_t bytes)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;

	/* What is linked in has no manifest, but can be asked. */
	for (; builtin && *builtin; builtin++)
		if (kind == PLUGIN_SYMBOLS && (*builtin)->symbols && (*builtin)->symbols->probe &&
		    (*builtin)->symbols->probe(head, bytes) > 0)
			plugin_try_to_open(run, (*builtin)->name);
	for (struct manifest *m = manifests(run); m; m = m->next)
		if (m->kinds & 1u << kind && manifest_claims(m, kind, head, bytes))
			plugin_try_to_open(run, m->name);
}

static struct plugin *
open_scanner(struct run *run, uint16_t machine)
{
	for (struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
		if (plugin->descriptor.findcall &&
		    plugin_serves_machine(plugin->findcall.machines, plugin->findcall.machine_count,
		                          machine))
			return plugin;
	return NULL;
}

struct plugin *
plugin_by_machine(struct run *run, uint16_t machine, const char *usual)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;
	struct plugin *plugin = open_scanner(run, machine);

	if (plugin)
		return plugin;
	if (usual)
		plugin_try_to_open(run, usual);
	plugin = open_scanner(run, machine);
	if (plugin)
		return plugin;
	for (; builtin && *builtin; builtin++)
		if ((*builtin)->findcall)
			plugin_try_to_open(run, (*builtin)->name);
	for (struct manifest *m = manifests(run); m; m = m->next)
		if (m->kinds & 1u << PLUGIN_FINDCALL &&
		    plugin_serves_machine(m->machine_numbers, m->machine_count, machine))
			plugin_try_to_open(run, m->name);
	return open_scanner(run, machine);
}

void
plugins_open_unmarked_readers(struct run *run)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;

	for (; builtin && *builtin; builtin++)
		if ((*builtin)->reader)
			plugin_try_to_open(run, (*builtin)->name);
	for (struct manifest *m = manifests(run); m; m = m->next)
		if (m->is_unmarked)
			plugin_try_to_open(run, m->name);
}

bool
plugin_is_installed(struct run *run, const char *name)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;
	uint32_t folder;

	for (const struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
		if (strcmp(plugin->descriptor.name, name) == 0)
			return true;
	for (; builtin && *builtin; builtin++)
		if (strcmp((*builtin)->name, name) == 0)
			return true;
	return module_path(run, name, &folder) != NULL;
}

bool
plugin_has_emitter(struct run *run, const char *format)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;

	for (const struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
		if (has_format(plugin, PLUGIN_EMITTER, format))
			return true;
	for (; builtin && *builtin; builtin++)
		if ((*builtin)->emitter && strcmp((*builtin)->emitter->format, format) == 0)
			return true;
	for (const struct manifest *m = manifests(run); m; m = m->next)
		if ((m->kinds & 1u << PLUGIN_EMITTER) && m->format[PLUGIN_EMITTER] &&
		    strcmp(m->format[PLUGIN_EMITTER], format) == 0)
			return true;
	return plugin_is_installed(run, plugin_of_format(run, PLUGIN_EMITTER, format));
}

void
plugins_offer_names(struct run *run, struct nearest *nearest)
{
	const struct gprofx_plugin *const *builtin = run->settings->builtin;

	for (const struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
		nearest_offer(nearest, plugin->descriptor.name);
	for (; builtin && *builtin; builtin++)
		nearest_offer(nearest, (*builtin)->name);
	for (const struct manifest *m = manifests(run); m; m = m->next)
		nearest_offer(nearest, m->name);
}

/* A module named by its path; what it must not be called is looked at before and after. */
static struct plugin *
open_named_path(struct run *run, const char *path, bool is_found)
{
	const char *file = text_last_name(path), *dot = strrchr(file, '.');
	size_t length = dot ? (size_t)(dot - file) : strlen(file);
	struct plugin_module module;
	struct plugin *plugin;

	if (is_denied(run, text_keep(run, file, length), true))
		return NULL;
	if (is_found) {
		if (plugin_find_found_module(run, path, &module) != GPROFX_OK)
			return NULL;
	} else {
		module = plugin_named_module(run, path);
		plugin_warn_of_named_module(run, &module);
	}
	plugin = open_found(run, &module, NULL);
	return plugin && is_denied(run, plugin->descriptor.name, true) ? NULL : plugin;
}

/* is_found: the file of settings that asks for it was found, not named. */
static struct plugin *
open_asked(struct run *run, const char *word, bool is_found)
{
	static const char rest[] = "use --list-plugins to see the installed plugins; name a file "
				   "with a slash: --plugin=./x.so";
	struct gprofx_diagnostic diagnostic = {
		.id = "plugin.not-found",
		.file = word,
		.hint = rest,
	};
	bool is_path = strchr(word, '/') != NULL, broken = false;
	struct plugin *plugin = is_path ? open_named_path(run, word, is_found)
	                                : plugin_by_name(run, word, &broken);

	if (plugin)
		plugin->asked_for = true;
	else if (!is_path && !broken) {
		if (plugin_kind_of_name(word) != PLUGIN_KINDS)
			diagnostic.hint = plugin_install_hint(run, word,
			                                      text_format(run, "; %s", rest));
		run_fail(run, &diagnostic, "no plugin of that name is installed");
	}
	return plugin;
}

struct plugin *
plugin_open_asked(struct run *run, const char *word)
{
	return open_asked(run, word, false);
}

enum gprofx_result
plugins_open_named(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	uint32_t found = run->origins ? run->origins->found_plugins : 0;
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < settings->plugin_count; i++)
		if (!open_asked(run, settings->plugins[i], i >= settings->plugin_count - found))
			result = GPROFX_FAILED;
	return result;
}
