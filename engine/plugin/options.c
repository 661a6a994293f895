/* SPDX-License-Identifier: Apache-2.0 */
/* Option tables of plugins: sanity of the table, text to values, values into the struct. */
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/run.h"
#include "schema/schema.h"
#include "plugin/modules.h"
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
			return "it is listed twice";
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
	                               keys ? text_format(run, "the options are: %s", keys)
	                                    : "it has no options");
	return run_fail(run, &diagnostic, "unknown option of %s: \"%s\"",
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
	       (plugin->descriptor.emitter && strcmp(option->plugin, plugin->emitter.format) == 0);
}

/* Who speaks to a plugin: the last word is that of the last. */
enum speaker { DEFAULTS, SETTINGS, OUTPUT, SET_BY_ITSELF, FOR_FORMATS, SPEAKERS };

/* All that is said to a plugin for one of its outputs, in order; begins with the first three. */
struct words {
	const struct engine_settings *settings;
	const struct plugin *plugin;
	const struct engine_output *output; /* or NULL */
	enum speaker speaker;               /* of the word that was found */
	uint32_t next;
};

static bool
is_said(const struct words *words, const struct engine_option *option)
{
	switch (words->speaker) {
	case DEFAULTS:
		/* They are about standard output. */
		return option->is_default && !(words->output && words->output->file) &&
		       is_for_format(words->plugin, option);
	case SETTINGS:
	case SET_BY_ITSELF:
		return option->is_set == (words->speaker == SET_BY_ITSELF) &&
		       plugin_is_meant(words->plugin, option);
	case FOR_FORMATS:
		return !option->is_default && is_for_format(words->plugin, option);
	default:
		return true;
	}
}

/* The next word, or NULL. */
static const struct engine_option *
next_word(struct words *words)
{
	const struct engine_settings *settings = words->settings;
	const struct engine_output *output = words->output;
	const struct {
		const struct engine_option *options;
		uint32_t count;
	} said[SPEAKERS] = {
		[DEFAULTS] = {settings->emitter_options, settings->emitter_option_count},
		[SETTINGS] = {settings->options, settings->option_count},
		[OUTPUT] = {output ? output->options : NULL, output ? output->option_count : 0},
		[SET_BY_ITSELF] = {settings->options, settings->option_count},
		[FOR_FORMATS] = {settings->emitter_options, settings->emitter_option_count},
	};

	for (; words->speaker < SPEAKERS; words->speaker++, words->next = 0)
		while (words->next < said[words->speaker].count) {
			const struct engine_option *option = &said[words->speaker]
			                                              .options[words->next++];

			if (is_said(words, option))
				return option;
		}
	return NULL;
}

static enum gprofx_result
set_all(struct run *run, const struct plugin *plugin, const struct engine_output *output,
        void *options)
{
	struct words words = {.settings = run->settings, .plugin = plugin, .output = output};
	const struct engine_option *option;
	enum gprofx_result result = GPROFX_OK;

	while ((option = next_word(&words))) {
		/* Without a format any emitter of the run may be meant. */
		bool may_be_others = (words.speaker == FOR_FORMATS || words.speaker == DEFAULTS) &&
		                     !option->format;

		if ((may_be_others ? plugin_set_option : set_known)(run, plugin, options, option) ==
		    GPROFX_FAILED)
			result = GPROFX_FAILED;
	}
	return result;
}

const struct engine_option *
plugin_last_word(struct run *run, const struct plugin *plugin, const struct engine_output *output,
                 const char *key)
{
	struct words words = {.settings = run->settings, .plugin = plugin, .output = output};
	const struct engine_option *option, *last = NULL;

	while ((option = next_word(&words)))
		if (strcmp(option->key, key) == 0)
			last = option;
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
			return fail_table(run, plugin, NULL,
			                  "the sizes of the table are not "
			                  "valid");
		*options = initial_options(run, plugin);
		if (!*options)
			return GPROFX_FAILED;
	}
	return set_all(run, plugin, output, *options);
}
