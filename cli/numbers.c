/* SPDX-License-Identifier: Apache-2.0 */
#include "numbers.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "console.h"

static const char width_hint[] = "80 is usual; nobody can read a line of more";

int
number_as_gprof(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

bool
number_take(struct command *command, const struct cli_option *option, const char *value,
            uint64_t least, uint64_t most, const char *hint, uint64_t *number)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-number",
		.hint = hint,
		.text = {value, NULL},
	};
	char *end;

	/* What is too large for the type becomes its largest value. */
	*number = strtoull(value, &end, 10);
	if (value[0] >= '0' && value[0] <= '9' && *end == '\0' && *number >= least &&
	    *number <= most)
		return true;
	console_fail(command->console, &diagnostic,
	             "expected a number from %" PRIu64 " to %" PRIu64 " after --%s, found '%s'",
	             least, most, option->name, value);
	return false;
}

/* Each row of the index can take a whole line, so its width bounds what is written. */
static bool
set_width(struct command *command, const struct cli_option *option, const char *value)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-number",
		.hint = width_hint,
		.text = {value, NULL},
	};
	char message[256];
	uint64_t width;

	if (!command->gnu_mode) {
		if (!number_take(command, option, value, 1, NUMBERS_WIDEST_LINE, width_hint,
		                 &width))
			return false;
		command->width = (int)width;
		return true;
	}
	command->width = number_as_gprof(value) < 1 ? 1 : number_as_gprof(value);
	if (command->width <= NUMBERS_WIDEST_LINE)
		return true;
	command->width = NUMBERS_WIDEST_LINE;
	snprintf(message, sizeof message,
	         "expected at most %d columns after --%s, found '%s'; the index has %d",
	         NUMBERS_WIDEST_LINE, option->name, value, NUMBERS_WIDEST_LINE);
	console_diagnose(command->console, ENGINE_WARNING, &diagnostic, message, NULL);
	return true;
}

static bool
set_min_count(struct command *command, const struct cli_option *option, const char *value)
{
	uint64_t least;
	long number;

	command->has_min_count = true;
	if (!command->gnu_mode) {
		if (!number_take(command, option, value, 0, INT64_MAX,
		                 "0 marks no line, 1 those that never ran", &least))
			return false;
		snprintf(command->min_count, sizeof command->min_count, "%" PRIu64, least);
		return true;
	}
	/* Negative numbers are very large ones, which nothing reaches. */
	number = strtol(value, NULL, 10);
	snprintf(command->min_count, sizeof command->min_count, "%ld",
	         number < 0 ? LONG_MAX : number);
	return true;
}

static bool
set_table_length(struct command *command, const struct cli_option *option, const char *value)
{
	int length = number_as_gprof(value);
	uint64_t lines = length < 0 ? 0 : (uint64_t)length;

	if (!command->gnu_mode &&
	    !number_take(command, option, value, 0, INT32_MAX, "0 stands for no table", &lines))
		return false;
	command->has_table_length = true;
	snprintf(command->table_length, sizeof command->table_length, "%" PRIu64, lines);
	return true;
}

bool
number_apply(struct command *command, const struct cli_option *option, const char *value)
{
	switch (option->id) {
	case 'm':
		return set_min_count(command, option, value);
	case 't':
		return set_table_length(command, option, value);
	case 'w':
		return set_width(command, option, value);
	default:
		return false;
	}
}
