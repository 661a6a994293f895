/* SPDX-License-Identifier: Apache-2.0 */
#include "own.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "completion.h"
#include "compat.h"
#include "console.h"
#include "diff.h"
#include "help.h"
#include "open.h"
#include "pager.h"
#include "setting.h"

static bool
empty_value(struct command *command, const struct cli_option *option)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.empty-value",
		.hint = "use --help=all to see what the option takes",
	};

	console_fail(command->console, &diagnostic, "the %s of --%s is empty", option->metavar,
	             option->name);
	return false;
}

static bool
add_output(struct command *command, const struct cli_option *option, const char *value)
{
	struct engine_output *output = &command->outputs[command->settings.output_count];
	const char *colon = strchr(value, ':');
	char *format;

	if (colon == value || (colon && colon[1] == '\0'))
		return empty_value(command, option);
	*output = (struct engine_output){.format = value};
	if (colon) {
		format = command_keep(command, strndup(value, (size_t)(colon - value)));
		if (!format)
			return false;
		output->format = format;
		output->file = strcmp(colon + 1, "-") == 0 ? NULL : colon + 1;
	}
	command->settings.output_count++;
	engine_give(&command->settings, ENGINE_SET_OUTPUTS);
	return true;
}

/* "[FORMAT.]KEY=VALUE"; keys have no dots. */
static bool
add_output_option(struct command *command, const char *value)
{
	const char *equals = strchr(value, '='), *dot, *text;
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-output-option",
		.hint = "write --output-option=FORMAT.KEY=VALUE or --output-option=KEY=VALUE",
		.text = {value, NULL},
	};
	char *words;

	dot = equals ? memrchr(value, '.', (size_t)(equals - value)) : NULL;
	if (!equals || equals == value || dot == value || (dot && dot + 1 == equals)) {
		console_fail(command->console, &diagnostic,
		             "expected an option and its value after --output-option, found '%s'",
		             value);
		return false;
	}
	text = equals + 1;
	words = command_keep(command, strndup(value, (size_t)(equals - value)));
	if (!words)
		return false;
	if (dot)
		words[dot - value] = '\0';
	command_add_output_option(command, dot ? words : NULL,
	                          dot ? words + (dot - value) + 1 : words, text);
	return true;
}

/* -b -qSPEC without what SPEC calls; of a pair, for which -q keeps no other arcs, both ends. */
static bool
list_entries(struct command *command, const char *spec)
{
	const char *slash = strstr(spec, "operator/") ? NULL : strchr(spec, '/');

	if (slash && slash > spec && slash[1] != '\0') {
		const char *from = command_keep(command, strndup(spec, (size_t)(slash - spec)));

		if (!from)
			return false;
		compat_list(command, cli_option_by_id('q'), from);
		spec = slash + 1;
	}
	compat_list(command, cli_option_by_id('q'), spec);
	command->brief = true;
	command->settings.entries_only = true;
	engine_give(&command->settings, ENGINE_SET_ENTRIES_ONLY);
	return true;
}

/* "LIB=PROFILE". */
static bool
add_object(struct command *command, const char *value)
{
	const char *equals = strchr(value, '=');
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-object",
		.hint = "write --object=LIB=PROFILE, as in --object=libz.so.1=libz.so.1.profile",
		.text = {value, NULL},
	};
	char *library;

	if (!equals || equals == value || equals[1] == '\0') {
		console_fail(command->console, &diagnostic,
		             "expected a library and its profile after --object, found '%s'",
		             value);
		return false;
	}
	library = command_keep(command, strndup(value, (size_t)(equals - value)));
	if (!library)
		return false;
	command->objects[command->settings.object_count++] = (struct engine_object){library,
	                                                                            equals + 1};
	return true;
}

static bool
set_color(struct command *command, const char *value)
{
	static const struct {
		const char *word;
		enum command_color color;
	} words[] = {{"auto", COLOR_AUTO}, {"always", COLOR_ALWAYS}, {"never", COLOR_NEVER}};
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-color",
		.hint = "auto colors what a terminal shows, unless NO_COLOR is set",
		.text = {value, NULL},
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i].word, value) == 0) {
			command->color = words[i].color;
			return true;
		}
	console_fail(command->console, &diagnostic,
	             "expected auto, always or never after --color, found '%s'", value);
	return false;
}

bool
own_wants_color(const struct command *command)
{
	const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (command->color == COLOR_ALWAYS || command->color == COLOR_NEVER)
		return command->color == COLOR_ALWAYS;
	/* GNU gprof has no colors. */
	if (command->gnu_mode && command->color == COLOR_NOT_GIVEN)
		return false;
	return !(refused && refused[0] != '\0') && terminal && strcmp(terminal, "dumb") != 0 &&
	       console_is_terminal(command->console) && pager_takes_color(&command->console->pager);
}

/* A plugin by its name, or by its path, which has a slash. */
static bool
name_plugin(struct command *command, const char *value, const char **name)
{
	*name = strchr(value, '/') ? command_absolute(command, value, strlen(value)) : value;
	return *name != NULL;
}

/* A path, with or without a slash: what is checked is seldom installed. */
static bool
add_checked(struct command *command, const char *value)
{
	const char *path = command_absolute(command, value, strlen(value));

	command->action = COMMAND_CHECK_PLUGINS;
	if (path)
		command->checked[command->checked_count++] = path;
	return path != NULL;
}

bool
own_add_folder(struct command *command, const char *path, size_t length)
{
	const char *folder = command_absolute(command, path, length);

	if (folder)
		command->plugin_folders[command->settings.plugin_folder_count++] = folder;
	return folder != NULL;
}

static void
add_config(struct command *command, enum engine_config_kind kind, const char *word)
{
	command->configs[COMMAND_DEFAULT_CONFIGS + command->named_configs++] =
		(struct engine_config){.kind = kind, .word = word};
}

/* The rest is known to the engine. */
static bool
add_setting(struct command *command, const char *value)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-setting",
		.hint = "write --set=KEY=VALUE, as in --set=symbols.demangle=none; --list-settings "
			"shows the keys",
		.text = {value, NULL},
	};
	const char *equals = strchr(value, '=');

	if (!equals || equals == value) {
		console_fail(command->console, &diagnostic,
		             "expected a setting and its value after --set, found '%s'", value);
		return false;
	}
	command->set_values[command->set_count++] = value;
	return true;
}

/*
 * Reads a decimal number, whose fraction follows a point or, as in many locales, a comma; NULL:
 * there is none.
 */
static const char *
read_decimal(const char *text, double *number)
{
	static const char digits[] = "0123456789";
	enum { MOST = 64 };
	size_t length = strspn(text, digits), behind;
	char plain[MOST];

	if (text[length] == '.' || text[length] == ',') {
		behind = strspn(text + length + 1, digits);
		if (length + behind == 0)
			return NULL;
		length += 1 + behind;
	}
	if (length == 0 || length >= sizeof plain)
		return NULL;
	memcpy(plain, text, length);
	plain[length] = '\0';
	plain[strcspn(plain, ",")] = '.';
	*number = strtod(plain, NULL);
	return text + length;
}

/* Reads a time, 3.25, 3.25s or 1m3.25s, as the shell's time prints it; NULL: there is none. */
static const char *
read_time(const char *text, double *seconds)
{
	const char *end = read_decimal(text, seconds);
	double minutes;

	if (end && *end == 'm') {
		minutes = *seconds;
		end = read_decimal(end + 1, seconds);
		*seconds += 60 * minutes;
		return end && *end == 's' ? end + 1 : NULL;
	}
	return end && *end == 's' ? end + 1 : end;
}

/* What the shell's time prints for user and sys, added up or with a plus between. */
static bool
set_cpu_time(struct command *command, const char *value)
{
	/* Of all runs that were added up; more than thirty thousand years are a slip. */
	const double MOST = 1e12;
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-number",
		.hint = "give what the shell's time prints for user and sys, as 3.25 or 0m3.1s+0m0.15s",
		.text = {value, NULL},
	};
	double seconds, time = 0;
	const char *end = read_time(value, &seconds);

	while (end && *end == '+') {
		end = read_time(end + 1, &time);
		seconds += time;
	}
	if (end && *end == '\0' && seconds > 0 && seconds <= MOST) {
		command->settings.cpu_time = seconds;
		return true;
	}
	console_fail(command->console, &diagnostic,
	             "expected a number of seconds above 0 after --cpu-time, found '%s'", value);
	return false;
}

/* Asked for with what it does, a correction is made in GNU mode, too. */
static void
switch_on(struct engine_settings *settings, uint64_t correction)
{
	settings->corrections_on |= correction;
	settings->corrections_off &= ~correction;
}

/* What call sites are multiples of.  In GNU mode, too, as it was asked for. */
static bool
set_quantum(struct command *command, const char *value)
{
	struct engine_settings *settings = &command->settings;
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-quantum",
		.hint = "16 is usual on 64-bit machines, 8 or 4 elsewhere; 1 stands for exact call "
			"sites",
		.text = {value, NULL},
	};
	char *end;
	unsigned long bytes = strtoul(value, &end, 10);

	if (value[0] < '0' || value[0] > '9' || *end != '\0' || bytes == 0 ||
	    bytes > ENGINE_QUANTUM_AT_MOST || (bytes & (bytes - 1)) != 0) {
		console_fail(command->console, &diagnostic,
		             "expected a power of two from 1 to %d after --quantum, found '%s'",
		             ENGINE_QUANTUM_AT_MOST, value);
		return false;
	}
	settings->quantum = (uint32_t)bytes;
	switch_on(settings, GPROFX_CORRECT_CALL_SITES);
	return true;
}

/* Tells about a name that is none, and which may have been meant. */
static bool
unknown_correction(struct command *command, const char *value)
{
	bool is_off = strncmp(value, "no-", 3) == 0;
	const char *name = is_off ? value + 3 : value;
	const struct engine_correction *table;
	struct nearest nearest;
	char hint[256];
	uint32_t count;
	struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-correction",
		.hint = hint,
		.text = {value, NULL},
	};

	table = engine_corrections(&count);
	nearest_begin(&nearest, name, strlen(name));
	for (uint32_t i = 0; i < count; i++)
		nearest_offer(&nearest, table[i].name);
	diagnostic.text[1] = nearest.found;
	snprintf(hint, sizeof hint,
	         "%s%s%s%s--list-corrections shows the names; no-NAME switches one off, all and "
	         "none switch all of them",
	         nearest.found ? "did you mean " : "", nearest.found && is_off ? "no-" : "",
	         nearest.found ? nearest.found : "", nearest.found ? "? " : "");
	console_fail(command->console, &diagnostic, "unknown correction '%s'", value);
	return false;
}

/* "NAME", "no-NAME", "all" or "none"; the last word about a correction counts. */
static bool
set_correction(struct command *command, const char *value)
{
	const struct engine_correction *correction = engine_correction_by_name(value);
	struct engine_settings *settings = &command->settings;
	bool on = correction != NULL || strcmp(value, "all") == 0;
	uint64_t bits = correction ? correction->bit : UINT64_MAX;

	if (!correction && strncmp(value, "no-", 3) == 0) {
		correction = engine_correction_by_name(value + 3);
		bits = correction ? correction->bit : bits;
	}
	if (!correction && !on && strcmp(value, "none") != 0)
		return unknown_correction(command, value);
	settings->corrections_on = on ? settings->corrections_on | bits
	                              : settings->corrections_on & ~bits;
	settings->corrections_off = on ? settings->corrections_off & ~bits
	                               : settings->corrections_off | bits;
	return true;
}

static bool
set_format(struct command *command, const char *value)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-word",
		.hint = "--output has the formats of reports; this one is for --list-plugins and "
			"--dump-plugin",
		.text = {value, NULL},
	};

	command->format = value;
	command->wants_json = strcmp(value, "json") == 0;
	if (command->wants_json || strcmp(value, "text") == 0)
		return true;
	console_fail(command->console, &diagnostic,
	             "unknown format '%s': --format takes text or json", value);
	return false;
}

static bool
set_topic(struct command *command, const char *value)
{
	size_t dashes = strspn(value, "-");
	static const char topics[] = "the topics are " CLI_TOPICS " settings, the words"
#define WORD(topic, title, alias, text) " " topic
#include "glossary.def"
#undef WORD
				     ", and the names of options and settings";
	struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-topic",
		.hint = topics,
		.text = {value, NULL},
	};
	struct nearest nearest;
	char meant[64];

	command->action = COMMAND_HELP;
	command->topic = value;
	if (help_has_topic(value))
		return true;
	if (strcmp(value, "settings") == 0 || help_is_about_settings(value)) {
		command->action = COMMAND_LIST_SETTINGS;
		command->topic = help_is_about_settings(value) ? value : NULL;
		return true;
	}
	nearest_begin(&nearest, value + dashes, strlen(value + dashes));
	help_offer_topics(&nearest);
	if (nearest.found) {
		snprintf(meant, sizeof meant, "did you mean --help=%s?", nearest.found);
		diagnostic.hint = meant;
		diagnostic.text[1] = nearest.found;
	}
	console_fail(command->console, &diagnostic, "unknown topic '%s'", value);
	return false;
}

static bool
set_shell(struct command *command, const char *value)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-shell",
		.hint = "other shells may be able to read what is made for bash",
		.text = {value, NULL},
	};

	command->action = COMMAND_COMPLETION;
	command->shell = value;
	if (completion_print(NULL, value))
		return true;
	console_fail(command->console, &diagnostic,
	             "unknown shell '%s': only bash, zsh and fish are supported", value);
	return false;
}

/* "auto", "none", or a hexadecimal number, which may have a sign. */
static bool
set_slide(struct command *command, const char *value)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-number",
		.hint = "HEX is by how much the program was moved when it was loaded, as 7f12a000 or "
			"-0x400000",
		.text = {value, NULL},
	};
	struct engine_settings *settings = &command->settings;
	const char *digits = value + (value[0] == '-' || value[0] == '+');
	char *end;

	command->sets_slide = true;
	if (strcmp(value, "auto") == 0 || strcmp(value, "none") == 0) {
		settings->slide = value[0] == 'a' ? ENGINE_SLIDE_AUTO : ENGINE_SLIDE_NONE;
		return true;
	}
	errno = 0;
	settings->slide_by = strtoull(value, &end, 16);
	settings->slide = ENGINE_SLIDE_GIVEN;
	if (isxdigit((unsigned char)digits[0]) && *end == '\0' && errno == 0)
		return true;
	console_fail(command->console, &diagnostic,
	             "expected auto, none or a hexadecimal number after --slide, found '%s'",
	             value);
	return false;
}

/* Own options without an argument; gnu_mode has been found out before everything else. */
static bool
apply_own_switch(struct command *command, const struct cli_option *option)
{
	if (option->id == OPTION_LIST_PLUGINS)
		command->action = COMMAND_LIST_PLUGINS;
	if (option->id == OPTION_LIST_CORRECTIONS)
		command->action = COMMAND_LIST_CORRECTIONS;
	if (option->id == OPTION_LIST_SETTINGS)
		command->action = COMMAND_LIST_SETTINGS;
	if (option->id == OPTION_NO_PLUGINS)
		command->settings.only_installed = true;
	if (option->id == OPTION_PRINT_CONFIG)
		command->action = COMMAND_PRINT_CONFIG;
	if (option->id == OPTION_PRINT_CONFIG_SCHEMA)
		command->action = COMMAND_PRINT_CONFIG_SCHEMA;
	if (option->id == OPTION_NO_PAGER)
		command->refuses_pager = true;
	if (option->id == OPTION_NO_CONFIG)
		command->skips_configs = true;
	if (option->id == OPTION_EXPLAIN || option->id == OPTION_NO_FINDINGS) {
		command->settings.explain = option->id == OPTION_EXPLAIN;
		command->settings.findings = command->settings.explain;
		engine_give(&command->settings, ENGINE_SET_FINDINGS);
		engine_give(&command->settings, ENGINE_SET_EXPLAIN);
	}
	return true;
}

/* What a setting says beside its value. */
static bool
apply_setting(struct command *command, const struct cli_option *option, const char *value)
{
	if (!setting_apply(command, option, value))
		return false;
	/* What is asked for by an option replaces what files want to see. */
	if (option->group == GROUP_LISTINGS)
		engine_give(&command->settings, ENGINE_SET_OUTPUTS);
	/* In GNU mode, too, as it was asked for. */
	if (option->setting == ENGINE_SET_CLONES)
		switch_on(&command->settings, GPROFX_CORRECT_CLONES);
	return true;
}

bool
own_apply(struct command *command, const struct cli_option *option, const char *value)
{
	if (value && value[0] == '\0')
		return empty_value(command, option);
	if (option->setting)
		return apply_setting(command, option, value);
	if (option->listing) {
		compat_list(command, option, NULL);
		return true;
	}
	if (!value)
		return apply_own_switch(command, option);
	switch (option->id) {
	case OPTION_CONFIG:
		add_config(command, ENGINE_CONFIG_FILE, value);
		return true;
	case OPTION_PRESET:
		add_config(command, ENGINE_CONFIG_PRESET, value);
		return true;
	case OPTION_SET:
		return add_setting(command, value);
	case OPTION_OUTPUT:
		return add_output(command, option, value);
	case OPTION_OUTPUT_OPTION:
		return add_output_option(command, value);
	case OPTION_ORDER_FORMAT:
		command_add_output_option(command, "order", "format", value);
		return true;
	case OPTION_HELP:
		return set_topic(command, value);
	case OPTION_COMPLETION:
		return set_shell(command, value);
	case OPTION_COLOR:
		return set_color(command, value);
	case OPTION_FORMAT:
		return set_format(command, value);
	case OPTION_DUMP_PLUGIN:
		command->action = COMMAND_DUMP_PLUGIN;
		return name_plugin(command, value, &command->dumped_plugin);
	case OPTION_CHECK_PLUGIN:
		return add_checked(command, value);
	case OPTION_PLUGIN:
		return name_plugin(command, value,
		                   &command->plugins[command->settings.plugin_count++]);
	case OPTION_PLUGIN_PATH:
		return own_add_folder(command, value, strlen(value));
	case OPTION_CPU_TIME:
		return set_cpu_time(command, value);
	case OPTION_QUANTUM:
		return set_quantum(command, value);
	case OPTION_ENTRY:
		return list_entries(command, value);
	case OPTION_OBJECT:
		return add_object(command, value);
	case OPTION_SUM:
		command->settings.sum_file = value;
		return true;
	case OPTION_PARTIAL:
		command->settings.partial_file = value;
		return true;
	case OPTION_SOURCE_MAP:
		command->source_maps[command->source_map_count++] = value;
		return true;
	case OPTION_SLIDE:
		return set_slide(command, value);
	case OPTION_WITH:
		return open_choose(command, value);
	case OPTION_BASE_IMAGE:
	case OPTION_NORMALIZE:
	case OPTION_FAIL_IF_SLOWER:
	case OPTION_MIN_SHARE:
		return diff_apply(command, option, value);
	case OPTION_CORRECT:
		return set_correction(command, value);
	default:
		return false;
	}
}
