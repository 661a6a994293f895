/* SPDX-License-Identifier: Apache-2.0 */
/* Option tables of plugins: sanity of the table, text to values, values into the struct. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plugin/load.h"

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
	}
	return 0;
}

/* Stores a value given as text.  Returns what is wrong with it, or NULL. */
static const char *
store(struct run *run, const struct gprofx_option *option, const char *text, unsigned char *options)
{
	unsigned char *place = options + option->offset;

	switch (option->type) {
	case GPROFX_BOOL: {
		bool value = strcmp(text, "true") == 0;

		if (!value && strcmp(text, "false") != 0)
			return "expected true or false";
		memcpy(place, &value, sizeof value);
		return NULL;
	}
	case GPROFX_INT: {
		char *end;
		int64_t value;

		errno = 0;
		value = strtoll(text, &end, 10);
		if (end == text || *end != '\0' || errno != 0)
			return "expected a whole number";
		if (value < option->minimum || value > option->maximum)
			return "expected a number within the option's range";
		memcpy(place, &value, sizeof value);
		return NULL;
	}
	case GPROFX_STRING: {
		const char *value = text_keep(run, text, strlen(text));

		memcpy(place, &value, sizeof value);
		return NULL;
	}
	case GPROFX_CHOICE:
		for (uint32_t i = 0; option->choices[i]; i++) {
			if (strcmp(option->choices[i], text) == 0) {
				memcpy(place, &i, sizeof i);
				return NULL;
			}
		}
		return "expected one of the option's choices";
	}
	return "unknown type";
}

static const struct gprofx_option *
row(const struct plugin *plugin, uint32_t i)
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
		.hint = "this is a defect of the plugin; ask its maker, or build it again",
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
	if (option->offset % bytes != 0)
		return "its value is not aligned";
	if (!option->initial)
		return "it has no initial value";
	if (option->type == GPROFX_CHOICE && !option->choices)
		return "it has no choices";
	return NULL;
}

/* Checks every row of the table and fills a new options struct with initial values. */
static void *
initial_options(struct run *run, const struct plugin *plugin)
{
	const struct gprofx_plugin *d = &plugin->descriptor;
	void *options = memory_alloc(run, d->options_size);

	for (uint32_t i = 0; i < d->option_count; i++) {
		const struct gprofx_option *option = row(plugin, i);
		const char *problem = NULL;

		if (!option->key || !option->key[0]) {
			fail_table(run, plugin, NULL, "a row has no key");
			return NULL;
		}
		for (uint32_t k = 0; k < i && !problem; k++)
			if (strcmp(row(plugin, k)->key, option->key) == 0)
				problem = "it stands there twice";
		if (!problem)
			problem = row_problem(plugin, option);
		if (!problem)
			problem = store(run, option, option->initial, options);
		if (problem) {
			fail_table(run, plugin, option->key, problem);
			return NULL;
		}
	}
	return options;
}

enum gprofx_result
plugin_set_option(struct run *run, const struct plugin *plugin, void *options, const char *key,
                  const char *value)
{
	for (uint32_t i = 0; i < plugin->descriptor.option_count; i++) {
		const struct gprofx_option *option = row(plugin, i);
		struct gprofx_diagnostic diagnostic = {
			.id = "option.bad-value",
			.hint = option->help,
			.text = {key, value},
		};
		const char *problem;

		if (strcmp(option->key, key) != 0)
			continue;
		problem = store(run, option, value, options);
		if (!problem)
			return GPROFX_OK;
		return run_fail(run, &diagnostic, "%s %s: %s, found \"%s\"",
		                plugin->descriptor.name, key, problem, value);
	}
	return GPROFX_DECLINED;
}

enum gprofx_result
plugin_make_options(struct run *run, const struct plugin *plugin, void **options)
{
	const struct gprofx_plugin *d = &plugin->descriptor;
	const struct engine_settings *settings = run->settings;

	*options = NULL;
	if (d->option_count == 0)
		return GPROFX_OK;
	if (!d->options || d->option_size < sizeof(struct gprofx_option) ||
	    d->option_size % sizeof(void *) != 0 || d->option_count > OPTION_COUNT_MOST ||
	    d->options_size > OPTIONS_STRUCT_MOST)
		return fail_table(run, plugin, NULL, "the table's sizes make no sense");
	*options = initial_options(run, plugin);
	if (!*options)
		return GPROFX_FAILED;
	for (uint32_t i = 0; d->emitter && i < settings->emitter_option_count; i++)
		if (plugin_set_option(run, plugin, *options, settings->emitter_options[i].key,
		                      settings->emitter_options[i].value) == GPROFX_FAILED)
			return GPROFX_FAILED;
	return GPROFX_OK;
}
