/* SPDX-License-Identifier: Apache-2.0 */
#include "subcommands.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "command.h"
#include "console.h"
#include "diff.h"
#include "engine.h"
#include "operands.h"
#include "own.h"
#include "record.h"
#include "viewer.h"

const struct cli_subcommand cli_subcommands[] = {
	{SUBCOMMAND_RECORD, "record", "[OPTION]... PROGRAM [ARGUMENT]...", .group = GROUP_COUNT,
         .foreign_options =
                 "-o -F --output= --report --recover= --rate= --clock= --stack= --depth= "
                 "--threads= --children= --only= --signal= --control= --every= --keep= --memory= "
                 "--time= --snapshot= --pid= --duration= --help --version",
         .summary = "run it, and record where its time goes",
         .text = "Runs the program, and records in the folder gprofx.data where all of its threads "
                 "and child processes spend their time, and, with -pg, every call. gprofx "
                 "PROGRAM then shows it. The program need not be rebuilt, and can be killed. "
                 "gprofx record --help lists the options of this command, and gprofx-record(1) "
                 "explains them.",
         .example = "./prog"},
	{SUBCOMMAND_OPEN, "open", "[OPTION]... [PROGRAM [PROFILE]...]", .group = GROUP_OPEN,
         .summary = "the report as a page in a browser",
         .text = "Writes the report as a page into a new temporary folder, shows it in a browser, "
                 "and prints the name of the file. --with chooses another program to show it. "
                 "Options for the data of a report work as without the command; those for tables "
                 "are refused. The next open removes such folders that are older than a day.",
         .example = "./prog"},
	{SUBCOMMAND_DIFF, "diff", "[OPTION]... [PROGRAM] BASE NEW", .group = GROUP_DIFF,
         .summary = "what changed, and what chance explains",
         .text = "Compares two profiles, recordings, or folders of repeated runs: which functions "
                 "are faster or slower, by how much, and with which error. Differences that "
                 "chance explains are not called differences. Where the base was written by "
                 "another build, --base-image names it. --output writes the comparison in "
                 "another format. Options for the data of a report work as without the command; "
                 "those for its tables are refused.",
         .example = "./prog old new"},
	{SUBCOMMAND_HELP, "help", "[TOPIC]", .takes_topic = true, .group = GROUP_COUNT,
         .summary = "explain an option, a command or a topic",
         .text = "The same as --help, or --help=TOPIC. A topic can be an option, a command, a "
                 "setting, a finding, or one of those that --help lists."},
};
const size_t cli_subcommand_count = sizeof cli_subcommands / sizeof cli_subcommands[0];

/* Options that say nothing about the data of a report. */
static const struct refusal {
	int command;         /* enum cli_subcommand_id; -1: of all */
	const char *letters; /* of gprof's options */
	int ids[16];         /* of the others, then 0 */
	const char *reason, *hint;
	const char *hint_of_diff; /* where it is another; NULL: the same */
} refusals[] = {
	{-1,
         "pPqQBACJZriRytmx",
         {OPTION_LIST_TOP, OPTION_ENTRY, OPTION_ORDER_FORMAT, OPTION_PER_FILE, OPTION_PER_THREAD,
          OPTION_PER_PROCESS, OPTION_PER_PHASE},
         "chooses tables, which this command does not print",
         "leave it out; -F, -E, -n, -N and -k select functions and calls",
         "leave it out; -z lists all functions, -q callers and callees of those that differ"},
	{SUBCOMMAND_OPEN,
         "bw",
         {OPTION_COLOR, OPTION_NO_PAGER, OPTION_RAW_BYTES},
         "is about tables, which this command does not print",
         "leave it out",
         NULL},
	{SUBCOMMAND_OPEN,
         "",
         {OPTION_OUTPUT},
         "is for runs without a command",
         "leave out the command, the first word, or the option",
         NULL},
	{SUBCOMMAND_DIFF,
         "clTdwef",
         {OPTION_OBJECT, OPTION_CPU_TIME, OPTION_EXPLAIN, OPTION_SOURCE_MAP},
         "does not work with the command diff",
         "leave it out",
         NULL},
	{-1,
         "s",
         {OPTION_SUM, OPTION_PARTIAL, OPTION_COMPLETION, OPTION_LIST_CORRECTIONS,
          OPTION_LIST_SETTINGS, OPTION_PRINT_CONFIG, OPTION_PRINT_CONFIG_SCHEMA,
          OPTION_LIST_PLUGINS, OPTION_DUMP_PLUGIN, OPTION_FORMAT, OPTION_CHECK_PLUGIN},
         "is for runs without a command",
         "leave out the command, the first word, or the option",
         NULL},
};

/* GNU mode reads what GNU gprof does, and nothing else. */
static const struct refusal of_gnu_mode[] = {
	{-1,
         "",
         {OPTION_PER_THREAD, OPTION_PER_PROCESS, OPTION_PER_PHASE, OPTION_PHASE},
         "needs a profile with threads, processes or phases, which GNU mode does not read",
         "leave out --gnu, and call the program gprofx",
         NULL},
	{-1,
         "",
         {OPTION_PARTIAL},
         "writes what GNU mode does not read",
         "leave out --gnu, and call the program gprofx",
         NULL},
};

const struct cli_subcommand *
subcommand_named(const char *word)
{
	for (size_t i = 0; word && i < cli_subcommand_count; i++)
		if (strcmp(cli_subcommands[i].name, word) == 0)
			return &cli_subcommands[i];
	return NULL;
}

/* Whether two letters of one word that follow each other are exchanged in the other. */
static bool
is_exchanged(const char *word, const char *name)
{
	while (*word != '\0' && *word == *name) {
		word++;
		name++;
	}
	return word[0] != '\0' && name[0] != '\0' && word[0] == name[1] && word[1] == name[0] &&
	       strcmp(word + 2, name + 2) == 0;
}

const struct cli_subcommand *
subcommand_nearest(const char *word)
{
	/* Their names are so short that with two other letters a word is another one. */
	for (size_t i = 0; i < cli_subcommand_count; i++) {
		const char *name = cli_subcommands[i].name;

		if (nearest_cost(word, strlen(word), name, strlen(name)) <= NEAREST_LETTER ||
		    is_exchanged(word, name))
			return &cli_subcommands[i];
	}
	return NULL;
}

const struct cli_subcommand *
subcommand_of(const struct cli_option *option)
{
	for (size_t i = 0; i < cli_subcommand_count; i++)
		if (cli_subcommands[i].group == option->group)
			return &cli_subcommands[i];
	return NULL;
}

static bool
is_among(const struct refusal *refusal, const struct cli_option *option)
{
	const int *id = refusal->ids;

	while (*id != 0 && *id != option->id)
		id++;
	return *id != 0 || (cli_has_letter(option) && strchr(refusal->letters, option->id));
}

/* Tables that the command diff can print. */
static bool
is_of_diff(const struct cli_subcommand *subcommand, const struct cli_option *option)
{
	return subcommand->id == SUBCOMMAND_DIFF && (option->id == 'q' || option->id == 'A');
}

/* Why commands that make a report do not take an option; NULL: they do. */
static const struct refusal *
refusal_of(const struct cli_subcommand *subcommand, const struct cli_option *option)
{
	if (is_of_diff(subcommand, option))
		return NULL;
	for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
		if ((refusals[i].command < 0 || refusals[i].command == (int)subcommand->id) &&
		    is_among(&refusals[i], option))
			return &refusals[i];
	return NULL;
}

bool
subcommand_check_option(const struct command *command, const struct cli_option *option)
{
	const struct cli_subcommand *subcommand = command->subcommand;
	const struct cli_subcommand *owner = subcommand_of(option);
	const struct refusal *refusal = subcommand && !owner ? refusal_of(subcommand, option)
	                                                     : NULL;
	char spelling[40], hint[80];
	struct gprofx_diagnostic diagnostic = {.id = "usage.unused-option", .text = {spelling}};

	cli_spell(spelling, sizeof spelling, option);
	if (owner && owner != subcommand) {
		diagnostic.hint = hint;
		snprintf(hint, sizeof hint, "write gprofx %s %s%s%s", owner->name, spelling,
		         option->metavar ? "=" : "", option->metavar ? option->metavar : "");
		console_fail(command->console, &diagnostic,
		             "%s needs the command %s, as the first "
		             "word",
		             spelling, owner->name);
		return false;
	}
	for (size_t i = 0; command->gnu_mode && i < sizeof of_gnu_mode / sizeof of_gnu_mode[0]; i++)
		if (is_among(&of_gnu_mode[i], option))
			refusal = &of_gnu_mode[i];
	if (!refusal)
		return true;
	diagnostic.hint = subcommand && subcommand->id == SUBCOMMAND_DIFF && refusal->hint_of_diff
	                          ? refusal->hint_of_diff
	                          : refusal->hint;
	console_fail(command->console, &diagnostic, "%s %s", spelling, refusal->reason);
	return false;
}

/* Says that a program that has the name of a command is not what is reported. */
static void
warn_file(const struct command *command)
{
	char hint[40];
	const char *name = command->subcommand->name;
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.command-or-file",
		.hint = hint,
		.text = {name},
	};

	if (!operands_is_program(name))
		return;
	snprintf(hint, sizeof hint, "write ./%s for the program", name);
	console_warn(command->console, &diagnostic,
	             "%s is a command of gprofx, but also a program in this folder", name);
}

static bool
begin_help(struct command *command, int argc, char **argv)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unexpected-argument",
		.hint = "ask about one topic at a time",
		.text = {argc > 2 ? argv[2] : NULL},
	};

	command->action = COMMAND_HELP;
	if (argc == 2)
		return own_apply(command, cli_option_by_id(OPTION_HELP), argv[1]);
	if (argc < 2)
		return true;
	console_fail(command->console, &diagnostic, "help takes one topic, but '%s' follows",
	             argv[2]);
	return false;
}

bool
subcommand_begin(struct command *command, int *argc, char ***argv)
{
	command->first_word = *argc > 1 ? (*argv)[1] : NULL;
	command->subcommand = command->gnu_mode ? NULL : subcommand_named(command->first_word);
	if (!command->subcommand)
		return true;
	(*argc)--;
	(*argv)++;
	warn_file(command);
	switch (command->subcommand->id) {
	case SUBCOMMAND_RECORD:
		/* Its words are in a file; otherwise nothing comes here.  It only returns if it
		 * fails. */
		(void)record_execute(*argv - 1);
		return false;
	case SUBCOMMAND_OPEN:
		command->action = COMMAND_OPEN;
		command->viewer = viewer_browser;
		break;
	case SUBCOMMAND_DIFF:
		command->action = COMMAND_DIFF;
		diff_begin(command);
		break;
	case SUBCOMMAND_HELP:
		if (!begin_help(command, *argc, *argv))
			return false;
		/* All of its words are read. */
		*argc = 1;
		(*argv)[1] = NULL;
		break;
	}
	return true;
}
