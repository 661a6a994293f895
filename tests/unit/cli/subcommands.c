/* SPDX-License-Identifier: Apache-2.0 */
/* Commands: their table, which word is one, and which options go with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "command.h"
#include "options.h"
#include "subcommands.h"
#include "viewer.h"

static void
rows_are_complete(void **state)
{
	(void)state;
	for (size_t i = 0; i < cli_subcommand_count; i++) {
		const struct cli_subcommand *command = &cli_subcommands[i];
		uint32_t options = 0;

		assert_ptr_equal(subcommand_named(command->name), command);
		assert_non_null(command->operands);
		assert_non_null(command->summary);
		assert_non_null(command->text);
		/* The name of a file is not taken for it, and help finds it. */
		assert_int_equal(strspn(command->name, "abcdefghijklmnopqrstuvwxyz"),
		                 strlen(command->name));
		for (size_t k = 0; k < cli_option_count; k++)
			options += subcommand_of(&cli_options[k]) == command;
		assert_int_equal(options > 0, command->group != GROUP_COUNT);
	}
	assert_null(subcommand_named(NULL));
	assert_null(subcommand_named(""));
	assert_null(subcommand_named("ope"));
	assert_null(subcommand_named("./open"));
	assert_null(subcommand_named("Open"));
}

static void
misspelled_words_are_near(void **state)
{
	static const struct {
		const char *word, *command;
	} cases[] = {
		{"opne", "open"}, {"poen", "open"},  {"opn", "open"},    {"oepn", "open"},
		{"OPEN", "open"}, {"opens", "open"}, {"hlep", "help"},   {"hel", "help"},
		{"Help", "help"}, {"hello", NULL},   {"prog", NULL},     {"o", NULL},
		{"", NULL},       {"a.out", NULL},   {"openfoam", NULL}, {"npoe", NULL},
		{"opne.x", NULL}, {"./opne", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct cli_subcommand *found = subcommand_nearest(cases[i].word);

		if (cases[i].command)
			assert_ptr_equal(found, subcommand_named(cases[i].command));
		else if (found)
			fail_msg("%s is near %s", cases[i].word, found->name);
	}
}

/*
 * What "open" takes.  An option that is added to the table has to be added here, too, or to those
 * that are refused, so that none is taken that does nothing.
 */
static const char *const taken[] = {
	"no-static",
	"external-symbol-table",
	"demangle",
	"no-demangle",
	"directory-path",
	"display-unused-functions",
	"debug",
	"file-format",
	"ignore-non-functions",
	"inline-file-names",
	"line",
	"print-path",
	"time",
	"no-time",
	"traditional",
	"static-call-graph",
	"",
	"help",
	"version",
	"slide",
	"object",
	"correct",
	"gnu",
	"threads",
	"hz",
	"clones",
	"sysroot",
	"metric",
	"phase",
	"keep-going",
	"label",
	"label-text",
	"cpu-time",
	"quantum",
	"config",
	"preset",
	"set",
	"no-config",
	"explain",
	"no-findings",
	"with",
	"plugin",
	"plugin-path",
	"no-plugins",
	"output-option",
	"source-map",
	NULL,
};
static const char taken_letters[] = "eEfFk";

static bool
is_taken(const struct cli_option *option)
{
	if (!option->own && option->id < 128 && strchr(taken_letters, option->id))
		return true;
	for (size_t i = 0; option->name && taken[i]; i++)
		if (strcmp(taken[i], option->name) == 0)
			return true;
	return false;
}

static void
every_option_is_taken_or_refused(void **state)
{
	struct console console;
	struct command command;

	(void)state;
	console_open(&console, "gprofx");
	memset(&command, 0, sizeof command);
	command.console = &console;
	command.subcommand = subcommand_named("open");
	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];

		if (subcommand_check_option(&command, option) != is_taken(option))
			fail_msg("-%c, --%s is not where this test has it",
			         option->id < 128 ? option->id : '?', option->name);
	}
}

static void
viewers_are_those_of_the_option(void **state)
{
	char words[] = VIEWER_WORDS, *rest;
	uint32_t count = 0;

	(void)state;
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		const struct viewer *viewer = viewer_named(word);
		char file[80];

		count++;
		assert_non_null(viewer);
		snprintf(file, sizeof file, "%sprogram%s", viewer->before, viewer->after);
		assert_true(viewer_has_file(file));
		/* With nothing of the program's it is the file of somebody else. */
		snprintf(file, sizeof file, "%s%s", viewer->before, viewer->after);
		assert_false(viewer_has_file(file));
	}
	assert_int_equal(count, 5);
	assert_null(viewer_named("firefox"));
	assert_null(viewer_named(""));
	assert_false(viewer_has_file("notes.txt"));
	assert_false(viewer_has_file(".."));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_complete),
		cmocka_unit_test(misspelled_words_are_near),
		cmocka_unit_test(every_option_is_taken_or_refused),
		cmocka_unit_test(viewers_are_those_of_the_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
