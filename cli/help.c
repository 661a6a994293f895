/* SPDX-License-Identifier: Apache-2.0 */
/* The texts about the program itself; all that concerns options comes from their table. */
#include "help.h"

#include <string.h>

#include "options.h"

enum { TEXT_COLUMN = 8, LAST_COLUMN = 79 };

static const char *const headings[GROUP_COUNT] = {
	[GROUP_LISTINGS] = "What is listed",
	[GROUP_SELECTION] = "Which functions and calls",
	[GROUP_SYMBOLS] = "Symbols and their names",
	[GROUP_INPUT] = "Profiles",
	[GROUP_LAYOUT] = "Form of the report",
	[GROUP_SOURCE] = "Annotated source",
	[GROUP_CORRECTIONS] = "Corrections",
	[GROUP_CONFIG] = "Configuration",
	[GROUP_FINDINGS] = "Reasons and explanations",
	[GROUP_PLUGINS] = "Plugins",
	[GROUP_OTHER] = "Other",
};

static const char shape[] = " [OPTION]... [IMAGE [PROFILE]...] [@FILE]\n";

void
help_usage(struct message *message, const char *program)
{
	message_put(message, "Usage: ");
	message_put_visible(message, program);
	message_put(message, shape);
	message_put(message,
	            "IMAGE is the profiled program, a.out if not given; PROFILE what it wrote "
	            "when it ran,\ngmon.out if not given. For the options: ");
	message_put_visible(message, program);
	message_put(message, " --help\n");
}

/* "  -p[SPEC], --flat-profile[=SPEC]" */
static void
print_spelling(struct console *console, const struct cli_option *option)
{
	bool has_letter = cli_has_letter(option), has_name = cli_has_name(option);
	const char *argument = option->metavar ? option->metavar : "";
	bool optional = option->argument == ARGUMENT_OPTIONAL;
	const char *before_short = optional ? "[" : option->metavar ? " " : "";
	const char *before_long = optional ? "[=" : option->metavar ? "=" : "";
	const char *after = optional ? "]" : "";

	console_put(console, "  ");
	if (has_letter)
		console_format(console, "-%c%s%s%s", option->id, before_short, argument, after);
	if (has_letter && has_name)
		console_put(console, ", ");
	if (has_name)
		console_format(console, "--%s%s%s%s", option->name, before_long, argument, after);
	console_put(console, "\n");
}

/* Fills lines between two columns. */
static void
print_filled(struct console *console, const char *text)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t length = strcspn(text, " ");

		if (column == 0 || column + 1 + length > LAST_COLUMN) {
			console_format(console, "%s%*s", column == 0 ? "" : "\n", TEXT_COLUMN, "");
			column = TEXT_COLUMN;
		} else {
			console_put(console, " ");
			column++;
		}
		console_format(console, "%.*s", (int)length, text);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	console_put(console, "\n");
}

void
help_print(struct console *console)
{
	console_put(console, "Usage: ");
	console_put_visible(console, console->program);
	console_put(console, shape);
	console_put(
		console,
		"\n"
		"Shows where a program spends its time, from the profile that it wrote when it\n"
		"ran. IMAGE is the program, a.out if not given. PROFILE is the profile, gmon.out\n"
		"if not given; several are added up; - is standard input.\n"
		"\n"
		"A long option that gprof has may be cut short as long as it stays unique; the\n"
		"others must be spelled out. Options may stand behind\n"
		"operands; -- ends the options. @FILE stands for the words in FILE.\n"
		"\n"
		"SPEC selects functions: NAME, FILE: or NAME.EXT, FILE:NAME, FILE:LINE or LINE.\n"
		"FROM/TO are two of these and select calls.\n");
	for (int group = 0; group < GROUP_COUNT; group++) {
		console_format(console, "\n%s:\n", headings[group]);
		for (size_t i = 0; i < cli_option_count; i++) {
			const struct cli_option *option = &cli_options[i];
			if ((int)option->group != group)
				continue;
			print_spelling(console, option);
			print_filled(console, option->help);
		}
	}
	console_put(console,
	            "\n"
	            "Exit status: 0 if all went well, 1 after an error, 2 if the command line\n"
	            "was wrong; as gprof, 1 after every error.\n");
}

bool
help_print_corrections(const struct command *command, const struct engine_frontend *frontend)
{
	uint64_t chosen = 0;
	bool ok = engine_corrections_configured(&command->settings, frontend, &chosen);
	const struct engine_correction *table;
	uint32_t count;

	table = engine_corrections(&count);
	for (uint32_t i = 0; ok && i < count; i++) {
		console_format(command->console, "%s (%s)\n", table[i].name,
		               chosen & table[i].bit ? "on" : "off");
		print_filled(command->console, table[i].reason);
	}
	return ok;
}

void
help_print_setting(void *opaque, const struct engine_setting_info *info)
{
	struct console *console = opaque;

	console_put_visible(console, info->path);
	console_put(console, ": ");
	/* As it would be written in a file. */
	console_put_visible(console, info->initial[0] == '\0' ? "\"\"" : info->initial);
	console_put(console, "\n");
	if (info->help)
		print_filled(console, info->help);
	if (info->values)
		print_filled(console, info->values);
}

bool
help_print_settings(const struct command *command, const struct engine_frontend *frontend)
{
	return engine_list_settings(&command->settings, frontend, help_print_setting);
}

void
help_print_version(struct console *console)
{
	console_put(console, "gprofx " GPROFX_VERSION " (compatible with GNU gprof 2.40)\n"
	                     "Free software under the Apache License, version 2.0, without any "
	                     "warranty.\n");
}
