/* SPDX-License-Identifier: Apache-2.0 */
/* The texts about the program itself; all that concerns options comes from their table. */
#include "help.h"

#include <stdio.h>
#include <string.h>

#include "glossary.h"
#include "options.h"
#include "subcommands.h"

enum { TEXT_COLUMN = 8, SHORT_COLUMN = 32, EXAMPLE_COLUMN = 31, LAST_COLUMN = 79 };

static const struct {
	const char *topic, *heading;
} groups[GROUP_COUNT] = {
#define GROUP_ROW(name, topic, heading) {topic, heading},
	CLI_GROUPS(GROUP_ROW)};

/* Everything, as if no topic were named; the commands; and the words of tables. */
static const char all_topics[] = "all", commands[] = "commands", words[] = "words";

/* The options that --help shows by itself, and its words about them: one screen with all the rest.
 */
static const struct {
	int id;
	const char *text;
} most_used[] = {
	{OPTION_LIST_TOP, "one screen: where the time is, what to do next"},
	{'p', "flat profile: the time spent in each function"},
	{'q', "call graph: callers and callees, and their cost"},
	{'A', "source annotated with execution counts"},
	{'l', "profile source lines instead of functions"},
	{OPTION_OUTPUT, "write it as json, svg, callgrind, pprof, ..."},
	{OPTION_EXPLAIN, "what is wrong with the figures, and why"},
};

static const char shape[] = " [OPTION]... [PROGRAM [PROFILE]...] [@FILE]\n";

void
help_usage(struct message *message, const char *program)
{
	message_put(message, "Usage: ");
	message_put_visible(message, program);
	message_put(message, shape);
	message_put(message,
	            "PROGRAM is the profiled program (default: a.out); PROFILE is what it wrote "
	            "when it ran\n(default: gmon.out). For the options: ");
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

/* Fills lines between a column and the last one. */
static void
print_filled_from(struct console *console, size_t first, const char *text)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t length = strcspn(text, " ");

		if (column == 0 || column + 1 + length > LAST_COLUMN) {
			console_format(console, "%s%*s", column == 0 ? "" : "\n", (int)first, "");
			column = first;
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

static void
print_filled(struct console *console, const char *text)
{
	print_filled_from(console, TEXT_COLUMN, text);
}

static void
print_option(struct console *console, const struct cli_option *option)
{
	print_spelling(console, option);
	print_filled(console, option->help);
}

static const char shorter_names[] =
	"The option names of an output says how much of each name is shown:\n"
	"\n"
	"  full             int ns::list<int>::find<char>(char) const\n"
	"  no-arguments     ns::list<int>::find<char>\n"
	"  no-templates     ns::list::find\n"
	"  last-components  list::find\n"
	"\n"
	"Tables in files and pipes have full names, whatever their length; tables on a\n"
	"terminal have no-templates, and what does not fit a row continues below it.\n"
	"The summary shortens a name as far as its column needs, with ... for scopes.\n"
	"For all outputs, for one, and for all of your runs:\n"
	"\n"
	"  gprofx --output-option=names=no-templates ./prog >report\n"
	"  gprofx --set=flat.names=full ./prog\n"
	"  export GPROFX_SET=flat.names=last-components\n"
	"\n"
	"SPEC can be a full name, or one without arguments: see --help=SPEC.\n"
	"\n";

static const char symspecs[] =
	"SPEC selects functions: NAME, FILE: or NAME.EXT, FILE:NAME, FILE:LINE or LINE.\n"
	"FROM/TO are two of these and select calls. [SPEC] is attached to the letter:\n"
	"-pmain. So -b -p -q can be -bp -q, but not -bpq.\n";

/* "gprofx open [OPTION]...", and what it does. */
static void
print_command(struct console *console, const char *before, const struct cli_subcommand *command)
{
	console_format(console, "%sgprofx %s %s\n", before, command->name, command->operands);
	print_filled(console, command->text);
}

static void
print_commands(struct console *console)
{
	console_put(console, "Commands, as the first word; ./NAME is a program of that name:\n");
	for (size_t i = 0; i < cli_subcommand_count; i++)
		print_command(console, "  ", &cli_subcommands[i]);
}

/* Examples of commands, in the form of those of --help. */
static void
print_examples(struct console *console)
{
	char example[80];

	for (size_t i = 0; i < cli_subcommand_count; i++) {
		const struct cli_subcommand *command = &cli_subcommands[i];

		if (!command->example)
			continue;
		snprintf(example, sizeof example, "  gprofx %s %s", command->name,
		         command->example);
		console_format(console, "%-*s%s\n", EXAMPLE_COLUMN, example, command->summary);
	}
}

static void
print_group(struct console *console, int group)
{
	console_format(console, "%s:\n", groups[group].heading);
	for (size_t i = 0; i < cli_option_count; i++)
		if ((int)cli_options[i].group == group)
			print_option(console, &cli_options[i]);
}

static void
print_shape(struct console *console)
{
	console_put(console, "Usage: ");
	console_put_visible(console, console->program);
	console_put(console, shape);
}

/* "  -p[SPEC], --flat-profile     the time spent in each function" */
static void
print_short(struct console *console, const struct cli_option *option, const char *text)
{
	char spelling[80], letter[40] = "    ";
	const char *argument = option->metavar ? option->metavar : "";
	bool has_letter = cli_has_letter(option), is_attached = has_letter && option->metavar;

	if (has_letter)
		snprintf(letter, sizeof letter, is_attached ? "-%c[%s], " : "-%c, ", option->id,
		         argument);
	snprintf(spelling, sizeof spelling, "  %s--%s%s%s", letter, option->name,
	         is_attached || !option->metavar ? "" : "=", is_attached ? "" : argument);
	console_format(console, "%-*s%s\n", SHORT_COLUMN, spelling, text);
}

void
help_print(struct console *console)
{
	print_shape(console);
	console_put(console,
	            "\n"
	            "Shows where a program spends its time: from what gprofx record has recorded,\n"
	            "gmon.out of gcc -pg, folded call stacks and others; several are added up.\n"
	            "\n"
	            "  gprofx ./prog                everything: summary, flat profile, call graph\n"
	            "  gprofx --entry=main ./prog   only main: who calls it, and what it calls\n");
	print_examples(console);
	console_put(console, "\n");
	for (size_t i = 0; i < sizeof most_used / sizeof most_used[0]; i++)
		print_short(console, cli_option_by_id(most_used[i].id), most_used[i].text);
	console_put(console, "\n"
	                     "More: gprofx help OPTION, or help TOPIC with one of the topics\n");
	print_filled_from(console, 2, CLI_TOPICS ";");
	console_put(console,
	            "and the manual, man gprofx. SPEC is attached, as in -pmain; see help SPEC.\n");
}

void
help_print_all(struct console *console)
{
	print_shape(console);
	console_put(
		console,
		"\n"
		"Shows where a program spends its time, from the profile that it wrote when it\n"
		"ran. PROGRAM is the program (default: a.out), PROFILE its profile (default:\n"
		"gmon.out); several profiles are added up; - is standard input.\n"
		"\n"
		"Long options of gprof can be abbreviated to an unambiguous prefix; the others\n"
		"must be spelled out. Options may follow operands; -- ends the options. @FILE\n"
		"is replaced by the words in FILE.\n"
		"\n");
	console_put(console, symspecs);
	if (!console->gnu_mode) {
		console_put(console, "\n");
		print_commands(console);
	}
	for (int group = 0; group < GROUP_COUNT; group++) {
		/* They are for commands, which GNU mode does not have. */
		if (console->gnu_mode && (group == GROUP_OPEN || group == GROUP_DIFF))
			continue;
		console_put(console, "\n");
		print_group(console, group);
	}
	console_put(
		console,
		"\n"
		"Exit status: 0: success; 1: an error; 2: a wrong command line (1 as gprof).\n");
}

/* Whether the option is called that, with dashes or without. */
static bool
is_called(const struct cli_option *option, const char *word)
{
	size_t dashes = strspn(word, "-");

	word += dashes < 2 ? dashes : 2;
	return (cli_has_name(option) && strcmp(option->name, word) == 0) ||
	       (cli_has_letter(option) && word[0] == option->id && word[1] == '\0');
}

/* Whether help texts call the argument of the option that. */
static bool
has_argument(const struct cli_option *option, const char *word)
{
	return option->metavar && strcmp(option->metavar, word) == 0;
}

/* The number of the group, or GROUP_COUNT. */
static int
named_group(const char *topic)
{
	int group = 0;

	while (group < GROUP_COUNT && strcmp(groups[group].topic, topic) != 0)
		group++;
	return group;
}

/* What is found under this id, or NULL. */
static const struct engine_finding_kind *
named_finding(const char *topic)
{
	uint32_t count;
	const struct engine_finding_kind *kinds = engine_finding_kinds(&count);

	for (uint32_t i = 0; i < count; i++)
		if (strcmp(kinds[i].id, topic) == 0)
			return &kinds[i];
	return NULL;
}

static void
print_finding(struct console *console, const struct engine_finding_kind *finding)
{
	console_format(console, "%s\n", finding->id);
	print_filled(console, finding->advice);
	console_put(console,
	            "\n"
	            "gprofx --explain PROGRAM shows what was found, with the numbers. What it\n"
	            "means is in the manual, gprofx(1), under FINDINGS.\n");
}

static void
print_word(struct console *console, const struct glossary_word *word)
{
	console_format(console, "%s:\n", word->title);
	print_filled(console, word->text);
}

static void
print_words(struct console *console)
{
	console_put(console, "Words of tables and summaries:\n");
	for (size_t i = 0; i < glossary_count; i++) {
		console_put(console, "\n");
		print_word(console, &glossary_words[i]);
	}
}

bool
help_has_topic(const char *topic)
{
	bool is_option = named_finding(topic) || subcommand_named(topic) || glossary_find(topic);

	for (size_t i = 0; i < cli_option_count; i++)
		is_option |= is_called(&cli_options[i], topic) ||
		             has_argument(&cli_options[i], topic);
	return is_option || strcmp(topic, all_topics) == 0 || strcmp(topic, commands) == 0 ||
	       strcmp(topic, words) == 0 || named_group(topic) < GROUP_COUNT;
}

void
help_offer_topics(struct nearest *nearest)
{
	nearest_offer(nearest, all_topics);
	nearest_offer(nearest, commands);
	nearest_offer(nearest, words);
	for (size_t i = 0; i < glossary_count; i++)
		nearest_offer(nearest, glossary_words[i].topic);
	for (size_t i = 0; i < cli_subcommand_count; i++)
		nearest_offer(nearest, cli_subcommands[i].name);
	for (int group = 0; group < GROUP_COUNT; group++)
		nearest_offer(nearest, groups[group].topic);
	for (size_t i = 0; i < cli_option_count; i++)
		if (cli_has_name(&cli_options[i]))
			nearest_offer(nearest, cli_options[i].name);
}

void
help_print_topic(struct console *console, const char *topic)
{
	const struct engine_finding_kind *finding = named_finding(topic);
	const struct cli_subcommand *command = subcommand_named(topic);
	const struct glossary_word *word = glossary_find(topic);
	int group = named_group(topic);

	if (word)
		print_word(console, word);
	if (command) {
		print_command(console, "Usage: ", command);
		console_put(console, "\n");
	}
	if (strcmp(topic, all_topics) == 0)
		help_print_all(console);
	else if (strcmp(topic, commands) == 0)
		print_commands(console);
	else if (strcmp(topic, words) == 0)
		print_words(console);
	else if (finding)
		print_finding(console, finding);
	else if (group < GROUP_COUNT) {
		print_group(console, group);
		if (group == GROUP_SELECTION) {
			console_put(console, "\n");
			console_put(console, symspecs);
		}
	} else {
		if (strcmp(topic, "SPEC") == 0 || strcmp(topic, "FROM/TO") == 0) {
			console_put(console, symspecs);
			console_put(console, "\n");
		}
		for (size_t i = 0; i < cli_option_count; i++)
			if (is_called(&cli_options[i], topic) ||
			    has_argument(&cli_options[i], topic))
				print_option(console, &cli_options[i]);
	}
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

/* flat.top is options.output-flat.top. */
static bool
is_setting(const char *path, const char *topic)
{
	size_t length = strlen(path), own = strlen(topic);

	if (strncmp(path, topic, own) == 0 && (path[own] == '\0' || path[own] == '.'))
		return true;
	return own < length && strcmp(path + length - own, topic) == 0 &&
	       (path[length - own - 1] == '.' ||
	        (path[length - own - 1] == '-' && strchr(topic, '.')));
}

static void
print_listed(void *opaque, const struct engine_setting_info *info)
{
	struct console *console = opaque;

	if (console->listed && !is_setting(info->path, console->listed))
		return;
	help_print_setting(console, info);
	console->listed_count++;
}

static const char *
nearest_finding(const char *topic)
{
	uint32_t count;
	const struct engine_finding_kind *kinds = engine_finding_kinds(&count);
	struct nearest nearest;

	nearest_begin(&nearest, topic, strlen(topic));
	for (uint32_t i = 0; i < count; i++)
		nearest_offer(&nearest, kinds[i].id);
	return nearest.found;
}

static const char about_names[] = "names";

bool
help_is_about_settings(const char *topic)
{
	return strchr(topic, '.') || strcmp(topic, about_names) == 0;
}

bool
help_print_settings(const struct command *command, const struct engine_frontend *frontend)
{
	struct console *console = command->console;
	struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-topic",
		.hint = "use --help=settings to list all settings; ids of messages are in the "
			"manual, gprofx(1)",
		.text = {command->topic, NULL},
	};
	char meant[64];
	const char *finding;

	console->listed = command->topic;
	if (command->topic && strcmp(command->topic, about_names) == 0)
		console_put(console, shorter_names);
	if (!engine_list_settings(&command->settings, frontend, print_listed))
		return false;
	if (console->listed_count > 0)
		return true;
	finding = nearest_finding(command->topic);
	if (finding) {
		snprintf(meant, sizeof meant, "did you mean --help=%s?", finding);
		diagnostic.hint = meant;
		diagnostic.text[1] = finding;
	}
	console_fail(console, &diagnostic, "unknown topic '%s'", command->topic);
	return false;
}

void
help_print_version(struct console *console)
{
	console_put(console, "gprofx " GPROFX_VERSION " (compatible with GNU gprof 2.40)\n"
	                     "Free software under the Apache License, version 2.0, without any "
	                     "warranty.\n");
}
