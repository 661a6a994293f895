/* SPDX-License-Identifier: Apache-2.0 */
#include "repeat.h"

#include <stdio.h>

#include "engine.h"

/* Whether an option says where data is from, what functions are called or what counts. */
static bool
is_about_data(const struct cli_option *option)
{
	/* Lines have other commands, and a sum is written once. */
	if (option->id == 'l' || option->id == 's' || option->id == OPTION_SUM ||
	    option->id == OPTION_PARTIAL)
		return false;
	return option->group == GROUP_INPUT || option->group == GROUP_SYMBOLS ||
	       option->group == GROUP_CORRECTIONS || option->group == GROUP_CONFIG ||
	       option->group == GROUP_PLUGINS || option->id == 'k' || option->id == 'n' ||
	       option->id == 'N' || option->id == OPTION_METRIC;
}

bool
repeat_note(struct command *command, const struct cli_option *option, const char *value)
{
	bool *was_noted = &command->is_repeated[option - cli_options];
	char *word;
	int bytes;

	/* A word can have many letters, so those without a value have room for one each. */
	if (!is_about_data(option) || (!value && *was_noted))
		return true;
	*was_noted = true;
	/* An empty value behind a letter would be the next word. */
	if (cli_has_letter(option) && !(value && value[0] == '\0'))
		bytes = asprintf(&word, "-%c%s", option->id, value ? value : "");
	else
		bytes = asprintf(&word, "--%s%s%s", option->name, value ? "=" : "",
		                 value ? value : "");
	word = command_keep(command, bytes < 0 ? NULL : word);
	if (word)
		command->repeated[command->settings.repeated_count++] = word;
	return word != NULL;
}
