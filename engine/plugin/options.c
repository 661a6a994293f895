/* SPDX-License-Identifier: Apache-2.0 */
/* Option tables of plugins: sanity of the table, text to values, values into the struct. */
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/run.h"
#include "document/schema.h"
#include "plugin/load.h"
#include "plugin/plugins.h"

/* No honest options struct is larger; a garbage size must not become an allocation. */
enum { OPTIONS_STRUCT_MOST = 65536, OPTION_COUNT_MOST = 1024 };

static size_t
value_bytes(enum gprofx_option_type type)
{
	switch (type) {
	case GPROFX_BOOL:
		return sizeof(bool);
	case GPROFX_INT:
		return sizeof(int64_t);
	case GPROFX_STRING:
		return sizeof(const char *);
	case GPROFX_CHOICE:
		return sizeof(uint32_t);
	case GPROFX_REAL:
		return sizeof(double);
	case GPROFX_CHOICES:
		return sizeof(struct gprofx_choices);
	}
	return 0;
}

static size_t
value_alignment(enum gprofx_option_type type)
{
	return type == GPROFX_CHOICES ? _Alignof(struct gprofx_choices) : value_bytes(type);
}

const struct gprofx_option *
plugin_option(const struct plugin *plugin, uint32_t i)
{
	const unsigned char *table = (const unsigned char *)plugin->descriptor.options;

	return (const struct gprofx_option *)(const void *)(table +
	                                                    (size_t)i *
	                                                            plugin->descriptor.option_size);
}

static enum gprofx_result
fail_table(struct run *run, const struct plugin *plugin, const char *key, const char *what)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.bad-options",
		.file = plugin->file,
		.hint = PLUGIN_DEFECT,
		.text = {plugin->descriptor.name, key},
	};

	return run_fail(run, &diagnostic, "options of %s: %s%s%s", plugin->descriptor.name,
	                key ? key : "", key ? ": " : "", what);
}

static const char *
row_problem(const struct plugin *plugin, const struct gprofx_option *option)
{
	size_t bytes = value_bytes(option->type);

	if (bytes == 0)
		return "its type is not known";
	if (option->offset > plugin->descriptor.options_size ||
	    plugin->descriptor.options_size - option->offset < bytes)
		return "its value lies outside the options struct";
	if (option->offset % value_alignment(option->type) != 0)
		return "its value is not aligned";
	if (!option->initial)
		return "it has no initial value";
	if ((option->type == GPROFX_INT || option->type == GPROFX_REAL) &&
	    option->minimum > option->maximum)
		return "its minimum is above its maximum";
	if ((option->type == GPROFX_CHOICE || option->type == GPROFX_CHOICES) && !option->choices)
		return "it has no choices";
	return NULL;
}

/* The same about its place: that of a row before it must not be written over. */
static const char *
place_problem(struct run *run, const struct plugin *plugin, uint32_t i)
{
	const struct gprofx_option *option = plugin_option(plugin, i);

	for (uint32_t k = 0; k < i; k++) {
		const struct gprofx_option *before = plugin_option(plugin, k);

		if (strcmp(before->key, option->key) == 0)
			return "it stands there twice";
		if (option->offset < before->offset + value_bytes(before->type) &&
		    before->offset < option->offset + value_bytes(option->type))
			return text_format(run, "its value overlaps that of %s", before->key);
	}
	return NULL;
}

/* Checks every row of the table and fills a new options struct with initial values. */
static void *
initial_options(struct run *run, const struct plugin *plugin)
{
	const struct gprofx_plugin *d = &plugin->descriptor;
	void *options = memory_alloc(run, d->options_size);

	for (uint32_t i = 0; i < d->option_count; i++) {
		const struct gprofx_option *option = plugin_option(plugin, i);
		const char *problem, *expected, *meant;

		if (!option->key || !option->key[0]) {
			fail_table(run, plugin, NULL, "a row has no key");
			return NULL;
		}
		problem = row_problem(plugin, option);
		if (!problem)
			problem = place_problem(run, plugin, i);
		expected = problem ? NULL
		                   : option_store(run, option, option->initial, options, &meant);
		if (expected)
			problem = text_format(run, "expected %s, found \"%s\"", expected,
			                      option->initial);
		if (problem) {
			fail_table(run, plugin, option->key, problem);
			return NULL;
		}
	}
	return options;
}

static const struct gprofx_option *
option_of_key(const struct plugin *plugin, const char *key)
{
	for (uint32_t i = 0; i < plugin->descriptor.option_count; i++)
		if (strcmp(plugin_option(plugin, i)->key, key) == 0)
			return plugin_option(plugin, i);
	return NULL;
}

enum gprofx_result
plugin_set_option(struct run *run, const struct plugin *plugin, void *options,
                  const struct engine_option *value)
{
	const struct gprofx_option *option = option_of_key(plugin, value->key);
	struct gprofx_diagnostic diagnostic = {
		.id = "option.bad-value",
		.text = {value->key, value->value},
	};
	const char *expected, *meant;

	if (!option)
		return GPROFX_DECLINED;
	expected = option_store(run, option, value->value, options, &meant);
	if (!expected)
		return GPROFX_OK;
	run_set_place(&diagnostic, &value->origin);
	diagnostic.hint = schema_meant(run, meant,
	                               option->help ? option->help : "choose another value");
	return run_fail(run, &diagnostic, "%s %s: expected %s, found \"%s\"",
	                plugin->descriptor.name, value->key, expected, value->value);
}

/* Whether one of the first "count" plugins has an option of that name. */
static bool
have_option(const struct plugin *const *plugins, uint32_t count, const char *key)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < plugins[i]->descriptor.option_count; k++)
			if (strcmp(plugin_option(plugins[i], k)->key, key) == 0)
				return true;
	return false;
}

enum gprofx_result
plugin_unknown_option(struct run *run, const struct plugin *const *plugins, uint32_t count,
                      const struct engine_option *option)
{
	struct gprofx_diagnostic diagnostic = {.id = "option.unknown", .text = {option->key}};
	const char *names = NULL, *keys = NULL;
	struct nearest nearest;

	nearest_begin(&nearest, option->key, strlen(option->key));
	for (uint32_t i = 0; i < count; i++) {
		const char *name = plugins[i]->descriptor.name;

		names = names ? text_format(run, "%s or %s", names, name) : name;
		for (uint32_t k = 0; k < plugins[i]->descriptor.option_count; k++) {
			const char *key = plugin_option(plugins[i], k)->key;

			if (have_option(plugins, i, key))
				continue;
			nearest_offer(&nearest, key);
			keys = keys ? text_format(run, "%s, %s", keys, key) : key;
		}
	}
	run_set_place(&diagnostic, &option->key_origin);
	diagnostic.text[1] = nearest.found;
	diagnostic.hint = schema_meant(run, nearest.found,
	                               keys ? text_format(run, "the options there are: %s", keys)
	                                    : "it has no options");
	return run_fail(run, &diagnostic, "expected an option of %s, found \"%s\"",
	                names ? names : "an emitter", option->key);
}

/* Sets an option that the plugin must have. */
static enum gprofx_result
set_known(struct run *run, const struct plugin *plugin, void *options,
          const struct engine_option *option)
{
	enum gprofx_result result = plugin_set_option(run, plugin, options, option);

	return result == GPROFX_DECLINED ? plugin_unknown_option(run, &plugin, 1, option) : result;
}

static bool
is_for_format(const struct plugin *plugin, const struct engine_option *option)
{
	return plugin->descriptor.emitter &&
	       (!option->format || strcmp(option->format, plugin->emitter.format) == 0);
}

bool
plugin_takes_option(const struct plugin *plugin, const struct engine_option *option)
{
	return is_for_format(plugin, option) && option_of_key(plugin, option->key);
}

bool
plugin_is_meant(const struct plugin *plugin, const struct engine_option *option)
{
	return strcmp(option->plugin, plugin->descriptor.name) == 0 ||
	       (option->is_set && plugin->descriptor.emitter &&
	        strcmp(option->plugin, plugin->emitter.format) == 0);
}

/* What the settings say for the plugin by its name: that which was set by itself, or the rest. */
static enum gprofx_result
set_named(struct run *run, const struct plugin *plugin, bool is_set, void *options)
{
	const struct engine_settings *settings = run->settings;
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < settings->option_count; i++) {
		const struct engine_option *option = &settings->options[i];

		if (option->is_set == is_set && plugin_is_meant(plugin, option) &&
		    set_known(run, plugin, options, option) != GPROFX_OK)
			result = GPROFX_FAILED;
	}
	return result;
}

static enum gprofx_result
set_all(struct run *run, const struct plugin *plugin, const struct engine_output *output,
        void *options)
{
	const struct engine_settings *settings = run->settings;
	enum gprofx_result result = GPROFX_OK;

	if (set_named(run, plugin, false, options) != GPROFX_OK)
		result = GPROFX_FAILED;
	for (uint32_t i = 0; output && i < output->option_count; i++)
		if (set_known(run, plugin, options, &output->options[i]) != GPROFX_OK)
			result = GPROFX_FAILED;
	if (set_named(run, plugin, true, options) != GPROFX_OK)
		result = GPROFX_FAILED;
	for (uint32_t i = 0; i < settings->emitter_option_count; i++) {
		const struct engine_option *option = &settings->emitter_options[i];

		if (!is_for_format(plugin, option))
			continue;
		/* Without a format any emitter of the run may be meant. */
		if ((option->format ? set_known : plugin_set_option)(run, plugin, options,
		                                                     option) == GPROFX_FAILED)
			result = GPROFX_FAILED;
	}
	return result;
}

/* Keeps the same order as set_all(). */
const struct engine_option *
plugin_last_word(struct run *run, const struct plugin *plugin, const struct engine_output *output,
                 const char *key)
{
	const struct engine_settings *settings = run->settings;
	const struct engine_option *last = NULL;

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < settings->option_count; i++)
			if (settings->options[i].is_set == (pass == 1) &&
			    plugin_is_meant(plugin, &settings->options[i]) &&
			    strcmp(settings->options[i].key, key) == 0)
				last = &settings->options[i];
		for (uint32_t i = 0; pass == 0 && output && i < output->option_count; i++)
			if (strcmp(output->options[i].key, key) == 0)
				last = &output->options[i];
	}
	for (uint32_t i = 0; i < settings->emitter_option_count; i++)
		if (plugin_takes_option(plugin, &settings->emitter_options[i]) &&
		    strcmp(settings->emitter_options[i].key, key) == 0)
			last = &settings->emitter_options[i];
	return last;
}

enum gprofx_result
plugin_make_options(struct run *run, const struct plugin *plugin,
                    const struct engine_output *output, void **options)
{
	const struct gprofx_plugin *d = &plugin->descriptor;

	*options = NULL;
	if (d->option_count > 0) {
		if (!d->options || d->option_size < sizeof(struct gprofx_option) ||
		    d->option_size % sizeof(void *) != 0 || d->option_count > OPTION_COUNT_MOST ||
		    d->options_size > OPTIONS_STRUCT_MOST)
			return fail_table(run, plugin, NULL, "the table's sizes make no sense");
		*options = initial_options(run, plugin);
		if (!*options)
			return GPROFX_FAILED;
	}
	return set_all(run, plugin, output, *options);
}
