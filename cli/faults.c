/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Usage errors: under gprof's name in the words of the C library, which are gprof's, with the usage
 * text; under our own with a hint at what may have been meant.
 */
#include "faults.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gprofx/plugin.h>

#include "base/text.h"
#include "console.h"
#include "help.h"
#include "message.h"
#include "operands.h"
#include "options.h"

/* Appends to a text that may come out shorter than wanted. */
static void
append(char *text, size_t room, const char *words)
{
	size_t used = strlen(text);

	snprintf(text + used, room - used, "%s", words);
}

/* A setting of an output: --set=OUTPUT.KEY=VALUE. */
static const struct output_setting {
	const char *output, *key;
} output_settings[] = {
#include "output-settings.def" /* IWYU pragma: keep */
};

enum {
	SETTINGS = sizeof output_settings / sizeof output_settings[0],
	LONGEST_VALUE = 40,
	LONGEST_NAME = 60,
	LONGEST_HINT = 1024,
	MOST_OPERANDS = 20 /* of a hint */
};

/* What the user wanted to set; VALUE: that is unclear. */
static const char *
value_of(const struct args *args)
{
	const char *equals = strchr(args->word, '='), *next = args_next_word(args);
	const char *value = equals ? equals + 1 : next;

	if (!value || value[0] == '\0' || strlen(value) > LONGEST_VALUE ||
	    (!equals && (value[0] == '-' || access(value, F_OK) == 0)))
		return "VALUE";
	return value;
}

/* If the word is the name of a setting of outputs, how to write that; false: it is none. */
static bool
hint_settings(const struct args *args, char *hint, size_t room)
{
	size_t length = args_name_length(args->word);
	const struct output_setting *found[SETTINGS];
	uint32_t count = 0;

	for (uint32_t i = 0; i < SETTINGS; i++)
		if (strlen(output_settings[i].key) == length &&
		    strncmp(output_settings[i].key, args->word + 2, length) == 0)
			found[count++] = &output_settings[i];
	if (count == 0)
		return false;
	snprintf(hint, room, "write --set=%s.%s=%s", found[0]->output, found[0]->key,
	         value_of(args));
	for (uint32_t i = 1; i < count; i++) {
		append(hint, room, i + 1 < count ? ", " : " or ");
		append(hint, room, found[i]->output);
		append(hint, room, ".");
		append(hint, room, found[i]->key);
	}
	return true;
}

/* What hints repeat of the command line. */
struct repeated_words {
	char operands[300];          /* "./prog gmon.out", or "PROGRAM" */
	char name[LONGEST_NAME + 1]; /* for files that the report goes to: "prog" */
	const char *value;           /* "calls" of --sort=calls, or NULL */
	bool has_profiles;           /* several, or --per-file */
};

/* The operands are not sorted out yet: they are the words that are files. */
static void
repeat_words(const struct args *args, struct repeated_words *words)
{
	char *operands[MOST_OPERANDS + 1];
	const char *equals = strchr(args->word, '='), *name;
	size_t count = 0;

	*words = (struct repeated_words){.name = "report", .value = equals ? equals + 1 : NULL};
	for (int i = 1; i < args->argc; i++) {
		words->has_profiles = words->has_profiles ||
		                      strcmp(args->argv[i], "--per-file") == 0;
		if (count < MOST_OPERANDS && args->argv[i][0] != '-' &&
		    access(args->argv[i], F_OK) == 0)
			operands[count++] = args->argv[i];
	}
	operands[count] = NULL;
	words->has_profiles = words->has_profiles || count > 2;
	operands_write(words->operands, sizeof words->operands, operands);
	if (strcmp(words->operands, "PROGRAM") == 0)
		return;
	name = text_last_name(operands[0]);
	if (name[0] != '\0' && strlen(name) <= LONGEST_NAME)
		memcpy(words->name, name, strlen(name) + 1);
}

static void
hint_per_file(const struct repeated_words *words, char *hint, size_t room)
{
	snprintf(hint, room,
	         "--per-file shows the difference of two profiles: gprofx --per-file %s",
	         words->operands);
}

static void
hint_page(const struct repeated_words *words, char *hint, size_t room)
{
	snprintf(hint, room,
	         "write gprofx --output=html:%s.html %s; gprofx open %s shows such a page in a "
	         "browser",
	         words->name, words->operands, words->operands);
}

static void
hint_flames(const struct repeated_words *words, char *hint, size_t room)
{
	snprintf(
		hint, room,
		"write gprofx --output=speedscope:%s.speedscope.json %s, or, for FlameGraph, gprofx "
		"--output=folded:%s.folded %s",
		words->name, words->operands, words->name, words->operands);
}

/* Of a table that is sorted by time unless it has several profiles. */
static void
hint_sort(const struct repeated_words *words, char *hint, size_t room)
{
	static const char *const columns[] = {"excess", "mean",      "min",  "max",
	                                      "sd",     "imbalance", "total"};
	const char *column = "total";

	for (size_t i = 0; words->value && i < sizeof columns / sizeof columns[0]; i++)
		if (strcmp(words->value, columns[i]) == 0)
			column = columns[i];
	snprintf(hint, room,
	         "tables are sorted by time; to sort by any column, write gprofx "
	         "--output=csv:%s.csv %s",
	         words->name, words->operands);
	if (!words->has_profiles)
		return;
	append(hint, room, ", or gprofx --per-file --set=per-file.sort=");
	append(hint, room, column);
	append(hint, room, " ");
	append(hint, room, words->operands);
}

/* What other programs call what an option of a different name does.  False: nothing known. */
static bool
hint_for_other_name(const struct args *args, char *hint, size_t room)
{
	static const struct {
		const char *name;
		void (*write)(const struct repeated_words *words, char *hint, size_t room);
	} others[] = {
		{"--diff", hint_per_file},      {"--compare", hint_per_file},
		{"--html", hint_page},          {"--flamegraph", hint_flames},
		{"--flame-graph", hint_flames}, {"--sort", hint_sort},
		{"--sort-by", hint_sort},
	};
	size_t length = args->word[1] == '-' ? args_name_length(args->word) : 0;
	struct repeated_words words;

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strlen(others[i].name) == 2 + length &&
		    strncmp(args->word, others[i].name, 2 + length) == 0) {
			repeat_words(args, &words);
			others[i].write(&words, hint, room);
			return true;
		}
	return false;
}

static void
report_unknown(struct console *console, const struct args *args)
{
	const char *word = args->word;
	const struct cli_option *nearest = word[1] == '-' ? args_nearest(word) : NULL;
	char hint[LONGEST_HINT] = "use --help=all to list all options";
	bool is_other = hint_for_other_name(args, hint, sizeof hint);
	struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-option",
		.hint = hint,
		.text = {word, nearest ? nearest->name : NULL},
	};

	/* A hint that stands already is about what the word is known for. */
	if (!is_other && word[1] == '-' && hint_settings(args, hint, sizeof hint))
		diagnostic.text[1] = NULL;
	else if (!is_other && nearest)
		snprintf(hint, sizeof hint, "did you mean --%s? use --help=all to list all options",
		         nearest->name);
	console_fail(console, &diagnostic, "unknown option '%s'", word);
}

static void
report_ambiguous(struct console *console, const char *word)
{
	char hint[512] = "write one of";
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.ambiguous-option",
		.hint = hint,
		.text = {word, NULL},
	};

	for (size_t i = 0; i < cli_option_count; i++) {
		if (!args_is_candidate(&cli_options[i], word))
			continue;
		append(hint, sizeof hint, " --");
		append(hint, sizeof hint, cli_options[i].name);
	}
	console_fail(console, &diagnostic, "ambiguous option '%s'", word);
}

static void
report_argument(struct console *console, const struct args *args)
{
	bool is_missing = args->fault == FAULT_MISSING_ARGUMENT;
	char hint[128];
	const struct gprofx_diagnostic missing = {
		.id = "usage.missing-argument",
		.hint = hint,
		.text = {args->word, args->option->metavar},
	};
	const struct gprofx_diagnostic unexpected = {
		.id = "usage.unexpected-argument",
		.hint = hint,
		.text = {args->word, NULL},
	};

	if (is_missing) {
		snprintf(hint, sizeof hint, "write %s %s", args->word, args->option->metavar);
		console_fail(console, &missing, "%s is missing after %s", args->option->metavar,
		             args->word);
	} else {
		snprintf(hint, sizeof hint, "write --%s", args->option->name);
		console_fail(console, &unexpected, "--%s takes no argument, but '%s' was given",
		             args->option->name, strchr(args->word, '=') + 1);
	}
}

void
fault_report(const struct command *command, struct args *args)
{
	struct message usage;

	if (command->gnu_mode) {
		console_localize();
		args_print_fault(args);
		usage.used = 0;
		help_usage(&usage, command->console->program);
		message_send(&usage);
		return;
	}
	switch (args->fault) {
	case FAULT_UNKNOWN_NAME:
	case FAULT_UNKNOWN_LETTER:
		report_unknown(command->console, args);
		break;
	case FAULT_AMBIGUOUS:
		report_ambiguous(command->console, args->word);
		break;
	case FAULT_MISSING_ARGUMENT:
	case FAULT_UNEXPECTED_ARGUMENT:
		report_argument(command->console, args);
		break;
	}
}
