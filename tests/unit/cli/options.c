/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options is consistent, and every option has an effect or says that it has none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "command.h"
#include "compat.h"
#include "options.h"
#include "setting.h"
#include "subcommands.h"

static void
ids_and_names_are_unique(void **state)
{
	(void)state;
	assert_true(cli_option_count > 40);
	for (size_t i = 0; i < cli_option_count; i++)
		for (size_t j = 0; j < i; j++) {
			assert_int_not_equal(cli_options[i].id, cli_options[j].id);
			/* One of ours can add an argument to one of gprof's that has none. */
			if (cli_options[i].own && !cli_options[j].own &&
			    cli_options[i].argument == ARGUMENT_REQUIRED &&
			    cli_options[j].argument == ARGUMENT_NONE)
				continue;
			if (cli_options[i].name && cli_options[j].name)
				assert_string_not_equal(cli_options[i].name, cli_options[j].name);
		}
}

static void
rows_are_complete(void **state)
{
	(void)state;
	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];

		assert_ptr_equal(cli_option_by_id(option->id), option);
		assert_non_null(option->help);
		assert_int_equal(option->metavar != NULL, option->argument != ARGUMENT_NONE);
		assert_true(option->group < GROUP_COUNT);
		if (option->id > 127)
			assert_non_null(option->name);
		/* The tables that the parser makes need gprof's options first. */
		if (i > 0)
			assert_true(option->own || !cli_options[i - 1].own);
	}
	assert_null(cli_option_by_id('G'));
	assert_null(cli_option_by_id('?'));
}

/* An argument that does something for the option: the last of the words that it offers. */
static const char *
argument_of(const struct cli_option *option)
{
	const char *const *words = setting_words(option->setting);
	const char *last = option->values ? strrchr(option->values, ' ') : NULL;

	if (option->argument == ARGUMENT_NONE)
		return NULL;
	/* Where tests run, nothing is colored otherwise. */
	if (option->id == OPTION_COLOR)
		return "always";
	if (last)
		return last + 1;
	if (option->values && strcmp(option->values, OFFER_CORRECTIONS) == 0)
		return "none";
	if (option->values && strcmp(option->values, OFFER_READERS) == 0)
		return "magic";
	while (words && words[0] && words[1])
		words++;
	return words ? words[0] : strstr(option->metavar, "=") ? "threads=7" : "7";
}

/*
 * The settings after a line with nothing but this option differ from those of an empty line; only
 * --demangle and --gnu are about what is the case anyway, and --format goes with others.
 */
static void
every_option_acts(void **state)
{
	static char program[] = "gprofx";

	(void)state;
	for (size_t i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_options[i];
		const char *argument = argument_of(option);
		const struct cli_subcommand *command = subcommand_of(option);
		char word[64], first[16];
		static char base[] = "base", new[] = "new";
		char *line[] = {program, word, NULL, NULL, NULL, NULL},
		     *empty[] = {program, NULL, NULL, NULL, NULL};
		int words = 1;
		struct console console;
		struct command without, with;
		int status;

		if (option->id == OPTION_GNU || option->id == OPTION_FORMAT ||
		    (option->name && option->name[0] == '\0'))
			continue;
		if (option->name)
			snprintf(word, sizeof word, "--%s%s%s", option->name, argument ? "=" : "",
			         argument ? argument : "");
		else
			snprintf(word, sizeof word, "-%c%s", option->id, argument ? argument : "");
		if (command) {
			snprintf(first, sizeof first, "%s", command->name);
			line[1] = empty[1] = first;
			line[2] = word;
			words = 2;
		}
		/* It compares two profiles, and nothing without them. */
		if (command && command->id == SUBCOMMAND_DIFF) {
			line[3] = empty[2] = base;
			line[4] = empty[3] = new;
			words = 4;
		}
		console_open(&console, program);
		assert_int_equal(command_parse(&without, &console, false, words, empty), -1);
		status = command_parse(&with, &console, false, words + 1, line);
		assert_int_equal(status, -1);
		/* Pointers to the arrays are bound to differ. */
		with.settings.symspecs = without.settings.symspecs;
		with.settings.outputs = without.settings.outputs;
		with.settings.plugins = without.settings.plugins;
		with.settings.plugin_folders = without.settings.plugin_folders;
		with.settings.configs = without.settings.configs;
		with.settings.emitter_options = without.settings.emitter_options;
		with.settings.preset_folders = without.settings.preset_folders;
		with.settings.installed_presets = without.settings.installed_presets;
		with.settings.trusted_users = without.settings.trusted_users;
		if (memcmp(&with.settings, &without.settings, sizeof with.settings) == 0 &&
		    memcmp(&with.comparison, &without.comparison, sizeof with.comparison) == 0 &&
		    with.action == without.action && with.viewer == without.viewer)
			fail_msg("%s has no effect", word);
		command_free(&without);
		command_free(&with);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_and_names_are_unique),
		cmocka_unit_test(rows_are_complete),
		cmocka_unit_test(every_option_acts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
