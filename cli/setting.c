/* SPDX-License-Identifier: Apache-2.0 */
#include "setting.h"

#include <stdio.h>
#include <string.h>

#include "console.h"
#include "numbers.h"

static const struct engine_key *
key_of(enum engine_setting setting)
{
	uint32_t count;

	return &engine_keys(&count)[setting - 1];
}

const char *const *
setting_words(enum engine_setting setting)
{
	return setting ? key_of(setting)->option.choices : NULL;
}

/* "a, b or c" */
static const char *
join_words(const char *const *words, char *room, size_t size)
{
	size_t length = 0;

	for (uint32_t i = 0; words[i] && length < size; i++)
		length += (size_t)snprintf(room + length, size - length, "%s%s",
		                           i == 0         ? ""
		                           : words[i + 1] ? ", "
		                                          : " or ",
		                           words[i]);
	return room;
}

static bool
take_word(struct command *command, const struct cli_option *option, const char *value,
          uint32_t *number)
{
	const char *const *words = setting_words(option->setting);
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-word",
		.hint = option->hint,
		.text = {value, NULL},
	};
	char room[256];

	for (*number = 0; words[*number]; (*number)++)
		if (strcmp(words[*number], value) == 0)
			return true;
	console_fail(command->console, &diagnostic, "expected %s after --%s, found '%s'",
	             join_words(words, room, sizeof room), option->name, value);
	return false;
}

bool
setting_apply(struct command *command, const struct cli_option *option, const char *value)
{
	const struct engine_key *key = key_of(option->setting);
	union {
		bool truth;
		int64_t number;
		const char *text;
		uint32_t word;
	} taken = {.text = value};
	uint64_t number;

	switch (key->option.type) {
	case GPROFX_BOOL:
		taken.truth = strcmp(key->option.initial, "true") != 0;
		break;
	case GPROFX_INT:
		if (!number_take(command, option, value, (uint64_t)key->option.minimum,
		                 (uint64_t)key->option.maximum, option->hint, &number))
			return false;
		taken.number = (int64_t)number;
		break;
	case GPROFX_CHOICE:
		if (!take_word(command, option, value, &taken.word))
			return false;
		break;
	case GPROFX_STRING:
	case GPROFX_REAL:
	case GPROFX_CHOICES:
		break; /* no key has the last two */
	}
	engine_put(&command->settings, key, &taken);
	engine_give(&command->settings, option->setting);
	return true;
}
