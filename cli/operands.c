/* SPDX-License-Identifier: Apache-2.0 */
#include "operands.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"
#include "options.h"
#include "shared/shell-words.h"
#include "subcommands.h"

enum {
	MOST_FILES = 4096, /* looked at in the folder */
	MOST_NAMED = 3,
	LONGEST_NAME = 60,
	LONGEST_CLUSTER = 10,
	LONGEST_NUMBER = 6,
	LONGEST_OURS = 48 /* of what a hint has before operands */
};

/* Whether each byte of a word is another option that needs no argument. */
static bool
are_options(const char *word)
{
	for (; *word != '\0'; word++) {
		const struct cli_option *option = cli_option_by_id((unsigned char)*word);

		if (!option || !cli_has_letter(option) || option->argument == ARGUMENT_REQUIRED ||
		    strchr(word + 1, *word))
			return false;
	}
	return true;
}

/* "-bpq" is -b -pq: if the symspec q matches nothing, what to write. */
static void
note_cluster(struct command *command, const struct args *args)
{
	const char *word = args_last_word(args), *value = args->value;
	char *hint = command->symspec_hint;
	size_t used, room = sizeof command->symspec_hint;

	if (command->settings.advised_symspec || !word || word[0] != '-' || word[1] == '-' ||
	    strlen(word) > LONGEST_CLUSTER || value <= word || value > word + strlen(word) ||
	    *value == '\0' || !are_options(value))
		return;
	used = (size_t)snprintf(hint, room, "write");
	for (const char *at = word + 1; *at != '\0'; at++)
		used += (size_t)snprintf(hint + used, room - used, " -%c", *at);
	snprintf(hint + used, room - used, ": what follows %c is its %s", value[-1],
	         args->option->metavar);
	command->settings.advised_symspec = value;
	command->settings.symspec_advice = hint;
}

/* "-n 10" selects by a function; in other programs it is a number of rows. */
static void
note_number(struct command *command, const struct args *args)
{
	char *hint = command->symspec_hint;
	const char *value = args->value;

	if (command->settings.advised_symspec || strlen(value) > LONGEST_NUMBER ||
	    value[strspn(value, "0123456789")] != '\0')
		return;
	snprintf(hint, sizeof command->symspec_hint,
	         "write --set=flat.top=%s for %s rows: the SPEC of -n is a function", value, value);
	command->settings.advised_symspec = value;
	command->settings.symspec_advice = hint;
}

void
operands_note(struct command *command, const struct args *args)
{
	const struct cli_option *option = args->option;
	const char *next = args_next_word(args);

	if (command->gnu_mode || !option->metavar)
		return;
	if (option->argument == ARGUMENT_OPTIONAL && !args->value && next && next[0] != '-')
		command->detached = (struct command_word){option, next};
	if (option->argument == ARGUMENT_OPTIONAL && args->value)
		note_cluster(command, args);
	if (option->id == 'n' && args->value && args->value[0] != '\0')
		note_number(command, args);
	if (option->argument == ARGUMENT_REQUIRED && args->value == args_last_word(args))
		command->taken = (struct command_word){option, args->value};
}

static bool
is_program(int folder, const char *name)
{
	int descriptor;
	char tag[4] = "";
	bool is_elf;

	if (faccessat(folder, name, X_OK, 0) != 0)
		return false;
	descriptor = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (descriptor < 0)
		return false;
	is_elf = read(descriptor, tag, sizeof tag) == (ssize_t)sizeof tag &&
	         memcmp(tag, "\177ELF", sizeof tag) == 0;
	close(descriptor);
	return is_elf;
}

bool
operands_is_program(const char *name)
{
	return is_program(AT_FDCWD, name);
}

static int
compare_names(const void *left, const void *right)
{
	return strcmp(left, right);
}

/* Programs in the working directory, as "./a, ./b"; false: there are none. */
static bool
list_programs(char *list, size_t room)
{
	char names[MOST_NAMED + 1][LONGEST_NAME + 1];
	const struct dirent *entry;
	DIR *stream = opendir(".");
	size_t count = 0, used = 0;

	if (!stream)
		return false;
	for (int seen = 0; seen < MOST_FILES && count <= MOST_NAMED && (entry = readdir(stream));
	     seen++)
		if ((entry->d_type == DT_REG || entry->d_type == DT_LNK ||
		     entry->d_type == DT_UNKNOWN) &&
		    strlen(entry->d_name) <= LONGEST_NAME &&
		    is_program(dirfd(stream), entry->d_name))
			memcpy(names[count++], entry->d_name, strlen(entry->d_name) + 1);
	closedir(stream);
	qsort(names, count, sizeof names[0], compare_names);
	for (size_t i = 0; i < count && used < room; i++)
		used += (size_t)snprintf(list + used, room - used, "%s%s%s", i > 0 ? ", " : "",
		                         i < MOST_NAMED ? "./" : "",
		                         i < MOST_NAMED ? names[i] : "...");
	return count > 0;
}

/* Whether another program may be writing a profile to standard input. */
static bool
is_piped(void)
{
	struct stat about;

	return fstat(STDIN_FILENO, &about) == 0 && S_ISFIFO(about.st_mode);
}

/* Whether a word is an operand as it is, for a shell and for this program. */
static bool
is_plain(const char *word)
{
	return shell_takes(word) && word[0] != '-';
}

void
operands_write(char *text, size_t room, char *const *operands)
{
	size_t used = 0, length;

	text[0] = '\0';
	for (size_t i = 0; operands[i]; i++) {
		const char *word = operands[i];
		bool needs_folder = i == 0 && !strchr(word, '/') && operands_is_program(word);

		length = strlen(word);
		if (length > LONGEST_NAME || !is_plain(word) || used + length + 4 > room) {
			used = 0;
			break;
		}
		used += (size_t)snprintf(text + used, room - used, "%s%s%s", used > 0 ? " " : "",
		                         needs_folder ? "./" : "", word);
	}
	if (used == 0)
		snprintf(text, room, "PROGRAM");
}

/* The command of another profiler, with its operands: how gprofx does the same.  False: none. */
static bool
advise_other_command(struct command *command, const char *word, char *const *operands)
{
	static const struct {
		const char *word, *ours;
	} others[] = {
		{"run", "record"},     {"collect", "record"}, {"report", NULL},
		{"display", NULL},     {"stat", "--summary"}, {"top", "--summary"},
		{"annotate", "-b -A"},
	};
	size_t i = 0, count = sizeof others / sizeof others[0];
	char words[sizeof command->operand_hint - LONGEST_OURS];

	while (i < count && strcmp(others[i].word, word) != 0)
		i++;
	if (i == count)
		return false;
	operands_write(words, sizeof words, operands);
	snprintf(command->operand_hint, sizeof command->operand_hint, "write gprofx %s%s%s",
	         others[i].ours ? others[i].ours : "", others[i].ours ? " " : "", words);
	return true;
}

/* The operand can be a command: misspelled, not the first word, or that of another profiler. */
static void
advise_command(struct command *command, char **operands)
{
	const char *operand = operands[0];
	const struct cli_subcommand *subcommand;
	bool is_first = operand == command->first_word;
	char words[sizeof command->operand_hint - LONGEST_OURS];

	if (!operand || access(operand, F_OK) == 0)
		return;
	subcommand = is_first ? subcommand_nearest(operand) : subcommand_named(operand);
	operands_write(words, sizeof words, operands + 1);
	if (subcommand)
		snprintf(command->operand_hint, sizeof command->operand_hint,
		         is_first ? "did you mean gprofx %s%s%s?"
		                  : "write the command first: gprofx %s%s%s",
		         subcommand->name, operands[1] ? " " : "", operands[1] ? words : "");
	else if (!is_first || !advise_other_command(command, operand, operands + 1))
		return;
	command->settings.advised_operand = operand;
	command->settings.advice = command->operand_hint;
}

void
operands_advise(struct command *command, char **operands)
{
	struct engine_settings *settings = &command->settings;
	char *hint = command->operand_hint, option[40], list[4 * LONGEST_NAME];
	size_t room = sizeof command->operand_hint;
	bool has_operand = *operands != NULL;

	if (command->gnu_mode ||
	    (command->action != COMMAND_RUN && command->action != COMMAND_OPEN))
		return;
	hint[0] = '\0';
	advise_command(command, operands);
	if (settings->advice)
		return;
	for (; command->detached.text && *operands; operands++)
		if (*operands == command->detached.text) {
			cli_spell(option, sizeof option, command->detached.option);
			settings->advised_operand = *operands;
			snprintf(hint, room, "write %s%s%s, without a blank", option,
			         option[1] == '-' ? "=" : "", *operands);
		}
	if (has_operand || hint[0] != '\0' || access(settings->image, F_OK) == 0) {
		settings->advice = hint[0] != '\0' ? hint : NULL;
		return;
	}
	settings->advised_operand = settings->image;
	settings->advice = hint;
	if (command->taken.text && access(command->taken.text, F_OK) == 0) {
		cli_spell(option, sizeof option, command->taken.option);
		snprintf(hint, room, "name the program, too: %s is the %s of %s",
		         command->taken.text, command->taken.option->metavar, option);
	} else if (list_programs(list, sizeof list)) {
		snprintf(hint, room,
		         "name a program, as one of this folder: %s; --help has examples", list);
	} else {
		snprintf(hint, room,
		         "name a program, of which none is in this folder: gprofx PROGRAM "
		         "[PROFILE...]; --help has examples");
	}
	if (is_piped())
		snprintf(hint + strlen(hint), room - strlen(hint),
		         "; for a profile from the pipe, write gprofx -");
}
