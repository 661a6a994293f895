/* SPDX-License-Identifier: Apache-2.0 */
/* The program: all that belongs to the process as a whole, and the exit status. */
#include <string.h>

#include "base/text.h"
#include "check-plugin.h"
#include "command.h"
#include "compat.h"
#include "completion.h"
#include "console.h"
#include "diff.h"
#include "engine.h"
#include "help.h"
#include "open.h"
#include "plugins.h"
#include "process.h"
#include "record.h"
#include "recording.h"
#include "terminal.h"
#include "words.h"

#ifdef GPROFX_BUILTIN
extern const struct gprofx_plugin *const gprofx_builtin_plugins[];
#else
static const struct gprofx_plugin *const *const gprofx_builtin_plugins = NULL;
#endif

/* GNU mode has to be known before the first message, so --gnu is looked for in all words. */
static bool
wants_gnu_mode(int argc, char **argv)
{
	if (compat_is_gprof(text_last_name(argv[0])))
		return true;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--gnu") == 0)
			return true;
	return false;
}

static void
print_help(struct command *command)
{
	if (command->topic) {
		terminal_page(command);
		help_print_topic(command->console, command->topic);
	} else if (command->gnu_mode)
		help_print_all(command->console);
	else
		help_print(command->console);
}

static bool
act(struct command *command, const struct engine_frontend *frontend)
{
	bool went_well;

	switch (command->action) {
	case COMMAND_HELP:
		print_help(command);
		return true;
	case COMMAND_VERSION:
		help_print_version(command->console);
		return true;
	case COMMAND_LIST_CORRECTIONS:
		terminal_page(command);
		return help_print_corrections(command, frontend);
	case COMMAND_LIST_SETTINGS:
		terminal_page(command);
		return help_print_settings(command, frontend);
	case COMMAND_PRINT_CONFIG:
		return engine_print_config(&command->settings, frontend);
	case COMMAND_PRINT_CONFIG_SCHEMA:
		return engine_print_config_schema(&command->settings, frontend);
	case COMMAND_DUMP_PLUGIN:
		return plugins_dump(command, frontend);
	case COMMAND_LIST_PLUGINS:
		return plugins_print(command, frontend);
	case COMMAND_CHECK_PLUGINS:
		return check_plugins(command);
	case COMMAND_COMPLETION:
		return completion_print(command->console, command->shell);
	case COMMAND_DIFF:
		return engine_compare(&command->settings, frontend, &command->comparison);
	case COMMAND_OPEN:
		return open_run(command, frontend);
	case COMMAND_RUN:
		if (recording_choose(command, frontend, &went_well))
			return went_well;
		return engine_run(&command->settings, frontend);
	}
	return false;
}

int
main(int argc, char **argv)
{
	static char *nameless[] = {"gprofx", NULL};
	struct console console;
	struct command command;
	struct engine_frontend frontend = {
		.opaque = &console,
		.diagnose = console_diagnose,
		.trace = console_trace,
		.write = console_write,
		.find = console_find,
	};
	struct words words;
	const char *name;
	bool gnu_mode;
	int status;

	if (record_is_meant(argc, argv))
		return record_execute(argv);
	process_keep_no_large_arrays();
	process_occupy_standard_channels();
	if (argc < 1) {
		argc = 1;
		argv = nameless;
	}
	process_set_name(argv[0]);
	process_expand_files(&words, argc, argv);
	argc = words.count;
	argv = words.list;
	gnu_mode = wants_gnu_mode(argc, argv);
	name = gnu_mode ? argv[0] : text_last_name(argv[0]);
	process_set_name(name);
	console_open(&console, name);
	console.gnu_mode = gnu_mode;
	if (console_wants_progress(&console))
		frontend.progress = console_progress;
	process_set_signals();
	if (words.too_large) {
		process_report_large_file(&console, &words);
		console_close(&console);
		words_free(&words);
		return 1;
	}
	status = command_parse(&command, &console, gnu_mode, argc, argv);
	if (status < 0) {
		command.settings.builtin = gprofx_builtin_plugins;
		command.settings.word_files = words.names;
		command.settings.word_file_count = (uint32_t)words.name_count;
		status = act(&command, &frontend) ? 0 : 1;
		if (status == 0 && command.comparison.is_slower)
			status = DIFF_STATUS_SLOWER;
	}
	command_free(&command);
	if (!console_close(&console) && status == 0)
		status = 1;
	words_free(&words);
	return status;
}
