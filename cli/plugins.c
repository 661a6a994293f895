/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of plugins without running them. */
#include "plugins.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <gprofx/text.h>

#include "console.h"
#include "help.h"

static void
print_line(struct console *console, const char *label, const char *text)
{
	if (!text)
		return;
	console_put(console, "    ");
	console_put(console, label);
	console_put_visible(console, text);
	console_put(console, "\n");
}

enum { NAME_WIDTH = 17, KIND_WIDTH = 8, SERVES_WIDTH = 25 };

/* A column that another one follows. */
static void
print_column(struct console *console, const char *text, size_t width)
{
	size_t length = text ? strlen(text) : 0;

	if (text)
		console_put_visible(console, text);
	console_format(console, "%*s", length < width ? (int)(width - length) + 1 : 1, "");
}

/* Where a plugin is: its folder, or the module itself if that has another name than the plugin. */
static size_t
length_of_place(const char *file, const char *name)
{
	const char *base = strrchr(file, '/');
	size_t length = strlen(name);

	return base && strncmp(base + 1, name, length) == 0 && strcmp(base + 1 + length, ".so") == 0
	               ? (size_t)(base - file)
	               : strlen(file);
}

static void
print_header(struct console *console)
{
	print_column(console, "plugin", NAME_WIDTH);
	print_column(console, "kind", KIND_WIDTH);
	print_column(console, "serves", SERVES_WIDTH);
	console_put(console, "what it is\n");
}

/* The line above the plugins of one place, unless it is there. */
static void
print_place(struct console *console, const struct engine_plugin_info *info)
{
	const char *place = info->file ? info->file : "linked in";
	size_t length = length_of_place(place, info->name);

	if (length < sizeof console->place && strncmp(console->place, place, length) == 0 &&
	    console->place[length] == '\0')
		return;
	if (console->place[0] == '\0')
		print_header(console);
	snprintf(console->place, sizeof console->place, "%.*s", (int)length, place);
	console_put(console, "\n");
	console_put_visible(console, console->place);
	console_put(console, ":\n");
}

static void
print_plugin(void *opaque, const struct engine_plugin_info *info)
{
	struct console *console = opaque;

	print_place(console, info);
	print_column(console, info->name, NAME_WIDTH);
	print_column(console, info->kind, KIND_WIDTH);
	print_column(console, info->detail, SERVES_WIDTH);
	console_put_visible(console, info->summary ? info->summary : "");
	console_put(console, "\n");
	print_line(console, "cannot be used: ", info->problem);
}

/* A text of JSON; bytes that are not UTF-8 become the sign for that. */
static void
put_json(struct console *console, const char *text)
{
	size_t left = text ? strlen(text) : 0;

	console_put(console, text ? "\"" : "null");
	while (left > 0) {
		uint32_t code = 0;
		size_t length = gprofx_utf8(text, left, &code);

		if (length == 0)
			console_put(console, "\\ufffd");
		else if (code == '"' || code == '\\')
			console_format(console, "\\%c", (int)code);
		else if (code < ' ' || code == 0x7f)
			console_format(console, "\\u%04x", (unsigned)code);
		else
			console_format(console, "%.*s", (int)length, text);
		length = length > 0 ? length : 1;
		text += length;
		left -= length;
	}
	if (text)
		console_put(console, "\"");
}

/* A member of an object, with what stands before it. */
static void
put_member(struct console *console, const char *before, const char *key, const char *text)
{
	console_format(console, "%s\"%s\": ", before, key);
	put_json(console, text);
}

/* An element of the list; others may stand before it. */
static void
print_plugin_json(void *opaque, const struct engine_plugin_info *info)
{
	struct console *console = opaque;

	put_member(console, console->is_in_list ? ",\n{" : "\n{", "name", info->name);
	put_member(console, ", ", "kind", info->kind);
	put_member(console, ", ", "serves", info->detail);
	put_member(console, ", ", "summary", info->summary);
	put_member(console, ", ", "file", info->file);
	put_member(console, ", ", "problem", info->problem);
	console_put(console, "}");
	console->is_in_list = true;
}

bool
plugins_print(const struct command *command, const struct engine_frontend *frontend)
{
	bool ok;

	if (!command->wants_json)
		return engine_list_plugins(&command->settings, frontend, print_plugin);
	console_put(command->console, "[");
	ok = engine_list_plugins(&command->settings, frontend, print_plugin_json);
	console_put(command->console, "\n]\n");
	return ok;
}

static void
dump_plugin(void *opaque, const struct engine_plugin_details *details)
{
	struct console *console = opaque;

	console_put_visible(console, details->name);
	console_put(console, " ");
	console_put_visible(console, details->version ? details->version : "(no version)");
	console_put(console, "\n");
	print_line(console, "", details->summary);
	print_line(console, "", details->file ? details->file : "linked in");
	console_format(console, "    built for interface %u.%u\n", details->abi_major,
	               details->abi_minor);
	for (uint32_t i = 0; i < details->interface_count; i++) {
		print_line(console, "kind: ", details->interfaces[i].kind);
		print_line(console, "serves: ", details->interfaces[i].detail);
	}
	for (uint32_t i = 0; i < details->option_count; i++) {
		const struct engine_setting_info info = {
			.path = details->options[i]->key,
			.initial = details->options[i]->initial,
			.values = details->values[i],
			.help = details->options[i]->help,
		};

		help_print_setting(console, &info);
	}
}

static void
dump_option_json(struct console *console, const struct gprofx_option *option)
{
	static const char *const types[] = {
		[GPROFX_BOOL] = "bool",     [GPROFX_INT] = "int",   [GPROFX_STRING] = "string",
		[GPROFX_CHOICE] = "choice", [GPROFX_REAL] = "real", [GPROFX_CHOICES] = "choices",
	};
	bool is_number = option->type == GPROFX_INT || option->type == GPROFX_REAL;
	bool has_choices = option->type == GPROFX_CHOICE || option->type == GPROFX_CHOICES;

	put_member(console, "{", "key", option->key);
	put_member(console, ", ", "type", types[option->type]);
	put_member(console, ", ", "default", option->initial);
	if (is_number && option->minimum != INT64_MIN)
		console_format(console, ", \"minimum\": %" PRId64, option->minimum);
	if (is_number && option->maximum != INT64_MAX)
		console_format(console, ", \"maximum\": %" PRId64, option->maximum);
	for (uint32_t i = 0; has_choices && option->choices[i]; i++) {
		console_put(console, i == 0 ? ", \"choices\": [" : ", ");
		put_json(console, option->choices[i]);
	}
	console_put(console, has_choices && option->choices[0] ? "]" : "");
	put_member(console, ", ", "help", option->help);
	console_put(console, "}");
}

static void
dump_plugin_json(void *opaque, const struct engine_plugin_details *details)
{
	struct console *console = opaque;

	put_member(console, "{", "name", details->name);
	put_member(console, ",\n", "version", details->version);
	put_member(console, ",\n", "summary", details->summary);
	put_member(console, ",\n", "file", details->file);
	console_format(console, ",\n\"abi\": {\"major\": %u, \"minor\": %u},\n\"interfaces\": [",
	               details->abi_major, details->abi_minor);
	for (uint32_t i = 0; i < details->interface_count; i++) {
		put_member(console, i > 0 ? ", {" : "{", "kind", details->interfaces[i].kind);
		put_member(console, ", ", "serves", details->interfaces[i].detail);
		console_put(console, "}");
	}
	console_put(console, "],\n\"options\": [");
	for (uint32_t i = 0; i < details->option_count; i++) {
		console_put(console, i > 0 ? ",\n" : "\n");
		dump_option_json(console, details->options[i]);
	}
	console_put(console, "]}\n");
}

bool
plugins_dump(const struct command *command, const struct engine_frontend *frontend)
{
	return engine_describe_plugin(&command->settings, frontend, command->dumped_plugin,
	                              command->wants_json ? dump_plugin_json : dump_plugin);
}
