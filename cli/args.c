/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing by getopt_long, twice: gprof's own table decides first. */
#include "args.h"

#include <string.h>

#include "base/nearest.h"

static void
add_name(struct option *name, const struct cli_option *option)
{
	name->name = option->name;
	name->has_arg = option->argument == ARGUMENT_NONE       ? no_argument
	                : option->argument == ARGUMENT_OPTIONAL ? optional_argument
	                                                        : required_argument;
	name->flag = NULL;
	name->val = option->id;
}

void
args_begin(struct args *args, int argc, char **argv, bool gnu_mode)
{
	struct option *name = args->names, *own_name = args->own_names;
	char *letter = args->letters;

	args->gnu_mode = gnu_mode;
	args->argc = argc;
	args->argv = argv;
	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];

		if (option->name)
			add_name(option->own ? own_name++ : name++, option);
		if (option->id > 127)
			continue;
		*letter++ = (char)option->id;
		if (option->argument != ARGUMENT_NONE)
			*letter++ = ':';
		if (option->argument == ARGUMENT_OPTIONAL)
			*letter++ = ':';
	}
	*letter = '\0';
	memset(name, 0, sizeof *name);
	memset(own_name, 0, sizeof *own_name);
	optind = 0;
}

static enum args_event
refuse(struct args *args, enum args_fault fault, const struct cli_option *option, const char *word)
{
	args->fault = fault;
	args->option = option;
	args->word = word;
	return ARGS_FAULT;
}

static enum args_event
refuse_letter(struct args *args, enum args_fault fault, const struct cli_option *option,
              char letter)
{
	args->letter[0] = '-';
	args->letter[1] = letter;
	args->letter[2] = '\0';
	return refuse(args, fault, option, args->letter);
}

size_t
args_name_length(const char *word)
{
	return strcspn(word + 2, "=");
}

bool
args_is_candidate(const struct cli_option *option, const char *word)
{
	return option->name && !option->own &&
	       strncmp(option->name, word + 2, args_name_length(word)) == 0;
}

static bool
is_full_name(const struct cli_option *option, const char *word)
{
	size_t length = args_name_length(word);

	return option->name && strlen(option->name) == length &&
	       strncmp(option->name, word + 2, length) == 0;
}

static bool
is_own_name(const char *word)
{
	for (size_t i = 0; i < cli_option_count; i++)
		if (cli_options[i].own && is_full_name(&cli_options[i], word))
			return true;
	return false;
}

/* A long option that gprof's table does not decide. */
static enum args_event
own_option(struct args *args, char *word)
{
	bool ambiguous = false;

	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];
		char *equals;

		ambiguous |= args_is_candidate(option, word);
		if (!option->own || !is_full_name(option, word))
			continue;
		equals = strchr(word, '=');
		args->option = option;
		args->value = equals ? equals + 1 : NULL;
		if (option->argument == ARGUMENT_NONE && equals)
			return refuse(args, FAULT_UNEXPECTED_ARGUMENT, option, word);
		if (option->argument != ARGUMENT_REQUIRED || equals)
			return ARGS_OPTION;
		/*
		 * The word after the option is still the next one in argv: getopt_long moves
		 * operands behind options only when it goes on, and then takes along what lies
		 * before optind.
		 */
		if (optind >= args->argc)
			return refuse(args, FAULT_MISSING_ARGUMENT, option, word);
		args->value = args->argv[optind++];
		return ARGS_OPTION;
	}
	return refuse(args, ambiguous ? FAULT_AMBIGUOUS : FAULT_UNKNOWN_NAME, NULL, word);
}

/* getopt_long reports what it rejects in optopt: 0 for a long option that it does not know. */
static enum args_event
refused(struct args *args)
{
	char *word = args->argv[optind - 1];
	const struct cli_option *option;

	if (optopt == 0)
		return own_option(args, word);
	option = cli_option_by_id(optopt);
	if (!option)
		return refuse_letter(args, FAULT_UNKNOWN_LETTER, NULL, (char)optopt);
	/* We have an option of that name with an argument. */
	if (option->argument == ARGUMENT_NONE && !args->gnu_mode && is_own_name(word))
		return own_option(args, word);
	if (option->argument != ARGUMENT_REQUIRED)
		return refuse(args, FAULT_UNEXPECTED_ARGUMENT, option, word);
	if (strncmp(word, "--", 2) == 0)
		return refuse(args, FAULT_MISSING_ARGUMENT, option, word);
	return refuse_letter(args, FAULT_MISSING_ARGUMENT, option, (char)optopt);
}

enum args_event
args_next(struct args *args)
{
	int id;

	opterr = 0;
	id = getopt_long(args->argc, args->argv, args->letters, args->names, NULL);
	if (id == -1)
		return ARGS_END;
	if (id == '?')
		return refused(args);
	args->option = cli_option_by_id(id);
	args->value = optarg;
	return ARGS_OPTION;
}

const char *
args_next_word(const struct args *args)
{
	return optind < args->argc ? args->argv[optind] : NULL;
}

const char *
args_last_word(const struct args *args)
{
	return optind > 0 ? args->argv[optind - 1] : NULL;
}

char **
args_operands(const struct args *args)
{
	return args->argv + optind;
}

void
args_print_fault(struct args *args)
{
	/* Behind another letter even '-' is one; alone it would end the options. */
	char cluster[4] = {'-', 'b', args->letter[1], '\0'};
	bool is_letter = args->word == args->letter, own = args->option && args->option->own;
	char *argv[3] = {args->argv[0], is_letter ? cluster : (char *)args->word, NULL};
	int id;

	opterr = 1;
	optind = 0;
	do
		id = getopt_long(2, argv, args->letters, own ? args->own_names : args->names, NULL);
	while (id != '?' && id != -1);
}

const struct cli_option *
args_nearest(const char *word)
{
	const struct cli_option *found = NULL;
	size_t length = args_name_length(word);
	struct nearest nearest;

	nearest_begin(&nearest, word + 2, length);
	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];

		if (!cli_has_name(option))
			continue;
		/* An own option that was cut short is what was meant. */
		if (option->own && length >= 3 && strncmp(option->name, word + 2, length) == 0)
			return option;
		if (nearest_offer(&nearest, option->name))
			found = option;
	}
	return found;
}
