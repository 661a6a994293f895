/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What makes shells complete the options, written from their table.  Values that depend on what is
 * installed are asked of the program when they are wanted.
 */
#include "completion.h"

#include <stdint.h>
#include <string.h>

#include "glossary.h"
#include "options.h"
#include "setting.h"
#include "subcommands.h"

/* What a list says, as words: pieces of shell, for all shells. */
static const struct {
	const char *values, *option, *script;
} lists[] = {
	{OFFER_CORRECTIONS, "list-corrections", "/ (o/{s/ (o.*//p;s/^/no-/p;}"},
	{OFFER_READERS, "list-plugins", "s/^input-[^ ]*  *reader  *\\([^ ]*\\) .*/\\1/p"},
	{OFFER_OUTPUTS, "list-plugins", "s/^output-[^ ]*  *emitter  *\\([^ ]*\\) .*/\\1/p"},
	{OFFER_PLUGINS, "list-plugins", "1d;/:$/d;s/^\\([a-z][^ ]*\\) .*/\\1/p"},
};

enum { LISTS = sizeof lists / sizeof lists[0] };

static bool
offers(const struct cli_option *option, const char *values)
{
	return option->values && strcmp(option->values, values) == 0;
}

/* The number of the list that an option takes its values from, LISTS: of none. */
static size_t
list_of(const struct cli_option *option)
{
	size_t i = 0;

	while (i < LISTS && !offers(option, lists[i].values))
		i++;
	return i;
}

/* The words themselves, as a list for any shell, between "before" and "after"; if there are some.
 */
static bool
put_words(struct console *console, const struct cli_option *option, const char *before,
          const char *after)
{
	const char *const *words = setting_words(option->setting);
	bool has_values = option->values && option->values[0] != '<';

	if (!words && !has_values)
		return false;
	console_put(console, before);
	for (uint32_t i = 0; words && words[i]; i++)
		console_format(console, "%s%s", i > 0 ? " " : "", words[i]);
	if (!words)
		console_put(console, option->values);
	console_put(console, after);
	return true;
}

/* Text between two apostrophes of a shell; "special" characters get a backslash. */
static void
put_quoted(struct console *console, const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			console_put(console, "'\\''");
		else if (strchr(special, *text))
			console_format(console, "\\%c", *text);
		else
			console_format(console, "%c", *text);
	}
}

/* --list-plugins 2>/dev/null | sed -n '…' */
static void
put_list(struct console *console, size_t i)
{
	console_format(console, "--%s 2>/dev/null | sed -n '", lists[i].option);
	put_quoted(console, lists[i].script, "");
	console_put(console, "'");
}

static const char bash_begin[] =
	"# bash completion for gprofx\n"
	"_gprofx() {\n"
	"	local program=$1 word=${COMP_WORDS[COMP_CWORD]} option= values= files= value list\n"
	"	local at=$((COMP_CWORD - 1))\n"
	"	COMPREPLY=()\n"
	"	local options='";

static const char bash_middle[] =
	"	esac\n"
	"	# bash takes --output=json for three words.\n"
	"	if [ \"$word\" = '=' ]; then\n"
	"		word=\n"
	"	elif [ $at -gt 0 ] && [ \"${COMP_WORDS[at]}\" = '=' ]; then\n"
	"		at=$((at - 1))\n"
	"	fi\n"
	"	[ $at -gt 0 ] && option=${COMP_WORDS[at]}\n"
	"	# Its options have values of their own.\n"
	"	[ \"${COMP_WORDS[1]}\" != record ] || option=\n"
	"	case $option in\n";

static const char bash_values[] =
	"	esac\n"
	"	if [ -n \"$files\" ]; then\n"
	"		[ \"$files\" != -d ] || compopt -o nospace 2>/dev/null\n"
	"	elif [ -z \"$values\" ]; then\n"
	"		case $word in\n"
	"		-*) values=$options ;;\n"
	"		*) files=-f ;;\n"
	"		esac\n"
	"	fi\n"
	"	case $COMP_CWORD$files in\n"
	"	1-f) values='";

static const char bash_end[] =
	"	esac\n"
	"	if [ -n \"$files\" ]; then\n"
	"		while IFS= read -r value; do\n"
	"			COMPREPLY+=(\"$value\")\n"
	"		done < <(compgen $files -- \"$word\")\n"
	"		[ -n \"$values\" ] || return\n"
	"	fi\n"
	"	# Words of plugins can be anything, and compgen -W would run the commands in them.\n"
	"	IFS=$' \\n' read -r -d '' -a list <<<\"$values\"\n"
	"	for value in \"${list[@]}\"; do\n"
	"		[[ $value != \"$word\"* ]] || COMPREPLY+=(\"$value\")\n"
	"	done\n"
	"	case ${COMPREPLY[*]} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
	"}\n"
	"complete -o filenames -F _gprofx gprofx\n";

static void
put_bash_case(struct console *console, const struct cli_option *option)
{
	size_t list = list_of(option);

	if (!option->values && !setting_words(option->setting))
		return;
	console_put(console, "	");
	if (cli_has_letter(option) && option->argument == ARGUMENT_REQUIRED)
		console_format(console, "-%c%s", option->id, cli_has_name(option) ? " | " : "");
	if (cli_has_name(option))
		console_format(console, "--%s", option->name);
	console_put(console, ") ");
	if (offers(option, OFFER_FILES))
		console_put(console, "files=-f");
	else if (offers(option, OFFER_FOLDERS))
		console_put(console, "files=-d");
	else
		put_words(console, option, "values='", "'");
	if (list < LISTS) {
		console_put(console, "values=$(\"$program\" ");
		put_list(console, list);
		console_put(console, ")");
	}
	console_put(console, " ;;\n");
}

/* The options of a report, or those that a command has besides, with a blank before each. */
static void
put_bash_options(struct console *console, const struct cli_subcommand *command)
{
	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];

		if (subcommand_of(option) != command)
			continue;
		if (cli_has_letter(option))
			console_format(console, " -%c", option->id);
		if (cli_has_name(option))
			console_format(console, " --%s%s", option->name,
			               option->argument == ARGUMENT_REQUIRED ? "=" : "");
	}
}

/* What a command that explains takes. */
static void
put_topics(struct console *console)
{
	console_put(console, CLI_TOPICS " settings");
	for (size_t i = 0; i < glossary_count; i++)
		console_format(console, " %s", glossary_words[i].topic);
	/* Those that have options are topics of these. */
	for (size_t i = 0; i < cli_subcommand_count; i++)
		if (cli_subcommands[i].group == GROUP_COUNT)
			console_format(console, " %s", cli_subcommands[i].name);
}

static void
print_bash(struct console *console)
{
	console_put(console, bash_begin);
	put_bash_options(console, NULL);
	console_put(console, "'\n	case ${COMP_WORDS[1]} in\n");
	for (size_t i = 0; i < cli_subcommand_count; i++) {
		if (cli_subcommands[i].foreign_options)
			console_format(console, "	%s) options='%s' ;;\n",
			               cli_subcommands[i].name, cli_subcommands[i].foreign_options);
		if (cli_subcommands[i].group == GROUP_COUNT)
			continue;
		console_format(console, "	%s) options=\"$options", cli_subcommands[i].name);
		put_bash_options(console, &cli_subcommands[i]);
		console_put(console, "\" ;;\n");
	}
	console_put(console, bash_middle);
	for (size_t i = 0; i < cli_option_count; i++)
		put_bash_case(console, &cli_options[i]);
	console_put(console, bash_values);
	for (size_t i = 0; i < cli_subcommand_count; i++)
		console_format(console, " %s", cli_subcommands[i].name);
	console_put(console, "' ;;\n	2-f)\n		case ${COMP_WORDS[1]} in\n");
	for (size_t i = 0; i < cli_subcommand_count; i++) {
		if (!cli_subcommands[i].takes_topic)
			continue;
		console_format(console, "		%s) files= values='",
		               cli_subcommands[i].name);
		put_topics(console);
		console_put(console, "' ;;\n");
	}
	console_put(console, "		esac\n		;;\n");
	console_put(console, bash_end);
}

/* The part behind the description: what an argument is, and where it comes from. */
static void
put_zsh_argument(struct console *console, const struct cli_option *option)
{
	size_t list = list_of(option);

	if (option->argument == ARGUMENT_NONE)
		return;
	console_put(console, option->argument == ARGUMENT_OPTIONAL ? "::" : ":");
	put_quoted(console, option->metavar, ":[]\\");
	console_put(console, ":");
	if (offers(option, OFFER_FILES))
		console_put(console, "_files");
	else if (offers(option, OFFER_FOLDERS))
		console_put(console, "_files -/");
	else
		put_words(console, option, "(", ")");
	if (list < LISTS)
		console_format(console, "_gprofx_list %zu", list);
}

/* One spelling of an option; "joint": what stands between it and its argument. */
static void
put_zsh_option(struct console *console, const struct cli_option *option, const char *dashes,
               const char *name, const char *joint)
{
	console_format(console, "		'*%s%s%s[", dashes, name, joint);
	put_quoted(console, option->help, ":[]\\");
	console_put(console, "]");
	put_zsh_argument(console, option);
	console_put(console, "' \\\n");
}

/* The options of a report, or those that a command has besides. */
static void
put_zsh_options(struct console *console, const struct cli_subcommand *command)
{
	static const char *const short_joints[] = {"", "-", "+"};
	static const char *const long_joints[] = {"", "=-", "="};

	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];
		const char letter[] = {(char)option->id, '\0'};

		if (subcommand_of(option) != command)
			continue;
		if (cli_has_letter(option))
			put_zsh_option(console, option, "-", letter,
			               short_joints[option->argument]);
		if (cli_has_name(option))
			put_zsh_option(console, option, "--", option->name,
			               long_joints[option->argument]);
	}
}

/* What the first word can be. */
static void
put_zsh_commands(struct console *console)
{
	console_put(console, "_gprofx_first() {\n	_alternative 'commands:command:((");
	for (size_t i = 0; i < cli_subcommand_count; i++) {
		console_format(console, "%s%s\\:\"", i > 0 ? " " : "", cli_subcommands[i].name);
		put_quoted(console, cli_subcommands[i].summary, ":\"\\");
		console_put(console, "\"");
	}
	console_put(console, "))' 'files:program:_files'\n}\n\n");
}

/* The options of another program, which end at the name of what it runs. */
static void
put_zsh_foreign(struct console *console, const struct cli_subcommand *command)
{
	const char *word = command->foreign_options;

	console_format(console, "	%s)\n		_arguments '1:command:'", command->name);
	while (*word != '\0') {
		size_t length = strcspn(word, " ");
		bool takes_value = word[length - 1] == '=' || word[1] != '-';

		console_format(console, " '%.*s%s'", (int)length, word,
		               takes_value ? ":value:_files" : "");
		word += length;
		word += strspn(word, " ");
	}
	console_put(console, " '*:file:_files'\n		return\n		;;\n");
}

static void
print_zsh(struct console *console)
{
	console_put(console, "#compdef gprofx\n\n_gprofx_list() {\n	local -a found\n"
	                     "	case $1 in\n");
	for (size_t i = 0; i < LISTS; i++) {
		console_format(console, "	%zu) found=(${(f)\"$($service ", i);
		put_list(console, i);
		console_put(console, ")\"}) ;;\n");
	}
	console_put(console, "	esac\n	compadd -a found\n}\n\n");
	put_zsh_commands(console);
	console_put(console, "_gprofx() {\n	local -a own\n	case $words[2] in\n");
	for (size_t i = 0; i < cli_subcommand_count; i++) {
		const struct cli_subcommand *command = &cli_subcommands[i];

		if (command->foreign_options)
			put_zsh_foreign(console, command);
		if (command->takes_topic) {
			console_format(console,
			               "	%s)\n		_arguments '1:command:' '2:topic:(",
			               command->name);
			put_topics(console);
			console_put(console, ")'\n		return\n		;;\n");
		}
		if (command->group == GROUP_COUNT)
			continue;
		console_format(console, "	%s)\n		own=( \\\n", command->name);
		put_zsh_options(console, command);
		console_put(console, "		)\n		;;\n");
	}
	console_put(console, "	esac\n	_arguments -s \\\n");
	put_zsh_options(console, NULL);
	console_put(console, "		$own '1:program:_gprofx_first' '*:file:_files'\n}\n\n"
	                     "_gprofx \"$@\"\n");
}

static void
put_fish_values(struct console *console, const struct cli_option *option)
{
	size_t list = list_of(option);

	if (option->argument != ARGUMENT_REQUIRED)
		return;
	if (offers(option, OFFER_FILES)) {
		console_put(console, " -rF");
		return;
	}
	console_put(console, " -x");
	if (offers(option, OFFER_FOLDERS))
		console_put(console, " -a '(__fish_complete_directories)'");
	else
		put_words(console, option, " -a '", "'");
	if (list < LISTS)
		console_format(console, " -a '(__gprofx_list %zu)'", list);
}

static void
put_fish_description(struct console *console, const char *text)
{
	console_put(console, " -d '");
	for (; *text != '\0'; text++)
		console_format(console, strchr("'\\", *text) ? "\\%c" : "%c", *text);
	console_put(console, "'\n");
}

/* Commands, which are the first word, and the topics of help. */
static void
put_fish_commands(struct console *console)
{
	console_put(console, "# Whether the first word is the one that is named, or missing.\n"
	                     "function __gprofx_first\n"
	                     "	set -l words (commandline -opc)\n"
	                     "	test \"$words[2]\" = \"$argv[1]\"\n"
	                     "end\n\n");
	for (size_t i = 0; i < cli_subcommand_count; i++) {
		const struct cli_subcommand *command = &cli_subcommands[i];

		console_format(console, "complete -c gprofx -n '__gprofx_first \"\"' -a %s",
		               command->name);
		put_fish_description(console, command->summary);
		if (command->foreign_options)
			console_format(console,
			               "complete -c gprofx -n '__gprofx_first %s' -a '%s'\n",
			               command->name, command->foreign_options);
		if (!command->takes_topic)
			continue;
		console_format(console, "complete -c gprofx -n '__gprofx_first %s' -f -a '",
		               command->name);
		put_topics(console);
		console_put(console, "'\n");
	}
	console_put(console, "\n");
}

static void
print_fish(struct console *console)
{
	console_put(console, "# fish completion for gprofx\n\nfunction __gprofx_list\n"
	                     "	set -l program (commandline -opc)[1]\n	switch $argv[1]\n");
	for (size_t i = 0; i < LISTS; i++) {
		console_format(console, "		case %zu\n			$program ",
		               i);
		put_list(console, i);
		console_put(console, "\n");
	}
	console_put(console, "	end\nend\n\n");
	put_fish_commands(console);
	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];
		const struct cli_subcommand *command = subcommand_of(option);

		console_put(console, "complete -c gprofx");
		if (command)
			console_format(console, " -n '__gprofx_first %s'", command->name);
		if (cli_has_letter(option))
			console_format(console, " -s %c", option->id);
		if (cli_has_name(option))
			console_format(console, " -l %s", option->name);
		put_fish_values(console, option);
		put_fish_description(console, option->help);
	}
}

bool
completion_print(struct console *console, const char *shell)
{
	static const struct {
		const char *shell;
		void (*print)(struct console *console);
	} printers[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

	for (size_t i = 0; i < sizeof printers / sizeof printers[0]; i++)
		if (strcmp(shell, printers[i].shell) == 0) {
			if (console)
				printers[i].print(console);
			return true;
		}
	return false;
}
