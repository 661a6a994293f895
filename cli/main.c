/* SPDX-License-Identifier: Apache-2.0 */
/* The program: all that belongs to the process as a whole, and the exit status. */
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

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
#include "record.h"
#include "recording.h"
#include "terminal.h"
#include "words.h"

#ifdef GPROFX_BUILTIN
extern const struct gprofx_plugin *const gprofx_builtin_plugins[];
#else
static const struct gprofx_plugin *const *const gprofx_builtin_plugins = NULL;
#endif

/* For the signal handler, which has no other way to know. */
static const char *program_name = "gprofx";

static void
say(const char *text)
{
	ssize_t written = write(STDERR_FILENO, text, strlen(text));

	(void)written;
}

/* The end of the process from within a signal handler. */
static _Noreturn void
say_and_exit(const char *message)
{
	say(program_name);
	say(message);
	_exit(1);
}

/*
 * Files are read in place.  When one of them is cut while that is going on, the system has nothing
 * to put where its end was.
 */
static void
file_changed(int signal_number, siginfo_t *info, void *context)
{
	static const char message[] =
		": error[input.file-changed]: an input file was truncated while it was being read\n"
		"  hint: wait until the program that writes it has ended, then try again\n";

	(void)context;
	if (info->si_code != BUS_ADRERR) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
		return;
	}
	say_and_exit(message);
}

static void
set_signals(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = file_changed;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGBUS, &action, NULL);
	/* Then a write beyond the limit for the size of files fails, and that is reported. */
	signal(SIGXFSZ, SIG_IGN);
}

/*
 * A standard channel that the caller closed must not become the first file that is opened.  What
 * takes its place fails as the closed one would.
 */
static void
occupy_standard_channels(void)
{
	struct pollfd channels[] = {{.fd = STDIN_FILENO},
	                            {.fd = STDOUT_FILENO},
	                            {.fd = STDERR_FILENO}};

	if (poll(channels, 3, 0) == 0)
		return;
	for (int i = 0; i < 3; i++)
		if ((channels[i].revents & POLLNVAL) &&
		    open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			_exit(1);
}

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

/* libiberty's answer to a lack of memory outside of the engine is abort(). */
static void
no_memory_for_words(int signal_number)
{
	static const char message[] =
		": error[memory.exhausted]: cannot allocate memory for the words of the @ files\n"
		"  hint: use smaller files, or allow the program more memory\n";

	(void)signal_number;
	say_and_exit(message);
}

/* Puts the words of files in the place of @FILE. */
static void
expand_files(struct words *words, int argc, char **argv)
{
	bool has_files = false;

	for (int i = 1; i < argc; i++)
		has_files = has_files || argv[i][0] == '@';
	if (has_files)
		signal(SIGABRT, no_memory_for_words);
	words_expand(words, argc, argv);
	if (has_files)
		signal(SIGABRT, SIG_DFL);
}

/* A file that the program did not read to its end is no reason to go on without it. */
static int
refuse_file(struct console *console, struct words *words)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.file-too-large",
		.file = words->too_large,
		.hint = "name a file of words of the command line",
	};

	console_fail(console, &diagnostic,
	             "the files named with @ have more than 16 MiB of words together");
	console_close(console);
	words_free(words);
	return 1;
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

/*
 * Lets the system have large arrays back as soon as they are freed.  By itself the C library keeps
 * them from the first one on, and what is allocated next seldom fits in their place: a report on a
 * million lines takes a sixth more.
 */
static void
keep_no_large_arrays(void)
{
#ifdef M_MMAP_THRESHOLD
	enum { LARGE = 1 << 20, KEPT = 8 << 20 };

	(void)mallopt(M_MMAP_THRESHOLD, LARGE);
	(void)mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
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
	bool gnu_mode;
	int status;

	if (record_is_meant(argc, argv))
		return record_execute(argv);
	keep_no_large_arrays();
	occupy_standard_channels();
	if (argc < 1) {
		argc = 1;
		argv = nameless;
	}
	program_name = argv[0];
	expand_files(&words, argc, argv);
	argc = words.count;
	argv = words.list;
	gnu_mode = wants_gnu_mode(argc, argv);
	program_name = gnu_mode ? argv[0] : text_last_name(argv[0]);
	console_open(&console, program_name);
	console.gnu_mode = gnu_mode;
	if (console_wants_progress(&console))
		frontend.progress = console_progress;
	set_signals();
	if (words.too_large)
		return refuse_file(&console, &words);
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
