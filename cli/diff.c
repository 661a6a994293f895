/* SPDX-License-Identifier: Apache-2.0 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "engine.h"
#include "operands.h"

static const double usual_min_share = 1;

void
diff_begin(struct command *command)
{
	command->comparison.min_share = usual_min_share;
}

/* A percentage from 0 to "most". */
static bool
take_percent(struct command *command, const struct cli_option *option, const char *value,
             double most, double *percent)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.bad-number",
		.hint = "give a percentage, as 5 or 0.5",
		.text = {value, NULL},
	};
	char *end;
	double number = strtod(value, &end);

	if (value[strspn(value, "0123456789.")] == '\0' && end != value && *end == '\0' &&
	    number <= most) {
		*percent = number;
		return true;
	}
	console_fail(command->console, &diagnostic,
	             "expected a number from 0 to %.0f after --%s, found '%s'", most, option->name,
	             value);
	return false;
}

static bool
set_normalization(struct command *command, const char *value)
{
	static const struct {
		const char *word;
		uint32_t normalization;
	} words[] = {
		{"none", GPROFX_NORMALIZED_BY_NOTHING},
		{"total", GPROFX_NORMALIZED_BY_TOTAL},
		{"calls", GPROFX_NORMALIZED_BY_CALLS},
	};
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-word",
		.hint = "total compares shares, calls compares the cost of a call",
		.text = {value, NULL},
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i].word, value) == 0) {
			command->comparison.normalization = words[i].normalization;
			return true;
		}
	console_fail(command->console, &diagnostic,
	             "expected none, total or calls after --normalize, found '%s'", value);
	return false;
}

bool
diff_apply(struct command *command, const struct cli_option *option, const char *value)
{
	enum { MOST_SLOWER = 1000000, WHOLE = 100 };

	switch (option->id) {
	case OPTION_BASE_IMAGE:
		command->comparison.base.image = value;
		return true;
	case OPTION_NORMALIZE:
		return set_normalization(command, value);
	case OPTION_FAIL_IF_SLOWER:
		command->comparison.has_limit = true;
		return take_percent(command, option, value, MOST_SLOWER,
		                    &command->comparison.limit);
	default:
		return take_percent(command, option, value, WHOLE, &command->comparison.min_share);
	}
}

static bool
fail_operands(struct command *command, size_t count, const char *first)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "usage.diff-operands",
		.hint = "write gprofx diff PROGRAM BASE NEW, or gprofx diff BASE NEW where the "
			"profiles have the names of functions",
	};

	if (count == 2 && operands_is_program(first))
		console_fail(command->console, &diagnostic,
		             "diff compares two profiles, but only one is named behind the "
		             "program %s",
		             first);
	else
		console_fail(command->console, &diagnostic,
		             "diff compares two profiles of a program, but %lu words are named",
		             (unsigned long)count);
	return false;
}

static bool
fail_same_input(struct command *command)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.diff-operands",
		.hint = "write one of the profiles into a file",
	};

	console_fail(command->console, &diagnostic,
	             "diff compares two profiles, but standard input has only one");
	return false;
}

/* Has the output diff write a further table. */
static void
add_table(struct command *command, const char *key)
{
	command->emitter_options[command->settings.emitter_option_count++] = (struct engine_option){
		.format = "diff",
		.key = key,
		.value = "true",
		.is_default = true,
	};
}

bool
diff_finish(struct command *command, char **operands)
{
	enum { WITHOUT_PROGRAM = 2, WITH_PROGRAM = 3 };

	struct engine_settings *settings = &command->settings;
	struct engine_comparison *comparison = &command->comparison;
	size_t count = 0;

	while (operands[count])
		count++;
	if (count < WITHOUT_PROGRAM || count > WITH_PROGRAM ||
	    (count == WITHOUT_PROGRAM && operands_is_program(operands[0])))
		return fail_operands(command, count, operands[0]);
	if (strcmp(operands[count - 2], "-") == 0 && strcmp(operands[count - 1], "-") == 0)
		return fail_same_input(command);
	settings->image = count == WITH_PROGRAM ? operands[0] : NULL;
	comparison->new_side.image = settings->image;
	if (!comparison->base.image)
		comparison->base.image = settings->image;
	comparison->base.name = operands[count - 2];
	comparison->new_side.name = operands[count - 1];
	/* Listings are of one report, and files of settings are not to add any. */
	settings->listings = NULL;
	settings->listing_count = 0;
	if (command->listings & CLI_LIST_GRAPH)
		add_table(command, "graph");
	if (command->listings & CLI_LIST_SOURCE)
		add_table(command, "lines");
	if (settings->output_count == 0)
		command->outputs[settings->output_count++] = (struct engine_output){
			.format = "diff",
		};
	engine_give(settings, ENGINE_SET_OUTPUTS);
	engine_give(settings, ENGINE_SET_PER_FILE);
	engine_give(settings, ENGINE_SET_PER_THREAD);
	engine_give(settings, ENGINE_SET_PER_PROCESS);
	engine_give(settings, ENGINE_SET_PER_PHASE);
	return true;
}
