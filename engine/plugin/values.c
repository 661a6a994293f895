/* SPDX-License-Identifier: Apache-2.0 */
/* Values of options: from text into a struct, and what there is to choose from in words. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/run.h"
#include "plugin/plugins.h"

/* "all, graph, index" */
static const char *
list_choices(struct run *run, const char *const *choices)
{
	const char *words = choices[0] ? choices[0] : "";

	for (uint32_t i = 1; choices[0] && choices[i]; i++)
		words = text_format(run, "%s, %s", words, choices[i]);
	return words;
}

const char *
option_values(struct run *run, const struct gprofx_option *option)
{
	switch (option->type) {
	case GPROFX_BOOL:
		return "true or false";
	case GPROFX_INT:
		if (option->minimum == INT64_MIN && option->maximum == INT64_MAX)
			return "a whole number";
		if (option->maximum == INT64_MAX)
			return text_format(run, "a whole number from %" PRId64, option->minimum);
		return text_format(run, "a whole number from %" PRId64 " to %" PRId64,
		                   option->minimum, option->maximum);
	case GPROFX_CHOICE:
		return text_format(run, "one of %s", list_choices(run, option->choices));
	case GPROFX_REAL:
		if (option->minimum == INT64_MIN && option->maximum == INT64_MAX)
			return "a number";
		if (option->maximum == INT64_MAX)
			return text_format(run, "a number from %" PRId64, option->minimum);
		return text_format(run, "a number from %" PRId64 " to %" PRId64, option->minimum,
		                   option->maximum);
	case GPROFX_CHOICES:
		return text_format(run, "some of %s, each once, separated by commas",
		                   list_choices(run, option->choices));
	case GPROFX_STRING:
		return "any text";
	}
	return NULL;
}

static const char *
store_bool(const char *text, unsigned char *place, const char **meant)
{
	/* What else YAML takes for a truth value. */
	static const char *const words[][2] = {{"yes", "no"}, {"on", "off"}, {"1", "0"}};
	bool value = strcmp(text, "true") == 0;

	if (value || strcmp(text, "false") == 0) {
		memcpy(place, &value, sizeof value);
		return NULL;
	}
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		for (uint32_t k = 0; k < 2; k++)
			if (strcasecmp(words[i][k], text) == 0)
				*meant = k == 0 ? "true" : "false";
	if (!*meant) {
		struct nearest nearest;

		nearest_begin(&nearest, text, strlen(text));
		nearest_offer(&nearest, "true");
		nearest_offer(&nearest, "false");
		*meant = nearest.found;
	}
	return "true or false";
}

static const char *
store_number(struct run *run, const struct gprofx_option *option, const char *text,
             unsigned char *place)
{
	bool has_digit = text[0] >= '0' && text[0] <= '9';
	bool has_sign = text[0] == '-' && text[1] >= '0' && text[1] <= '9';
	char *end;
	int64_t value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if ((has_digit || has_sign) && *end == '\0' && errno == 0 && value >= option->minimum &&
	    value <= option->maximum) {
		memcpy(place, &value, sizeof value);
		return NULL;
	}
	return option_values(run, option);
}

/*
 * A decimal number, as people write one: no exponent, no other base, no infinity.  False: it is
 * none.
 */
static bool
read_real(const char *text, double *value)
{
	bool negative = text[0] == '-';
	double scale = 1;
	size_t digits = 0;

	*value = 0;
	for (text += negative; *text >= '0' && *text <= '9'; text++, digits++)
		*value = *value * 10 + (*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; text++, digits++)
			*value += (*text - '0') * (scale /= 10);
	if (negative)
		*value = -*value;
	return digits > 0 && *text == '\0';
}

static const char *
store_real(struct run *run, const struct gprofx_option *option, const char *text,
           unsigned char *place)
{
	double value;

	if (!read_real(text, &value) || value < (double)option->minimum ||
	    value > (double)option->maximum)
		return option_values(run, option);
	memcpy(place, &value, sizeof value);
	return NULL;
}

/* Words with commas between them. */
static const char *
store_choices(struct run *run, const struct gprofx_option *option, const char *text,
              unsigned char *place, const char **meant)
{
	uint32_t choices = 0, count = 0, *items;
	struct gprofx_choices value;

	while (option->choices[choices])
		choices++;
	memory_array(run, items, choices);
	for (;; text++) {
		size_t length = strcspn(text, ",");
		struct nearest nearest;
		uint32_t choice = 0;

		nearest_begin(&nearest, text, length);
		for (; option->choices[choice]; choice++) {
			if (strncmp(option->choices[choice], text, length) == 0 &&
			    option->choices[choice][length] == '\0')
				break;
			nearest_offer(&nearest, option->choices[choice]);
		}
		for (uint32_t i = 0; i < count; i++)
			if (items[i] == choice)
				return option_values(run, option);
		if (choice == choices) {
			*meant = nearest.found;
			return option_values(run, option);
		}
		items[count++] = choice;
		text += length;
		if (*text == '\0')
			break;
	}
	value = (struct gprofx_choices){count, items};
	memcpy(place, &value, sizeof value);
	return NULL;
}

const char *
option_store(struct run *run, const struct gprofx_option *option, const char *text, void *options,
             const char **meant)
{
	unsigned char *place = (unsigned char *)options + option->offset;
	struct nearest nearest;

	*meant = NULL;
	switch (option->type) {
	case GPROFX_BOOL:
		return store_bool(text, place, meant);
	case GPROFX_INT:
		return store_number(run, option, text, place);
	case GPROFX_REAL:
		return store_real(run, option, text, place);
	case GPROFX_CHOICES:
		return store_choices(run, option, text, place, meant);
	case GPROFX_STRING: {
		const char *value = text_keep(run, text, strlen(text));

		memcpy(place, &value, sizeof value);
		return NULL;
	}
	case GPROFX_CHOICE:
		nearest_begin(&nearest, text, strlen(text));
		for (uint32_t i = 0; option->choices[i]; i++) {
			if (strcmp(option->choices[i], text) == 0) {
				memcpy(place, &i, sizeof i);
				return NULL;
			}
			nearest_offer(&nearest, option->choices[i]);
		}
		*meant = nearest.found;
		return option_values(run, option);
	}
	return "a type that is known";
}
