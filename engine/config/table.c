/* SPDX-License-Identifier: Apache-2.0 */
/* The table of settings with a single value. */
#include <stdlib.h>
#include <string.h>

#include "config/keys.h"
#include "engine.h"

#define TRUTH .option.type = GPROFX_BOOL
#define RANGE(least, most) \
	.option.type = GPROFX_INT, .option.minimum = (least), .option.maximum = (most)
#define WORDS(list) .option.type = GPROFX_CHOICE, .option.choices = (list)
#define TEXT .option.type = GPROFX_STRING
#define KEY(mapping, word, values, otherwise, explanation)                         \
	.section = (mapping), .option.key = (word), .option.initial = (otherwise), \
	.option.help = (explanation), values
#define ENGINE_KEY(name, type, member, ...)                         \
	{.setting = ENGINE_SET_##name,                              \
	 .option.offset = offsetof(struct engine_settings, member), \
	 __VA_ARGS__},

static const struct engine_key table[] = {
#include "settings.def"
};

const struct engine_key *
engine_keys(uint32_t *count)
{
	*count = sizeof table / sizeof table[0];
	return table;
}

void
engine_put(struct engine_settings *settings, const struct engine_key *key, const void *value)
{
	unsigned char *member = (unsigned char *)settings + key->option.offset;
	uint32_t number;
	int64_t wide;

	switch (key->option.type) {
	case GPROFX_BOOL:
		memcpy(member, value, sizeof(bool));
		break;
	case GPROFX_INT:
		memcpy(&wide, value, sizeof wide);
		number = (uint32_t)wide;
		memcpy(member, &number, sizeof number);
		break;
	case GPROFX_STRING:
		memcpy(member, value, sizeof(const char *));
		break;
	case GPROFX_CHOICE:
		memcpy(member, value, sizeof(uint32_t));
		break;
	case GPROFX_REAL:
	case GPROFX_CHOICES:
		break; /* no key has these */
	}
}

void
engine_set_defaults(struct engine_settings *settings)
{
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		const struct gprofx_option *option = &table[i].option;
		union {
			bool truth;
			int64_t number;
			uint32_t word;
			const char *text;
		} value = {.number = 0};

		if (option->type == GPROFX_BOOL)
			value.truth = strcmp(option->initial, "true") == 0;
		else if (option->type == GPROFX_INT)
			value.number = strtoll(option->initial, NULL, 10);
		else if (option->type == GPROFX_CHOICE)
			while (option->choices[value.word] &&
			       strcmp(option->choices[value.word], option->initial) != 0)
				value.word++;
		else
			continue;
		engine_put(settings, &table[i], &value);
	}
}

void
engine_give(struct engine_settings *settings, enum engine_setting setting)
{
	settings->given |= UINT64_C(1) << setting;
}

bool
engine_has_outputs(const struct engine_settings *settings)
{
	for (uint32_t i = 0; i < settings->listing_count; i++)
		if (settings->listings[i].is_on)
			return true;
	return settings->output_count > 0;
}

bool
engine_is_given(const struct engine_settings *settings, enum engine_setting setting)
{
	return (settings->given >> setting & 1) != 0;
}

struct gprofx_option
config_correction_option(const struct engine_correction *correction)
{
	return (struct gprofx_option){
		.key = correction->name,
		.type = GPROFX_BOOL,
		.initial = correction->is_default ? "true" : "false",
		.help = correction->reason,
	};
}
